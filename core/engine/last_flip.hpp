// How many stones the last move of a game flips, by table look-up: for each cell of a grid and each line through it, a
// table indexed by the stones on that line.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace polyversi::engine {

struct LastFlipTables {
    // The lines through one cell, without the cell itself, and where the table of each begins.
    struct alignas(64) Cell {
        std::array<std::uint64_t, 4> lines{};
        std::array<std::uint16_t, 4> tables{};
    };

    // Adds a line of three to eight cells, its bits in ascending order.
    void add(std::span<const int> bits, std::size_t axis);

    std::array<Cell, 64> cells{};
    // Indexed by the own stones on the line (all others are the opponent's): the stones that a move of ours flips, plus
    // 256 times those that a move of theirs flips.
    std::vector<std::uint16_t> flips{0};

  private:
    std::uint16_t table(std::size_t length, std::size_t index);

    std::array<std::array<std::uint16_t, 8>, 9> table_starts_{};  // by the line's length and the cell's index on it
};

}  // namespace polyversi::engine
