// A few plies ahead, written once over a kernel that finds moves and flips; each processor's file includes this and makes
// its own copies.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "engine/shallow.hpp"

namespace polyversi::engine {
namespace {

// The contents of 64 patterns.
struct Contents {
    typedef std::uint16_t Words __attribute__((vector_size(64), may_alias));
    Words half[2] = {};

    [[gnu::always_inline]] void add(const bit::PatternPowers& powers) {
        const auto* added = reinterpret_cast<const Words*>(&powers);
        half[0] += added[0];
        half[1] += added[1];
    }
    [[gnu::always_inline]] void add(const bit::PatternPowers* of_bits, std::uint64_t stones) {
        for (; stones; stones &= stones - 1) add(of_bits[std::countr_zero(stones)]);
    }
    // Digits to the base of three: an own stone counts once, one of the other side twice.
    [[gnu::always_inline]] static Contents of(const bit::PatternPowers* of_bits, std::uint64_t own, std::uint64_t other) {
        Contents all;
        all.add(of_bits, other);
        all.half[0] += all.half[0];
        all.half[1] += all.half[1];
        all.add(of_bits, own);
        return all;
    }
};

template <class Kernel>
class LookAhead {
  public:
    explicit LookAhead(Shallow& shallow) : shallow_(shallow), plan_(shallow.plan), evaluation_(shallow.evaluation) {}

    int value(std::uint64_t own, std::uint64_t other, int depth, int alpha, int beta) {
        ++shallow_.nodes;
        if (depth == 0) return evaluation_.value(own, other);
        const std::uint64_t todo = moves(own, other);
        if (!todo) {
            if (moves(other, own)) return -value(other, own, depth, -beta, -alpha);
            return kStone * plan_.final_value(own, other);
        }
        if (depth == 1 && evaluation_.is_learned()) return last_ply(own, other, todo, beta);
        return in_order(own, other, todo, depth, alpha, beta);
    }

  private:
    std::uint64_t moves(std::uint64_t own, std::uint64_t other) const {
        return Kernel::moves(plan_.geometry, own, other) & plan_.geometry.valid & ~(own | other);
    }

    // The moves first that leave the other side least.
    int in_order(std::uint64_t own, std::uint64_t other, std::uint64_t todo, int depth, int alpha, int beta) {
        struct {
            std::uint64_t own, other;
            int replies;
        } list[64];
        int count = 0;
        for (; todo; todo &= todo - 1) {
            const std::uint64_t turned = Kernel::flips(plan_.geometry, std::countr_zero(todo), own, other);
            const std::uint64_t next = other & ~turned, mine = own | turned | (todo & (0 - todo));
            const int replies = depth > 1 ? std::popcount(moves(next, mine)) : 0;
            int place = count++;
            for (; place > 0 && list[place - 1].replies > replies; --place) list[place] = list[place - 1];
            list[place] = {next, mine, replies};
        }
        int best = -Shallow::kMost;
        for (int i = 0; i < count && best < beta; ++i) {
            best = std::max(best, -value(list[i].own, list[i].other, depth - 1, -beta, -std::max(alpha, best)));
        }
        return best;
    }

    // What lies in the patterns after a move is what the other side sees in them now, with a new stone and the turned ones.
    int last_ply(std::uint64_t own, std::uint64_t other, std::uint64_t todo, int beta) {
        const Evaluation::Tables tables = evaluation_.tables(std::popcount(own | other) + 1);
        const Contents before = Contents::of(tables.powers, other, own);
        int best = -Shallow::kMost;
        for (; todo && best < beta; todo &= todo - 1) {
            ++shallow_.nodes;
            const int cell = std::countr_zero(todo);
            Contents after = before;
            after.add(tables.powers[cell]);
            after.add(tables.powers[cell]);
            after.add(tables.powers, Kernel::flips(plan_.geometry, cell, own, other));
            best = std::max(best, -evaluation_.within_board(sum(tables, after)));
        }
        return best;
    }

    [[gnu::always_inline]] static int sum(const Evaluation::Tables& tables, const Contents& contents) {
        alignas(64) std::uint16_t found[kMostPatterns];
        __builtin_memcpy(found, contents.half, sizeof found);
        int sum = 0;
#pragma GCC unroll 8
        for (std::size_t pattern = 0; pattern < tables.patterns; ++pattern) sum += tables.weights[tables.firsts[pattern] + found[pattern]];
        return sum;
    }

    Shallow& shallow_;
    const Plan& plan_;
    const Evaluation& evaluation_;
};

}  // namespace
}  // namespace polyversi::engine
