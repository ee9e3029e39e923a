// The transposition table of the Reversi XT search: one entry a slot, deep entries of the current search are kept.
#pragma once

#include <algorithm>
#include <cstdint>

#include "rules/pages.hpp"
#include "xt/position.hpp"

namespace polyversi::xt {

enum class Bound : std::uint8_t { kUnset, kLower, kUpper, kExact };

class TranspositionTable {
  public:
    struct Entry {  // one that is unset is all zeros, as the memory of a new table is
        std::uint32_t check = 0;
        std::int32_t value = 0;
        std::uint32_t cell : 20 = 0;
        std::uint32_t special : 5 = 0;
        std::uint32_t seat : 3 = 0;
        std::uint32_t solved : 1 = false;  // the building phase was searched to its end
        std::int8_t depth = 0;
        Bound bound = Bound::kUnset;
        std::uint16_t age = 0;

        bool is_move(const Move& move) const {
            return bound != Bound::kUnset && cell == move.cell && special == move.special && seat == move.seat;
        }
    };

    static_assert(sizeof(Entry) == 16 && kMaxCells <= 1 << 20 && kBonusOverride < 1 << 5 && kMaxSeats <= 1 << 3);

    explicit TranspositionTable(int bits)
        : memory_(sizeof(Entry) << bits), entries_(static_cast<Entry*>(memory_.data())), mask_((std::uint64_t{1} << bits) - 1) {}

    void new_search() { ++age_; }

    Entry find(std::uint64_t key) const {
        const Entry& entry = entries_[key & mask_];
        return entry.check == static_cast<std::uint32_t>(key >> 32) ? entry : Entry{};
    }

    void store(std::uint64_t key, int depth, bool solved, std::int32_t value, Bound bound, const Move& best) {
        Entry& entry = entries_[key & mask_];
        const auto check = static_cast<std::uint32_t>(key >> 32);
        if (entry.check != check && entry.age == age_ && entry.depth > depth + 2) return;
        entry = {.check = check, .value = value, .cell = best.cell & 0xfffff, .special = best.special & 0x1fu, .seat = best.seat & 0x7u,
                 .solved = solved,
                 .depth = static_cast<std::int8_t>(std::min(depth, 127)), .bound = bound, .age = age_};
    }

  private:
    Pages memory_;
    Entry* const entries_;
    std::uint64_t mask_;
    std::uint16_t age_ = 0;
};

}  // namespace polyversi::xt
