// The last stones of a game, exactly: what is searched when only a few cells are empty. Written once over a kernel that
// finds moves and flips; each processor's file includes this and makes its own copies.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "engine/common.hpp"
#include "engine/plan.hpp"

namespace polyversi::engine {

constexpr int kNoValue = 127;

// What a thread needs while it searches endings.
struct EndingMemory {
    struct Entry {
        std::uint64_t own = 0, other = 0;
        std::int8_t low = -kNoValue, high = kNoValue;
        std::uint8_t best = 64;
    };
    static constexpr int kBits = 14;

    explicit EndingMemory(const Plan& its_plan) : plan(its_plan), entries(std::size_t{1} << kBits) {}

    Entry& entry(std::uint64_t own, std::uint64_t other) {
        return entries[mixed(own, other) >> (64 - kBits)];
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
        if (empties >= kLeastOrdered) return ordered(own, other, alpha, empties);
        if (empties > 4) return by_parity(own, other, alpha, empty, false);
        return handful(own, other, alpha, empty);
    }

  private:
    static constexpr int kLeastOrdered = 7;   // with fewer empty cells it costs more to choose than to try
    static constexpr int kLeastHashed = 8;

    static int worth(int difference) { return kFewest ? -difference : difference; }
    static int final_value(std::uint64_t own, std::uint64_t other) { return worth(std::popcount(own) - std::popcount(other)); }
    static std::uint64_t at(int cell) { return std::uint64_t{1} << cell; }
    bool may_turn(int cell, std::uint64_t other) const { return plan_.neighbours[static_cast<std::size_t>(cell)] & other; }

    // One empty cell.
    int last(std::uint64_t own, std::uint64_t other, int cell) {
        ++memory_.nodes;
        const int before = 2 * std::popcount(own) - plan_.cells + 1;
        if (const int turned = std::popcount(Kernel::flips(g_, cell, own, other))) return worth(before + 2 * turned + 1);
        if (const int turned = std::popcount(Kernel::flips(g_, cell, other, own))) return worth(before - 2 * turned - 1);
        return worth(before);
    }

    // Two to four empty cells, tried in the order given.
    template <int kCells>
    int few(std::uint64_t own, std::uint64_t other, int alpha, const std::uint8_t* cells, bool passed) {
        ++memory_.nodes;
        int best = -kNoValue;
        for (int i = 0; i < kCells; ++i) {
            const int cell = cells[i];
            if (!may_turn(cell, other)) continue;
            const std::uint64_t turned = Kernel::flips(g_, cell, own, other);
            if (!turned) continue;
            const std::uint64_t next = other & ~turned, mine = own | turned | at(cell);
            int score;
            if constexpr (kCells == 2) {
                score = -last(next, mine, cells[1 - i]);
            } else {
                std::uint8_t rest[kCells - 1];
                for (int from = 0, to = 0; from < kCells; ++from) {
                    if (from != i) rest[to++] = cells[from];
                }
                if constexpr (kCells == 4) alone_first(rest);
                score = -few<kCells - 1>(next, mine, -alpha - 1, rest, false);
            }
            if (score > best) best = score;
            if (best > alpha) return best;
        }
        if (best > -kNoValue) return best;
        if (passed) return final_value(own, other);
        return -few<kCells>(other, own, -alpha - 1, cells, true);
    }

    // Of three cells the one that is alone in its quarter goes first.
    void alone_first(std::uint8_t* cells) const {
        const int a = quarter(cells[0]), b = quarter(cells[1]), c = quarter(cells[2]);
        if (a == b && c != a) {
            std::swap(cells[0], cells[2]);
        } else if (a == c && b != a) {
            std::swap(cells[0], cells[1]);
        }
    }
    int quarter(int cell) const {
        return (plan_.quarters[1] >> cell & 1) | (plan_.quarters[2] >> cell & 1) << 1 | (plan_.quarters[3] >> cell & 1) * 3;
    }

    int handful(std::uint64_t own, std::uint64_t other, int alpha, std::uint64_t empty) {
        std::uint8_t cells[4] = {};
        int count = 0;
        const std::uint64_t odd = plan_.odd_quarters(empty);
        for (std::uint64_t part : {empty & odd, empty & ~odd}) {
            for (; part; part &= part - 1) cells[count++] = static_cast<std::uint8_t>(std::countr_zero(part));
        }
        switch (count) {
            case 4: return few<4>(own, other, alpha, cells, false);
            case 3: return few<3>(own, other, alpha, cells, false);
            case 2: return few<2>(own, other, alpha, cells, false);
            case 1: return last(own, other, cells[0]);
            default: return final_value(own, other);
        }
    }

