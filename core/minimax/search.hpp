// Looking ahead over graph positions: minimax to a depth, plainly or with alpha-beta pruning, which finds the same move
// and value in fewer nodes. Works for every game; with more than two seats all others are taken to play against the one.
#pragma once

#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>

#include "minimax/evaluation.hpp"
#include "rules/stop.hpp"

namespace polyversi::search {

using Clock = std::chrono::steady_clock;

// In which order the moves of a position are looked at; of equal moves the first is chosen.
enum class Order : std::uint8_t {
    kBoard,  // as they lie on the board
    kRings,  // the outermost ring first, then the others from the middle outwards
};

constexpr int kMaxDepth = 1000;

struct Budget {
    int depth = kMaxDepth;
    std::uint64_t nodes = std::numeric_limits<std::uint64_t>::max();
    std::optional<Clock::time_point> deadline;

    bool may_run_out() const { return deadline || nodes != std::numeric_limits<std::uint64_t>::max(); }
};

struct Result {
    int move = -1;
    double value = 0;         // for the seat to move at the root
    std::uint64_t nodes = 0;  // positions reached by a move
    int depth = 0;            // plies that were searched whole
};

// Where time or nodes may run out, it searches one ply deep, then two, and so on, and the last depth that was searched
// whole counts. The position must not be over.
Result search(const Rules& rules, const graph::Position& root, const Evaluation& evaluation, const Budget& budget, bool pruning,
              Order order, const Watch& watch);

}  // namespace polyversi::search
