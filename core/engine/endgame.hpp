// The endgame solver: exact null-window search of the last empty cells. From seven empties on it orders moves and uses a
// small hash table of its own; below it tries the cells in order of parity, and the last four are unrolled. A template over
// the move generator of one processor; each processor's file includes this header and instantiates its own copy.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "bit/mobility.hpp"
#include "engine/board.hpp"
#include "engine/common.hpp"
#include "engine/stability.hpp"

namespace polyversi::engine {

constexpr int kNoValue = 127;

// What the solver keeps for one thread: its hash table and its node count.
struct EndgameContext {
    struct Entry {
        std::uint64_t own = 0, other = 0;
        std::int8_t low = -kNoValue, high = kNoValue;
        std::uint8_t best = 64;

        bool is_of(std::uint64_t its_own, std::uint64_t its_other) const { return own == its_own && other == its_other; }
    };
    static constexpr int kBits = 14;

    explicit EndgameContext(const Board& its_board) : board(its_board), entries(std::size_t{1} << kBits) {}

    Entry& slot(std::uint64_t own, std::uint64_t other) {
        return entries[hash_of(own, other) >> (64 - kBits)];
    }
    void store(std::uint64_t own, std::uint64_t other, int alpha, int value, int best) {
        Entry& entry = slot(own, other);
        if (!entry.is_of(own, other)) entry = {own, other, -kNoValue, kNoValue, 64};
        (value > alpha ? entry.low : entry.high) = static_cast<std::int8_t>(value);
        entry.best = static_cast<std::uint8_t>(best);
    }

    const Board& board;
    std::uint64_t nodes = 0;
    std::vector<Entry> entries;
};

namespace {

template <class Kernel, bool kFewest>
class EndgameSolver {
  public:
    explicit EndgameSolver(EndgameContext& context) : context_(context), board_(context.board), g_(context.board.geometry) {}

    // Whether the value for the seat to move is above alpha: a fail-soft bound on that side.
    int value(std::uint64_t own, std::uint64_t other, int alpha) {
        const std::uint64_t empty = g_.valid & ~(own | other);
        const int empties = std::popcount(empty);
        const unsigned parity = board_.parity(empty);
        if (empties >= kMinOrdered) return solve_with_ordering(own, other, alpha, empty, parity, Kernel::moves(g_, own, other) & empty);
        if (empties == 6) return solve_by_parity<6>(own, other, alpha, empty, parity, empty, false);
        if (empties == 5) return solve_by_parity<5>(own, other, alpha, empty, parity, empty, false);
        return solve_at_most_4(own, other, alpha, empty, parity);
    }

  private:
    static constexpr int kMinOrdered = 7;  // empty cells; with fewer, move ordering costs more than it saves
    static constexpr int kMinHashed = 6;
    static constexpr int kMinSpareStones = 12;  // beyond what a stability cutoff needs, before it is worth trying

    static int from_difference(int difference) { return kFewest ? -difference : difference; }
    int final_value(std::uint64_t own, std::uint64_t other) const { return board_.final_value(own, other); }
    static std::uint64_t at(int cell) { return std::uint64_t{1} << cell; }
    bool may_flip(int cell, std::uint64_t other) const { return board_.neighbours[static_cast<std::size_t>(cell)] & other; }

    // One empty cell: only the number of flips counts.
    int solve_1(std::uint64_t own, std::uint64_t other, int cell) {
        ++context_.nodes;
        const int before = 2 * std::popcount(own) - board_.cells + 1;
        int mine, theirs = 0;
        if constexpr (Kernel::kUsesPext) {
            const auto both = static_cast<int>(Kernel::count_last_flips(board_.last_flip, cell, own));
            mine = both & 255, theirs = both >> 8;
        } else {
            mine = std::popcount(Kernel::flips(g_, cell, own, other));
            if (!mine) theirs = std::popcount(Kernel::flips(g_, cell, other, own));
        }
        if (mine) return from_difference(before + 2 * mine + 1);
        return from_difference(theirs ? before - 2 * theirs - 1 : board_.with_empties(before, 1));
    }

