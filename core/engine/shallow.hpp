// A few plies ahead with the evaluation at their end: enough to put moves in order, and to play many games quickly.
#pragma once

#include "engine/evaluation.hpp"

namespace polyversi::engine {

class Shallow {
  public:
    static constexpr int kMost = 64 * 64 * kStone;  // more than any value

    Shallow(const Plan& its_plan, const Evaluation& its_evaluation) : plan(its_plan), evaluation(its_evaluation) {}

    // The value for the seat to move, in parts of a stone.
    int value(std::uint64_t own, std::uint64_t other, int depth, int alpha, int beta) {
        return plan.ops.look_ahead(*this, own, other, depth, alpha, beta);
    }

    const Plan& plan;
    const Evaluation& evaluation;
    std::uint64_t nodes = 0;
};

}  // namespace polyversi::engine
