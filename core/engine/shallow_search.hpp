// Fixed-depth alpha-beta with the evaluation at the leaves, a few plies deep: for move ordering and for self-play, where
// a transposition table would cost more than it saves. The search itself is a template over the move generator of one
// processor; each processor's file includes this header and instantiates its own copy.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "engine/evaluation.hpp"

namespace polyversi::engine {

class ShallowSearch {
  public:
    static constexpr int kInfinity = 64 * 64 * kStone;

    ShallowSearch(const Board& its_board, const Evaluation& its_evaluation) : board(its_board), evaluation(its_evaluation) {}

    // The value for the seat to move, in units of the evaluation.
    int value(std::uint64_t own, std::uint64_t other, int depth, int alpha, int beta) {
        return board.ops.shallow_search(*this, own, other, depth, alpha, beta);
    }

    const Board& board;
    const Evaluation& evaluation;
    std::uint64_t nodes = 0;
};

namespace {

// The indices of up to 64 patterns, computed side by side in vector registers.
struct PatternIndices {
    typedef std::uint16_t Words __attribute__((vector_size(64), may_alias));
    Words half[2] = {};

    [[gnu::always_inline]] void add(const bit::PatternPowers& powers) {
        const auto* added = reinterpret_cast<const Words*>(&powers);
        half[0] += added[0];
        half[1] += added[1];
    }
    [[gnu::always_inline]] void add(const bit::PatternPowers* powers, std::uint64_t stones) {
        for (; stones; stones &= stones - 1) add(powers[std::countr_zero(stones)]);
    }
    // Base-3 digits: 0 empty, 1 own, 2 other.
    [[gnu::always_inline]] static PatternIndices of(const bit::PatternPowers* powers, std::uint64_t own, std::uint64_t other) {
        PatternIndices all;
        all.add(powers, other);
        all.half[0] += all.half[0];
        all.half[1] += all.half[1];
        all.add(powers, own);
        return all;
    }
};

// The value of a position, by the operations of one processor.
template <class Kernel>
struct EvaluationKernel {
    static int value(const Evaluation& evaluation, std::uint64_t own, std::uint64_t other) {
        if (!evaluation.has_weights()) return evaluation.heuristic(own, other);
        const Evaluation::Tables tables = evaluation.tables(std::popcount(own | other));
        return evaluation.clamped(sum(tables, PatternIndices::of(tables.powers, own, other)) + mobility(evaluation, tables, own, other));
    }

    [[gnu::always_inline]] static inline int sum(const Evaluation::Tables& tables, const PatternIndices& pattern_indices) {
        alignas(64) std::uint16_t found[kMaxPatterns];
        __builtin_memcpy(found, pattern_indices.half, sizeof found);
        int sum = 0;
#pragma GCC unroll 8
        for (std::size_t pattern = 0; pattern < tables.patterns; ++pattern) sum += tables.weights[tables.offsets[pattern] + found[pattern]];
        return sum;
    }

    [[gnu::always_inline]] static inline int mobility(const Evaluation& evaluation, const Evaluation::Tables& tables, std::uint64_t own, std::uint64_t other) {
        if (!tables.mobility) return 0;
        const auto counts = bit::mobility_counts<Kernel>(evaluation.board().geometry, own, other);
        int sum = 0;
        for (std::size_t i = 0; i < counts.size(); ++i) sum += tables.mobility[i * kCountLimit + counts[i]];
        return sum;
    }
};

template <class Kernel>
class ShallowSearchKernel {
  public:
    explicit ShallowSearchKernel(ShallowSearch& search) : search_(search), board_(search.board), evaluation_(search.evaluation) {}

    int value(std::uint64_t own, std::uint64_t other, int depth, int alpha, int beta) {
        ++search_.nodes;
        if (depth == 0) return Leaf::value(evaluation_, own, other);
        const std::uint64_t todo = moves(own, other);
        if (!todo) {
            if (moves(other, own)) return -value(other, own, depth, -beta, -alpha);
            return kStone * board_.final_value(own, other);
        }
        if (depth == 1 && evaluation_.has_weights()) return frontier_node(own, other, todo, beta);
        return ordered(own, other, todo, depth, alpha, beta);
    }

  private:
    using Leaf = EvaluationKernel<Kernel>;

    std::uint64_t moves(std::uint64_t own, std::uint64_t other) const {
        return Kernel::moves(board_.geometry, own, other) & board_.geometry.valid & ~(own | other);
    }

    // Moves ordered by mobility: the fewest replies first.
    int ordered(std::uint64_t own, std::uint64_t other, std::uint64_t todo, int depth, int alpha, int beta) {
        struct {
            std::uint64_t own, other;
            int replies;
        } list[64];
        int count = 0;
        for (; todo; todo &= todo - 1) {
            const std::uint64_t flipped = Kernel::flips(board_.geometry, std::countr_zero(todo), own, other);
            const std::uint64_t next = other & ~flipped, mine = own | flipped | (todo & (0 - todo));
            const int replies = depth > 1 ? std::popcount(moves(next, mine)) : 0;
            int place = count++;
            for (; place > 0 && list[place - 1].replies > replies; --place) list[place] = list[place - 1];
            list[place] = {next, mine, replies};
        }
        int best = -ShallowSearch::kInfinity;
        for (int i = 0; i < count && best < beta; ++i) {
            best = std::max(best, -value(list[i].own, list[i].other, depth - 1, -beta, -std::max(alpha, best)));
        }
        return best;
    }

    // One ply before the leaves the pattern indices are updated for each move instead of computed anew: from the other
    // side's view of this node, add the new stone and the flipped ones.
    int frontier_node(std::uint64_t own, std::uint64_t other, std::uint64_t todo, int beta) {
        const Evaluation::Tables tables = evaluation_.tables(std::popcount(own | other) + 1);
        const PatternIndices before = PatternIndices::of(tables.powers, other, own);
        int best = -ShallowSearch::kInfinity;
        for (; todo && best < beta; todo &= todo - 1) {
            ++search_.nodes;
            const int cell = std::countr_zero(todo);
            PatternIndices after = before;
            after.add(tables.powers[cell]);
            after.add(tables.powers[cell]);
            const std::uint64_t flipped = Kernel::flips(board_.geometry, cell, own, other);
            after.add(tables.powers, flipped);
            const int mobility = Leaf::mobility(evaluation_, tables, other & ~flipped, own | flipped | (todo & (0 - todo)));
            best = std::max(best, -evaluation_.clamped(Leaf::sum(tables, after) + mobility));
        }
        return best;
    }

    ShallowSearch& search_;
    const Board& board_;
    const Evaluation& evaluation_;
};

}  // namespace
}  // namespace polyversi::engine
