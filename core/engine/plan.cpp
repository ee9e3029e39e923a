#include "engine/plan.hpp"

#include <algorithm>

#include "engine/stability.hpp"

namespace polyversi::engine {
namespace {

constexpr std::array<int, 8> kGridShift{-8, -7, 1, 9, 8, 7, -1, -9};
constexpr std::uint64_t kNotFirstColumn = 0xfefefefefefefefeu, kNotLastColumn = 0x7f7f7f7f7f7f7f7fu;
constexpr std::array<std::uint64_t, 8> kGridEntered{
    ~0ull, kNotFirstColumn, kNotFirstColumn, kNotFirstColumn, ~0ull, kNotLastColumn, kNotLastColumn, kNotLastColumn};

}  // namespace

Plan::Plan(const Rules& rules, const bit::Ops& operations)
    : geometry(*rules.bits), ops(operations), fewest_wins(rules.fewest_wins), cells(rules.cells()),
      directions(static_cast<std::size_t>(rules.board.directions)) {
    const std::size_t axes = directions / 2;
    int lowest_x = 1 << 20, lowest_y = 1 << 20, highest_x = -(1 << 20), highest_y = -(1 << 20);
    for (const auto& [x, y] : rules.board.coordinates) {
        lowest_x = std::min(lowest_x, x), highest_x = std::max(highest_x, x);
        lowest_y = std::min(lowest_y, y), highest_y = std::max(highest_y, y);
    }
    for (int cell = 0; cell < cells; ++cell) {
        const auto [x, y] = rules.board.coordinates[static_cast<std::size_t>(cell)];
        const std::uint64_t here = geometry.cell_bit(cell);
        const int quarter = (2 * x > lowest_x + highest_x) + 2 * (2 * y > lowest_y + highest_y);
        quarters[static_cast<std::size_t>(quarter)] |= here;
        quarter_of[static_cast<std::size_t>(std::countr_zero(here))] = static_cast<std::uint8_t>(1 << quarter);
        bool is_corner = true;
        for (std::size_t direction = 0; direction < directions; ++direction) {
            const std::uint64_t next = stepped(direction, here);
            neighbours[static_cast<std::size_t>(std::countr_zero(here))] |= next;
            if (!next) borders[direction % axes] |= here;
        }
        for (std::size_t axis = 0; axis < axes; ++axis) is_corner &= (borders[axis] & here) != 0;
        if (is_corner) corners |= here;
        add_lines_from(here);
    }
    for (std::size_t set = 0; set < quarter_sets.size(); ++set) {
        for (std::size_t quarter = 0; quarter < 4; ++quarter) quarter_sets[set] |= set >> quarter & 1 ? quarters[quarter] : 0;
    }
    if (geometry.kind == bit::Geometry::Kind::kGrid) fill_grid_axes();
    fill_values();
}

// The lines that begin there.
void Plan::add_lines_from(std::uint64_t here) {
    const std::size_t axes = directions / 2;
    for (std::size_t axis = 0; axis < axes; ++axis) {
        if (stepped(axis + axes, here)) continue;
        std::uint64_t line = 0;
        std::vector<int> bits;
        for (std::uint64_t at = here; at; at = stepped(axis, at)) {
            line |= at;
            bits.push_back(std::countr_zero(at));
        }
        if (bits.size() <= 2) {
            on_no_line[axis] |= line;
            continue;
        }
        lines[axis].push_back(line);
        if (geometry.kind != bit::Geometry::Kind::kGrid) continue;
        std::sort(bits.begin(), bits.end());
        last_lines.add(bits, axis);
    }
}

void Plan::fill_grid_axes() {
    for (std::size_t i = 0; i < grid_axes.size(); ++i) {
        GridAxis& axis = grid_axes[i];
        const bool rises = kGridShift[i] > 0;
        const int step = rises ? kGridShift[i] : -kGridShift[i];
        axis.safe = borders[i] | on_no_line[i];
        axis.up[0] = stepped(rises ? i : i + 4, geometry.valid);
        axis.down[0] = stepped(rises ? i + 4 : i, geometry.valid);
        for (std::size_t twice = 0; twice < 2; ++twice) {
            axis.up[twice + 1] = axis.up[twice] & (axis.up[twice] << (step << twice));
            axis.down[twice + 1] = axis.down[twice] & (axis.down[twice] >> (step << twice));
        }
    }
}

void Plan::fill_values() {
    const std::uint64_t beside_corners = beside(corners);
    std::uint64_t edge = 0;
    for (const std::uint64_t border : borders) edge |= border;
    for (int bit = 0; bit < 64; ++bit) {
        const std::uint64_t here = std::uint64_t{1} << bit;
        std::int16_t worth = 0;
        if (corners & here) {
            worth = 18;
        } else if (beside_corners & here) {
            worth = edge & here && std::popcount(neighbours[static_cast<std::size_t>(bit)]) * 2 > static_cast<int>(directions) ? 2 : 0;
        } else {
            worth = edge & here ? 8 : 4;
        }
        value[static_cast<std::size_t>(bit)] = fewest_wins ? static_cast<std::int16_t>(-worth) : worth;
    }
}

std::uint64_t Plan::stepped(std::size_t direction, std::uint64_t from) const {
    if (geometry.kind == bit::Geometry::Kind::kHexagon) {
        const std::uint64_t by = geometry.turn[direction];
        return ((from << by) | (from >> (geometry.circle - by))) & geometry.enter[direction];
    }
    const int by = kGridShift[direction];
    return (by > 0 ? from << by : from >> -by) & kGridEntered[direction] & geometry.valid;
}

std::uint64_t Plan::beside(std::uint64_t from) const {
    std::uint64_t found = 0;
    for (std::size_t direction = 0; direction < directions; ++direction) found |= stepped(direction, from);
    return found;
}

std::uint64_t Plan::stable(std::uint64_t own, std::uint64_t other) const {
    if (geometry.kind == bit::Geometry::Kind::kGrid) return stable_on_grid(*this, own, other);
    const std::uint64_t filled = own | other;
    const std::size_t axes = directions / 2;
    std::array<std::uint64_t, 4> safe{};  // along each axis, whatever lies beside
    std::uint64_t all = own;
    for (std::size_t axis = 0; axis < axes; ++axis) {
        safe[axis] = borders[axis] | on_no_line[axis];
        for (const std::uint64_t line : lines[axis]) safe[axis] |= (line & ~filled) ? 0 : line;
        all &= safe[axis];
    }
    for (std::uint64_t found = all; found;) {
        std::uint64_t more = own;
        for (std::size_t axis = 0; axis < axes; ++axis) more &= safe[axis] | stepped(axis, all) | stepped(axis + axes, all);
        found = more & ~all;
        all |= more;
    }
    return all;
}

}  // namespace polyversi::engine
