#include "engine/last_flip.hpp"

namespace polyversi::engine {
namespace {

// The length of the run of `kind` next to an index in one direction, if a stone of the other kind bounds it; otherwise 0.
int flips_towards(std::uint64_t stones, int length, int index, int step, std::uint64_t kind) {
    int count = 0;
    for (int at = index + step; at >= 0 && at < length; at += step, ++count) {
        if ((stones >> at & 1) != kind) return count;
    }
    return 0;
}

}  // namespace

void LastFlipTables::add(std::span<const int> bits, std::size_t axis) {
    for (std::size_t index = 0; index < bits.size(); ++index) {
        Cell& cell = cells[static_cast<std::size_t>(bits[index])];
        for (const int bit : bits) cell.lines[axis] |= std::uint64_t{1} << bit;
        cell.lines[axis] &= ~(std::uint64_t{1} << bits[index]);
        cell.tables[axis] = table(bits.size(), index);
    }
}

std::uint16_t LastFlipTables::table(std::size_t length, std::size_t index) {
    std::uint16_t& first = table_starts_[length][index];
    if (first) return first;
    first = static_cast<std::uint16_t>(flips.size());
    const int cells_there = static_cast<int>(length), here = static_cast<int>(index);
    for (std::uint64_t others = 0; others < std::uint64_t{1} << (length - 1); ++others) {
        const std::uint64_t below = others & ((std::uint64_t{1} << index) - 1);
        const std::uint64_t stones = below | (others - below) << 1;
        int both = 0;
        for (const int step : {-1, 1}) {
            both += flips_towards(stones, cells_there, here, step, 0) + 256 * flips_towards(stones, cells_there, here, step, 1);
        }
        flips.push_back(static_cast<std::uint16_t>(both));
    }
    return first;
}

}  // namespace polyversi::engine
