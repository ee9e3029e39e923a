// A few plies ahead with the evaluation at their end: enough to put moves in order, and to play many games quickly.
#pragma once

#include "engine/evaluation.hpp"

namespace polyversi::engine {

class Shallow {
  public:
    static constexpr int kMost = 64 * 64 * kStone;  // more than any value

    Shallow(const Plan& plan, const Evaluation& evaluation) : plan_(plan), evaluation_(evaluation) {}

    // The value for the seat to move, in parts of a stone.
    int value(std::uint64_t own, std::uint64_t other, int depth, int alpha, int beta);

    std::uint64_t nodes = 0;

  private:
    const Plan& plan_;
    const Evaluation& evaluation_;
};

}  // namespace polyversi::engine
