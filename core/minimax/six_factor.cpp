// The six-factor evaluation: a public heuristic for Othello that two course projects used, with all its factors.
#include <algorithm>
#include <stdexcept>

#include "minimax/evaluations.hpp"
#include "minimax/rectangle.hpp"

namespace polyversi::minimax {
namespace {

// A quarter of the values of the cells; the other three mirror it.
constexpr int kQuarter8[4][4] = {{20, -3, 11, 8}, {-3, -7, -4, 1}, {11, -4, 2, 2}, {8, 1, 2, -3}};
constexpr int kQuarter6[3][3] = {{20, -3, 11}, {-3, -7, -4}, {11, -4, 2}};

// The difference in percent of the sum: positive if mine is larger, negative if theirs is.
double share(int mine, int theirs) {
    if (mine == theirs) return 0;
    return 100.0 * (mine > theirs ? mine : -theirs) / (mine + theirs);
}

class SixFactor final : public WeightedSum {
  public:
    explicit SixFactor(const Rules& rules) : rules_(rules), corners_(Rectangle(rules).corners()) {
        const Rectangle board(rules);
        if (board.width() != board.height() || (board.width() != 8 && board.width() != 6)) {
            throw std::invalid_argument("the six-factor evaluation works only on 8x8 and 6x6 boards");
        }
        values_.resize(static_cast<std::size_t>(rules.cells()));
        for (int cell = 0; cell < rules.cells(); ++cell) {
            const int x = cell % board.width(), y = cell / board.width();
            const int column = std::min(x, board.width() - 1 - x), row = std::min(y, board.height() - 1 - y);
            values_[static_cast<std::size_t>(cell)] = board.width() == 8 ? kQuarter8[row][column] : kQuarter6[row][column];
        }
    }

    std::span<const Term> terms() const override {
        static constexpr std::array<Term, 6> kTerms{{{"stones", 10}, {"corners", 801.724}, {"next to corners", 382.026},
                                                     {"mobility", 78.922}, {"frontier", 74.396}, {"cells", 10}}};
        return kTerms;
    }

    Values measure(const graph::Position& position, int seat, const graph::Workspace& work) const override {
        // In each pair of counts, mine is first and theirs second.
        std::array<int, 2> stones{}, frontier{}, cells{}, moves{}, corners{}, near{};
        const bool opening = graph::in_opening(rules_, position);  // where both have the same moves
        for (int cell = 0; cell < rules_.cells(); ++cell) {
            const std::uint8_t here = tile(position, cell);
            if (here == kEmpty) {
                const unsigned captures = work.captures[static_cast<std::size_t>(cell)];
                moves[0] += !opening && (captures >> seat & 1);
                moves[1] += !opening && (captures >> (1 - seat) & 1);
                continue;
            }
            const std::size_t owner = here - 1 != seat;
            ++stones[owner];
            cells[owner] += values_[static_cast<std::size_t>(cell)];
            frontier[owner] += has_empty_neighbour(position, cell);
        }
        for (const int corner : corners_) {
            if (const std::uint8_t here = tile(position, corner); here != kEmpty) {
                ++corners[here - 1 != seat];
                continue;
            }
            for (int direction = 0; direction < Rectangle::kDirections; ++direction) {
                const int to = rules_.step(corner * Rectangle::kDirections + direction);
                const std::uint8_t there = to < 0 ? std::uint8_t{kEmpty} : tile(position, to / Rectangle::kDirections);
                if (there != kEmpty) ++near[there - 1 != seat];
            }
        }
        return {share(stones[0], stones[1]),
                25.0 * (corners[0] - corners[1]),
                12.5 * (near[1] - near[0]),
                share(moves[0], moves[1]),
                share(frontier[1], frontier[0]),
                static_cast<double>(cells[0] - cells[1])};
    }

  private:
    static std::uint8_t tile(const graph::Position& position, int cell) { return position.tiles[static_cast<std::size_t>(cell)]; }

    bool has_empty_neighbour(const graph::Position& position, int cell) const {
        for (int direction = 0; direction < Rectangle::kDirections; ++direction) {
            const int to = rules_.step(cell * Rectangle::kDirections + direction);
            if (to >= 0 && tile(position, to / Rectangle::kDirections) == kEmpty) return true;
        }
        return false;
    }

    const Rules& rules_;
    std::array<int, 4> corners_;
    std::vector<int> values_;
};

}  // namespace

std::unique_ptr<WeightedSum> six_factor(const Rules& rules) { return std::make_unique<SixFactor>(rules); }

}  // namespace polyversi::minimax
