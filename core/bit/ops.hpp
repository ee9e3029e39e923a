// What can be done with bit positions, as a table of functions that exists once for each kind of processor and board.
#pragma once

#include <cstdint>
#include <span>

#include "bit/geometry.hpp"
#include "random.hpp"
#include "watch.hpp"

namespace polyversi::bit {

// Two seats on at most 64 cells: the stones of the seat to move and of the other one.
struct Position {
    std::uint64_t own = 0;
    std::uint64_t other = 0;
    std::uint8_t turn = 0;
    std::uint8_t passes = 0;

    bool operator==(const Position&) const = default;
};

struct Ops {
    const char* name;
    // Where the seat to move captures something, the empty cells only.
    std::uint64_t (*moves)(const Geometry&, std::uint64_t own, std::uint64_t other);
    // What a stone there captures.
    std::uint64_t (*flips)(const Geometry&, int bit, std::uint64_t own, std::uint64_t other);
    std::uint64_t (*perft)(const Geometry&, const Position&, int depth, const Watch&);
    void (*playout)(const Geometry&, Position&, Random&);
};

// The fastest operations this machine can run for a geometry.
const Ops& ops_for(const Geometry& geometry);

// All that this machine can run, for the tests that compare them; the fastest last.
std::span<const Ops* const> grid_ops();
std::span<const Ops* const> hexagon_ops();

extern const Ops kPortableGrid, kPortableHexagon;
#ifdef POLYVERSI_X86
extern const Ops kAvx2Grid, kAvx2Hexagon, kAvx512Grid, kAvx512Hexagon;
#endif

}  // namespace polyversi::bit
