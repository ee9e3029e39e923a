// How long the Reversi XT player may think, and what it has found.
#pragma once

#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>

#include "xt/position.hpp"

namespace polyversi::xt {

using Clock = std::chrono::steady_clock;

constexpr int kDeepest = 60;

struct Budget {
    int depth = kDeepest;
    std::uint64_t nodes = std::numeric_limits<std::uint64_t>::max();
    std::optional<Clock::time_point> no_new_depth;  // after this no deeper search is begun
    std::optional<Clock::time_point> deadline;      // and at this it is broken off

    // Whether anything but the depth ends the thinking.
    bool is_limited() const { return deadline || nodes < std::numeric_limits<std::uint64_t>::max(); }
};

struct Result {
    Move move;
    std::int32_t value = 0;  // expected points for the seat to move, in thousandths
    std::uint64_t nodes = 0;
    int depth = 0;           // plies that were searched whole
};

}  // namespace polyversi::xt
