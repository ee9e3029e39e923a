// Positions on any board, for two to eight seats, with special tiles, stocks and phases. They are plain values: copying
// one into another of the same game allocates nothing, which is what the loops over many positions rely on.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "rules/rules.hpp"

namespace polyversi::graph {

enum class Phase : std::uint8_t { kBuild, kBomb };

enum class Status : std::uint8_t {
    kPlaying,
    kMustPass,     // the seat to move has no move, another one has
    kNoMoves,      // from here on the game is over, and why
    kBoardFull,
    kPasses,
    kBombsUsed,
    kNoTilesLeft,
    kOneSeatLeft,
    kNoSeatLeft,  // the last two were lost at once
};

struct Position {
    std::vector<std::uint8_t> tiles;
    std::array<std::uint32_t, kMaxSeats> overrides{};
    std::array<std::uint32_t, kMaxSeats> bombs{};
    std::uint8_t turn = 0;  // seats are counted from 0 in the core, and from 1 everywhere above it
    std::uint8_t last = kMaxSeats;  // who moved last; kMaxSeats: nobody yet
    std::uint8_t passes = 0;
    std::uint8_t out = 0;  // a bit for each disqualified seat
    Phase phase = Phase::kBuild;
    Status status = Status::kPlaying;

    bool over() const { return status > Status::kMustPass; }
    bool operator==(const Position&) const = default;
    std::uint64_t hash() const;
};

// Scratch memory of a loop over positions of one game.
struct Workspace {
    explicit Workspace(const Rules& rules);

    // For each cell, a bit for each seat that would capture something by a stone there.
    std::vector<std::uint16_t> captures;
    std::vector<Cell> cells;                // what a move flips, or what a bomb reaches
    std::vector<std::uint32_t> reached;     // the last bombing that came by a cell
    std::uint32_t bombing = 0;
    std::vector<std::uint32_t> met;         // the step at which a walk along a self-crossing line last met a cell
};

// Whether cells are still to be filled before stones capture.
bool in_opening(const Rules& rules, const Position& position);

// Sets up the start position and decides who begins.
Position start(const Rules& rules, std::span<const std::uint8_t> tiles, Workspace& work);

// Finds out whose turn it is from `turn` on and whether the game is over. Leaves `work.captures` filled for the
// position unless it is in the bombing phase.
void settle(const Rules& rules, Position& position, int first_candidate, Workspace& work);

// Finds all captures of all seats at once: one sweep each way along every line.
void find_captures(const Rules& rules, const Position& position, Workspace& work);

// Appends the numbers of the legal moves in board order; `work.captures` must be those of the position.
void list_moves(const Rules& rules, const Position& position, const Workspace& work, std::vector<std::int32_t>& moves);
// The number of legal moves.
int count_moves(const Rules& rules, const Position& position, const Workspace& work);

// Fills `work.cells` with what a stone of the seat to move on this cell captures, each cell once or more.
void trace(const Rules& rules, const Position& position, int cell, Workspace& work);

// Fills `work.cells` with the cells that a bomb on this cell destroys.
void blast(const Rules& rules, const Position& position, int cell, Workspace& work);

// Whether the move may be played, without generating all moves where that is possible.
bool is_legal(const Rules& rules, const Position& position, int move, Workspace& work);

// Plays a legal move and settles whose turn it is.
void play(const Rules& rules, Position& position, int move, Workspace& work);

// Takes a seat out of the game (XT); its stones stay.
void disqualify(const Rules& rules, Position& position, int seat, Workspace& work);

}  // namespace polyversi::graph
