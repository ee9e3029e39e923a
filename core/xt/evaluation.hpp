// How many rank points a seat of Reversi XT may expect from a position of the building phase.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <utility>

#include "xt/position.hpp"

namespace polyversi::xt {

// Every number that can be tuned. Those with two or three values hold while the map is empty, half full, and full.
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
    // Sets the ground's cell values.
    Evaluation(Ground& ground, const Weights& weights);

    // The points that a seat may expect, in thousandths.
    std::int32_t value(const Position& position, int seat) const;
    // The same for every seat.
    PerSeat values(const Position& position) const;
    // How many cells each seat could place a stone on without an override stone.
    PerSeat mobility(const Position& position) const;
    // What a stone on each cell is worth, for ordering moves too.
    std::int32_t cell_value(int cell) const { return ground_.cell_value[static_cast<std::size_t>(cell)]; }
    // Whether an override stone is worth more than a bomb.
    bool prefers_override(const Position& position) const { return override_worth(filled(position)) >= bomb_worth_; }

  private:
    using Estimates = std::array<double, kMaxSeats>;

    double filled(const Position& position) const { return 1 - static_cast<double>(position.free) / ground_.board.cells(); }
    double override_worth(double filled) const;
    double phased(Weight first, double filled) const;
    Estimates colours(const Position& position, double filled) const;
    Estimates seats(const Position& position, double filled) const;
    Estimates stones_after_bombing(const Position& position) const;
    // What each seat may expect, and how much that may still change.
    std::pair<Estimates, double> outlook(const Position& position) const;
    std::int32_t expected_points(const Position& position, const Estimates& estimates, int seat, double doubt) const;

    Ground& ground_;
    Weights weights_;
    double bomb_worth_, place_worth_;
};

// How likely a seat is above another that it leads by so much, which may still change by about `doubt`; without doubt it
// is certain, and a tie is not above. Cheaper than an exponential.
double chance_of_being_above(double lead, double doubt);

// The rank that a seat may have, when each of the others is above it with some chance that the rest have no part in.
class LikelyRank {
  public:
    void meet(double chance_above);
    double points() const;

  private:
    std::array<double, kMaxSeats> chances_{1};  // by how many are above it
    std::size_t met_ = 0;
};

}  // namespace polyversi::xt
