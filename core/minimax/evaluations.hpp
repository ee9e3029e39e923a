// The evaluations of the two-seat players: each is made for the rules of one game, which must outlive it, and throws
// std::invalid_argument with a sentence for a game that it cannot evaluate.
#pragma once

#include <memory>
#include <vector>

#include "minimax/evaluation.hpp"

namespace polyversi::minimax {

// Stones, corners, cells next to empty corners, mobility, frontier and cell values, on 8x8 and 6x6.
std::unique_ptr<WeightedSum> six_factor(const Rules& rules);

// Stones that are safe along an axis, corners, and the cells diagonally next to them, on any rectangle.
std::unique_ptr<WeightedSum> safety(const Rules& rules);

// gamma * (the cells' values) + (1 - gamma) * (fewer stable stones than the other), on any rectangle: for games that the
// fewest stones win.
std::unique_ptr<WeightedSum> position_and_stability(const Rules& rules, std::vector<double> values, double gamma);

}  // namespace polyversi::minimax
