// What the last stone of a game turns: for each cell of a grid and each line through it, a table over the stones that lie
// on that line.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace polyversi::engine {

struct LastLines {
    // The lines through one cell, without it: which cells they are, and where the table over their contents begins.
    struct alignas(64) Cell {
        std::array<std::uint64_t, 4> lines{};
        std::array<std::uint16_t, 4> tables{};
    };

    // A line of three to eight cells, whose bits rise from one end to the other.
    void add(std::span<const int> bits, std::size_t axis);

    std::array<Cell, 64> cells{};
    // By the own stones of the line in order, all its other cells being the other side's: how many stones a stone of ours
    // turns there, and 256 times how many one of theirs does.
    std::vector<std::uint16_t> turned{0};

  private:
    std::uint16_t table(std::size_t length, std::size_t place);

    std::array<std::array<std::uint16_t, 8>, 9> made_{};  // where tables begin, by the line's length and the cell's place
};

}  // namespace polyversi::engine
