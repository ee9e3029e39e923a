// For each cell of the 8x8 grid, the cells that lie in each direction: four towards higher bits, four towards lower ones.
#pragma once

#include <array>
#include <cstdint>

namespace polyversi::bit {
namespace {

constexpr int kRaySteps[4][2] = {{1, 0}, {1, 1}, {0, 1}, {-1, 1}};
constexpr int kRayShifts[4] = {1, 9, 8, 7};

struct alignas(32) Rays {
    std::array<std::uint64_t, 4> up;
    std::array<std::uint64_t, 4> down;
};

constexpr std::array<Rays, 64> kRays = [] {
    std::array<Rays, 64> table{};
    for (int cell = 0; cell < 64; ++cell) {
        for (std::size_t line = 0; line < 4; ++line) {
            for (int sign = -1; sign <= 1; sign += 2) {
                std::uint64_t ray = 0;
                int x = cell % 8 + sign * kRaySteps[line][0], y = cell / 8 + sign * kRaySteps[line][1];
                for (; x >= 0 && x < 8 && y >= 0 && y < 8; x += sign * kRaySteps[line][0], y += sign * kRaySteps[line][1]) {
                    ray |= std::uint64_t{1} << (8 * y + x);
                }
                (sign > 0 ? table[static_cast<std::size_t>(cell)].up : table[static_cast<std::size_t>(cell)].down)[line] = ray;
            }
        }
    }
    return table;
}();

constexpr std::uint64_t kInnerColumns = 0x7e7e7e7e7e7e7e7eu;

}  // namespace
}  // namespace polyversi::bit
