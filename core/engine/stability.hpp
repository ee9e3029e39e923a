// Stones on a grid that nothing can turn any more, as far as that is quickly seen. Every file that includes this makes its
// own copy for its processor.
#pragma once

#include <cstdint>

#include "engine/plan.hpp"

namespace polyversi::engine {
namespace {

// The cells on the same lines as these along an axis.
template <int kStep>
std::uint64_t spread_along(const Plan::GridAxis& axis, std::uint64_t from) {
    from |= axis.up[0] & (from << kStep);
    from |= axis.up[1] & (from << 2 * kStep);
    from |= axis.up[2] & (from << 4 * kStep);
    from |= axis.down[0] & (from >> kStep);
    from |= axis.down[1] & (from >> 2 * kStep);
    return from | (axis.down[2] & (from >> 4 * kStep));
}

// The cells that lie beside these along an axis.
template <int kStep>
std::uint64_t beside_along(const Plan::GridAxis& axis, std::uint64_t cells) {
    return (axis.up[0] & (cells << kStep)) | (axis.down[0] & (cells >> kStep));
}

[[maybe_unused]] std::uint64_t stable_on_grid(const Plan& plan, std::uint64_t own, std::uint64_t other) {
    const auto& [a, b, c, d] = plan.grid_axes;
    const std::uint64_t empty = plan.geometry.valid & ~(own | other);
    // Along each axis, what is safe whatever lies beside.
    const std::uint64_t safe_a = a.safe | ~spread_along<8>(a, empty), safe_b = b.safe | ~spread_along<7>(b, empty);
    const std::uint64_t safe_c = c.safe | ~spread_along<1>(c, empty), safe_d = d.safe | ~spread_along<9>(d, empty);
    std::uint64_t all = own & safe_a & safe_b & safe_c & safe_d;
    for (std::uint64_t before = 0; all != before;) {
        before = all;
        all |= own & (safe_a | beside_along<8>(a, all)) & (safe_b | beside_along<7>(b, all)) &
               (safe_c | beside_along<1>(c, all)) & (safe_d | beside_along<9>(d, all));
    }
    return all;
}

}  // namespace
}  // namespace polyversi::engine
