// How a board of at most 64 cells is laid into one 64-bit word. Square boards up to 8x8, with or without holes, lie in the
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

    // Hexagons: how far a step in each direction rotates, the rest of the circle, and the cells it can enter.
    // Unused directions enter nothing.
    alignas(64) std::array<std::uint64_t, 8> turn{};
    alignas(64) std::array<std::uint64_t, 8> turn2{};
    alignas(64) std::array<std::uint64_t, 8> turn4{};
    alignas(64) std::array<std::uint64_t, 8> enter{};
    std::uint64_t circle = 64;
};

}  // namespace polyversi::bit
