// The embedding of a board of at most 64 cells into one 64-bit word. Square boards up to 8x8, with or without holes, lie in the
// rows of an 8x8 grid. Hexagons up to side 5 are numbered so that a step in a given direction always adds the same
// amount modulo the number of cells (a hexagon tiles the plane, so such a numbering exists): a step is a rotation.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

namespace polyversi::bit {

struct Geometry {
    enum class Kind : std::uint8_t { kGrid, kHexagon };

    static std::optional<Geometry> embed(std::span<const std::pair<int, int>> coordinates,
                                         std::span<const std::int32_t> steps, int directions);

    std::uint64_t cell_bit(int cell) const { return std::uint64_t{1} << bit_of_cell[static_cast<std::size_t>(cell)]; }

    Kind kind = Kind::kGrid;
    bool free_pass = false;
    int cells = 0;
    bool in_order = false;      // cell n is bit n
    std::uint64_t valid = 0;    // the cells of the board
    std::uint64_t opening = 0;  // cells that are filled first, without capturing
    std::array<std::uint8_t, 64> bit_of_cell{};
    std::array<std::uint8_t, 64> cell_of_bit{};

    // Hexagons: the rotation of one, two and four steps in each direction, and the cells that a step can enter (none for
    // unused directions). Rotations are modulo the number of cells.
    alignas(64) std::array<std::uint64_t, 8> rotation{};
    alignas(64) std::array<std::uint64_t, 8> rotation2{};
    alignas(64) std::array<std::uint64_t, 8> rotation4{};
    alignas(64) std::array<std::uint64_t, 8> enterable{};
    std::uint64_t modulus = 64;
};

}  // namespace polyversi::bit
