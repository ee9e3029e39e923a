// The transposition table, shared by all threads without a lock: the words of the position are stored XORed with the data,
// so that an entry torn by two writers matches no position. Buckets of five entries; the shallowest entry of the oldest
// search is replaced first.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <iterator>
#include <limits>
#include <utility>

#include "engine/common.hpp"
#include "rules/pages.hpp"

namespace polyversi::engine {

class TranspositionTable {
  public:
    static constexpr std::int16_t kNoBound = std::numeric_limits<std::int16_t>::max();

    struct Data {
        std::int16_t low = -kNoBound, high = kNoBound;  // in units of the evaluation
        std::uint8_t best = 64;      // the hash move as a bit, 64 if there is none
        std::uint8_t depth = 0;      // in plies; as many as empty cells reaches the end of the game
        std::uint8_t selectivity = 0;
        std::uint8_t generation = 0;   // the search it comes from

        bool covers(int depth_wanted, int selectivity_wanted) const { return depth >= depth_wanted && selectivity >= selectivity_wanted; }
        int priority() const { return 8 * depth + selectivity; }
    };

    explicit TranspositionTable(std::size_t bytes)
        : capacity_(std::bit_floor(std::max(bytes / sizeof(Bucket), std::size_t{1}))), mask_(std::min(capacity_, kInitialBytes / sizeof(Bucket)) - 1),
          memory_(capacity_ * sizeof(Bucket)), buckets_(static_cast<Bucket*>(memory_.data())) {}

    // Uses more of the memory, up to all of it, as the number of nodes grows: clearing a large table takes longer than a
    // short search. No other thread may use the table during this call.
    void grow(std::uint64_t nodes) {
        while (mask_ + 1 < capacity_ && nodes > 2 * (mask_ + 1)) {
            const std::size_t before = mask_ + 1;
            mask_ += before;
            for (std::size_t i = 0; i < before; ++i) rehash(buckets_[i], buckets_[i + before], i);
        }
    }

    bool probe(std::uint64_t own, std::uint64_t other, Data& data) const {
        for (const Entry& entry : bucket(own, other).entries) {
            const std::uint64_t packed = read(entry.packed);
            if ((read(entry.own) ^ packed) != own) continue;
            if ((read(entry.other) ^ std::rotl(packed, 32)) != other) continue;
            data = std::bit_cast<Data>(packed);
            return true;
        }
        return false;
    }

    // Replaces what is stored of the same position, unless that is deeper; otherwise the entry of lowest priority.
    void store(std::uint64_t own, std::uint64_t other, Data data) {
        data.generation = generation_;
        Bucket& here = bucket(own, other);
        Entry* slot = &here.entries[0];
        int lowest = 1 << 20;
        for (Entry& entry : here.entries) {
            const std::uint64_t packed = read(entry.packed);
            const auto there = std::bit_cast<Data>(packed);
            if ((read(entry.own) ^ packed) == own &&
                (read(entry.other) ^ std::rotl(packed, 32)) == other) {
                if (there.priority() > data.priority() && there.covers(data.depth, data.selectivity)) return;
                if (there.priority() == data.priority()) merge_bounds(there, data);
                if (data.best == 64) data.best = there.best;
                slot = &entry;
                break;
            }
            const int priority = there.priority() + (there.generation == generation_ ? 1 << 10 : 0);  // older searches go first
            if (priority < lowest) {
                lowest = priority;
                slot = &entry;
            }
        }
        const auto packed = std::bit_cast<std::uint64_t>(data);
        write(slot->own, own ^ packed);
        write(slot->other, other ^ std::rotl(packed, 32));
        write(slot->packed, packed);
    }

    // Starts a new generation of entries.
    void new_search() { ++generation_; }

    void prefetch(std::uint64_t own, std::uint64_t other) const {
        const Bucket& here = bucket(own, other);
        __builtin_prefetch(&here);
        __builtin_prefetch(&here.entries[4]);
    }

  private:
    // The narrower bounds of two equally deep searches. The move of a lower bound is the better hash move.
    static void merge_bounds(const Data& there, Data& data) {
        if (data.high == kNoBound && there.high >= data.low) data.high = there.high;
        if (data.low == -kNoBound && there.low <= data.high) {
            data.low = there.low;
            if (there.low > -kNoBound && there.best != 64) data.best = there.best;
        }
    }

    struct Entry {
        std::uint64_t own, other, packed;
    };
    struct Bucket;
    // Moves the entries whose index grew by the new top bit.
    void rehash(Bucket& lower, Bucket& upper, std::size_t lower_index) {
        for (std::size_t i = 0; i < std::size(lower.entries); ++i) {
            Entry& entry = lower.entries[i];
            if (index(entry.own ^ entry.packed, entry.other ^ std::rotl(entry.packed, 32)) != lower_index) upper.entries[i] = std::exchange(entry, {});
        }
    }

    static std::uint64_t read(const std::uint64_t& word) { return std::atomic_ref(const_cast<std::uint64_t&>(word)).load(std::memory_order_relaxed); }
    static void write(std::uint64_t& word, std::uint64_t value) { std::atomic_ref(word).store(value, std::memory_order_relaxed); }
    struct alignas(128) Bucket {
        Entry entries[5];
    };
    static constexpr std::size_t kInitialBytes = std::size_t{1} << 26;

    std::size_t index(std::uint64_t own, std::uint64_t other) const { return static_cast<std::size_t>(hash_of(own, other) >> 16) & mask_; }
    const Bucket& bucket(std::uint64_t own, std::uint64_t other) const { return buckets_[index(own, other)]; }
    Bucket& bucket(std::uint64_t own, std::uint64_t other) { return buckets_[index(own, other)]; }

    const std::size_t capacity_;  // in buckets
    std::size_t mask_;            // covers those in use
    Pages memory_;
    Bucket* const buckets_;
    std::uint8_t generation_ = 0;
};

}  // namespace polyversi::engine