    // The position after a move, from the view of the other side.
    struct Child {
        std::uint64_t own, other;
    };
    static Child play(std::uint64_t own, std::uint64_t other, std::uint64_t flipped, int cell) {
        return {other & ~flipped, own | flipped | at(cell)};
    }

    int solve_2(std::uint64_t own, std::uint64_t other, int alpha, int a, int b, bool passed) {
        ++context_.nodes;
        int best = -kNoValue;
        if (const std::uint64_t flipped = flips(a, own, other)) {
            const Child next = play(own, other, flipped, a);
            best = -solve_1(next.own, next.other, b);
            if (best > alpha) return best;
        }
        if (const std::uint64_t flipped = flips(b, own, other)) {
            const Child next = play(own, other, flipped, b);
            return std::max(best, -solve_1(next.own, next.other, a));
        }
        if (best > -kNoValue) return best;
        if (passed) return final_value(own, other);
        return -solve_2(other, own, -alpha - 1, a, b, true);
    }

    // Three empty cells in the order of parity: the one alone in its quadrant first.
    int solve_3(std::uint64_t own, std::uint64_t other, int alpha, int a, int b, int c, bool passed) {
        ++context_.nodes;
        int best = -kNoValue;
        const auto cuts_off = [&](int cell, int d, int e) __attribute__((always_inline)) {
            const std::uint64_t flipped = flips(cell, own, other);
            if (!flipped) return false;
            const Child next = play(own, other, flipped, cell);
            best = std::max(best, -solve_2(next.own, next.other, -alpha - 1, d, e, false));
            return best > alpha;
        };
        if (cuts_off(a, b, c) || cuts_off(b, a, c) || cuts_off(c, a, b) || best > -kNoValue) return best;
        if (passed) return final_value(own, other);
        return -solve_3(other, own, -alpha - 1, a, b, c, true);
    }

    // Four empty cells in the order of parity; `pairs` when a, b and c, d share quadrants.
    int solve_4(std::uint64_t own, std::uint64_t other, int alpha, int a, int b, int c, int d, bool pairs, bool passed) {
        ++context_.nodes;
        int best = -kNoValue;
        const auto cuts_off = [&](int cell, int e, int f, int g) __attribute__((always_inline)) {
            const std::uint64_t flipped = flips(cell, own, other);
            if (!flipped) return false;
            const Child next = play(own, other, flipped, cell);
            best = std::max(best, -solve_3(next.own, next.other, -alpha - 1, e, f, g, false));
            return best > alpha;
        };
        if (cuts_off(a, b, c, d) || cuts_off(b, a, c, d)) return best;
        if (pairs ? cuts_off(c, d, a, b) || cuts_off(d, c, a, b) : cuts_off(c, a, b, d) || cuts_off(d, a, b, c)) return best;
        if (best > -kNoValue) return best;
        if (passed) return final_value(own, other);
        return -solve_4(other, own, -alpha - 1, a, b, c, d, pairs, true);
    }

    std::uint64_t flips(int cell, std::uint64_t own, std::uint64_t other) const {
        return may_flip(cell, other) ? Kernel::flips(g_, cell, own, other) : 0;
    }

    // Iterates over a set of cells, those of a preferred set first.
    class Cells {
      public:
        Cells(std::uint64_t cells, std::uint64_t before) : first_(cells & before), second_(cells & ~before) {}

        bool is_empty() const { return !(first_ | second_); }
        int take() {
            const std::uint64_t from = first_ ? first_ : second_;
            const std::uint64_t left = from & (from - 1);
            second_ = first_ ? second_ : left;
            first_ = first_ ? left : 0;
            return std::countr_zero(from);
        }

      private:
        std::uint64_t first_, second_;
    };

    int solve_at_most_4(std::uint64_t own, std::uint64_t other, int alpha, std::uint64_t empty, unsigned parity) {
        const int count = std::popcount(empty);
        if (count == 4) return sort_and_solve_4(own, other, alpha, empty, parity);
        Cells cells(empty, board_.quadrant_masks[parity]);
        if (count == 0) return final_value(own, other);
        const int a = cells.take();
        if (count == 1) return solve_1(own, other, a);
        const int b = cells.take();
        if (count == 2) return solve_2(own, other, alpha, a, b, false);
        return solve_3(own, other, alpha, a, b, cells.take(), false);
    }

