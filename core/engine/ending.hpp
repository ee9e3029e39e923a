// The last stones of a game, exactly: what is searched when only a few cells are empty. Written once over a kernel that
// finds moves and flips; each processor's file includes this and makes its own copies.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "bit/reach.hpp"
#include "engine/common.hpp"
#include "engine/plan.hpp"
#include "engine/stability.hpp"

namespace polyversi::engine {

constexpr int kNoValue = 127;

// What a thread needs while it searches endings.
struct EndingMemory {
    struct Entry {
        std::uint64_t own = 0, other = 0;
        std::int8_t low = -kNoValue, high = kNoValue;
        std::uint8_t best = 64;

        bool is_of(std::uint64_t its_own, std::uint64_t its_other) const { return own == its_own && other == its_other; }
    };
    static constexpr int kBits = 14;

    explicit EndingMemory(const Plan& its_plan) : plan(its_plan), entries(std::size_t{1} << kBits) {}

    Entry& entry(std::uint64_t own, std::uint64_t other) {
        return entries[mixed(own, other) >> (64 - kBits)];
    }
    void remember(std::uint64_t own, std::uint64_t other, int alpha, int value, int best) {
        Entry& known = entry(own, other);
        if (!known.is_of(own, other)) known = {own, other, -kNoValue, kNoValue, 64};
        (value > alpha ? known.low : known.high) = static_cast<std::int8_t>(value);
        known.best = static_cast<std::uint8_t>(best);
    }

    const Plan& plan;
    std::uint64_t nodes = 0;
    std::vector<Entry> entries;
};

namespace {

template <class Kernel, bool kFewest>
class Ending {
  public:
    explicit Ending(EndingMemory& memory) : memory_(memory), plan_(memory.plan), g_(memory.plan.geometry) {}

    // Whether the value for the seat to move is above alpha: a bound of it on that side.
    int value(std::uint64_t own, std::uint64_t other, int alpha) {
        const std::uint64_t empty = g_.valid & ~(own | other);
        const int empties = std::popcount(empty);
        const unsigned odd = plan_.odd_numbers(empty);
        if (empties >= kLeastOrdered) return ordered(own, other, alpha, empty, odd, Kernel::moves(g_, own, other) & empty);
        if (empties == 6) return by_parity<6>(own, other, alpha, empty, odd, empty, false);
        if (empties == 5) return by_parity<5>(own, other, alpha, empty, odd, empty, false);
        return at_most_four(own, other, alpha, empty, odd);
    }

  private:
    static constexpr int kLeastOrdered = 7;  // with fewer empty cells it costs more to choose than to try
    static constexpr int kLeastHashed = 6;
    static constexpr int kSpare = 12;  // stones beyond what decides a window, before it pays to ask which of them are stable

    static int worth(int difference) { return kFewest ? -difference : difference; }
    static int final_value(std::uint64_t own, std::uint64_t other) { return worth(std::popcount(own) - std::popcount(other)); }
    static std::uint64_t at(int cell) { return std::uint64_t{1} << cell; }
    bool may_turn(int cell, std::uint64_t other) const { return plan_.neighbours[static_cast<std::size_t>(cell)] & other; }

    // One empty cell.
    int last(std::uint64_t own, std::uint64_t other, int cell) {
        ++memory_.nodes;
        const int before = 2 * std::popcount(own) - plan_.cells + 1;
        int mine, theirs = 0;
        if constexpr (Kernel::kGathersLines) {
            const auto both = static_cast<int>(Kernel::turned_last(plan_.last_lines, cell, own));
            mine = both & 255, theirs = both >> 8;
        } else {
            mine = std::popcount(Kernel::flips(g_, cell, own, other));
            if (!mine) theirs = std::popcount(Kernel::flips(g_, cell, other, own));
        }
        return worth(before + (mine ? 2 * mine + 1 : theirs ? -2 * theirs - 1 : 0));
    }

    // What is left after a move: the stones of the other side, which is to move, and our own.
    struct After {
        std::uint64_t own, other;
    };
    static After after(std::uint64_t own, std::uint64_t other, std::uint64_t turned, int cell) {
        return {other & ~turned, own | turned | at(cell)};
    }

    int two(std::uint64_t own, std::uint64_t other, int alpha, int a, int b, bool passed) {
        ++memory_.nodes;
        int best = -kNoValue;
        if (const std::uint64_t turned = flips(a, own, other)) {
            const After next = after(own, other, turned, a);
            best = -last(next.own, next.other, b);
            if (best > alpha) return best;
        }
        if (const std::uint64_t turned = flips(b, own, other)) {
            const After next = after(own, other, turned, b);
            return std::max(best, -last(next.own, next.other, a));
        }
        if (best > -kNoValue) return best;
        if (passed) return final_value(own, other);
        return -two(other, own, -alpha - 1, a, b, true);
    }

