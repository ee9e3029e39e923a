// Bit positions one move at a time, with every move checked; the tight loops do without.
#pragma once

#include "bit/ops.hpp"

namespace polyversi::bit {

// Where a stone may be placed; nothing when the game is over.
std::uint64_t legal(const Geometry& geometry, const Ops& ops, const Position& position);

bool is_over(const Geometry& geometry, const Ops& ops, const Position& position);

// Whether a pass may be played.
bool can_pass(const Geometry& geometry, const Ops& ops, const Position& position);

// What a stone on this cell would flip; nothing while the opening cells are being filled.
std::uint64_t flipped(const Geometry& geometry, const Ops& ops, const Position& position, int cell);

// Plays a stone on the cell, or a pass for -1, if it is legal; says whether it was.
bool play(const Geometry& geometry, const Ops& ops, Position& position, int cell);

}  // namespace polyversi::bit