    // Sorts four cells so that the three left after any of them are in order of parity as well: cells alone in their
    // quadrant first, or else one of two pairs.
    int sort_and_solve_4(std::uint64_t own, std::uint64_t other, int alpha, std::uint64_t empty, unsigned parity) {
        std::uint64_t before = empty & board_.quadrant_masks[parity];
        const auto first = static_cast<std::size_t>(std::countr_zero(empty));
        const std::uint64_t with_first = empty & board_.quadrant_masks[board_.quadrant_bit[first]];
        const bool pairs = parity == 0;
        if (pairs) {
            before = with_first;
        } else if (before == empty) {  // one and three, or all alone
            before = std::popcount(with_first) == 1 ? with_first : empty & ~with_first;
        }
        Cells cells(empty, before);
        const int a = cells.take(), b = cells.take(), c = cells.take(), d = cells.take();
        return solve_4(own, other, alpha, a, b, c, d, pairs, false);
    }

    // Five or six empty cells, those of odd quadrants first. All moves are among `todo`.
    template <int kCells>
    int solve_by_parity(std::uint64_t own, std::uint64_t other, int alpha, std::uint64_t empty, unsigned parity, std::uint64_t todo,
                        bool passed) {
        ++context_.nodes;
        if (const int bound = stability_bound(own, other, alpha); bound <= alpha) return bound;
        if constexpr (kCells >= kMinHashed) {
            const EndgameContext::Entry& entry = context_.slot(own, other);
            if (entry.is_of(own, other)) {
                if (entry.low > alpha) return entry.low;
                if (entry.high <= alpha) return entry.high;
            }
        }
        int best = -kNoValue, best_cell = 64;
        for (Cells cells(todo, board_.quadrant_masks[parity]); best <= alpha && !cells.is_empty();) {
            const int cell = cells.take();
            const std::uint64_t flipped = flips(cell, own, other);
            if (!flipped) continue;
            const Child next = play(own, other, flipped, cell);
            const std::uint64_t left = empty & ~at(cell);
            int score;
            if constexpr (kCells == 5) {
                score = -sort_and_solve_4(next.own, next.other, -alpha - 1, left, parity_without(cell, parity));
            } else {
                score = -solve_by_parity<kCells - 1>(next.own, next.other, -alpha - 1, left, parity_without(cell, parity), left, false);
            }
            if (score > best) best = score, best_cell = cell;
        }
        if (best > -kNoValue) {
            if constexpr (kCells >= kMinHashed) context_.store(own, other, alpha, best, best_cell);
            return best;
        }
        if (passed) return final_value(own, other);
        return -solve_by_parity<kCells>(other, own, -alpha - 1, empty, parity, empty, true);
    }

    unsigned parity_without(int cell, unsigned parity) const { return parity ^ board_.quadrant_bit[static_cast<std::size_t>(cell)]; }

    struct Candidate {
        Child next;
        const EndgameContext::Entry* entry;
        std::uint64_t replies;
        int cell;
    };
    // Move ordering in one integer: the cost above the number and the cell of the candidate. The lowest comes first.
    static constexpr int kHashMoveCost = -1000;
    static int ordering_key(int cost, int number, int cell) { return cost * 4096 + number * 64 + cell; }

