// The loops over bit positions, written once over a kernel that finds moves and flips. Each processor's file includes this and
// makes its own copies: everything here is in an unnamed namespace so that the linker never mixes them.
#pragma once

#include <bit>
#include <cstdint>

#include "bit/ops.hpp"

namespace polyversi::bit {
namespace {

inline std::uint64_t nth_bit(std::uint64_t word, unsigned n) {
#ifdef __BMI2__
    return __builtin_ia32_pdep_di(std::uint64_t{1} << n, word);
#else
    while (n-- > 0) word &= word - 1;
    return word & (0 - word);
#endif
}

template <class Kernel>
struct Loops {
    static std::uint64_t moves(const Geometry& g, std::uint64_t own, std::uint64_t other) {
        return Kernel::moves(g, own, other) & g.valid & ~(own | other);
    }

    static std::uint64_t legal(const Geometry& g, std::uint64_t own, std::uint64_t other) {
        const std::uint64_t to_fill = g.opening & ~(own | other);
        return to_fill ? to_fill : moves(g, own, other);
    }

    // Forced passes, all opening cells filled.
    static std::uint64_t perft_forced(const Geometry& g, std::uint64_t own, std::uint64_t other, int depth, const Watch& watch) {
        std::uint64_t todo = moves(g, own, other);
        if (!todo) return moves(g, other, own) ? perft_forced(g, other, own, depth - 1, watch) : 1;
        if (depth == 7) watch();
        std::uint64_t leaves = 0;
        if (depth == 2) {
            for (; todo; todo &= todo - 1) {
                const int to = std::countr_zero(todo);
                const std::uint64_t turned = Kernel::flips(g, to, own, other);
                const auto count = static_cast<std::uint64_t>(
                    std::popcount(moves(g, other & ~turned, own | turned | (todo & (0 - todo)))));
                leaves += count + (count == 0);  // a pass, or the end of the game
            }
            return leaves;
        }
        if (depth == 1) return static_cast<std::uint64_t>(std::popcount(todo));
        if (depth == 0) return 1;
        for (; todo; todo &= todo - 1) {
            const std::uint64_t turned = Kernel::flips(g, std::countr_zero(todo), own, other);
            leaves += perft_forced(g, other & ~turned, own | turned | (todo & (0 - todo)), depth - 1, watch);
        }
        return leaves;
    }

    static std::uint64_t perft_free(const Geometry& g, std::uint64_t own, std::uint64_t other, int passes, int depth,
                                    const Watch& watch) {
        if (depth == 0 || passes == 2 || (own | other) == g.valid) return 1;
        std::uint64_t todo = moves(g, own, other);
        if (depth == 1) return static_cast<std::uint64_t>(std::popcount(todo)) + 1;
        if (depth == 7) watch();
        std::uint64_t leaves = perft_free(g, other, own, passes + 1, depth - 1, watch);
        for (; todo; todo &= todo - 1) {
            const std::uint64_t turned = Kernel::flips(g, std::countr_zero(todo), own, other);
            leaves += perft_free(g, other & ~turned, own | turned | (todo & (0 - todo)), 0, depth - 1, watch);
        }
        return leaves;
    }

    static std::uint64_t perft(const Geometry& g, const Position& p, int depth, const Watch& watch) {
        if (depth == 0) return 1;
        if (g.free_pass) return perft_free(g, p.own, p.other, p.passes, depth, watch);
        std::uint64_t todo = g.opening & ~(p.own | p.other);
        if (!todo) return perft_forced(g, p.own, p.other, depth, watch);
        std::uint64_t leaves = 0;
        for (; todo; todo &= todo - 1) {
            leaves += perft(g, {p.other, p.own | (todo & (0 - todo)), 0, 0}, depth - 1, watch);
        }
        return leaves;
    }

    static void play(const Geometry& g, Position& p, std::uint64_t to) {
        const bool opening = (g.opening & ~(p.own | p.other)) != 0;
        const std::uint64_t turned = opening ? 0 : Kernel::flips(g, std::countr_zero(to), p.own, p.other);
        const std::uint64_t own = p.other & ~turned;
        p.other = p.own | turned | to;
        p.own = own;
        p.turn ^= 1;
        p.passes = 0;
    }

    static void pass(const Geometry& g, Position& p) {
        const std::uint64_t own = p.own;
        p.own = p.other;
        p.other = own;
        p.turn ^= 1;
        p.passes = static_cast<std::uint8_t>(p.passes + (g.free_pass ? 1 : 0));
    }

    static void playout(const Geometry& g, Position& p, Random& random) {
        if (g.free_pass) return playout_free(g, p, random);
        for (;;) {
            const std::uint64_t todo = legal(g, p.own, p.other);
            if (todo) {
                play(g, p, nth_bit(todo, random.below(static_cast<std::uint32_t>(std::popcount(todo)))));
            } else if (moves(g, p.other, p.own)) {
                pass(g, p);
            } else {
                return;
            }
        }
    }

    static void playout_free(const Geometry& g, Position& p, Random& random) {
        while (p.passes < 2 && (p.own | p.other) != g.valid) {
            const std::uint64_t todo = moves(g, p.own, p.other);
            const auto count = static_cast<std::uint32_t>(std::popcount(todo));
            const std::uint32_t choice = random.below(count + 1);  // the pass is as likely as any stone
            if (choice == count) {
                pass(g, p);
            } else {
                play(g, p, nth_bit(todo, choice));
            }
        }
    }

    static std::uint64_t flips(const Geometry& g, int to, std::uint64_t own, std::uint64_t other) {
        return Kernel::flips(g, to, own, other);
    }

    static constexpr Ops ops(const char* name) { return {name, moves, flips, perft, playout}; }
};

}  // namespace
}  // namespace polyversi::bit
