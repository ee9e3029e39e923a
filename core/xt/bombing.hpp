// The bombing phase: the most promising targets, each evaluated by a playout with greedy bombs of everybody to the end.
#pragma once

#include "graph/position.hpp"
#include "rules/interrupt.hpp"
#include "xt/limits.hpp"

namespace polyversi::xt {

// The best target for the seat to move; the position must be in its bombing phase and not over. `depth` of the
// result is the longest playout in bombs, `nodes` the bombs thrown in all.
Result choose_target(const Rules& rules, const graph::Position& position, const Limits& limits, const InterruptCheck& interrupt_check);

}  // namespace polyversi::xt
