// Minimax over graph positions to a fixed depth, with or without alpha-beta pruning, for every game. With more than two
// seats it is paranoid: all others are assumed to play against the one to move.
#pragma once

#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>

#include "minimax/evaluation.hpp"
#include "rules/interrupt.hpp"

namespace polyversi::minimax {

using Clock = std::chrono::steady_clock;

// Move ordering; of equal moves the first is chosen.
enum class Order : std::uint8_t {
    kBoard,  // as they lie on the board
    kRings,  // the outermost ring first, then the others from the middle outwards
};

constexpr int kMaxDepth = 1000;

struct Limits {
    int depth = kMaxDepth;
    std::uint64_t nodes = std::numeric_limits<std::uint64_t>::max();
    std::optional<Clock::time_point> deadline;

    bool is_limited() const { return deadline || nodes != std::numeric_limits<std::uint64_t>::max(); }
};

struct Result {
    int move = -1;
    double value = 0;         // for the seat to move at the root
    std::uint64_t nodes = 0;  // positions reached by a move
    int depth = 0;            // of the last complete iteration
};

// With a limit on time or nodes: iterative deepening, and the last complete iteration counts. The position must not be
// over.
Result search(const Rules& rules, const graph::Position& root, const Evaluation& evaluation, const Limits& limits, bool pruning,
              Order order, const InterruptCheck& interrupt_check);

}  // namespace polyversi::minimax
