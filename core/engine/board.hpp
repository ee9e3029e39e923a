// The board as the search needs it, precomputed once for a game: neighbours, lines, corners, quadrants for parity, cell
// values for move ordering, and the tables for stability and for the last flip.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "bit/ops.hpp"
#include "engine/last_flip.hpp"
#include "rules/rules.hpp"

namespace polyversi::engine {

struct Board {
    // One of the four axes of a grid.
    struct GridAxis {
        std::array<std::uint64_t, 3> up{}, down{};  // cells reached by one, two and four steps
        std::uint64_t safe = 0;                     // cells that cannot be flipped along it
    };

    Board(const Rules& rules, const bit::Ops& operations);

    // The cells shifted one step in a direction, without those that leave the board.
    std::uint64_t shifted(std::size_t direction, std::uint64_t cells) const;
    // The neighbours of a set of cells.
    std::uint64_t adjacent(std::uint64_t cells) const;
    // Parity: the cells of the quadrants with an odd number of empty cells. Who moves there first can also move last.
    std::uint64_t odd_quadrants(std::uint64_t empty) const { return quadrant_masks[parity(empty)]; }
    // The same with a bit for each quadrant.
    unsigned parity(std::uint64_t empty) const {
        unsigned odd = 0;
        for (std::size_t i = 0; i < 4; ++i) odd |= static_cast<unsigned>(__builtin_parityll(empty & quadrants[i])) << i;
        return odd;
    }
    // The value of a finished game for `own`.
    int final_value(std::uint64_t own, std::uint64_t other) const {
        const int mine = std::popcount(own), theirs = std::popcount(other);
        const int difference = with_empties(mine - theirs, cells - mine - theirs);
        return fewest_wins ? -difference : difference;
    }
    // A difference in stones at the end of a game, and what the cells that stayed empty add to it.
    int with_empties(int difference, int empties) const {
        if (!empties_to_winner) return difference;
        return difference > 0 ? difference + empties : difference < 0 ? difference - empties : 0;
    }
    // An upper bound of the value for `own`, from stable stones. It holds however empty cells are scored: with s stable
    // stones the other side has at least s, and everything else is at most `cells - s`.
    int stability_bound(std::uint64_t own, std::uint64_t other) const {
        return cells - 2 * std::popcount(fewest_wins ? stable(own, other) : stable(other, own));
    }
    // Mobility, corners counted twice, or not at all where the fewest stones win.
    int weighted_mobility(std::uint64_t replies) const {
        const int at_corners = std::popcount(replies & corners);
        return std::popcount(replies) + (fewest_wins ? -at_corners : at_corners);
    }
    // Stones of `own` that are certainly stable; there may be more.
    std::uint64_t stable(std::uint64_t own, std::uint64_t other) const;

    const bit::Geometry& geometry;
    const bit::Ops& ops;
    bool fewest_wins, empties_to_winner;
    int cells;
    std::size_t directions;
    std::array<std::uint64_t, 64> neighbours{};
    std::array<std::uint64_t, 4> quadrants{};  // regions for parity
    std::array<std::uint8_t, 64> quadrant_bit{};      // of each cell
    std::array<std::uint64_t, 16> quadrant_masks{};   // the cells of a set of quadrants, by its bits
    std::uint64_t corners = 0;                // cells that no line can flip
    std::array<std::uint64_t, 4> borders{};   // for each axis, the cells with no neighbour on one side
    std::array<std::vector<std::uint64_t>, 4> lines;  // for each axis, those long enough for a flip
    std::array<std::uint64_t, 4> on_no_line{};        // and the cells of those that are not
    std::array<std::int16_t, 64> cell_value{};        // for move ordering
    std::array<GridAxis, 4> grid_axes{};              // of grids only
    LastFlipTables last_flip;                         // of grids only

  private:
    void add_lines_from(std::uint64_t here);
    void fill_grid_axes();
    void fill_cell_values();
};

}  // namespace polyversi::engine
