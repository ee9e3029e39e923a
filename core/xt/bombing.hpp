// The bombing phase. With few bombs left it is solved; otherwise a tree (UCT) grows in which every seat maximises its own
// rank points, and each simulation throws all bombs that are left.
#pragma once

#include "graph/position.hpp"
#include "rules/interrupt.hpp"
#include "xt/limits.hpp"

namespace polyversi::xt {

// The best target for the seat to move; the position must be in its bombing phase and not over. `depth` of the result is
// the most bombs looked ahead, `nodes` the bombs thrown in all.
Result choose_target(const Rules& rules, const graph::Position& position, const Limits& limits, const InterruptCheck& interrupt_check);

}  // namespace polyversi::xt