    // Seven or more empty cells. `todo` are the legal moves.
    int solve_with_ordering(std::uint64_t own, std::uint64_t other, int alpha, std::uint64_t empty, unsigned parity, std::uint64_t todo) {
        ++context_.nodes;
        if (const int bound = stability_bound(own, other, alpha); bound <= alpha) return bound;
        if (!todo) {
            todo = Kernel::moves(g_, other, own) & empty;
            return todo ? -solve_with_ordering(other, own, -alpha - 1, empty, parity, todo) : final_value(own, other);
        }
        // Step 1. Hash table cutoff.
        int hash_move = 64;
        const EndgameContext::Entry& entry = context_.slot(own, other);
        if (entry.is_of(own, other)) {
            if (entry.low > alpha) return entry.low;
            if (entry.high <= alpha) return entry.high;
            hash_move = entry.best;
        }
        // Step 2. Make all moves, so that the entries of the children are on their way to the cache when they are needed.
        Candidate list[32];
        int count = 0;
        for (; todo; todo &= todo - 1, ++count) {
            const int cell = std::countr_zero(todo);
            const Child next = play(own, other, Kernel::flips(g_, cell, own, other), cell);
            const EndgameContext::Entry* there = &context_.slot(next.own, next.other);
            __builtin_prefetch(there);
            list[count] = {next, there, 0, cell};
        }
        // Step 3. Enhanced transposition cutoff.
        for (int i = 0; i < count; ++i) {
            const auto& [next, there, replies, cell] = list[i];
            if (there->is_of(next.own, next.other) && -there->high > alpha) return -there->high;
        }
        // Step 4. Score the moves.
        int keys[32];
        for (int i = 0; i < count; ++i) {
            Candidate& one = list[i];
            const bit::Mobility mobility = Kernel::mobility(g_, one.next.own, one.next.other);
            const std::uint64_t left = empty & ~at(one.cell);
            one.replies = mobility.moves & left;
            keys[i] = ordering_key(one.cell == hash_move ? kHashMoveCost : cost(one.next, mobility, left, one.cell, parity), i, one.cell);
        }
        // Step 5. Search them, each time the best of the rest: the first mostly cuts off, so a full sort would not pay.
        int best = -kNoValue, best_cell = 64;
        for (; count > 0 && best <= alpha; --count) {
            const int key = take_lowest(keys, count), cell = key & 63;
            const auto& [next, there, replies, its_cell] = list[key >> 6 & 63];
            const std::uint64_t left = empty & ~at(cell);
            const int score = std::popcount(left) >= kMinOrdered
                                  ? -solve_with_ordering(next.own, next.other, -alpha - 1, left, parity_without(cell, parity), replies)
                                  : -solve_by_parity<6>(next.own, next.other, -alpha - 1, left, parity_without(cell, parity), replies, false);
            if (score > best) best = score, best_cell = cell;
        }
        // Step 6. Store the bound.
        context_.store(own, other, alpha, best, best_cell);
        return best;
    }

    // The opponent's mobility and potential mobility, less parity and cell value; where the fewest win, also the stones
    // we have.
    int cost(const Child& next, const bit::Mobility& mobility, std::uint64_t left, int cell, unsigned parity) const {
        return 16 * board_.weighted_mobility(mobility.moves & left) + 3 * std::popcount(mobility.potential & left) + (kFewest ? 2 * std::popcount(next.other) : 0) -
               ((board_.quadrant_masks[parity] & at(cell)) ? 4 : 0) - board_.cell_value[static_cast<std::size_t>(cell)] / 2;
    }

    // Removes and returns the lowest key.
    static int take_lowest(int* keys, int count) {
        int lowest = keys[0], place = 0;
        for (int i = 1; i < count; ++i) {
            place = keys[i] < lowest ? i : place;
            lowest = std::min(keys[i], lowest);
        }
        keys[place] = keys[count - 1];
        return lowest;
    }

    // An upper bound of the value from stable stones, where it may cut off.
    int stability_bound(std::uint64_t own, std::uint64_t other, int alpha) const {
        const std::uint64_t ahead = kFewest ? own : other, behind = kFewest ? other : own;
        if (board_.cells - 2 * (std::popcount(ahead) - kMinSpareStones) > alpha) return kNoValue;
        const bool is_grid = g_.kind == bit::Geometry::Kind::kGrid;
        return board_.cells - 2 * std::popcount(is_grid ? stable_on_grid(board_, ahead, behind) : board_.stable(ahead, behind));
    }

    EndgameContext& context_;
    const Board& board_;
    const bit::Geometry& g_;
};

}  // namespace
}  // namespace polyversi::engine
