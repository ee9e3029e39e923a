// The interface of the evaluations at the leaves of the minimax search.
#pragma once

#include <array>
#include <span>

#include "graph/position.hpp"

namespace polyversi::minimax {

// The value of a won game. Every evaluation must be smaller, so that no position outranks a game that is won.
constexpr double kWinValue = 1e9;

// A finished game for a seat: kWon and the margin, the same below zero for a lost one, or 0 for a draw.
double final_value(const Rules& rules, const graph::Position& position, int seat);

class Evaluation {
  public:
    virtual ~Evaluation() = default;

    // The larger, the better for the seat. `work.captures` must be those of the position.
    virtual double value(const graph::Position& position, int seat, const graph::Workspace& work) const = 0;
};

// An evaluation that adds up terms, each with a name and a weight.
class WeightedSum : public Evaluation {
  public:
    static constexpr std::size_t kMaxTerms = 6;
    struct Term {
        const char* name;
        double weight;
    };
    using Values = std::array<double, kMaxTerms>;

    virtual std::span<const Term> terms() const = 0;
    // The terms for a seat, in order and without their weights.
    virtual Values measure(const graph::Position& position, int seat, const graph::Workspace& work) const = 0;

    double value(const graph::Position& position, int seat, const graph::Workspace& work) const final;
};

}  // namespace polyversi::minimax
