// The evaluation of a course's stock opponent: stones that are safe along an axis, corners, and the cells next to them.
#include "minimax/evaluations.hpp"
#include "minimax/rectangle.hpp"

namespace polyversi::minimax {
namespace {

class Safety final : public WeightedSum {
  public:
    explicit Safety(const Rules& rules)
        : rules_(rules), corners_(Rectangle(rules).corners()), diagonals_(Rectangle(rules).inset(1, 1)) {}

    std::span<const Term> terms() const override {
        static constexpr std::array<Term, 3> kTerms{{{"safety", 1}, {"corners", 64}, {"next to corners", -32}}};
        return kTerms;
    }

    Values measure(const graph::Position& position, int seat, const graph::Workspace&) const override {
        const auto owner = [&](int cell) {
            const std::uint8_t here = position.tiles[static_cast<std::size_t>(cell)];
            return here == kEmpty ? 0 : here - 1 == seat ? 1 : -1;
        };
        int safety = 0, corners = 0, diagonals = 0;
        for (int cell = 0; cell < rules_.cells(); ++cell) {
            if (const int sign = owner(cell)) safety += sign * (1 + safe_axes(position, cell));
        }
        for (const int cell : corners_) corners += owner(cell);
        for (const int cell : diagonals_) diagonals += owner(cell);
        return {static_cast<double>(safety), static_cast<double>(corners), static_cast<double>(diagonals)};
    }

  private:
    int safe_axes(const graph::Position& position, int cell) const {
        int axes = 0;
        for (int direction = 0; direction < Rectangle::kDirections / 2; ++direction) {
            axes += own_to_the_edge(position, cell, direction) ||
                    own_to_the_edge(position, cell, direction + Rectangle::kDirections / 2);
        }
        return axes;
    }

    bool own_to_the_edge(const graph::Position& position, int cell, int direction) const {
        const std::uint8_t colour = position.tiles[static_cast<std::size_t>(cell)];
        int at = rules_.step(cell * Rectangle::kDirections + direction);
        while (at >= 0 && position.tiles[static_cast<std::size_t>(at / Rectangle::kDirections)] == colour) at = rules_.step(at);
        return at < 0;
    }

    const Rules& rules_;
    std::array<int, 4> corners_, diagonals_;
};

}  // namespace

std::unique_ptr<WeightedSum> safety(const Rules& rules) { return std::make_unique<Safety>(rules); }

}  // namespace polyversi::minimax
