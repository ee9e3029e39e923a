// The last stones of a game in which one may pass at any time, exactly. Two passes in a row end it: whoever passes gets
// what there is now, unless the other seat has a move that is better for it.
#pragma once

#include "engine/ending.hpp"

namespace polyversi::engine {

// The value for the seat to move where passing is free, from the value of moving for either seat, as bounds that say
// whether it is above alpha. `moving(own, other, alpha)` is -kNoValue where there is no move.
template <class Moving>
int with_free_pass(int now, std::uint64_t own, std::uint64_t other, int alpha, Moving moving) {
    const int best = moving(own, other, alpha);
    if (best > alpha) return best;
    if (now <= alpha) return std::max(best, now);
    return std::max(best, std::min(now, -moving(other, own, -alpha - 1)));
}

namespace {

template <class Kernel>
class FreeEnding {
  public:
    explicit FreeEnding(EndingMemory& memory) : memory_(memory), g_(memory.plan.geometry) {}

    int value(std::uint64_t own, std::uint64_t other, int alpha) {
        return with_free_pass(memory_.plan.final_value(own, other), own, other, alpha,
                              [this](std::uint64_t mine, std::uint64_t theirs, int bound) { return moving(mine, theirs, bound); });
    }

  private:
    static constexpr int kLeastHashed = 5;

    int moving(std::uint64_t own, std::uint64_t other, int alpha) {
        ++memory_.nodes;
        const std::uint64_t empty = g_.valid & ~(own | other);
        std::uint64_t todo = Kernel::moves(g_, own, other) & empty;
        if (!todo) return -kNoValue;
        const bool is_hashed = std::popcount(empty) >= kLeastHashed;
        EndingMemory::Entry& known = memory_.entry(own, other);
        if (is_hashed && known.own == own && known.other == other) {
            if (known.low > alpha) return known.low;
            if (known.high <= alpha) return known.high;
        }
        struct {
            std::uint64_t own, other;
            int replies;
        } list[64];
        int count = 0;
        for (; todo; todo &= todo - 1) {
            const std::uint64_t turned = Kernel::flips(g_, std::countr_zero(todo), own, other);
            const std::uint64_t next = other & ~turned, mine = own | turned | (todo & (0 - todo));
            const int replies = std::popcount(Kernel::moves(g_, next, mine) & empty);
            int place = count++;
            for (; place > 0 && list[place - 1].replies > replies; --place) list[place] = list[place - 1];
            list[place] = {next, mine, replies};
        }
        int best = -kNoValue;
        for (int i = 0; i < count && best <= alpha; ++i) best = std::max(best, -value(list[i].own, list[i].other, -alpha - 1));
        if (is_hashed) {
            if (known.own != own || known.other != other) known = {own, other, -kNoValue, kNoValue, 64};
            (best > alpha ? known.low : known.high) = static_cast<std::int8_t>(best);
        }
        return best;
    }

    EndingMemory& memory_;
    const bit::Geometry& g_;
};

}  // namespace
}  // namespace polyversi::engine
