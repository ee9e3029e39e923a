#include "bit/play.hpp"

#include <utility>

namespace polyversi::bit {
namespace {

std::uint64_t stones(const Position& p) { return p.own | p.other; }
std::uint64_t to_fill(const Geometry& g, const Position& p) { return g.opening & ~stones(p); }

}  // namespace

std::uint64_t legal(const Geometry& g, const Ops& ops, const Position& p) {
    if (g.free_pass && (p.passes >= 2 || stones(p) == g.valid)) return 0;
    const std::uint64_t opening = to_fill(g, p);
    return opening ? opening : ops.moves(g, p.own, p.other);
}

bool is_over(const Geometry& g, const Ops& ops, const Position& p) {
    if (stones(p) == g.valid) return true;
    if (g.free_pass) return p.passes >= 2;
    return !legal(g, ops, p) && !ops.moves(g, p.other, p.own);
}

bool can_pass(const Geometry& g, const Ops& ops, const Position& p) {
    return !is_over(g, ops, p) && (g.free_pass || !legal(g, ops, p));
}

std::uint64_t flipped(const Geometry& g, const Ops& ops, const Position& p, int cell) {
    if (to_fill(g, p)) return 0;
    return ops.flips(g, g.bit_of_cell[static_cast<std::size_t>(cell)], p.own, p.other);
}

bool play(const Geometry& g, const Ops& ops, Position& p, int cell) {
    if (cell < 0) {
        if (!can_pass(g, ops, p)) return false;
        std::swap(p.own, p.other);
        p.passes = static_cast<std::uint8_t>(p.passes + (g.free_pass ? 1 : 0));
    } else {
        // What it captures says whether it is legal; to find all legal moves would cost more.
        const std::uint64_t placed = g.cell_bit(cell), opening = to_fill(g, p), flips = flipped(g, ops, p, cell);
        if ((stones(p) & placed) || p.passes >= 2 || !(opening ? opening & placed : flips)) return false;
        const std::uint64_t own = p.other & ~flips;
        p.other = p.own | flips | placed;
        p.own = own;
        p.passes = 0;
    }
    p.turn ^= 1;
    return true;
}

}  // namespace polyversi::bit