    // Five or six empty cells: those of quarters with an odd number first.
    int by_parity(std::uint64_t own, std::uint64_t other, int alpha, std::uint64_t empty, bool passed) {
        ++memory_.nodes;
        const int empties = std::popcount(empty);
        const std::uint64_t odd = plan_.odd_quarters(empty);
        int best = -kNoValue;
        for (std::uint64_t part : {empty & odd, empty & ~odd}) {
            for (; part; part &= part - 1) {
                const int cell = std::countr_zero(part);
                if (!may_turn(cell, other)) continue;
                const std::uint64_t turned = Kernel::flips(g_, cell, own, other);
                if (!turned) continue;
                const std::uint64_t next = other & ~turned, mine = own | turned | at(cell), left = empty & ~at(cell);
                const int score = empties == 5 ? -handful(next, mine, -alpha - 1, left) : -by_parity(next, mine, -alpha - 1, left, false);
                if (score > best) best = score;
                if (best > alpha) return best;
            }
        }
        if (best > -kNoValue) return best;
        if (passed) return final_value(own, other);
        return -by_parity(other, own, -alpha - 1, empty, true);
    }

    struct Candidate {
        std::uint64_t own, other;
        int cost, cell;
    };

    // More: the moves first that leave the other side least to do.
    int ordered(std::uint64_t own, std::uint64_t other, int alpha, int empties) {
        ++memory_.nodes;
        // Step 1. Stones that cannot be turned any more bound the value.
        if (const int bound = most(own, other, alpha, empties); bound <= alpha) return bound;
        const std::uint64_t empty = g_.valid & ~(own | other);
        std::uint64_t todo = Kernel::moves(g_, own, other) & empty;
        if (!todo) {
            if (!(Kernel::moves(g_, other, own) & empty)) return final_value(own, other);
            return -ordered(other, own, -alpha - 1, empties);
        }
        // Step 2. What is known already.
        int known_best = 64;
        if (empties >= kLeastHashed) {
            const EndingMemory::Entry& known = memory_.entry(own, other);
            if (known.own == own && known.other == other) {
                if (known.low > alpha) return known.low;
                if (known.high <= alpha) return known.high;
                known_best = known.best;
            }
        }
        // Step 3. The moves in order.
        Candidate list[32];
        int count = 0;
        const std::uint64_t odd = plan_.odd_quarters(empty);
        for (; todo; todo &= todo - 1) {
            const int cell = std::countr_zero(todo);
            const std::uint64_t turned = Kernel::flips(g_, cell, own, other);
            Candidate next{other & ~turned, own | turned | at(cell), 0, cell};
            const std::uint64_t replies = Kernel::moves(g_, next.own, next.other) & empty;
            next.cost = 4 * std::popcount(replies) + 4 * std::popcount(replies & plan_.corners) - ((odd & at(cell)) ? 2 : 0) -
                        plan_.value[static_cast<std::size_t>(cell)] / 8;
            if (cell == known_best) next.cost = -1000;
            int place = count++;
            for (; place > 0 && list[place - 1].cost > next.cost; --place) list[place] = list[place - 1];
            list[place] = next;
        }
        // Step 4. One after the other.
        int best = -kNoValue, best_cell = 64;
        for (int i = 0; i < count; ++i) {
            const int score = empties - 1 >= kLeastOrdered
                                  ? -ordered(list[i].own, list[i].other, -alpha - 1, empties - 1)
                                  : -by_parity(list[i].own, list[i].other, -alpha - 1, empty & ~at(list[i].cell), false);
            if (score > best) best = score, best_cell = list[i].cell;
            if (best > alpha) break;
        }
        // Step 5. Remember it.
        if (empties >= kLeastHashed) {
            EndingMemory::Entry& known = memory_.entry(own, other);
            if (known.own != own || known.other != other) known = {own, other, -kNoValue, kNoValue, 64};
            (best > alpha ? known.low : known.high) = static_cast<std::int8_t>(best);
            known.best = static_cast<std::uint8_t>(best_cell);
        }
        return best;
    }

    // The most that the seat to move can reach, where alpha is so high that it pays to ask.
    int most(std::uint64_t own, std::uint64_t other, int alpha, int empties) const {
        if (alpha < plan_.cells - 5 * empties) return kNoValue;
        return plan_.most(own, other);
    }

    EndingMemory& memory_;
    const Plan& plan_;
    const bit::Geometry& g_;
};

}  // namespace
}  // namespace polyversi::engine
