#include "engine/selfplay.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace polyversi::engine {
namespace {

struct Board {
    std::uint64_t own, other;

    void play(const Plan& plan, int bit) {
        const std::uint64_t turned = plan.ops.flips(plan.geometry, bit, own, other);
        *this = {other & ~turned, own | turned | std::uint64_t{1} << bit};
    }
};

int exact_value(const Plan& plan, EndingMemory& memory, const Board& board) {
    return enclosed(-plan.cells, plan.cells, 0, [&](int alpha) { return plan.ops.ending(memory, board.own, board.other, alpha); },
                    [] { return false; });
}

int draw(std::uint64_t todo, Random& random) {
    for (auto skip = random.below(static_cast<std::uint32_t>(std::popcount(todo))); skip > 0; --skip) todo &= todo - 1;
    return std::countr_zero(todo);
}

// The best move, and what it is worth in parts of a stone.
std::pair<int, int> best_by_looking(const Plan& plan, Shallow& shallow, const Board& board, std::uint64_t todo, int depth) {
    int best = -Shallow::kMost, chosen = 0;
    for (; todo; todo &= todo - 1) {
        Board next = board;
        next.play(plan, std::countr_zero(todo));
        const int value = -shallow.value(next.own, next.other, depth - 1, -Shallow::kMost, -best);
        if (value > best) best = value, chosen = std::countr_zero(todo);
    }
    return {chosen, best};
}

int best_exactly(const Plan& plan, EndingMemory& memory, const Board& board, std::uint64_t todo, int value) {
    for (; todo & (todo - 1); todo &= todo - 1) {
        Board next = board;
        next.play(plan, std::countr_zero(todo));
        if (plan.ops.ending(memory, next.own, next.other, -value) <= -value) break;
    }
    return std::countr_zero(todo);
}

// A position of a game with what was seen there, in stones for the seat to move.
struct Seen {
    Board board;
    bool is_first_seat;
    std::optional<float> value;
};

// The examples of a game that came to `value` for the first seat. What became of a position is the end of the game and, the
// nearer the more, what was seen on the way to it: an end says little about a position far before it.
void add_examples(const std::vector<Seen>& seen, float value, float later, std::vector<Example>& to) {
    for (auto one = seen.rbegin(); one != seen.rend(); ++one) {
        const float sign = one->is_first_seat ? 1.0f : -1.0f;
        if (one->value) value = later * value + (1 - later) * sign * *one->value;
        to.push_back({one->board.own, one->board.other, static_cast<std::int8_t>(std::lround(sign * value))});
    }
}

}  // namespace

void play_game(const Plan& plan, const bit::Position& start, Shallow& shallow, EndingMemory& memory, const SelfPlayPlan& how,
               Random& random, std::vector<Example>& to) {
    std::vector<Seen> seen;
    Board board{start.own, start.other};
    const auto range = static_cast<std::uint32_t>(how.most_random - how.least_random + 1);
    const int random_plies = how.least_random + static_cast<int>(random.below(range));
    bool is_exact = false, is_first_seat = true;
    int value = 0;      // for the seat to move, once it is known
    for (int ply = 0;; ++ply, is_first_seat = !is_first_seat, value = -value) {
        const std::uint64_t todo = plan.ops.moves(plan.geometry, board.own, board.other);
        if (!todo && !plan.ops.moves(plan.geometry, board.other, board.own)) {
            value = plan.final_value(board.own, board.other);
            break;
        }
        const int empties = std::popcount(plan.geometry.valid & ~(board.own | board.other));
        if (!is_exact && empties <= how.exact) {
            value = exact_value(plan, memory, board);
            is_exact = true;
        }
        if (todo && ply >= random_plies) seen.push_back({board, is_first_seat, std::nullopt});
        if (is_exact && empties <= how.last) break;
        if (!todo) {
            std::swap(board.own, board.other);
        } else if (is_exact) {
            board.play(plan, best_exactly(plan, memory, board, todo, value));
        } else if (ply < random_plies) {
            board.play(plan, draw(todo, random));
        } else {
            const auto [cell, parts] = best_by_looking(plan, shallow, board, todo, how.depth);
            seen.back().value = static_cast<float>(parts) / kStone;
            board.play(plan, cell);
        }
    }
    add_examples(seen, static_cast<float>(is_first_seat ? value : -value), how.later, to);
}

}  // namespace polyversi::engine
