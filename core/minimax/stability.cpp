// Cell values and stable stones, for the game that the fewest stones win.
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "minimax/evaluations.hpp"
#include "minimax/rectangle.hpp"

namespace polyversi::minimax {
namespace {

class PositionAndStability final : public WeightedSum {
  public:
    PositionAndStability(const Rules& rules, std::vector<double> values, double gamma)
        : rules_(rules), values_(std::move(values)), terms_{{{"position", gamma}, {"stability", 1 - gamma}}} {
        const Rectangle board(rules);
        if (values_.size() != static_cast<std::size_t>(rules.cells())) {
            throw std::invalid_argument("the matrix needs a value for every cell of the board");
        }
        // What is no number is neither better nor worse than anything, so that no move would be the best.
        constexpr double kMost = 1e6;
        const auto is_possible = [](double value) { return std::abs(value) <= kMost; };
        if (!is_possible(gamma) || !std::all_of(values_.begin(), values_.end(), is_possible)) {
            throw std::invalid_argument("gamma and the values of cells are numbers from -1e6 to 1e6");
        }
        number_lines();
    }

    std::span<const Term> terms() const override { return terms_; }

    Values measure(const graph::Position& position, int seat, const graph::Workspace&) const override {
        const std::vector<std::uint8_t> stable = stable_stones(position);
        double value = 0, fewer_stable = 0;
        for (std::size_t cell = 0; cell < values_.size(); ++cell) {
            const std::uint8_t here = position.tiles[cell];
            if (here == kEmpty) continue;
            const int sign = here - 1 == seat ? 1 : -1;
            value += sign * values_[cell];
            fewer_stable -= sign * stable[cell];
        }
        return {value, fewer_stable};
    }

  private:
    static constexpr int kAxes = Rectangle::kDirections / 2;

    std::size_t& line(int cell, int axis) { return lines_[static_cast<std::size_t>(cell * kAxes + axis)]; }
    std::size_t line(int cell, int axis) const { return lines_[static_cast<std::size_t>(cell * kAxes + axis)]; }

    // A number for each row, column and diagonal, found from every cell that lies on it.
    void number_lines() {
        lines_.resize(static_cast<std::size_t>(rules_.cells() * kAxes));
        for (int cell = 0; cell < rules_.cells(); ++cell) {
            for (int axis = 0; axis < kAxes; ++axis) {
                if (rules_.step(cell * Rectangle::kDirections + axis + kAxes) >= 0) continue;  // not where a line begins
                for (int node = cell * Rectangle::kDirections + axis; node >= 0; node = rules_.step(node)) {
                    line(node / Rectangle::kDirections, axis) = line_count_;
                }
                ++line_count_;
            }
        }
    }

    // Stable stones, as far as that shows without search: on each of its four axes the stone
    // touches the edge, or lies on a full line, or touches a stable stone of its colour.
    std::vector<std::uint8_t> stable_stones(const graph::Position& position) const {
        std::vector<std::uint8_t> full(line_count_, 1), stable(values_.size(), 0);
        for (int cell = 0; cell < rules_.cells(); ++cell) {
            if (position.tiles[static_cast<std::size_t>(cell)] != kEmpty) continue;
            for (int axis = 0; axis < kAxes; ++axis) full[line(cell, axis)] = 0;
        }
        for (bool found = true; found;) {
            found = false;
            for (int cell = 0; cell < rules_.cells(); ++cell) {
                const auto at = static_cast<std::size_t>(cell);
                if (stable[at] || position.tiles[at] == kEmpty || !holds(position, cell, full, stable)) continue;
                stable[at] = 1;
                found = true;
            }
        }
        return stable;
    }

    bool holds(const graph::Position& position, int cell, const std::vector<std::uint8_t>& full,
               const std::vector<std::uint8_t>& stable) const {
        const std::uint8_t colour = position.tiles[static_cast<std::size_t>(cell)];
        const auto side_holds = [&](int direction) {
            const int to = rules_.step(cell * Rectangle::kDirections + direction);
            if (to < 0) return true;
            const auto next = static_cast<std::size_t>(to / Rectangle::kDirections);
            return stable[next] && position.tiles[next] == colour;
        };
        for (int axis = 0; axis < kAxes; ++axis) {
            if (!full[line(cell, axis)] && !side_holds(axis) && !side_holds(axis + kAxes)) return false;
        }
        return true;
    }

    const Rules& rules_;
    std::vector<double> values_;
    std::array<Term, 2> terms_;
    std::vector<std::size_t> lines_;
    std::size_t line_count_ = 0;
};

}  // namespace

std::unique_ptr<WeightedSum> position_and_stability(const Rules& rules, std::vector<double> values, double gamma) {
    return std::make_unique<PositionAndStability>(rules, std::move(values), gamma);
}

}  // namespace polyversi::minimax
