#include "graph/lines.hpp"

namespace polyversi::graph {

Lines::Lines(std::span<const std::int32_t> steps, int directions) {
    const auto reverse = [directions](std::int32_t node) {
        const std::int32_t direction = node % directions;
        return node - direction + (direction + directions / 2) % directions;
    };
    std::vector<bool> seen(steps.size());
    std::vector<std::uint32_t> last_line(steps.size());
    std::uint32_t line_number = 0;

    for (std::int32_t node = 0; node < static_cast<std::int32_t>(steps.size()); ++node) {
        if (seen[static_cast<std::size_t>(node)]) continue;
        // Go back to where the line begins, or once round if it is a circle.
        std::int32_t first = node;
        bool circle = false;
        for (;;) {
            const std::int32_t before = steps[static_cast<std::size_t>(reverse(first))];
            if (before < 0) break;
            first = reverse(before);
            if (first == node) {
                circle = true;
                break;
            }
        }
        ++line_number;
        const auto begin = static_cast<std::uint32_t>(cells_.size());
        bool is_self_crossing = false;
        for (std::int32_t at = first;;) {
            seen[static_cast<std::size_t>(at)] = seen[static_cast<std::size_t>(reverse(at))] = true;
            const auto cell = static_cast<Cell>(at / directions);
            is_self_crossing |= last_line[cell] == line_number;
            last_line[cell] = line_number;
            cells_.push_back(cell);
            at = steps[static_cast<std::size_t>(at)];
            if (at < 0 || at == first) break;
        }
        const auto end = static_cast<std::uint32_t>(cells_.size());
        if (end - begin > 1) {
            (is_self_crossing ? self_crossing_ : lines_).push_back({begin, end, circle});
        } else {
            cells_.resize(begin);  // a lone cell encloses nothing
        }
    }
}

}  // namespace polyversi::graph
