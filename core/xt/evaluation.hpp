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
    kOverrideEmpty, kOverrideFull, kOverrideShare, kDanger, kBomb, kBlastFocus,
    kInverted, kChosen,
    kDoubtEmpty, kDoubtFull, kDoubtSeats,
    kLead,
    kLastWord, kTurned, kInSight, kOverridden, kDoubtEnd,
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
    bool prefers_override(const Position& position) const { return override_worth(filled(position)) >= bomb_worth(position); }

  private:
    using Estimates = std::array<double, kMaxSeats>;

    // What becomes of the map when it is full and everybody overrides in turn.
    struct Overriding {
        double near = 0;    // from 0, nothing is known about it, to 1, it has begun
        Estimates taken{};  // the part of the map that each seat takes and keeps
        double left = 1;    // the part that nobody overrides
    };

    double filled(const Position& position) const { return 1 - static_cast<double>(position.free) / game_.board.cells(); }
    double override_worth(double filled) const;
    // The override stones that a seat may expect to use: a seat without stones can no longer capture.
    double usable_overrides(const Position& position, int seat) const;
    double phased(Weight first, double filled) const;
    Estimates colours(const Position& position, double filled) const;
    Estimates seats(const Position& position, double filled, const Overriding& overriding) const;
    Overriding overriding(const Position& position) const;
    // The part of the map that all bombs together can destroy; more than 1 if they are more than enough.
    double destruction(const Position& position) const;
    double bomb_worth(const Position& position) const;
    // What the bombs leave of these parts of the map that the seats own, when everybody throws them at a rival, from a seat on.
    Estimates after_bombing(const Position& position, Estimates owned, int first) const;
    // The estimate of each seat, and their common uncertainty.
    std::pair<Estimates, double> outlook(const Position& position) const;
    std::int32_t expected_points(const Position& position, const Estimates& estimates, int seat, double uncertainty) const;

    GameData& game_;
    Weights weights_;
    double blast_;  // the part of the map that one bomb destroys
    double place_worth_;
    double doubt_of_seats_;  // the more seats, the smaller are the leads that matter
};

}  // namespace polyversi::xt
