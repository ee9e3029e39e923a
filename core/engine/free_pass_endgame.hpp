// The endgame solver for games with free passes. Two passes in a row end such a game: a seat that passes gets the current
// score, unless the opponent has a move that is better for the opponent.
#pragma once

#include "engine/endgame.hpp"

namespace polyversi::engine {

// The value for the seat to move where passing is free, as a fail-soft bound. `now` is the value if the game ended here;
// `search_moves(own, other, alpha)` searches the moves of either seat and is -kNoValue where there is none.
template <class SearchMoves>
int with_free_pass(int now, std::uint64_t own, std::uint64_t other, int alpha, SearchMoves search_moves) {
    const int best = search_moves(own, other, alpha);
    if (best > alpha) return best;
    if (now <= alpha) return std::max(best, now);
    return std::max(best, std::min(now, -search_moves(other, own, -alpha - 1)));
}

namespace {

template <class Kernel>
class FreePassEndgameSolver {
  public:
    explicit FreePassEndgameSolver(EndgameContext& context) : context_(context), g_(context.board.geometry) {}

    int value(std::uint64_t own, std::uint64_t other, int alpha) {
        return with_free_pass(context_.board.final_value(own, other), own, other, alpha,
                              [this](std::uint64_t mine, std::uint64_t theirs, int bound) { return search_moves(mine, theirs, bound); });
    }

  private:
    static constexpr int kMinHashed = 5;

    int search_moves(std::uint64_t own, std::uint64_t other, int alpha) {
        ++context_.nodes;
        const std::uint64_t empty = g_.valid & ~(own | other);
        std::uint64_t todo = Kernel::moves(g_, own, other) & empty;
        if (!todo) return -kNoValue;
        const bool is_hashed = std::popcount(empty) >= kMinHashed;
        EndgameContext::Entry& entry = context_.slot(own, other);
        if (is_hashed && entry.own == own && entry.other == other) {
            if (entry.low > alpha) return entry.low;
            if (entry.high <= alpha) return entry.high;
        }
        struct {
            std::uint64_t own, other;
            int replies;
        } list[64];
        int count = 0;
        for (; todo; todo &= todo - 1) {
            const std::uint64_t flipped = Kernel::flips(g_, std::countr_zero(todo), own, other);
            const std::uint64_t next = other & ~flipped, mine = own | flipped | (todo & (0 - todo));
            const int replies = std::popcount(Kernel::moves(g_, next, mine) & empty);
            int place = count++;
            for (; place > 0 && list[place - 1].replies > replies; --place) list[place] = list[place - 1];
            list[place] = {next, mine, replies};
        }
        int best = -kNoValue;
        for (int i = 0; i < count && best <= alpha; ++i) best = std::max(best, -value(list[i].own, list[i].other, -alpha - 1));
        if (is_hashed) {
            if (entry.own != own || entry.other != other) entry = {own, other, -kNoValue, kNoValue, 64};
            (best > alpha ? entry.low : entry.high) = static_cast<std::int8_t>(best);
        }
        return best;
    }

    EndgameContext& context_;
    const bit::Geometry& g_;
};

}  // namespace
}  // namespace polyversi::engine
