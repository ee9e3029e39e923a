#include "engine/plan.hpp"

#include <algorithm>

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
        quarters[static_cast<std::size_t>((2 * x > lowest_x + highest_x) + 2 * (2 * y > lowest_y + highest_y))] |= here;
        bool is_corner = true;
        for (std::size_t direction = 0; direction < directions; ++direction) {
            const std::uint64_t next = stepped(direction, here);
            neighbours[static_cast<std::size_t>(std::countr_zero(here))] |= next;
            if (!next) borders[direction % axes] |= here;
        }
        for (std::size_t axis = 0; axis < axes; ++axis) is_corner &= (borders[axis] & here) != 0;
        if (is_corner) corners |= here;
        for (std::size_t axis = 0; axis < axes; ++axis) {
            if (stepped(axis + axes, here)) continue;  // not where a line begins
            std::uint64_t line = 0;
            for (std::uint64_t at = here; at; at = stepped(axis, at)) line |= at;
            if (std::popcount(line) > 2) {
                lines[axis].push_back(line);
            } else {
                on_no_line[axis] |= line;
            }
        }
    }
    const std::uint64_t beside_corners = beside(corners);
    std::uint64_t edge = 0;
    for (std::size_t axis = 0; axis < axes; ++axis) edge |= borders[axis];
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
        value[static_cast<std::size_t>(bit)] = worth;
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

std::uint64_t Plan::odd_quarters(std::uint64_t empty) const {
    std::uint64_t odd = 0;
    for (const std::uint64_t quarter : quarters) odd |= std::popcount(empty & quarter) & 1 ? quarter : 0;
    return odd;
}

std::uint64_t Plan::stable(std::uint64_t own, std::uint64_t other) const {
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
