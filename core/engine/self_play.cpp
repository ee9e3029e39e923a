#include "engine/self_play.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace polyversi::engine {
namespace {

struct Stones {
    std::uint64_t own, other;

    void play(const Board& board, int bit) {
        const std::uint64_t flipped = board.ops.flips(board.geometry, bit, own, other);
        *this = {other & ~flipped, own | flipped | std::uint64_t{1} << bit};
    }
};

int exact_value(const Board& board, EndgameContext& context, const Stones& stones) {
    return mtdf(-board.cells, board.cells, 0, 1, [&](int alpha) { return board.ops.solve_endgame(context, stones.own, stones.other, alpha); },
                [] { return false; });
}

int random_move(std::uint64_t todo, Random& random) {
    for (auto skip = random.below(static_cast<std::uint32_t>(std::popcount(todo))); skip > 0; --skip) todo &= todo - 1;
    return std::countr_zero(todo);
}

// The best move and its value, in units of the evaluation.
std::pair<int, int> best_by_search(const Board& board, ShallowSearch& shallow, const Stones& stones, std::uint64_t todo, int depth) {
    int best = -ShallowSearch::kInfinity, chosen = 0;
    for (; todo; todo &= todo - 1) {
        Stones next = stones;
        next.play(board, std::countr_zero(todo));
        const int value = -shallow.value(next.own, next.other, depth - 1, -ShallowSearch::kInfinity, -best);
        if (value > best) best = value, chosen = std::countr_zero(todo);
    }
    return {chosen, best};
}

int best_by_solving(const Board& board, EndgameContext& context, const Stones& stones, std::uint64_t todo, int value) {
    for (; todo & (todo - 1); todo &= todo - 1) {
        Stones next = stones;
        next.play(board, std::countr_zero(todo));
        if (board.ops.solve_endgame(context, next.own, next.other, -value) <= -value) break;
    }
    return std::countr_zero(todo);
}

// A position of a game, and the value that the search gave it, in stones for the seat to move.
struct Visited {
    Stones stones;
    bool is_first_seat;
    std::optional<float> value;
};

// The examples of a game that ended with `value` for the first seat. The target of a position is TD(lambda): the result of
// the game, mixed on the way back with the search values of the positions in between.
void add_examples(const std::vector<Visited>& visited, float value, float lambda, std::vector<Example>& to) {
    for (auto one = visited.rbegin(); one != visited.rend(); ++one) {
        const float sign = one->is_first_seat ? 1.0f : -1.0f;
        if (one->value) value = lambda * value + (1 - lambda) * sign * *one->value;
        to.push_back({one->stones.own, one->stones.other, static_cast<std::int8_t>(std::lround(sign * value))});
    }
}

}  // namespace

void play_game(const Board& board, const bit::Position& start, ShallowSearch& shallow, EndgameContext& context, const SelfPlayOptions& options,
               Random& random, std::vector<Example>& to) {
    std::vector<Visited> visited;
    Stones stones{start.own, start.other};
    const auto range = static_cast<std::uint32_t>(options.max_random_plies - options.min_random_plies + 1);
    const int random_plies = options.min_random_plies + static_cast<int>(random.below(range));
    bool is_exact = false, is_first_seat = true;
    int value = 0;  // for the seat to move, once it is exact
    for (int ply = 0;; ++ply, is_first_seat = !is_first_seat, value = -value) {
        const std::uint64_t todo = board.ops.moves(board.geometry, stones.own, stones.other);
        if (!todo && !board.ops.moves(board.geometry, stones.other, stones.own)) {
            value = board.final_value(stones.own, stones.other);
            break;
        }
        const int empties = std::popcount(board.geometry.valid & ~(stones.own | stones.other));
        if (!is_exact && empties <= options.solve_empties) {
            value = exact_value(board, context, stones);
            is_exact = true;
        }
        if (todo && ply >= random_plies) visited.push_back({stones, is_first_seat, std::nullopt});
        if (!todo) {
            std::swap(stones.own, stones.other);
        } else if (is_exact) {
            stones.play(board, best_by_solving(board, context, stones, todo, value));
        } else if (ply < random_plies) {
            stones.play(board, random_move(todo, random));
        } else {
            const auto [cell, units] = best_by_search(board, shallow, stones, todo, options.depth);
            visited.back().value = static_cast<float>(units) / kStone;
            stones.play(board, cell);
        }
    }
    add_examples(visited, static_cast<float>(is_first_seat ? value : -value), options.lambda, to);
}

}  // namespace polyversi::engine
