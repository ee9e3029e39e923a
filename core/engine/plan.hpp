// What an engine knows of a board before it searches: which cells touch, which lines there are, where parity counts.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "bit/ops.hpp"
#include "engine/last_lines.hpp"
#include "rules/rules.hpp"

namespace polyversi::engine {

struct Plan {
    // One of the four ways in which lines run on a grid.
    struct GridAxis {
        std::array<std::uint64_t, 3> up{}, down{};  // cells that one, two and four steps reach without leaving the board
        std::uint64_t safe = 0;                     // cells that are never turned along it
    };

    Plan(const Rules& rules, const bit::Ops& operations);

    // The cells one step further in a direction, without those that fall off the board.
    std::uint64_t stepped(std::size_t direction, std::uint64_t cells) const;
    // The cells that touch one of these.
    std::uint64_t beside(std::uint64_t cells) const;
    // The quarters with an odd number of empty cells: whoever moves there first can also move there last.
    std::uint64_t odd_quarters(std::uint64_t empty) const { return quarter_sets[odd_numbers(empty)]; }
    // The same as a bit for each quarter.
    unsigned odd_numbers(std::uint64_t empty) const {
        unsigned odd = 0;
        for (std::size_t i = 0; i < 4; ++i) odd |= (static_cast<unsigned>(std::popcount(empty & quarters[i])) & 1u) << i;
        return odd;
    }
    // What a game that ended like this is worth to the first seat.
    int final_value(std::uint64_t own, std::uint64_t other) const {
        const int difference = std::popcount(own) - std::popcount(other);
        return fewest_wins ? -difference : difference;
    }
    // The most that the first seat can still reach, by the stones that nothing can turn.
    int most(std::uint64_t own, std::uint64_t other) const {
        return cells - 2 * std::popcount(fewest_wins ? stable(own, other) : stable(other, own));
    }
    // How free these replies leave whoever has them: a corner counts for two, and for none where the fewest win.
    int freedom(std::uint64_t replies) const {
        const int at_corners = std::popcount(replies & corners);
        return std::popcount(replies) + (fewest_wins ? -at_corners : at_corners);
    }
    // Stones that nothing can turn any more, as far as that is quickly seen.
    std::uint64_t stable(std::uint64_t own, std::uint64_t other) const;

    const bit::Geometry& geometry;
    const bit::Ops& ops;
    bool fewest_wins;
    int cells;
    std::size_t directions;
    std::array<std::uint64_t, 64> neighbours{};
    std::array<std::uint64_t, 4> quarters{};  // parts of the board in which it pays to have the last move
    std::array<std::uint8_t, 64> quarter_of{};        // each cell's, as a bit
    std::array<std::uint64_t, 16> quarter_sets{};     // the cells of several of them, by their bits
    std::uint64_t corners = 0;                // cells that no line can capture
    std::array<std::uint64_t, 4> borders{};   // for each axis the cells with nothing behind them on one side
    std::array<std::vector<std::uint64_t>, 4> lines;  // for each axis those on which something can be turned
    std::array<std::uint64_t, 4> on_no_line{};        // and the cells of those on which nothing can
    std::array<std::int16_t, 64> value{};             // of having a stone there, for ordering moves
    std::array<GridAxis, 4> grid_axes{};              // of grids only
    LastLines last_lines;                             // of grids only

  private:
    void add_lines_from(std::uint64_t here);
    void fill_grid_axes();
    void fill_values();
};

}  // namespace polyversi::engine
