// Fixed-depth alpha-beta with the evaluation at the leaves, a few plies deep: for move ordering and for self-play, where
// a transposition table would cost more than it saves. The search itself is a template over the move generator of one
// processor; each processor's file includes this header and instantiates its own copy.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "engine/evaluation.hpp"
#include "engine/network_kernel.hpp"

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

// What evaluates positions with the same number of stones by tables.
template <class Kernel>
class TableLeaf {
  public:
    TableLeaf(const Evaluation& evaluation, int stones) : geometry_(evaluation.board().geometry), tables_(evaluation.tables(stones)) {}

    [[gnu::always_inline]] int value(const PatternIndices& pattern_indices, std::uint64_t own, std::uint64_t other) const {
        return sum(pattern_indices) + mobility(own, other);
    }

  private:
    [[gnu::always_inline]] int sum(const PatternIndices& pattern_indices) const {
        alignas(64) std::uint16_t found[kMaxPatterns];
        __builtin_memcpy(found, pattern_indices.half, sizeof found);
        int sum = 0;
#pragma GCC unroll 8
        for (std::size_t pattern = 0; pattern < tables_.patterns; ++pattern) sum += tables_.weights[tables_.offsets[pattern] + found[pattern]];
        return sum;
    }

    [[gnu::always_inline]] int mobility(std::uint64_t own, std::uint64_t other) const {
        if (!tables_.mobility) return 0;
        const auto counts = bit::mobility_counts<Kernel>(geometry_, own, other);
        int sum = 0;
        for (std::size_t i = 0; i < counts.size(); ++i) sum += tables_.mobility[i * Network::kCountLimit + counts[i]];
        return sum;
    }

    const bit::Geometry& geometry_;
    const Evaluation::Tables tables_;
};

// The same by a network.
template <class Kernel, std::size_t width>
class NetworkLeaf {
  public:
    NetworkLeaf(const Evaluation& evaluation, int stones)
        : geometry_(evaluation.board().geometry), network_(*evaluation.network()), offsets_(evaluation.offsets()), patterns_(evaluation.patterns()),
          stones_(static_cast<std::size_t>(stones)) {}

    [[gnu::always_inline]] int value(const PatternIndices& pattern_indices, std::uint64_t own, std::uint64_t other) const {
        alignas(64) std::uint16_t found[kMaxPatterns];
        alignas(64) std::uint32_t rows[kMaxPatterns];
        __builtin_memcpy(found, pattern_indices.half, sizeof found);
        for (std::size_t pattern = 0; pattern < kMaxPatterns; ++pattern) rows[pattern] = (offsets_[pattern] + found[pattern]) * static_cast<std::uint32_t>(width);
        const std::int16_t* const pattern_rows = network_.pattern_rows();
        const auto counts = bit::mobility_counts<Kernel>(geometry_, own, other);
        RowSum<width> sum;
        sum.add(network_.stones_row(stones_));
        for (std::size_t i = 0; i < counts.size(); ++i) sum.add(network_.mobility_rows() + (i * Network::kCountLimit + counts[i]) * width);
        for (std::size_t pattern = 0; pattern < patterns_; pattern += kAtOnce) {
#pragma GCC unroll 4
            for (std::size_t i = 0; i < kAtOnce; ++i) sum.add(pattern_rows + rows[pattern + i]);
        }
        return sum.value(network_.template layers<width>(stones_));
    }

  private:
    static constexpr std::size_t kAtOnce = 4;  // patterns; those beyond the last one have the empty row

    const bit::Geometry& geometry_;
    const Network& network_;
    const std::uint32_t* offsets_;
    const std::size_t patterns_, stones_;
};

// Does some work with what evaluates positions with this number of stones.
template <class Kernel, class Work>
[[gnu::always_inline]] inline int with_leaf(const Evaluation& evaluation, int stones, Work work) {
    const Network* network = evaluation.network();
    if (!network) return work(TableLeaf<Kernel>(evaluation, stones));
    if (network->width() == 16) return work(NetworkLeaf<Kernel, 16>(evaluation, stones));
    if (network->width() == 32) return work(NetworkLeaf<Kernel, 32>(evaluation, stones));
    return work(NetworkLeaf<Kernel, 64>(evaluation, stones));
}

// The value of a position, by the operations of one processor.
template <class Kernel>
struct EvaluationKernel {
    static int value(const Evaluation& evaluation, std::uint64_t own, std::uint64_t other) {
        if (!evaluation.has_weights()) return evaluation.heuristic(own, other);
        return with_leaf<Kernel>(evaluation, std::popcount(own | other), [&](const auto& leaf) {
            return evaluation.clamped(leaf.value(PatternIndices::of(evaluation.powers(), own, other), own, other));
        });
    }
};

template <class Kernel>
class ShallowSearchKernel {
  public:
    explicit ShallowSearchKernel(ShallowSearch& search) : search_(search), board_(search.board), evaluation_(search.evaluation) {}

    int value(std::uint64_t own, std::uint64_t other, int depth, int alpha, int beta) {
        ++search_.nodes;
        if (depth == 0) return EvaluationKernel<Kernel>::value(evaluation_, own, other);
        const std::uint64_t todo = moves(own, other);
        if (!todo) {
            if (moves(other, own)) return -value(other, own, depth, -beta, -alpha);
            return kStone * board_.final_value(own, other);
        }
        if (depth == 1 && evaluation_.has_weights()) {
            return with_leaf<Kernel>(evaluation_, std::popcount(own | other) + 1, [&](const auto& leaf) { return frontier_node(leaf, own, other, todo, beta); });
        }
        return ordered(own, other, todo, depth, alpha, beta);
    }

  private:
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
    template <class Leaf>
    int frontier_node(const Leaf& leaf, std::uint64_t own, std::uint64_t other, std::uint64_t todo, int beta) {
        const bit::PatternPowers* const powers = evaluation_.powers();
        const PatternIndices before = PatternIndices::of(powers, other, own);
        int best = -ShallowSearch::kInfinity;
        for (; todo && best < beta; todo &= todo - 1) {
            ++search_.nodes;
            const int cell = std::countr_zero(todo);
            PatternIndices after = before;
            after.add(powers[cell]);
            after.add(powers[cell]);
            const std::uint64_t flipped = Kernel::flips(board_.geometry, cell, own, other);
            after.add(powers, flipped);
            best = std::max(best, -evaluation_.clamped(leaf.value(after, other & ~flipped, own | flipped | (todo & (0 - todo)))));
        }
        return best;
    }

    ShallowSearch& search_;
    const Board& board_;
    const Evaluation& evaluation_;
};

}  // namespace
}  // namespace polyversi::engine
