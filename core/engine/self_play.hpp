// Self-play: games of the engine against itself that give training examples, positions with the value to learn.
#pragma once

#include <vector>

#include "engine/endgame.hpp"
#include "engine/shallow_search.hpp"
#include "rules/random.hpp"

namespace polyversi::engine {

struct Example {
    std::uint64_t own, other;
    std::int8_t value;  // the target for the seat to move, in stones
};

struct SelfPlayOptions {
    int min_random_plies, max_random_plies;  // at the start of a game
    int depth;                               // of the search after them
    int solve_empties;                       // with this many empty cells or fewer it plays perfectly
    float lambda;                            // of TD(lambda): 1 learns from the result alone
};

// Plays one game and appends the positions after the random ones.
void play_game(const Board& board, const bit::Position& start, ShallowSearch& shallow, EndgameContext& context, const SelfPlayOptions& options,
               Random& random, std::vector<Example>& to);

}  // namespace polyversi::engine
