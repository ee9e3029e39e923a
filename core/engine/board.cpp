#include "engine/board.hpp"

#include <algorithm>

#include "engine/stability.hpp"

namespace polyversi::engine {
namespace {

constexpr std::array<int, 8> kGridShift{-8, -7, 1, 9, 8, 7, -1, -9};
constexpr std::uint64_t kNotFirstColumn = 0xfefefefefefefefeu, kNotLastColumn = 0x7f7f7f7f7f7f7f7fu;
constexpr std::array<std::uint64_t, 8> kGridEntered{
    ~0ull, kNotFirstColumn, kNotFirstColumn, kNotFirstColumn, ~0ull, kNotLastColumn, kNotLastColumn, kNotLastColumn};

}  // namespace

Board::Board(const Rules& rules, const bit::Ops& operations)
    : geometry(*rules.bits), ops(operations), fewest_wins(rules.fewest_wins), empties_to_winner(rules.empties_to_winner), cells(rules.cells()),
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
        const int quadrant = (2 * x > lowest_x + highest_x) + 2 * (2 * y > lowest_y + highest_y);
        quadrants[static_cast<std::size_t>(quadrant)] |= here;
        quadrant_bit[static_cast<std::size_t>(std::countr_zero(here))] = static_cast<std::uint8_t>(1 << quadrant);
        bool is_corner = true;
        for (std::size_t direction = 0; direction < directions; ++direction) {
            const std::uint64_t next = shifted(direction, here);
            neighbours[static_cast<std::size_t>(std::countr_zero(here))] |= next;
            if (!next) borders[direction % axes] |= here;
        }
        for (std::size_t axis = 0; axis < axes; ++axis) is_corner &= (borders[axis] & here) != 0;
        if (is_corner) corners |= here;
        add_lines_from(here);
    }
    for (std::size_t set = 0; set < quadrant_masks.size(); ++set) {
        for (std::size_t quadrant = 0; quadrant < 4; ++quadrant) quadrant_masks[set] |= set >> quadrant & 1 ? quadrants[quadrant] : 0;
    }
    if (geometry.kind == bit::Geometry::Kind::kGrid) fill_grid_axes();
    fill_cell_values();
}

// The lines that start at this cell.
void Board::add_lines_from(std::uint64_t here) {
    const std::size_t axes = directions / 2;
    for (std::size_t axis = 0; axis < axes; ++axis) {
        if (shifted(axis + axes, here)) continue;
        std::uint64_t line = 0;
        std::vector<int> bits;
        for (std::uint64_t at = here; at; at = shifted(axis, at)) {
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
        last_flip.add(bits, axis);
    }
}

void Board::fill_grid_axes() {
    for (std::size_t i = 0; i < grid_axes.size(); ++i) {
        GridAxis& axis = grid_axes[i];
        const bool rises = kGridShift[i] > 0;
        const int step = rises ? kGridShift[i] : -kGridShift[i];
        axis.safe = borders[i] | on_no_line[i];
        axis.up[0] = shifted(rises ? i : i + 4, geometry.valid);
        axis.down[0] = shifted(rises ? i + 4 : i, geometry.valid);
        for (std::size_t twice = 0; twice < 2; ++twice) {
            axis.up[twice + 1] = axis.up[twice] & (axis.up[twice] << (step << twice));
            axis.down[twice + 1] = axis.down[twice] & (axis.down[twice] >> (step << twice));
        }
    }
}

void Board::fill_cell_values() {
    const std::uint64_t corner_neighbours = adjacent(corners);
    std::uint64_t edge = 0;
    for (const std::uint64_t border : borders) edge |= border;
    for (int bit = 0; bit < 64; ++bit) {
        const std::uint64_t here = std::uint64_t{1} << bit;
        std::int16_t worth = 0;
        if (corners & here) {
            worth = 18;
        } else if (corner_neighbours & here) {
            worth = edge & here && std::popcount(neighbours[static_cast<std::size_t>(bit)]) * 2 > static_cast<int>(directions) ? 2 : 0;
        } else {
            worth = edge & here ? 8 : 4;
        }
        cell_value[static_cast<std::size_t>(bit)] = fewest_wins ? static_cast<std::int16_t>(-worth) : worth;
    }
}

std::uint64_t Board::shifted(std::size_t direction, std::uint64_t from) const {
    if (geometry.kind == bit::Geometry::Kind::kHexagon) {
        const std::uint64_t by = geometry.rotation[direction];
        return ((from << by) | (from >> (geometry.modulus - by))) & geometry.enterable[direction];
    }
    const int by = kGridShift[direction];
    return (by > 0 ? from << by : from >> -by) & kGridEntered[direction] & geometry.valid;
}

std::uint64_t Board::adjacent(std::uint64_t from) const {
    if (geometry.kind == bit::Geometry::Kind::kGrid) {
        const std::uint64_t beside = ((from << 1) & kNotFirstColumn) | ((from >> 1) & kNotLastColumn), row = from | beside;
        return (beside | row << 8 | row >> 8) & geometry.valid;
    }
    std::uint64_t found = 0;
    for (std::size_t direction = 0; direction < directions; ++direction) found |= shifted(direction, from);
    return found;
}

std::uint64_t Board::stable(std::uint64_t own, std::uint64_t other) const {
    if (geometry.kind == bit::Geometry::Kind::kGrid) return stable_on_grid(*this, own, other);
    const std::uint64_t filled = own | other;
    const std::size_t axes = directions / 2;
    std::array<std::uint64_t, 4> safe{};  // along each axis, whatever the neighbours are
    std::uint64_t all = own;
    for (std::size_t axis = 0; axis < axes; ++axis) {
        safe[axis] = borders[axis] | on_no_line[axis];
        for (const std::uint64_t line : lines[axis]) safe[axis] |= (line & ~filled) ? 0 : line;
        all &= safe[axis];
    }
    for (std::uint64_t found = all; found;) {
        std::uint64_t more = own;
        for (std::size_t axis = 0; axis < axes; ++axis) more &= safe[axis] | shifted(axis, all) | shifted(axis + axes, all);
        found = more & ~all;
        all |= more;
    }
    return all;
}

}  // namespace polyversi::engine
