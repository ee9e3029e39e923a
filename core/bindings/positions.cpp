// What the bindings ask of a position outside the tight loops.
#include <memory>
#include <utility>

#include "bindings/bindings.hpp"

namespace polyversi::bindings {

std::uint64_t bit_legal(const PyRules& rules, const bit::Position& p) {
    const bit::Geometry& g = *rules.rules.bits;
    if (g.free_pass && (p.passes >= 2 || (p.own | p.other) == g.valid)) return 0;
    const std::uint64_t to_fill = g.opening & ~(p.own | p.other);
    return to_fill ? to_fill : rules.ops->moves(g, p.own, p.other);
}

bool bit_position_is_over(const PyRules& rules, const bit::Position& p) {
    const bit::Geometry& g = *rules.rules.bits;
    if ((p.own | p.other) == g.valid) return true;
    if (g.free_pass) return p.passes >= 2;
    return !bit_legal(rules, p) && !rules.ops->moves(g, p.other, p.own);
}

bool bit_play(const PyRules& rules, bit::Position& p, int move) {
    const bit::Geometry& g = *rules.rules.bits;
    const MoveSpec spec = rules.rules.moves[move];
    const std::uint64_t stones = p.own | p.other;
    if (spec.cell < 0) {
        if (bit_position_is_over(rules, p) || !(g.free_pass || !bit_legal(rules, p))) return false;
        std::swap(p.own, p.other);
        p.passes = static_cast<std::uint8_t>(p.passes + (g.free_pass ? 1 : 0));
    } else {
        // What it captures says whether it is legal; to find all legal moves would cost more.
        const int to = g.bit_of_cell[static_cast<std::size_t>(spec.cell)];
        const std::uint64_t placed = std::uint64_t{1} << to, to_fill = g.opening & ~stones;
        const std::uint64_t turned = to_fill ? 0 : rules.ops->flips(g, to, p.own, p.other);
        if ((stones & placed) || p.passes >= 2 || !(to_fill ? to_fill & placed : turned)) return false;
        const std::uint64_t own = p.other & ~turned;
        p.other = p.own | turned | placed;
        p.own = own;
        p.passes = 0;
    }
    p.turn ^= 1;
    return true;
}

std::uint64_t State::bit_moves() const { return bit_legal(*rules, bits); }
bool State::is_over() const { return is_bits() ? bit_position_is_over(*rules, bits) : graph->over(); }

graph::Workspace& workspace(const PyRules& rules) {
    thread_local std::unique_ptr<graph::Workspace> kept;
    thread_local std::size_t cells = 0;
    const auto wanted = static_cast<std::size_t>(rules.rules.cells());
    if (!kept || cells != wanted) {
        kept = std::make_unique<graph::Workspace>(rules.rules);
        cells = wanted;
    }
    return *kept;
}

const char* ending(const State& state) {
    if (!state.is_over()) return nullptr;
    if (state.is_bits()) {
        if ((state.bits.own | state.bits.other) == state.rules->rules.bits->valid) return "board full";
        return state.rules->rules.bits->free_pass ? "passes" : "no moves";
    }
    switch (state.graph->status) {
        case graph::Status::kNoMoves: return "no moves";
        case graph::Status::kBoardFull: return "board full";
        case graph::Status::kPasses: return "passes";
        case graph::Status::kBombsUsed: return "bombs used";
        case graph::Status::kNoTilesLeft: return "no tiles left";
        case graph::Status::kOneSeatLeft: return "one seat left";
        case graph::Status::kPlaying:
        case graph::Status::kMustPass: break;
    }
    return nullptr;
}

void let_signals_through() {
    nb::gil_scoped_acquire acquire;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

}  // namespace polyversi::bindings
