// Rank points: what a seat gets for its place at the end, and what it may expect before.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

#include "rules/rules.hpp"

namespace polyversi::xt {

constexpr std::array<double, kMaxSeats> kRankPoints{25, 11, 5, 2, 1};

// What every seat gets, or may expect.
using Points = std::array<double, kMaxSeats>;

// The probability that a seat finishes above another that it leads by so much, given the uncertainty of that lead. Cheaper
// than an exponential. Without any uncertainty it is certain, and `tie` is what a tie counts for.
inline double probability_above(double lead, double uncertainty, double tie = 0) {
    if (uncertainty <= 0) return lead > 0 ? 1 : lead < 0 ? 0 : tie;
    const double part = lead / uncertainty;
    return 0.5 + 0.5 * part / (1 + std::abs(part));
}

// What a tie counts for. Tied seats share the better rank, but then so does a rival; and of two players nobody has won.
inline double tie_of(int seats) { return seats == 2 ? 0.5 : 0.25; }

// The distribution of a seat's rank, each opponent being above it with an independent probability.
class RankDistribution {
  public:
    void add_opponent(double probability) {
        ++opponents_;
        for (std::size_t above = opponents_; above > 0; --above) {
            probabilities_[above] += (probabilities_[above - 1] - probabilities_[above]) * probability;
        }
        probabilities_[0] -= probabilities_[0] * probability;
    }

    double points() const {
        double total = 0;
        for (std::size_t above = 0; above < kMaxSeats; ++above) total += probabilities_[above] * kRankPoints[above];
        return total;
    }

  private:
    std::array<double, kMaxSeats> probabilities_{1};  // by the number of seats above it
    std::size_t opponents_ = 0;
};

// The points of every seat for these stones at the end of a game; a tie counts for what `tie_of` says.
inline Points final_points(const Rules& rules, unsigned out, const std::array<double, kMaxSeats>& stones) {
    Points points{};
    for (int seat = 0; seat < rules.seats; ++seat) {
        RankDistribution rank;
        for (int other = 0; other < rules.seats; ++other) {
            if (other == seat || (out >> other & 1)) continue;
            rank.add_opponent(probability_above(stones[static_cast<std::size_t>(other)] - stones[static_cast<std::size_t>(seat)], 0, tie_of(rules.seats)));
        }
        points[static_cast<std::size_t>(seat)] = rank.points();
    }
    return points;
}

}  // namespace polyversi::xt
