// What every kernel finds in one go: the moves of a seat and its potential moves.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "bit/geometry.hpp"

namespace polyversi::bit {

// Both may hold cells that are not empty.
struct Mobility {
    std::uint64_t moves = 0;
    std::uint64_t potential = 0;  // next to stones of the other side, on lines that can be flipped at all
};

// How many moves and potential moves a seat has, and how many the other one.
constexpr std::size_t kMobilityCounts = 4;
using MobilityCounts = std::array<std::uint8_t, kMobilityCounts>;

template <class Kernel>
[[gnu::always_inline]] inline MobilityCounts mobility_counts(const Geometry& g, std::uint64_t own, std::uint64_t other) {
    const std::uint64_t empty = g.valid & ~(own | other);
    const Mobility mine = Kernel::mobility(g, own, other), theirs = Kernel::mobility(g, other, own);
    const auto count = [empty](std::uint64_t cells) { return static_cast<std::uint8_t>(std::popcount(cells & empty)); };
    return {count(mine.moves), count(theirs.moves), count(mine.potential), count(theirs.potential)};
}

}  // namespace polyversi::bit
