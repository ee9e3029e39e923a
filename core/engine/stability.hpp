// Stable stones on a grid: a quick lower bound. A stone is stable if along each axis it lies on a full line, at the border
// or next to a stable stone of its colour. Each processor's file includes this and compiles its own copy.
#pragma once

#include <cstdint>

#include "engine/board.hpp"

namespace polyversi::engine {
namespace {

// All cells on the lines of these cells along an axis.
template <int kStep>
std::uint64_t spread_along(const Board::GridAxis& axis, std::uint64_t from) {
    from |= axis.up[0] & (from << kStep);
    from |= axis.up[1] & (from << 2 * kStep);
    from |= axis.up[2] & (from << 4 * kStep);
    from |= axis.down[0] & (from >> kStep);
    from |= axis.down[1] & (from >> 2 * kStep);
    return from | (axis.down[2] & (from >> 4 * kStep));
}

// The neighbours of these cells along an axis.
template <int kStep>
std::uint64_t adjacent_along(const Board::GridAxis& axis, std::uint64_t cells) {
    return (axis.up[0] & (cells << kStep)) | (axis.down[0] & (cells >> kStep));
}

[[maybe_unused]] std::uint64_t stable_on_grid(const Board& board, std::uint64_t own, std::uint64_t other) {
    const auto& [a, b, c, d] = board.grid_axes;
    const std::uint64_t empty = board.geometry.valid & ~(own | other);
    // Along each axis, what is safe whatever the neighbours are.
    const std::uint64_t safe_a = a.safe | ~spread_along<8>(a, empty), safe_b = b.safe | ~spread_along<7>(b, empty);
    const std::uint64_t safe_c = c.safe | ~spread_along<1>(c, empty), safe_d = d.safe | ~spread_along<9>(d, empty);
    std::uint64_t all = own & safe_a & safe_b & safe_c & safe_d;
    for (std::uint64_t before = 0; all != before;) {
        before = all;
        all |= own & (safe_a | adjacent_along<8>(a, all)) & (safe_b | adjacent_along<7>(b, all)) &
               (safe_c | adjacent_along<1>(c, all)) & (safe_d | adjacent_along<9>(d, all));
    }
    return all;
}

}  // namespace
}  // namespace polyversi::engine
