#include "bit/geometry.hpp"

#include <algorithm>
#include <vector>

namespace polyversi::bit {
namespace {

constexpr int kGridOffsets[8][2] = {{0, -1}, {1, -1}, {1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}};
constexpr int kHexagonOffsets[6][2] = {{0, -1}, {1, 0}, {1, 1}, {0, 1}, {-1, 0}, {-1, -1}};

bool all_straight(std::span<const std::pair<int, int>> coordinates, std::span<const std::int32_t> steps, int directions) {
    const auto* offsets = directions == 8 ? kGridOffsets : kHexagonOffsets;
    for (std::size_t node = 0; node < steps.size(); ++node) {
        const auto direction = static_cast<int>(node) % directions;
        const auto [x, y] = coordinates[node / static_cast<std::size_t>(directions)];
        const std::pair there{x + offsets[direction][0], y + offsets[direction][1]};
        const int to = steps[node];
        if (to < 0) {
            if (std::find(coordinates.begin(), coordinates.end(), there) != coordinates.end()) return false;
        } else if (to % directions != direction || coordinates[static_cast<std::size_t>(to / directions)] != there) {
            return false;
        }
    }
    return true;
}

bool number_grid(std::span<const std::pair<int, int>> coordinates, Geometry& geometry) {
    for (std::size_t cell = 0; cell < coordinates.size(); ++cell) {
        const auto [x, y] = coordinates[cell];
        if (x < 0 || x >= 8 || y < 0 || y >= 8) return false;
        geometry.bit_of_cell[cell] = static_cast<std::uint8_t>(8 * y + x);
    }
    return true;
}

// The Kogge-Stone fill follows runs of at most eight stones, so lines may have ten cells.
bool has_long_line(std::span<const std::int32_t> steps) {
    constexpr int kLongest = 10;
    for (std::size_t node = 0; node < steps.size(); ++node) {
        int cells = 1;
        for (std::int32_t at = steps[node]; at >= 0; at = steps[static_cast<std::size_t>(at)]) {
            if (++cells > kLongest) return true;
        }
    }
    return false;
}

// Looks for a factor such that x + factor * y, modulo the number of cells, numbers every cell differently.
bool number_hexagon(std::span<const std::pair<int, int>> coordinates, std::span<const std::int32_t> steps, Geometry& geometry) {
    if (has_long_line(steps)) return false;
    const auto count = static_cast<int>(coordinates.size());
    for (int factor = 1; factor < count; ++factor) {
        std::vector<bool> used(coordinates.size());
        bool distinct = true;
        for (std::size_t cell = 0; cell < coordinates.size() && distinct; ++cell) {
            const int label = (coordinates[cell].first + factor * coordinates[cell].second) % count;
            distinct = !used[static_cast<std::size_t>(label)];
            used[static_cast<std::size_t>(label)] = true;
            geometry.bit_of_cell[cell] = static_cast<std::uint8_t>(label);
        }
        if (!distinct) continue;
        geometry.modulus = static_cast<std::uint64_t>(count);
        for (std::size_t direction = 0; direction < 6; ++direction) {
            const int offset = kHexagonOffsets[direction][0] + factor * kHexagonOffsets[direction][1];
            const auto rotation = [&](int times) { return static_cast<std::uint64_t>(((offset * times) % count + count) % count); };
            geometry.rotation[direction] = rotation(1);
            geometry.rotation2[direction] = rotation(2);
            geometry.rotation4[direction] = rotation(4);
        }
        for (std::size_t node = 0; node < steps.size(); ++node) {
            if (steps[node] >= 0) geometry.enterable[node % 6] |= geometry.cell_bit(steps[node] / 6);
        }
        return true;
    }
    return false;
}

}  // namespace

std::optional<Geometry> Geometry::embed(std::span<const std::pair<int, int>> coordinates,
                                        std::span<const std::int32_t> steps, int directions) {
    if (coordinates.size() > 64 || !all_straight(coordinates, steps, directions)) return std::nullopt;
    Geometry geometry;
    geometry.kind = directions == 8 ? Kind::kGrid : Kind::kHexagon;
    geometry.cells = static_cast<int>(coordinates.size());
    const bool fits = directions == 8 ? number_grid(coordinates, geometry) : number_hexagon(coordinates, steps, geometry);
    if (!fits) return std::nullopt;
    geometry.in_order = true;
    for (std::size_t cell = 0; cell < coordinates.size(); ++cell) {
        geometry.in_order &= geometry.bit_of_cell[cell] == cell;
        geometry.valid |= geometry.cell_bit(static_cast<int>(cell));
        geometry.cell_of_bit[geometry.bit_of_cell[cell]] = static_cast<std::uint8_t>(cell);
    }
    return geometry;
}

}  // namespace polyversi::bit
