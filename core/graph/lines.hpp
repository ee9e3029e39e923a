// The lines of a board: every maximal path of a ray, once for both directions. All captures of
// all seats are found by sweeping each line forwards and backwards.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

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
    std::span<const std::uint16_t> cells(const Line& line) const {
        return std::span(cells_).subspan(line.begin, line.end - line.begin);
    }
    // Nodes (cell * directions + direction) on lines that meet a cell twice: a ray from there may come back to its
    // own start in the middle of the line, so these are walked one by one.
    std::span<const std::int32_t> self_crossing() const { return self_crossing_; }

  private:
    std::vector<Line> lines_;
    std::vector<std::uint16_t> cells_;
    std::vector<std::int32_t> self_crossing_;
};

}  // namespace polyversi::graph
