// The limits and the result of a Reversi XT search.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "xt/position.hpp"
#include "xt/ranks.hpp"

namespace polyversi::xt {

using Clock = std::chrono::steady_clock;

constexpr int kMaxDepth = 60;

struct Limits {
    int depth = kMaxDepth;
    std::uint64_t nodes = std::numeric_limits<std::uint64_t>::max();
    std::optional<Clock::time_point> soft_deadline;  // no new iteration starts after this
    std::optional<Clock::time_point> deadline;      // and at this the search stops
    const std::atomic<bool>* stop = nullptr;         // set by another thread to end the search

    bool is_stopped() const { return stop && stop->load(std::memory_order_relaxed); }

    // Whether anything but the depth ends the search.
    bool is_limited() const { return deadline || nodes < std::numeric_limits<std::uint64_t>::max(); }
};

struct Result {
    Move move;
    std::int32_t value = 0;  // expected points for the seat to move, in thousandths
    std::uint64_t nodes = 0;
    int depth = 0;           // of the last complete iteration
    Points points{};         // what every seat may expect, where that is asked for
    std::vector<Move> line;  // the move and what is expected to follow
    bool solved = false;     // everything that was considered was searched to its end
};

}  // namespace polyversi::xt
