#include "minimax/rectangle.hpp"

#include <algorithm>
#include <stdexcept>

namespace polyversi::minimax {

Rectangle::Rectangle(const Rules& rules) {
    for (const auto& [x, y] : rules.board.coordinates) {
        width_ = std::max(width_, x + 1);
        height_ = std::max(height_, y + 1);
    }
    constexpr std::array<std::array<int, 2>, kDirections> offsets{
        {{0, -1}, {1, -1}, {1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}}};
    bool plain = rules.seats == 2 && !rules.has_phases() && rules.board.directions == kDirections && width_ > 1 && height_ > 1 &&
                 rules.cells() == width_ * height_;
    for (int cell = 0; plain && cell < rules.cells(); ++cell) {
        for (int direction = 0; direction < kDirections; ++direction) {
            const auto [dx, dy] = offsets[static_cast<std::size_t>(direction)];
            const int x = cell % width_ + dx, y = cell / width_ + dy;
            const bool inside = x >= 0 && x < width_ && y >= 0 && y < height_;
            plain = plain && rules.step(cell * kDirections + direction) == (inside ? at(x, y) * kDirections + direction : -1);
        }
    }
    if (!plain) throw std::invalid_argument("this evaluation needs two seats and a square board without holes or joined edges");
}

}  // namespace polyversi::minimax
