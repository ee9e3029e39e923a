// Perft, playouts, batches and the entry points of the engine over bit positions, as templates over a kernel (the move
// generator of one processor). Each processor's file includes this header and instantiates its own copy; everything is in
// an unnamed namespace so that the linker never mixes them.
#pragma once

#include <bit>
#include <cstdint>

#include "bit/ops.hpp"
#include "engine/endgame.hpp"
#include "engine/free_pass_endgame.hpp"
#include "engine/shallow_search.hpp"

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

// A byte of 0 or 1 for each bit.
inline void spread(std::uint64_t word, std::uint8_t* bytes) {
    for (int row = 0; row < 8; ++row, word >>= 8) {
#ifdef __BMI2__
        const std::uint64_t eight = __builtin_ia32_pdep_di(word & 0xff, 0x0101010101010101u);
#else
        // Copy the byte into each of the eight, keep one bit of each, and move it to the bottom of its byte.
        const std::uint64_t kept = ((word & 0xff) * 0x0101010101010101u) & 0x8040201008040201u;
        const std::uint64_t eight = ((kept + 0x00406070787c7e7fu) >> 7) & 0x0101010101010101u;
#endif
        __builtin_memcpy(bytes + 8 * row, &eight, 8);
    }
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
    static std::uint64_t perft_forced(const Geometry& g, std::uint64_t own, std::uint64_t other, int depth, const InterruptCheck& interrupt_check) {
        std::uint64_t todo = moves(g, own, other);
        if (!todo) return moves(g, other, own) ? perft_forced(g, other, own, depth - 1, interrupt_check) : 1;
        if (depth == 7) interrupt_check();
        std::uint64_t leaves = 0;
        if (depth == 2) {
            for (; todo; todo &= todo - 1) {
                const int to = std::countr_zero(todo);
                const std::uint64_t flipped = Kernel::flips(g, to, own, other);
                const auto count = static_cast<std::uint64_t>(
                    std::popcount(moves(g, other & ~flipped, own | flipped | (todo & (0 - todo)))));
                leaves += count + (count == 0);  // a pass, or the end of the game
            }
            return leaves;
        }
        if (depth == 1) return static_cast<std::uint64_t>(std::popcount(todo));
        if (depth == 0) return 1;
        for (; todo; todo &= todo - 1) {
            const std::uint64_t flipped = Kernel::flips(g, std::countr_zero(todo), own, other);
            leaves += perft_forced(g, other & ~flipped, own | flipped | (todo & (0 - todo)), depth - 1, interrupt_check);
        }
        return leaves;
    }

    static std::uint64_t perft_free(const Geometry& g, std::uint64_t own, std::uint64_t other, int passes, int depth,
                                    const InterruptCheck& interrupt_check) {
        if (depth == 0 || passes == 2 || (own | other) == g.valid) return 1;
        std::uint64_t todo = moves(g, own, other);
        if (depth == 1) return static_cast<std::uint64_t>(std::popcount(todo)) + 1;
        if (depth == 7) interrupt_check();
        std::uint64_t leaves = perft_free(g, other, own, passes + 1, depth - 1, interrupt_check);
        for (; todo; todo &= todo - 1) {
            const std::uint64_t flipped = Kernel::flips(g, std::countr_zero(todo), own, other);
            leaves += perft_free(g, other & ~flipped, own | flipped | (todo & (0 - todo)), 0, depth - 1, interrupt_check);
        }
        return leaves;
    }

    static std::uint64_t perft(const Geometry& g, const Position& p, int depth, const InterruptCheck& interrupt_check) {
        if (depth == 0) return 1;
        if (g.free_pass) return perft_free(g, p.own, p.other, p.passes, depth, interrupt_check);
        std::uint64_t todo = g.opening & ~(p.own | p.other);
        if (!todo) return perft_forced(g, p.own, p.other, depth, interrupt_check);
        std::uint64_t leaves = 0;
        for (; todo; todo &= todo - 1) {
            leaves += perft(g, {p.other, p.own | (todo & (0 - todo)), 0, 0}, depth - 1, interrupt_check);
        }
        return leaves;
    }

    static void play(const Geometry& g, Position& p, std::uint64_t to) {
        const bool opening = (g.opening & ~(p.own | p.other)) != 0;
        const std::uint64_t flipped = opening ? 0 : Kernel::flips(g, std::countr_zero(to), p.own, p.other);
        const std::uint64_t own = p.other & ~flipped;
        p.other = p.own | flipped | to;
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

    // One random move, each as likely as the others; false when the game is over.
    static bool advance(const Geometry& g, Position& p, Random& random) {
        if (g.free_pass && (p.passes >= 2 || (p.own | p.other) == g.valid)) return false;
        const std::uint64_t todo = legal(g, p.own, p.other);
        const auto stones = static_cast<std::uint32_t>(std::popcount(todo));
        if (!g.free_pass && !todo) {
            if (!moves(g, p.other, p.own)) return false;
            pass(g, p);
            return true;
        }
        const std::uint32_t choice = random.below(stones + (g.free_pass ? 1 : 0));
        if (choice == stones) {
            pass(g, p);
        } else {
            play(g, p, nth_bit(todo, choice));
        }
        return true;
    }

    // Several games are interleaved, so that the processor has work while each waits for its own last result.
    static void play_out(const Geometry& g, Position* positions, std::size_t count, std::uint64_t seed, std::uint64_t first) {
        constexpr std::size_t kAtOnce = 6;
        struct Lane {
            Position position;
            Random random{0};
            std::size_t game;
        } lanes[kAtOnce];
        std::size_t next = 0, running = 0;
        const auto begin = [&](Lane& lane) {
            lane = {positions[next], Random::stream(seed, first + next), next};
            ++next;
        };
        while (running < kAtOnce && next < count) begin(lanes[running++]);
        while (running > 0) {
            for (std::size_t i = 0; i < running;) {
                if (advance(g, lanes[i].position, lanes[i].random)) {
                    ++i;
                    continue;
                }
                positions[lanes[i].game] = lanes[i].position;
                if (next < count) {
                    begin(lanes[i++]);
                } else {
                    lanes[i] = lanes[--running];
                }
            }
        }
    }

    static int solve_endgame(engine::EndgameContext& context, std::uint64_t own, std::uint64_t other, int alpha) {
        if (context.board.geometry.free_pass) return engine::FreePassEndgameSolver<Kernel>(context).value(own, other, alpha);
        return context.board.fewest_wins ? engine::EndgameSolver<Kernel, true>(context).value(own, other, alpha)
                                       : engine::EndgameSolver<Kernel, false>(context).value(own, other, alpha);
    }

    static void pattern_indices(const PatternPowers* powers, std::uint64_t own, std::uint64_t other, std::uint16_t* to) {
        const auto all = engine::PatternIndices::of(powers, own, other);
        __builtin_memcpy(to, all.half, sizeof all.half);
    }

    static int shallow_search(engine::ShallowSearch& shallow, std::uint64_t own, std::uint64_t other, int depth, int alpha, int beta) {
        return engine::ShallowSearchKernel<Kernel>(shallow).value(own, other, depth, alpha, beta);
    }

    static int weighted_mobility(const engine::Board& board, std::uint64_t own, std::uint64_t other) {
        return board.weighted_mobility(moves(board.geometry, own, other));
    }

    static int evaluate(const engine::Evaluation& evaluation, std::uint64_t own, std::uint64_t other) {
        return engine::EvaluationKernel<Kernel>::value(evaluation, own, other);
    }

    static MobilityCounts mobility_counts(const Geometry& g, std::uint64_t own, std::uint64_t other) { return bit::mobility_counts<Kernel>(g, own, other); }

    static void refresh(const Geometry& g, const Games& games, std::size_t game) {
        const Position& p = games.positions[game];
        std::uint64_t todo = legal(g, p.own, p.other);
        std::uint8_t status = 0;
        if (g.free_pass) {
            const bool over = p.passes >= 2 || (p.own | p.other) == g.valid;
            status = over ? Games::kOver : Games::kCanPass;
            if (over) todo = 0;
        } else if (!todo) {
            status = moves(g, p.other, p.own) ? Games::kCanPass : Games::kOver;
        }
        games.legal[game] = todo;
        games.status[game] = status;
    }

    static void step(const Geometry& g, const Games& games, const std::int32_t* chosen) {
        for (std::size_t game = 0; game < games.count; ++game) {
            if (games.status[game] == Games::kOver) continue;
            const auto cell = static_cast<std::size_t>(chosen[game]);
            if (cell == static_cast<std::size_t>(g.cells)) {
                pass(g, games.positions[game]);
            } else {
                play(g, games.positions[game], std::uint64_t{1} << g.bit_of_cell[cell]);
            }
            refresh(g, games, game);
        }
    }

    static void random_moves(const Geometry& g, const Games& games, Random& random, std::int32_t* chosen) {
        for (std::size_t game = 0; game < games.count; ++game) {
            const std::uint64_t todo = games.legal[game];
            const auto stones = static_cast<std::uint32_t>(std::popcount(todo));
            const std::uint32_t count = stones + (games.status[game] == Games::kCanPass);
            const std::uint32_t choice = random.below(count);
            if (count == 0) {
                chosen[game] = -1;
            } else if (choice == stones) {
                chosen[game] = g.cells;
            } else {
                chosen[game] = g.cell_of_bit[static_cast<std::size_t>(std::countr_zero(nth_bit(todo, choice)))];
            }
        }
    }

    static void write_cells(const Geometry& g, std::uint64_t word, std::uint8_t* bytes) {
        if (g.in_order && g.cells == 64) return spread(word, bytes);
        for (int cell = 0; cell < g.cells; ++cell) {
            bytes[cell] = static_cast<std::uint8_t>(word >> g.bit_of_cell[static_cast<std::size_t>(cell)] & 1);
        }
    }

    static void write_tiles(const Geometry& g, const Position* positions, std::size_t count, std::uint8_t* bytes) {
        for (std::size_t game = 0; game < count; ++game, bytes += g.cells) {
            const Position& p = positions[game];
            std::uint8_t other[64];
            write_cells(g, p.own, bytes);
            write_cells(g, p.other, other);
            const int mine = p.turn + 1, theirs = 2 - p.turn;
            for (int cell = 0; cell < g.cells; ++cell) bytes[cell] = static_cast<std::uint8_t>(bytes[cell] * mine + other[cell] * theirs);
        }
    }

    static void write_legal(const Geometry& g, const Games& games, std::uint8_t* bytes) {
        for (std::size_t game = 0; game < games.count; ++game, bytes += g.cells + 1) {
            const std::uint64_t todo = games.legal[game];
            write_cells(g, todo, bytes);
            bytes[g.cells] = games.status[game] == Games::kCanPass;
        }
    }

    static std::uint64_t flips(const Geometry& g, int to, std::uint64_t own, std::uint64_t other) {
        return Kernel::flips(g, to, own, other);
    }

    static constexpr Ops ops(const char* name) {
        return {name, moves, flips, perft, play_out, solve_endgame, shallow_search, weighted_mobility, evaluate, mobility_counts, pattern_indices, step, refresh, random_moves, write_legal, write_tiles};
    }
};

}  // namespace
}  // namespace polyversi::bit
