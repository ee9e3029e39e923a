// Making states: at the start of a game, from the parts of a position line, or from a position of the core.
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "bindings/bindings.hpp"

namespace polyversi::bindings {

nb::object blank_state(PyTypeObject* type, PyObject* game, const PyRules& rules) {
    nb::object object = nb::inst_alloc(nb::handle(reinterpret_cast<PyObject*>(type)));
    new (nb::inst_ptr<State>(object)) State(game, rules);
    nb::inst_mark_ready(object);
    return object;
}

nb::object make_state(nb::handle type, nb::handle game, const bit::Position& position) {
    nb::object object = blank_state(state_class(type), game.ptr(), nb::cast<const PyRules&>(game));
    nb::inst_ptr<State>(object)->bits = position;
    return object;
}

nb::object make_state(nb::handle type, nb::handle game, const graph::Position& position) {
    nb::object object = blank_state(state_class(type), game.ptr(), nb::cast<const PyRules&>(game));
    nb::inst_ptr<State>(object)->graph = std::make_unique<graph::Position>(position);
    return object;
}

namespace {

nb::object new_state(nb::handle type, nb::handle game, nb::bytes tiles, int turn, int passes, bool settle_only) {
    PyTypeObject* state_type = state_class(type);
    const PyRules& rules = nb::cast<const PyRules&>(game);
    const auto* data = reinterpret_cast<const std::uint8_t*>(tiles.c_str());
    const auto size = static_cast<std::size_t>(rules.rules.cells());
    if (tiles.size() != size) throw nb::value_error("a position needs one tile for every cell");
    for (std::size_t cell = 0; cell < size; ++cell) {
        const std::uint8_t here = data[cell], start = rules.rules.start[cell];
        const bool special = here > kHole && here != start;
        if (here >= kTileCount || (is_stone(here) && here > rules.rules.seats) || special ||
            (here == kHole && !rules.rules.has_phases())) {
            throw nb::value_error("a tile does not belong on its cell in this game");
        }
    }
    if (turn < 0 || turn >= rules.rules.seats || passes < 0 || passes > rules.rules.seats ||
        (passes > 0 && rules.rules.passing != Passing::kFree)) {
        throw nb::value_error("the turn or the number of passes is out of range");
    }
    nb::object object = blank_state(state_type, game.ptr(), rules);
    State& state = *nb::inst_ptr<State>(object);
    if (!state.is_bits()) {
        graph::Workspace& work = workspace(rules);
        state.graph = std::make_unique<graph::Position>(graph::start(rules.rules, std::span(data, size), work));
        if (settle_only) return object;
        state.graph->passes = static_cast<std::uint8_t>(passes);
        graph::settle(rules.rules, *state.graph, turn, work);
        return object;
    }
    for (std::size_t cell = 0; cell < size; ++cell) {
        const std::uint64_t here = rules.rules.bits->cell_bit(static_cast<int>(cell));
        if (data[cell] == 0) continue;
        (data[cell] - 1 == turn ? state.bits.own : state.bits.other) |= here;
    }
    state.bits.turn = static_cast<std::uint8_t>(turn);
    state.bits.passes = static_cast<std::uint8_t>(passes);
    return object;
}

// An XT position in the middle of a game. The turn given must be one that the rules allow.
nb::object new_xt_state(nb::handle type, nb::handle game, nb::bytes tiles, int turn, bool bombing, std::vector<int> overrides,
                        std::vector<int> bombs, std::vector<int> out, int last) {
    nb::object object = new_state(type, game, tiles, 0, 0, true);
    State& state = *nb::inst_ptr<State>(object);
    const Rules& rules = state.rules->rules;
    const auto seats = static_cast<std::size_t>(rules.seats);
    if (!rules.has_phases()) throw nb::value_error("only XT games have stocks and phases");
    if (overrides.size() != seats || bombs.size() != seats) throw nb::value_error("every seat needs its stocks");
    graph::Position& position = *state.graph;
    const int most = kMaxStock - static_cast<int>(std::count(position.tiles.begin(), position.tiles.end(), kBonus));
    for (std::size_t seat = 0; seat < seats; ++seat) {
        if (overrides[seat] < 0 || bombs[seat] < 0 || overrides[seat] > most || bombs[seat] > most) {
            throw nb::value_error("a stock is out of range");
        }
        position.overrides[seat] = static_cast<std::uint32_t>(overrides[seat]);
        position.bombs[seat] = static_cast<std::uint32_t>(bombs[seat]);
    }
    if (turn < 0 || turn >= rules.seats || last < 0 || last > rules.seats) throw nb::value_error("there is no such seat");
    for (const int seat : out) {
        if (seat < 1 || seat > rules.seats) throw nb::value_error("there is no such seat");
        position.out = static_cast<std::uint8_t>(position.out | 1u << (seat - 1));
    }
    position.last = static_cast<std::uint8_t>(last == 0 ? kMaxSeats : last - 1);
    position.phase = bombing ? graph::Phase::kBomb : graph::Phase::kBuild;
    position.turn = static_cast<std::uint8_t>(turn);
    graph::settle(rules, position, turn, workspace(*state.rules));
    if (!position.over() && (position.turn != turn || (position.phase == graph::Phase::kBomb) != bombing)) {
        throw nb::value_error("it cannot be that seat's turn in that phase");
    }
    return object;
}

}  // namespace

void bind_construction(nb::module_& module) {
    using namespace nb::literals;
    module.def("new_state", [](nb::handle type, nb::handle game, nb::bytes data, int turn, int passes) {
        return new_state(type, game, data, turn, passes, false);
    }, "type"_a, "game"_a, "tiles"_a, "turn"_a, "passes"_a);
    module.def("new_start", [](nb::handle type, nb::handle game, nb::bytes data) { return new_state(type, game, data, 0, 0, true); },
               "type"_a, "game"_a, "tiles"_a);
    module.def("new_xt_state", &new_xt_state, "type"_a, "game"_a, "tiles"_a, "turn"_a, "bombing"_a, "overrides"_a, "bombs"_a, "out"_a, "last"_a);
}

}  // namespace polyversi::bindings
