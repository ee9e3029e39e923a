// The operations on bit positions as a table of functions, one table for each kind of processor and board.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "bit/geometry.hpp"
#include "bit/mobility.hpp"
#include "rules/random.hpp"
#include "rules/interrupt.hpp"

namespace polyversi::engine {
struct Board;
struct EndgameContext;
class Evaluation;
class ShallowSearch;
}

namespace polyversi::bit {

// Two seats on at most 64 cells: the stones of the seat to move and of the other one.
struct Position {
    std::uint64_t own = 0;
    std::uint64_t other = 0;
    std::uint8_t turn = 0;
    std::uint8_t passes = 0;

    bool operator==(const Position&) const = default;
};

// Many games side by side.
struct Games {
    std::size_t count;
    Position* positions;
    std::uint64_t* legal;  // where a stone may be placed
    std::uint8_t* status;  // see below

    static constexpr std::uint8_t kCanPass = 1, kOver = 2;
};

// For each pattern, the power of three that a stone on one cell adds to the pattern's index.
struct alignas(64) PatternPowers {
    std::array<std::uint16_t, 64> of{};
};

struct Ops {
    const char* name;
    // The legal moves of the seat to move, as empty cells.
    std::uint64_t (*moves)(const Geometry&, std::uint64_t own, std::uint64_t other);
    // The stones that a move flips.
    std::uint64_t (*flips)(const Geometry&, int bit, std::uint64_t own, std::uint64_t other);
    std::uint64_t (*perft)(const Geometry&, const Position&, int depth, const InterruptCheck&);
    // Plays every one of these to its end; game n takes its random moves from stream `first + n` of the seed.
    void (*play_out)(const Geometry&, Position*, std::size_t count, std::uint64_t seed, std::uint64_t first);
    // Null-window search to the end of the game: a fail-soft bound for the seat to move.
    int (*solve_endgame)(engine::EndgameContext&, std::uint64_t own, std::uint64_t other, int alpha);
    // Fixed-depth search with the evaluation at the leaves, in units of the evaluation.
    int (*shallow_search)(engine::ShallowSearch&, std::uint64_t own, std::uint64_t other, int depth, int alpha, int beta);
    // How many moves the seat to move has, as `Board::weighted_mobility` counts them.
    int (*weighted_mobility)(const engine::Board&, std::uint64_t own, std::uint64_t other);
    // The value of a position for the seat to move, in units of the evaluation.
    int (*evaluate)(const engine::Evaluation&, std::uint64_t own, std::uint64_t other);
    // How mobile both seats are.
    MobilityCounts (*mobility_counts)(const Geometry&, std::uint64_t own, std::uint64_t other);
    // The index of each of 64 patterns: a base-3 digit for each cell (empty, own, other).
    void (*pattern_indices)(const PatternPowers* powers, std::uint64_t own, std::uint64_t other, std::uint16_t* to);
    // Plays one legal move, a cell or the number of cells for a pass, in every game that is not over.
    void (*step)(const Geometry&, const Games&, const std::int32_t* moves);
    // Recomputes the legal moves and the status of one game.
    void (*refresh)(const Geometry&, const Games&, std::size_t game);
    // A random legal move for every game that is not over, -1 for the others.
    void (*random_moves)(const Geometry&, const Games&, Random&, std::int32_t* moves);
    // Writes the legal moves as bytes, 0 or 1: the cells in order, then the pass.
    void (*write_legal)(const Geometry&, const Games&, std::uint8_t* bytes);
    // Writes what lies on each cell: 0, 1 or 2.
    void (*write_tiles)(const Geometry&, const Position*, std::size_t count, std::uint8_t* bytes);
};

// All operations that this machine can run; the fastest last.
std::span<const Ops* const> grid_ops();
std::span<const Ops* const> hexagon_ops();

extern const Ops kPortableGrid, kPortableHexagon;
#ifdef POLYVERSI_X86
extern const Ops kAvx2Grid, kAvx2Hexagon, kAvx512Grid, kAvx512Hexagon;
#endif

}  // namespace polyversi::bit
