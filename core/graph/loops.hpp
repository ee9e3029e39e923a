// Loops over whole trees and games of graph positions; none of them allocates per move.
#pragma once

#include <cstdint>

#include "graph/position.hpp"
#include "rules/random.hpp"
#include "rules/interrupt.hpp"

namespace polyversi::graph {

// Counts the leaves of the game tree at this depth. A finished game is one leaf at any remaining depth.
std::uint64_t perft(const Rules& rules, const Position& position, int depth, const InterruptCheck& interrupt_check);

// Plays random moves, each as likely as the others, until the game is over.
void playout(const Rules& rules, Position& position, Random& random, Workspace& work, std::vector<std::int32_t>& moves);

}  // namespace polyversi::graph
