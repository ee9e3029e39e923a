#include "rules/rules.hpp"

#include <algorithm>
#include <stdexcept>

namespace polyversi {
namespace {

void require(bool condition, const char* sentence) {
    if (!condition) throw std::invalid_argument(sentence);
}

// Rays must lead back the way they came: lines are then paths or circles, and no ray runs for ever.
void check_steps(const BoardData& board) {
    const int directions = board.directions, nodes = board.cells() * directions;
    require(board.steps.size() == static_cast<std::size_t>(nodes), "the step table has the wrong length");
    const auto reverse = [directions](int node) {
        const int direction = node % directions;
        return node - direction + (direction + directions / 2) % directions;
    };
    for (int node = 0; node < nodes; ++node) {
        const int to = board.steps[static_cast<std::size_t>(node)];
        if (to == -1) continue;
        require(to >= 0 && to < nodes, "a step leads off the board");
        require(to != reverse(node), "a step must not lead back into itself");
        require(board.steps[static_cast<std::size_t>(reverse(to))] == reverse(node),
                "every step must lead back the same way");
    }
}

}  // namespace

void Rules::prepare(bool allow_bits) {
    require(board.directions == 8 || board.directions == 6, "a board has 6 or 8 directions");
    require(cells() >= 1 && cells() <= kMaxCells, "a board has 1 to 90000 cells");
    require(seats >= 2 && seats <= kMaxSeats, "a game has 2 to 8 seats");
    require(start.size() == board.coordinates.size(), "the start must give a tile for every cell");
    for (const std::uint8_t tile : start) {
        require(tile < kTileCount && (!is_stone(tile) || tile <= seats), "the start has a tile that this game does not have");
    }
    for (const Cell cell : opening) {
        require(cell < board.coordinates.size() && start[cell] == kEmpty, "opening cells must be empty cells of the board");
    }
    require(overrides >= 0 && overrides <= kMaxStock - cells() && bombs >= 0 && bombs <= kMaxStock - cells() && radius >= 0,
            "the stocks are out of range");
    for (const auto& [x, y] : board.coordinates) {
        require(x >= 0 && x < kMaxCells && y >= 0 && y < kMaxCells, "coordinates are whole numbers from 0 to 89999");
    }
    auto places = board.coordinates;
    std::sort(places.begin(), places.end());
    require(std::adjacent_find(places.begin(), places.end()) == places.end(), "two cells lie in the same place");
    check_steps(board);

    moves = MoveTable(start, seats);
    lines = graph::Lines(board.steps, board.directions);
    bits.reset();
    if (!allow_bits || seats != 2 || passing == Passing::kSkip || placing != Placing::kCapture) return;
    if (passing == Passing::kFree && !opening.empty()) return;  // nobody passes while an opening cell is empty
    for (const std::uint8_t tile : start) {
        if (tile > 2) return;
    }
    bits = bit::Geometry::embed(board.coordinates, board.steps, board.directions);
    if (bits) {
        bits->free_pass = passing == Passing::kFree;
        for (const Cell cell : opening) bits->opening |= bits->cell_bit(cell);
    }
}

}  // namespace polyversi
