// The evaluation of Reversi XT: how many rank points a seat may expect from a position of the building phase.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <utility>

#include "xt/position.hpp"

namespace polyversi::xt {

// Every weight that can be tuned. Those with two or three values hold while the map is empty, half full, and full.
enum Weight : std::size_t {
    kMobilityEmpty, kMobilityHalf, kMobilityFull,
    kStonesEmpty, kStonesHalf, kStonesFull,
    kPlaceEmpty, kPlaceHalf, kPlaceFull,
    kCorner, kEdge, kNook, kBesideCorner, kBesideEdge,
    kOverrideEmpty, kOverrideFull, kBomb,
    kInverted, kChosen,
    kDoubtEmpty, kDoubtFull,
    kLead,
    kWeights,
};
using Weights = std::array<double, kWeights>;

extern const std::array<std::string_view, kWeights> kWeightNames;

// Points are counted in thousandths.
constexpr int kPoint = 1000;

class Evaluation {
  public:
    // Sets the cell values of the game.
    Evaluation(GameData& game, const Weights& weights);

    // The points that a seat may expect, in thousandths.
    std::int32_t value(const Position& position, int seat) const;
    // The same for every seat.
    PerSeat values(const Position& position) const;
    // How many cells each seat could place a stone on without an override stone.
    PerSeat mobility(const Position& position) const;
    // The positional value of a stone on a cell; also for move ordering.
    std::int32_t cell_value(int cell) const { return game_.cell_value[static_cast<std::size_t>(cell)]; }
    // Whether an override stone is worth more than a bomb.
    bool prefers_override(const Position& position) const { return override_worth(filled(position)) >= bomb_worth_; }

  private:
    using Estimates = std::array<double, kMaxSeats>;

    double filled(const Position& position) const { return 1 - static_cast<double>(position.free) / game_.board.cells(); }
    double override_worth(double filled) const;
    double phased(Weight first, double filled) const;
    Estimates colours(const Position& position, double filled) const;
    Estimates seats(const Position& position, double filled) const;
    Estimates stones_after_bombing(const Position& position) const;
    // The estimate of each seat, and their common uncertainty.
    std::pair<Estimates, double> outlook(const Position& position) const;
    std::int32_t expected_points(const Position& position, const Estimates& estimates, int seat, double uncertainty) const;

    GameData& game_;
    Weights weights_;
    double bomb_worth_, place_worth_;
};

// The probability that a seat finishes above another that it leads by so much, given the uncertainty of that lead; without
// any it is certain, and a tie is not above. Cheaper than an exponential.
double probability_above(double lead, double uncertainty);

// The distribution of a seat's rank, each opponent being above it with an independent probability.
class RankDistribution {
  public:
    void add_opponent(double probability);
    double points() const;

  private:
    std::array<double, kMaxSeats> probabilities_{1};  // by the number of seats above it
    std::size_t opponents_ = 0;
};

}  // namespace polyversi::xt
