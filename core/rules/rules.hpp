// Everything that makes one game different from another, as data: the board's steps, the tiles at the start,
// the seats, and the few switches (goal, passing, placing, stocks) that all variants are built from.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bit/geometry.hpp"
#include "graph/lines.hpp"
#include "rules/moves.hpp"

namespace polyversi {

// What lies on a cell. 1 to 8 are the stones of the seats.
enum Tile : std::uint8_t {
    kEmpty = 0,
    kHole = 9,
    kChoice = 10,
    kInversion = 11,
    kBonus = 12,
    kExpansion = 13,
    kTileCount = 14,
};

constexpr int kMaxSeats = 8;
constexpr int kMaxCells = 90'000;  // 300 by 300
constexpr int kMaxStock = 100'000;  // override stones or bombs of a seat, with every bonus tile added

constexpr bool is_stone(std::uint8_t tile) { return tile >= 1 && tile <= kMaxSeats; }
constexpr bool is_occupied(std::uint8_t tile) { return is_stone(tile) || tile == kExpansion; }
constexpr bool is_free(std::uint8_t tile) { return !is_occupied(tile) && tile != kHole; }

enum class Passing : std::uint8_t {
    kForced,  // a pass only without a move; it is a ply
    kFree,    // a pass at any time; as many in a row as there are seats end the game
    kSkip,    // who has no move is skipped silently (XT)
};

enum class Placing : std::uint8_t {
    kCapture,   // a stone must capture
    kAdjacent,  // it must capture if it can, otherwise lie next to any stone (Rolit)
};

// A board as Python hands it over.
struct BoardData {
    int directions = 8;
    std::vector<std::pair<int, int>> coordinates;
    std::vector<std::int32_t> steps;  // steps[cell * directions + d] = cell2 * directions + d2, or -1

    int cells() const { return static_cast<int>(coordinates.size()); }
};

struct Rules {
    BoardData board;
    std::vector<std::uint8_t> start;
    int seats = 2;
    bool fewest_wins = false;
    bool empties_to_winner = false;  // how cells that stay empty are scored; otherwise they count for nobody
    Passing passing = Passing::kForced;
    Placing placing = Placing::kCapture;
    std::vector<Cell> opening;  // cells that are filled first, without capturing
    int overrides = 0;
    int bombs = 0;
    int radius = 0;

    // Derived from the above by prepare().
    MoveTable moves;
    graph::Lines lines;
    std::optional<bit::Geometry> bits;  // present when two words of 64 bits can hold a position

    int cells() const { return board.cells(); }
    bool has_phases() const { return passing == Passing::kSkip; }
    int step(int node) const { return board.steps[static_cast<std::size_t>(node)]; }

    // Checks the data, throwing std::invalid_argument with a sentence, and fills in what is derived.
    void prepare(bool allow_bits = true);
};

}  // namespace polyversi
