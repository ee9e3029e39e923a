// Where to throw bombs: the targets that promise most, each followed by everybody's greedy bombs to the end of the game.
#pragma once

#include "graph/position.hpp"
#include "rules/stop.hpp"
#include "xt/budget.hpp"

namespace polyversi::xt {

// The best target for the seat to move; the position must be in its bombing phase and not over. Of the result, `depth`
// is how many bombs were looked ahead and `nodes` how many were thrown on the way.
Result choose_target(const Rules& rules, const graph::Position& position, const Budget& budget, const Watch& watch);

}  // namespace polyversi::xt
