// Games of the engine against itself, as examples to learn from: positions and what good play made of them.
#pragma once

#include <vector>

#include "engine/ending.hpp"
#include "engine/shallow.hpp"
#include "rules/random.hpp"

namespace polyversi::engine {

struct Example {
    std::uint64_t own, other;
    std::int8_t value;  // for the seat to move: what became of it, in stones
};

struct SelfPlayPlan {
    int least_random, most_random;  // plies at the start that are drawn by lot
    int depth;                      // plies looked ahead after them
    int exact;                      // empty cells from which on it plays perfectly
    int last;                       // and with which it stops
    float later;                    // how much what became of a position counts against what was seen when it was looked at
};

// One game; adds the positions after the random ones.
void play_game(const Plan& plan, const bit::Position& start, Shallow& shallow, EndingMemory& memory, const SelfPlayPlan& how,
               Random& random, std::vector<Example>& to);

}  // namespace polyversi::engine
