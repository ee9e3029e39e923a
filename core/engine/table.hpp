// What is known of positions, shared by all threads without a lock: an entry that two of them wrote at once is recognised
// as broken, because the words of the position are kept mixed with what is said of it.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <new>
#include <utility>

#ifdef __linux__
#include <sys/mman.h>
#endif

#include "engine/common.hpp"

namespace polyversi::engine {

class Table {
  public:
    struct Known {
        std::int8_t low = -127, high = 127;
        std::uint8_t best = 64;      // bit of the best move, 64 if there is none
        std::uint8_t depth = 0;      // plies that were looked ahead; to the end of the game if that many cells were empty
        std::uint8_t trust = 0;      // how much was left out
        std::uint8_t age = 0;        // the search that it comes from
        std::uint8_t unused[2] = {};

        bool tells(int of_depth, int of_trust) const { return depth >= of_depth && trust >= of_trust; }
        int worth() const { return 8 * depth + trust; }
    };

    explicit Table(std::size_t bytes) {
        while (2 * most_ * sizeof(Bucket) <= bytes) most_ *= 2;
        memory_ = zeros(most_ * sizeof(Bucket));
        buckets_ = static_cast<Bucket*>(aligned(memory_.get()));
        mask_ = std::min(most_, kFirst / sizeof(Bucket)) - 1;
    }

    // Uses more of its memory, up to all of it, once so many positions have been looked at. Nobody else may use it meanwhile.
    void grow_with(std::uint64_t positions) {
        while (mask_ + 1 < most_ && positions > 2 * (mask_ + 1)) {
            const std::size_t before = mask_ + 1;
            mask_ += before;
            for (std::size_t i = 0; i < before; ++i) move_up(buckets_[i], buckets_[i + before], i);
        }
    }

    bool find(std::uint64_t own, std::uint64_t other, Known& known) const {
        for (const Entry& entry : bucket(own, other).entries) {
            const std::uint64_t said = read(entry.said);
            if ((read(entry.own) ^ said) != own) continue;
            if ((read(entry.other) ^ std::rotl(said, 32)) != other) continue;
            known = std::bit_cast<Known>(said);
            return true;
        }
        return false;
    }

    // Keeps it in place of what was seen of the same position with less depth or trust, or of another.
    void store(std::uint64_t own, std::uint64_t other, Known known) {
        known.age = age_;
        Bucket& here = bucket(own, other);
        Entry* place = &here.entries[0];
        int least = 1 << 20;
        for (Entry& entry : here.entries) {
            const std::uint64_t said = read(entry.said);
            const auto there = std::bit_cast<Known>(said);
            if ((read(entry.own) ^ said) == own &&
                (read(entry.other) ^ std::rotl(said, 32)) == other) {
                if (there.worth() > known.worth() && there.tells(known.depth, known.trust)) return;
                if (there.worth() == known.worth()) join(there, known);
                if (known.best == 64) known.best = there.best;
                place = &entry;
                break;
            }
            const int worth = there.worth() + (there.age == age_ ? 1 << 10 : 0);  // what is left of earlier searches goes first
            if (worth < least) {
                least = worth;
                place = &entry;
            }
        }
        const auto said = std::bit_cast<std::uint64_t>(known);
        write(place->own, own ^ said);
        write(place->other, other ^ std::rotl(said, 32));
        write(place->said, said);
    }

    // From now on entries belong to a new search.
    void grow_older() { ++age_; }

    void prefetch(std::uint64_t own, std::uint64_t other) const {
        const Bucket& here = bucket(own, other);
        __builtin_prefetch(&here);
        __builtin_prefetch(&here.entries[4]);
    }

  private:
    // The narrower bounds of two searches alike. A move that was good enough says more than the best of moves that were not.
    static void join(const Known& there, Known& known) {
        if (known.high == 127 && there.high >= known.low) known.high = there.high;
        if (known.low == -127 && there.low <= known.high) {
            known.low = there.low;
            if (there.low > -127 && there.best != 64) known.best = there.best;
        }
    }

    struct Entry {
        std::uint64_t own, other, said;
    };
    struct Bucket;
    // What belongs into the upper one of two buckets since there are twice as many.
    void move_up(Bucket& lower, Bucket& upper, std::size_t place_of_lower) {
        for (std::size_t i = 0; i < std::size(lower.entries); ++i) {
            Entry& entry = lower.entries[i];
            if (place(entry.own ^ entry.said, entry.other ^ std::rotl(entry.said, 32)) != place_of_lower) upper.entries[i] = std::exchange(entry, {});
        }
    }

    static std::uint64_t read(const std::uint64_t& word) { return std::atomic_ref(const_cast<std::uint64_t&>(word)).load(std::memory_order_relaxed); }
    static void write(std::uint64_t& word, std::uint64_t value) { std::atomic_ref(word).store(value, std::memory_order_relaxed); }
    struct alignas(128) Bucket {
        Entry entries[5];
    };
    struct Release {
        void operator()(void* memory) const { std::free(memory); }
    };
    using Memory = std::unique_ptr<void, Release>;
    static constexpr std::size_t kPage = std::size_t{1} << 21;
    static constexpr std::size_t kFirst = std::size_t{1} << 26;  // bytes that it begins with: to clear many takes longer than a short search

    // Memory that costs nothing until it is used. A look at a large table is most of all a look for the page it lies on, so
    // that large pages are asked for.
    static Memory zeros(std::size_t bytes) {
        Memory memory(std::calloc(bytes + kPage, 1));
        if (!memory) throw std::bad_alloc();
#ifdef __linux__
        madvise(aligned(memory.get()), bytes, MADV_HUGEPAGE);
#endif
        return memory;
    }
    static void* aligned(void* memory) {
        return reinterpret_cast<void*>((reinterpret_cast<std::uintptr_t>(memory) + kPage - 1) & ~(kPage - 1));
    }

    std::size_t place(std::uint64_t own, std::uint64_t other) const { return static_cast<std::size_t>(mixed(own, other) >> 16) & mask_; }
    const Bucket& bucket(std::uint64_t own, std::uint64_t other) const { return buckets_[place(own, other)]; }
    Bucket& bucket(std::uint64_t own, std::uint64_t other) { return buckets_[place(own, other)]; }

    Memory memory_;
    Bucket* buckets_ = nullptr;
    std::size_t most_ = 1, mask_ = 0;  // buckets that there are, and one less than those that are used
    std::uint8_t age_ = 0;
};

}  // namespace polyversi::engine
