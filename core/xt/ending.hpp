// The endings of games that the two-seat engine does not search: by the rules, every move to the end.
#pragma once

#include "graph/position.hpp"
#include "rules/interrupt.hpp"
#include "xt/limits.hpp"

namespace polyversi::xt {

struct Ending {
    Points points{};                 // of every seat
    std::vector<std::int32_t> line;  // the numbers of the moves to the end
    std::uint64_t nodes = 0;
    bool solved = false;             // otherwise it takes more than the limits allow
};

// What play to the end brings when every seat maximises its own points, and its lead among equal ones. With two seats it is
// alpha-beta; with more, each seat's best reply is taken for granted (max^n). The position must not be over.
Ending solve_ending(const Rules& rules, const graph::Position& position, const Limits& limits, const InterruptCheck& interrupt_check);

}  // namespace polyversi::xt
