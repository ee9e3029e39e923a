// The lines of a board: every maximal path of a ray, once for both directions. All captures of
// all seats are found by sweeping each line forwards and backwards.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rules/moves.hpp"

namespace polyversi::graph {

class Lines {
  public:
    Lines() = default;
    Lines(std::span<const std::int32_t> steps, int directions);

    // Cells in the order a ray meets them. A path has two ends; a circle comes back to its first cell.
    struct Line {
        std::uint32_t begin, end;
        bool circle;
    };

    std::span<const Line> lines() const { return lines_; }
    // Lines that meet a cell twice: a ray from there may come back to its own start in the middle of the line.
    std::span<const Line> self_crossing() const { return self_crossing_; }
    std::span<const Cell> cells(const Line& line) const {
        return std::span(cells_).subspan(line.begin, line.end - line.begin);
    }

  private:
    std::vector<Line> lines_, self_crossing_;
    std::vector<Cell> cells_;
};

}  // namespace polyversi::graph
