#include "engine/shallow.hpp"

#include <algorithm>

namespace polyversi::engine {

int Shallow::value(std::uint64_t own, std::uint64_t other, int depth, int alpha, int beta) {
    ++nodes;
    if (depth == 0) return evaluation_.value(own, other);
    std::uint64_t todo = plan_.ops.moves(plan_.geometry, own, other);
    if (!todo) {
        if (plan_.ops.moves(plan_.geometry, other, own)) return -value(other, own, depth, -beta, -alpha);
        return kStone * plan_.final_value(own, other);
    }
    struct {
        std::uint64_t own, other;
        int replies;
    } list[64];
    int count = 0;
    for (; todo; todo &= todo - 1) {
        const std::uint64_t turned = plan_.ops.flips(plan_.geometry, std::countr_zero(todo), own, other);
        const std::uint64_t next = other & ~turned, mine = own | turned | (todo & (0 - todo));
        const int replies = depth > 1 ? std::popcount(plan_.ops.moves(plan_.geometry, next, mine)) : 0;
        int place = count++;
        for (; place > 0 && list[place - 1].replies > replies; --place) list[place] = list[place - 1];
        list[place] = {next, mine, replies};
    }
    int best = -kMost;
    for (int i = 0; i < count && best < beta; ++i) {
        best = std::max(best, -value(list[i].own, list[i].other, depth - 1, -beta, -std::max(alpha, best)));
    }
    return best;
}

}  // namespace polyversi::engine