    // Three empty cells: the first should be the one that is alone in its quarter, if there is one.
    int three(std::uint64_t own, std::uint64_t other, int alpha, int a, int b, int c, bool passed) {
        ++memory_.nodes;
        int best = -kNoValue;
        const auto enough = [&](int cell, int d, int e) __attribute__((always_inline)) {
            const std::uint64_t turned = flips(cell, own, other);
            if (!turned) return false;
            const After next = after(own, other, turned, cell);
            best = std::max(best, -two(next.own, next.other, -alpha - 1, d, e, false));
            return best > alpha;
        };
        if (enough(a, b, c) || enough(b, a, c) || enough(c, a, b) || best > -kNoValue) return best;
        if (passed) return final_value(own, other);
        return -three(other, own, -alpha - 1, a, b, c, true);
    }

    // Four empty cells in the order in which they are tried; whether they may be pairs, those of one quarter first.
    int four(std::uint64_t own, std::uint64_t other, int alpha, int a, int b, int c, int d, bool pairs, bool passed) {
        ++memory_.nodes;
        int best = -kNoValue;
        const auto enough = [&](int cell, int e, int f, int g) __attribute__((always_inline)) {
            const std::uint64_t turned = flips(cell, own, other);
            if (!turned) return false;
            const After next = after(own, other, turned, cell);
            best = std::max(best, -three(next.own, next.other, -alpha - 1, e, f, g, false));
            return best > alpha;
        };
        if (enough(a, b, c, d) || enough(b, a, c, d)) return best;
        if (pairs ? enough(c, d, a, b) || enough(d, c, a, b) : enough(c, a, b, d) || enough(d, a, b, c)) return best;
        if (best > -kNoValue) return best;
        if (passed) return final_value(own, other);
        return -four(other, own, -alpha - 1, a, b, c, d, pairs, true);
    }

    std::uint64_t flips(int cell, std::uint64_t own, std::uint64_t other) const {
        return may_turn(cell, other) ? Kernel::flips(g_, cell, own, other) : 0;
    }

    // The cells of a set one after the other, first those that are also in another set.
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

    int at_most_four(std::uint64_t own, std::uint64_t other, int alpha, std::uint64_t empty, unsigned odd) {
        const int count = std::popcount(empty);
        if (count == 4) return four_in_order(own, other, alpha, empty, odd);
        Cells cells(empty, plan_.quarter_sets[odd]);
        if (count == 0) return final_value(own, other);
        const int a = cells.take();
        if (count == 1) return last(own, other, a);
        const int b = cells.take();
        if (count == 2) return two(own, other, alpha, a, b, false);
        return three(own, other, alpha, a, b, cells.take(), false);
    }

    // Four empty cells so that whatever is played, the three that are left are in a good order as well: before the others
    // come those that are alone in their quarter, or else one pair of two.
    int four_in_order(std::uint64_t own, std::uint64_t other, int alpha, std::uint64_t empty, unsigned odd) {
        std::uint64_t before = empty & plan_.quarter_sets[odd];
        const auto first = static_cast<std::size_t>(std::countr_zero(empty));
        const std::uint64_t beside_first = empty & plan_.quarter_sets[plan_.quarter_of[first]];
        const bool pairs = odd == 0;
        if (pairs) {
            before = beside_first;
        } else if (before == empty) {  // one and three, or all alone
            before = std::popcount(beside_first) == 1 ? beside_first : empty & ~beside_first;
        }
        Cells cells(empty, before);
        const int a = cells.take(), b = cells.take(), c = cells.take(), d = cells.take();
        return four(own, other, alpha, a, b, c, d, pairs, false);
    }

    // Five or six empty cells: those of quarters with an odd number first. All moves are among `todo`.
    template <int kCells>
    int by_parity(std::uint64_t own, std::uint64_t other, int alpha, std::uint64_t empty, unsigned odd, std::uint64_t todo,
                  bool passed) {
        ++memory_.nodes;
        if (const int bound = most(own, other, alpha); bound <= alpha) return bound;
        if constexpr (kCells >= kLeastHashed) {
            const EndingMemory::Entry& known = memory_.entry(own, other);
            if (known.is_of(own, other)) {
                if (known.low > alpha) return known.low;
                if (known.high <= alpha) return known.high;
            }
        }
        int best = -kNoValue, best_cell = 64;
        for (Cells cells(todo, plan_.quarter_sets[odd]); best <= alpha && !cells.is_empty();) {
            const int cell = cells.take();
            const std::uint64_t turned = flips(cell, own, other);
            if (!turned) continue;
            const After next = after(own, other, turned, cell);
            const std::uint64_t left = empty & ~at(cell);
            int score;
            if constexpr (kCells == 5) {
                score = -four_in_order(next.own, next.other, -alpha - 1, left, odd_without(cell, odd));
            } else {
                score = -by_parity<kCells - 1>(next.own, next.other, -alpha - 1, left, odd_without(cell, odd), left, false);
            }
            if (score > best) best = score, best_cell = cell;
        }
        if (best > -kNoValue) {
            if constexpr (kCells >= kLeastHashed) memory_.remember(own, other, alpha, best, best_cell);
            return best;
        }
        if (passed) return final_value(own, other);
        return -by_parity<kCells>(other, own, -alpha - 1, empty, odd, empty, true);
    }

