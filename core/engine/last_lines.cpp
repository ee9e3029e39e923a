#include "engine/last_lines.hpp"

namespace polyversi::engine {
namespace {

// How many stones in a row, from a place on in one direction, are of the given kind and have one of the other kind behind them.
int turned_towards(std::uint64_t stones, int length, int place, int step, std::uint64_t kind) {
    int count = 0;
    for (int at = place + step; at >= 0 && at < length; at += step, ++count) {
        if ((stones >> at & 1) != kind) return count;
    }
    return 0;
}

}  // namespace

void LastLines::add(std::span<const int> bits, std::size_t axis) {
    for (std::size_t place = 0; place < bits.size(); ++place) {
        Cell& cell = cells[static_cast<std::size_t>(bits[place])];
        for (const int bit : bits) cell.lines[axis] |= std::uint64_t{1} << bit;
        cell.lines[axis] &= ~(std::uint64_t{1} << bits[place]);
        cell.tables[axis] = table(bits.size(), place);
    }
}

std::uint16_t LastLines::table(std::size_t length, std::size_t place) {
    std::uint16_t& first = made_[length][place];
    if (first) return first;
    first = static_cast<std::uint16_t>(turned.size());
    const int cells_there = static_cast<int>(length), here = static_cast<int>(place);
    for (std::uint64_t others = 0; others < std::uint64_t{1} << (length - 1); ++others) {
        const std::uint64_t below = others & ((std::uint64_t{1} << place) - 1);
        const std::uint64_t stones = below | (others - below) << 1;
        int both = 0;
        for (const int step : {-1, 1}) {
            both += turned_towards(stones, cells_there, here, step, 0) + 256 * turned_towards(stones, cells_there, here, step, 1);
        }
        turned.push_back(static_cast<std::uint16_t>(both));
    }
    return first;
}

}  // namespace polyversi::engine
