#include "engine/selfplay.hpp"

#include <algorithm>

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

int best_by_looking(const Plan& plan, Shallow& shallow, const Board& board, std::uint64_t todo, int depth) {
    int best = -Shallow::kMost, chosen = 0;
    for (; todo; todo &= todo - 1) {
        Board next = board;
        next.play(plan, std::countr_zero(todo));
        const int value = -shallow.value(next.own, next.other, depth - 1, -Shallow::kMost, -best);
        if (value > best) best = value, chosen = std::countr_zero(todo);
    }
    return chosen;
}

int best_exactly(const Plan& plan, EndingMemory& memory, const Board& board, std::uint64_t todo, int value) {
    for (; todo & (todo - 1); todo &= todo - 1) {
        Board next = board;
        next.play(plan, std::countr_zero(todo));
        if (plan.ops.ending(memory, next.own, next.other, -value) <= -value) break;
    }
    return std::countr_zero(todo);
}

}  // namespace

void play_game(const Plan& plan, const bit::Position& start, Shallow& shallow, EndingMemory& memory, const SelfPlayPlan& how,
               Random& random, std::vector<Example>& to) {
    const std::size_t begin = to.size();
    Board board{start.own, start.other};
    const auto range = static_cast<std::uint32_t>(how.most_random - how.least_random + 1);
    const int random_plies = how.least_random + static_cast<int>(random.below(range));
    bool is_exact = false;
    int value = 0;      // for the seat to move, once it is known
    std::int8_t side = 0;
    for (int ply = 0;; ++ply, side ^= 1, value = -value) {
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
        if (todo && ply >= random_plies) to.push_back({board.own, board.other, side});
        if (is_exact && empties <= how.last) break;
        if (!todo) {
            std::swap(board.own, board.other);
        } else {
            board.play(plan, is_exact            ? best_exactly(plan, memory, board, todo, value)
                             : ply < random_plies ? draw(todo, random)
                                                  : best_by_looking(plan, shallow, board, todo, how.depth));
        }
    }
    for (std::size_t i = begin; i < to.size(); ++i) to[i].value = static_cast<std::int8_t>(to[i].value == side ? value : -value);
}

}  // namespace polyversi::engine