    unsigned odd_without(int cell, unsigned odd) const { return odd ^ plan_.quarter_of[static_cast<std::size_t>(cell)]; }

    struct Candidate {
        After next;
        std::uint64_t replies;
    };
    // How little the other side is left with, and the candidate's number and cell below it: the lowest is tried first.
    static constexpr int kFirst = -1000;
    static int ranked(int cost, int number, int cell) { return cost * 4096 + number * 64 + cell; }

    // More: the moves first that leave the other side least to do. `todo` are all moves.
    int ordered(std::uint64_t own, std::uint64_t other, int alpha, std::uint64_t empty, unsigned odd, std::uint64_t todo) {
        ++memory_.nodes;
        if (const int bound = most(own, other, alpha); bound <= alpha) return bound;
        if (!todo) {
            todo = Kernel::moves(g_, other, own) & empty;
            return todo ? -ordered(other, own, -alpha - 1, empty, odd, todo) : final_value(own, other);
        }
        // Step 1. What is known already.
        int known_best = 64;
        const EndingMemory::Entry& known = memory_.entry(own, other);
        if (known.is_of(own, other)) {
            if (known.low > alpha) return known.low;
            if (known.high <= alpha) return known.high;
            known_best = known.best;
        }
        // Step 2. What each move leads to; one that is known to be good enough ends the search at once.
        Candidate list[32];
        int ranks[32];
        int count = 0;
        for (; todo; todo &= todo - 1, ++count) {
            const int cell = std::countr_zero(todo);
            const After next = after(own, other, Kernel::flips(g_, cell, own, other), cell);
            const EndingMemory::Entry& there = memory_.entry(next.own, next.other);
            if (there.is_of(next.own, next.other) && -there.high > alpha) return -there.high;
            const bit::Reach reach = Kernel::reach(g_, next.own, next.other);
            const std::uint64_t left = empty & ~at(cell);
            list[count] = {next, reach.moves & left};
            ranks[count] = ranked(cell == known_best ? kFirst : cost(next, reach, left, cell, odd), count, cell);
        }
        // Step 3. One after the other, each time the best of the rest: mostly the first is enough, so that sorting all of
        // them would not pay.
        int best = -kNoValue, best_cell = 64;
        for (; count > 0 && best <= alpha; --count) {
            const int rank = taken(ranks, count), cell = rank & 63;
            const auto& [next, replies] = list[rank >> 6 & 63];
            const std::uint64_t left = empty & ~at(cell);
            const int score = std::popcount(left) >= kLeastOrdered
                                  ? -ordered(next.own, next.other, -alpha - 1, left, odd_without(cell, odd), replies)
                                  : -by_parity<6>(next.own, next.other, -alpha - 1, left, odd_without(cell, odd), replies, false);
            if (score > best) best = score, best_cell = cell;
        }
        memory_.remember(own, other, alpha, best, best_cell);
        return best;
    }

    // What a move leaves the other side, now and later, less what speaks for the cell; where the fewest win, one had
    // better turn few stones, too.
    int cost(const After& next, const bit::Reach& reach, std::uint64_t left, int cell, unsigned odd) const {
        return 8 * plan_.freedom(reach.moves & left) + 3 * std::popcount(reach.later & left) + (kFewest ? 2 * std::popcount(next.other) : 0) -
               ((plan_.quarter_sets[odd] & at(cell)) ? 4 : 0) - plan_.value[static_cast<std::size_t>(cell)] / 4;
    }

    // The lowest of so many numbers; the last one takes its place.
    static int taken(int* ranks, int count) {
        int lowest = ranks[0], place = 0;
        for (int i = 1; i < count; ++i) {
            place = ranks[i] < lowest ? i : place;
            lowest = std::min(ranks[i], lowest);
        }
        ranks[place] = ranks[count - 1];
        return lowest;
    }

    // The most that the seat to move can reach by the stones that cannot be turned any more, where it pays to ask.
    int most(std::uint64_t own, std::uint64_t other, int alpha) const {
        const std::uint64_t ahead = kFewest ? own : other, behind = kFewest ? other : own;
        if (plan_.cells - 2 * (std::popcount(ahead) - kSpare) > alpha) return kNoValue;
        const bool is_grid = g_.kind == bit::Geometry::Kind::kGrid;
        return plan_.cells - 2 * std::popcount(is_grid ? stable_on_grid(plan_, ahead, behind) : plan_.stable(ahead, behind));
    }

    EndingMemory& memory_;
    const Plan& plan_;
    const bit::Geometry& g_;
};

}  // namespace
}  // namespace polyversi::engine
