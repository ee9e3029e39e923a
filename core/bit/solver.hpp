// The exact value of a bit position by plain alpha-beta: null windows, a hash table, and the moves first that leave the
// other side the fewest replies. It shows the rules right on small boards; it is no engine.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "bit/ops.hpp"

namespace polyversi::bit {
namespace {

template <class Kernel>
class Solver {
  public:
    Solver(const Geometry& geometry, bool fewest_wins, const Watch& watch)
        : g_(geometry), sign_(fewest_wins ? -1 : 1), watch_(watch), table_bits_(geometry.cells < 24 ? 16 : 22),
          table_(std::size_t{1} << table_bits_) {}

    // The difference in stones for the seat to move, positive when it wins; empty cells count for nobody.
    int value(std::uint64_t own, std::uint64_t other) { return search(own, other, -64, 64); }

  private:
    static constexpr int kLeastHashed = 6;  // below so many empty cells the table costs more than it saves

    struct Entry {
        std::uint64_t own = 0, other = 0;
        std::int8_t low = 0, high = 0;
        std::uint8_t best = 64;
    };
    struct Candidate {
        std::uint64_t own, other;
        int replies, bit;
    };

    std::uint64_t moves(std::uint64_t own, std::uint64_t other) const {
        return Kernel::moves(g_, own, other) & g_.valid & ~(own | other);
    }

    Entry& entry(std::uint64_t own, std::uint64_t other) {
        const std::uint64_t mixed = (own * 0x9e3779b97f4a7c15u) ^ std::rotl(other * 0xd1342543de82ef95u, 29);
        return table_[(mixed ^ (mixed >> 31)) * 0xbf58476d1ce4e5b9u >> (64 - table_bits_)];
    }

    int search(std::uint64_t own, std::uint64_t other, int alpha, int beta) {
        const std::uint64_t todo = moves(own, other);
        if (!todo) {
            if (moves(other, own)) return -search(other, own, -beta, -alpha);
            return sign_ * (std::popcount(own) - std::popcount(other));
        }
        const int empties = std::popcount(g_.valid & ~(own | other));
        if (empties < kLeastHashed) return search_few(own, other, todo, alpha, beta);
        if (++nodes_ % 65536 == 0) watch_();

        // Step 1. What is known already.
        Entry* known = &entry(own, other);
        const bool hit = known->own == own && known->other == other;
        if (hit) {
            if (known->low >= beta || known->low == known->high) return known->low;
            if (known->high <= alpha) return known->high;
        }
        // Step 2. Order the moves: the one from the table, then those that leave the fewest replies.
        Candidate list[64];
        int count = 0;
        for (std::uint64_t rest = todo; rest; rest &= rest - 1) {
            const int to = std::countr_zero(rest);
            const std::uint64_t turned = Kernel::flips(g_, to, own, other);
            Candidate next{other & ~turned, own | turned | (rest & (0 - rest)), 0, to};
            next.replies = hit && known->best == to ? -1 : std::popcount(moves(next.own, next.other));
            int at = count++;
            for (; at > 0 && list[at - 1].replies > next.replies; --at) list[at] = list[at - 1];
            list[at] = next;
        }
        // Step 3. The first move with the whole window, the others only to show that they are no better.
        int best = -127, best_bit = 64;
        for (int i = 0; i < count; ++i) {
            const int low = best > alpha ? best : alpha;
            int score;
            if (i == 0) {
                score = -search(list[i].own, list[i].other, -beta, -low);
            } else {
                score = -search(list[i].own, list[i].other, -low - 1, -low);
                if (score > low && score < beta) score = -search(list[i].own, list[i].other, -beta, -score);
            }
            if (score > best) {
                best = score;
                best_bit = list[i].bit;
            }
            if (best >= beta) break;
        }
        // Step 4. Remember it.
        known = &entry(own, other);
        const bool same = known->own == own && known->other == other;
        const auto low = static_cast<std::int8_t>(best > alpha ? best : (same ? known->low : -127));
        const auto high = static_cast<std::int8_t>(best < beta ? best : (same ? known->high : 127));
        *known = {own, other, low, high, static_cast<std::uint8_t>(best_bit)};
        return best;
    }

    int search_few(std::uint64_t own, std::uint64_t other, std::uint64_t todo, int alpha, int beta) {
        int best = -127;
        for (; todo; todo &= todo - 1) {
            const std::uint64_t turned = Kernel::flips(g_, std::countr_zero(todo), own, other);
            const int score = -search(other & ~turned, own | turned | (todo & (0 - todo)), -beta, -(best > alpha ? best : alpha));
            if (score > best) best = score;
            if (best >= beta) break;
        }
        return best;
    }

    const Geometry& g_;
    int sign_;
    const Watch& watch_;
    std::uint64_t nodes_ = 0;
    int table_bits_;
    std::vector<Entry> table_;
};

}  // namespace
}  // namespace polyversi::bit
