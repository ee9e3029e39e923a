// The moves of a game, numbered without gaps in board order: one for each cell, more for cells that start as a
// choice or bonus tile, and the pass last. The number is what batches, playouts and action spaces use.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace polyversi {

// The number of a cell in board order.
using Cell = std::uint32_t;

struct MoveSpec {
    std::int32_t cell = -1;  // -1: the pass
    std::int16_t special = 0;
};

class MoveTable {
  public:
    MoveTable() = default;
    MoveTable(std::span<const std::uint8_t> start, int seats);

    // All moves, the pass included.
    int size() const { return static_cast<int>(specs_.size()); }
    int pass() const { return size() - 1; }
    const MoveSpec& operator[](int index) const { return specs_[static_cast<std::size_t>(index)]; }

    // The first move of a cell: its choices or bonuses in ascending order if it has any.
    int first(int cell) const { return first_[static_cast<std::size_t>(cell)]; }
    // The move on a cell with special value 0.
    int plain(int cell) const { return first_[static_cast<std::size_t>(cell) + 1] - 1; }

  private:
    std::vector<MoveSpec> specs_;
    std::vector<std::int32_t> first_;
};

constexpr int kBonusBomb = 20;
constexpr int kBonusOverride = 21;

}  // namespace polyversi
