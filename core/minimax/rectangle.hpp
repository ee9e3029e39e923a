// A board of squares without holes or joined edges, by columns and rows: for evaluations that use corners and edges.
#pragma once

#include <array>

#include "rules/rules.hpp"

namespace polyversi::minimax {

class Rectangle {
  public:
    static constexpr int kDirections = 8;

    explicit Rectangle(const Rules& rules);

    int width() const { return width_; }
    int height() const { return height_; }
    int at(int x, int y) const { return y * width_ + x; }
    // The corners as they are read: top left, top right, bottom left, bottom right.
    std::array<int, 4> corners() const { return inset(0, 0); }
    // The four cells that lie this many columns and rows inwards from the corners, in the same order.
    std::array<int, 4> inset(int columns, int rows) const {
        const int right = width_ - 1 - columns, bottom = height_ - 1 - rows;
        return {at(columns, rows), at(right, rows), at(columns, bottom), at(right, bottom)};
    }

  private:
    int width_ = 0, height_ = 0;
};

}  // namespace polyversi::minimax
