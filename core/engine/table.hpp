// What is known of positions, shared by all threads without a lock: an entry that two of them wrote at once is recognised
// as broken, because the words of the position are kept mixed with what is said of it.
#pragma once

#include <atomic>
#include <bit>
#include <cstdint>
#include <vector>

#include "engine/common.hpp"

namespace polyversi::engine {

class Table {
  public:
    struct Known {
        std::int8_t low = -127, high = 127;
        std::uint8_t best = 64;      // bit of the best move, 64 if there is none
        std::uint8_t depth = 0;      // plies that were looked ahead; to the end of the game if that many cells were empty
    };

    explicit Table(std::size_t bytes) {
        std::size_t buckets = 1;
        while (2 * buckets * sizeof(Bucket) <= bytes) buckets *= 2;
        buckets_ = std::vector<Bucket>(buckets);
        mask_ = buckets - 1;
    }

    bool find(std::uint64_t own, std::uint64_t other, Known& known) const {
        for (const Entry& entry : bucket(own, other).entries) {
            const std::uint64_t said = entry.said.load(std::memory_order_relaxed);
            if ((entry.own.load(std::memory_order_relaxed) ^ said) != own) continue;
            if ((entry.other.load(std::memory_order_relaxed) ^ std::rotl(said, 32)) != other) continue;
            known = std::bit_cast<Known>(static_cast<std::uint32_t>(said));
            return true;
        }
        return false;
    }

    // Keeps it in place of what was seen of the same position with less depth, or of any other.
    void store(std::uint64_t own, std::uint64_t other, Known known) {
        Bucket& here = bucket(own, other);
        Entry* place = &here.entries[0];
        int least = 1 << 20;
        for (Entry& entry : here.entries) {
            const std::uint64_t said = entry.said.load(std::memory_order_relaxed);
            const auto there = std::bit_cast<Known>(static_cast<std::uint32_t>(said));
            if ((entry.own.load(std::memory_order_relaxed) ^ said) == own &&
                (entry.other.load(std::memory_order_relaxed) ^ std::rotl(said, 32)) == other) {
                if (there.depth > known.depth) return;
                if (there.depth == known.depth) {
                    if (known.high == 127 && there.high >= known.low) known.high = there.high;
                    if (known.low == -127 && there.low <= known.high) known.low = there.low;
                }
                if (known.best == 64) known.best = there.best;
                place = &entry;
                break;
            }
            if (there.depth < least) {
                least = there.depth;
                place = &entry;
            }
        }
        const std::uint64_t said = std::bit_cast<std::uint32_t>(known);
        place->own.store(own ^ said, std::memory_order_relaxed);
        place->other.store(other ^ std::rotl(said, 32), std::memory_order_relaxed);
        place->said.store(said, std::memory_order_relaxed);
    }

    void prefetch(std::uint64_t own, std::uint64_t other) const { __builtin_prefetch(&bucket(own, other)); }

  private:
    struct Entry {
        std::atomic<std::uint64_t> own{0}, other{0}, said{0};
    };
    struct Bucket {
        Entry entries[4];
    };

    std::size_t place(std::uint64_t own, std::uint64_t other) const { return static_cast<std::size_t>(mixed(own, other) >> 16) & mask_; }
    const Bucket& bucket(std::uint64_t own, std::uint64_t other) const { return buckets_[place(own, other)]; }
    Bucket& bucket(std::uint64_t own, std::uint64_t other) { return buckets_[place(own, other)]; }

    std::vector<Bucket> buckets_;
    std::size_t mask_ = 0;
};

}  // namespace polyversi::engine
