#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <bit>
#include <functional>

#include "bindings/bindings.hpp"
#include "engine/search.hpp"
#include "bit/play.hpp"
#include "graph/loops.hpp"

namespace polyversi::bindings {

namespace {

PyTypeObject* move_type = nullptr;

State& of(PyObject* self) { return *nb::inst_ptr<State>(self); }

nb::object copy_of(PyObject* self) {
    const State& state = of(self);
    nb::object object = blank_state(Py_TYPE(self), state.game, *state.rules);
    State& copy = of(object.ptr());
    copy.bits = state.bits;
    if (state.graph) copy.graph = std::make_unique<graph::Position>(*state.graph);
    return object;
}

[[noreturn]] void raise_illegal(PyObject* self, nb::handle move) {
    raise_explained("illegal_move", nb::make_tuple(nb::handle(self), move));
}

// Instances made by __new__ alone are not initialised.
void require_ready(PyObject* object) {
    if (!nb::inst_ready(object)) throw nb::type_error("this state is not initialised; states come from a game");
}

bool is_bombing(const State& state) { return state.graph && state.graph->phase == graph::Phase::kBomb; }

// The move's number in this game; text is read by the game. Anything else is a TypeError. The special value of a bomb is
// ignored, whatever it is.
int move_number(PyObject* self, PyObject* argument) {
    require_ready(self);
    const State& state = of(self);
    nb::object read;
    if (PyUnicode_Check(argument)) {
        nb::object text = nb::borrow(argument);
        if (is_bombing(state)) text = text.attr("partition")(":")[0];
        read = nb::handle(state.game).attr("move")(text);
        argument = read.ptr();
    }
    if (Py_TYPE(argument) != move_type) throw nb::type_error("a move is a Move or its text, such as 'f5'");
    require_ready(argument);
    const Move& move = *nb::inst_ptr<Move>(argument);
    const MoveTable& table = state.rules->rules.moves;
    if (move.index < 0 || move.index >= table.size() || table[move.index].cell != move.spec.cell ||
        table[move.index].special != move.spec.special) {
        raise_illegal(self, argument);
    }
    return move.spec.special && is_bombing(state) ? table.plain(move.spec.cell) : move.index;
}

bool is_legal(const State& state, int move) {
    if (!state.is_bits()) return graph::is_legal(state.rules->rules, *state.graph, move, workspace(*state.rules));
    const MoveSpec spec = state.rules->rules.moves[move];
    if (spec.cell >= 0) return state.bit_moves() & state.rules->rules.bits->cell_bit(spec.cell);
    return bit::can_pass(*state.rules->rules.bits, *state.rules->ops, state.bits);
}

bool play_bits(const State& state, bit::Position& position, int move) {
    return bit::play(*state.rules->rules.bits, *state.rules->ops, position, state.rules->rules.moves[move].cell);
}

// play() and moves carry the loops that people write in Python, so they are bound by hand, without argument conversion.
PyObject* play(PyObject* self, PyObject* argument) noexcept {
    try {
        const int move = move_number(self, argument);
        const State& state = of(self);
        bit::Position bits = state.bits;
        if (state.is_bits() ? !play_bits(state, bits, move) : !is_legal(state, move)) raise_illegal(self, argument);
        nb::object next = copy_of(self);
        State& after = of(next.ptr());
        if (after.is_bits()) {
            after.bits = bits;
        } else {
            graph::play(after.rules->rules, *after.graph, move, workspace(*after.rules));
        }
        return next.release().ptr();
    } catch (nb::python_error& error) {
        error.restore();
    } catch (nb::builtin_exception& error) {
        PyErr_SetString(PyExc_TypeError, error.what());
    } catch (std::exception& error) {
        PyErr_SetString(PyExc_RuntimeError, error.what());
    }
    return nullptr;
}

PyObject* bit_moves_tuple(const State& state) {
    const bit::Geometry& g = *state.rules->rules.bits;
    const std::vector<nb::object>& table = state.rules->moves;
    std::uint64_t todo = state.bit_moves();
    const bool pass = bit::can_pass(g, *state.rules->ops, state.bits);
    PyObject* tuple = PyTuple_New(std::popcount(todo) + pass);
    if (!tuple) return nullptr;
    Py_ssize_t at = 0;
    const auto add = [&](std::size_t index) { PyTuple_SET_ITEM(tuple, at++, Py_NewRef(table[index].ptr())); };
    if (g.kind == bit::Geometry::Kind::kGrid) {
        for (; todo; todo &= todo - 1) add(g.cell_of_bit[static_cast<std::size_t>(std::countr_zero(todo))]);
    } else {
        for (int cell = 0; cell < g.cells; ++cell) {
            if (todo & g.cell_bit(cell)) add(static_cast<std::size_t>(cell));
        }
    }
    if (pass) add(table.size() - 1);
    return tuple;
}

PyObject* moves(PyObject* self, void*) noexcept {
    try {
        require_ready(self);
        const State& state = of(self);
        if (state.is_bits()) return bit_moves_tuple(state);
        std::vector<std::int32_t> numbers;
        graph::Workspace& work = workspace(*state.rules);
        if (!state.graph->over() && state.graph->phase == graph::Phase::kBuild) {
            graph::find_captures(state.rules->rules, *state.graph, work);
        }
        graph::list_moves(state.rules->rules, *state.graph, work, numbers);
        PyObject* tuple = PyTuple_New(static_cast<Py_ssize_t>(numbers.size()));
        if (!tuple) return nullptr;
        Py_ssize_t at = 0;
        for (const std::int32_t number : numbers) {
            PyTuple_SET_ITEM(tuple, at++, Py_NewRef(state.rules->moves[static_cast<std::size_t>(number)].ptr()));
        }
        return tuple;
    } catch (nb::builtin_exception& error) {
        PyErr_SetString(PyExc_TypeError, error.what());
    } catch (std::exception& error) {
        PyErr_SetString(PyExc_RuntimeError, error.what());
    }
    return nullptr;
}

PyMethodDef hand_bound_methods[] = {
    {"play", play, METH_O,
     "play($self, move, /)\n--\n\nThe state after a move, given as a Move or as text.\n\n"
     ">>> import polyversi as pv\n"
     ">>> state = pv.game('othello').start().play('f5')\n"
     ">>> state.scores\n"
     "(4, 1)\n"},
    {nullptr, nullptr, 0, nullptr},
};

PyGetSetDef hand_bound_properties[] = {
    {"moves", moves, nullptr,
     "The legal moves in board order: the only one may be a forced pass, and there are none when the game is over.\n\n"
     ">>> import polyversi as pv\n"
     ">>> pv.game('othello').start().moves\n"
     "(Move('d3'), Move('c4'), Move('f5'), Move('e6'))\n",
     nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};

PyType_Slot state_slots[] = {
    {Py_tp_methods, hand_bound_methods},
    {Py_tp_getset, hand_bound_properties},
    {0, nullptr},
};

nb::bytes tiles(const State& state) {
    if (!state.is_bits()) return nb::bytes(reinterpret_cast<const char*>(state.graph->tiles.data()), state.graph->tiles.size());
    const bit::Geometry& g = *state.rules->rules.bits;
    char data[64];
    const char own = static_cast<char>(state.bits.turn + 1), other = static_cast<char>(2 - state.bits.turn);
    for (int cell = 0; cell < g.cells; ++cell) {
        const std::uint64_t here = g.cell_bit(cell);
        data[cell] = state.bits.own & here ? own : state.bits.other & here ? other : static_cast<char>(0);
    }
    return nb::bytes(data, static_cast<std::size_t>(g.cells));
}

nb::tuple tuple_of(const std::vector<int>& values) {
    nb::object tuple = nb::steal(PyTuple_New(static_cast<Py_ssize_t>(values.size())));
    for (std::size_t i = 0; i < values.size(); ++i) {
        PyTuple_SET_ITEM(tuple.ptr(), static_cast<Py_ssize_t>(i), PyLong_FromLong(values[i]));
    }
    return nb::borrow<nb::tuple>(tuple);
}

nb::tuple scores(const State& state) {
    std::vector<int> counts(static_cast<std::size_t>(state.rules->rules.seats));
    if (state.is_bits()) {
        counts[state.bits.turn] = std::popcount(state.bits.own);
        counts[1 - state.bits.turn] = std::popcount(state.bits.other);
    } else {
        for (const std::uint8_t here : state.graph->tiles) {
            if (is_stone(here)) ++counts[static_cast<std::size_t>(here) - 1];
        }
    }
    return tuple_of(counts);
}

nb::tuple stock(const State& state, std::array<std::uint32_t, kMaxSeats> graph::Position::* which) {
    std::vector<int> values(static_cast<std::size_t>(state.rules->rules.seats));
    if (state.graph) {
        for (std::size_t seat = 0; seat < values.size(); ++seat) values[seat] = static_cast<int>(((*state.graph).*which)[seat]);
    }
    return tuple_of(values);
}

nb::tuple turned(nb::handle self, nb::handle argument) {
    const int move = move_number(self.ptr(), argument.ptr());
    const State& state = of(self.ptr());
    if (!is_legal(state, move)) raise_illegal(self.ptr(), argument);
    const MoveSpec spec = state.rules->rules.moves[move];
    std::vector<int> cells;
    if (spec.cell < 0) return tuple_of(cells);
    if (state.is_bits()) {
        const bit::Geometry& g = *state.rules->rules.bits;
        const std::uint64_t flips = bit::flipped(g, *state.rules->ops, state.bits, spec.cell);
        for (int cell = 0; cell < g.cells; ++cell) {
            if (flips & g.cell_bit(cell)) cells.push_back(cell);
        }
        return tuple_of(cells);
    }
    graph::Workspace& work = workspace(*state.rules);
    if (state.graph->phase == graph::Phase::kBomb) {
        graph::blast(state.rules->rules, *state.graph, spec.cell, work);
    } else if (graph::in_opening(state.rules->rules, *state.graph)) {
        return tuple_of(cells);
    } else {
        graph::trace(state.rules->rules, *state.graph, spec.cell, work);
    }
    cells.assign(work.cells.begin(), work.cells.end());
    std::sort(cells.begin(), cells.end());
    cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
    return tuple_of(cells);
}

std::uint64_t perft(const State& state, int depth) {
    if (depth < 0 || depth > 1000) throw nb::value_error("depth counts plies: a number from 0 to 1000");
    const GilRelease released;
    const InterruptCheck interrupt_check{check_signals};
    const Rules& rules = state.rules->rules;
    if (state.is_bits()) return state.rules->ops->perft(*rules.bits, state.bits, depth, interrupt_check);
    return graph::perft(rules, *state.graph, depth, interrupt_check);
}

// Long searches gain from a large transposition table.
std::size_t table_megabytes(const State& state) {
    const std::uint64_t stones = state.bits.own | state.bits.other;
    return std::popcount(state.rules->rules.bits->valid & ~stones) > 20 ? 256 : 4;
}

int solve(const State& state) {
    const Rules& rules = state.rules->rules;
    if (!state.is_bits() || (rules.bits->opening & ~(state.bits.own | state.bits.other))) {
        throw nb::value_error("only games of two seats with straight lines, on boards of squares that fit into 8x8 and on hexagons up to side 5, can be solved, when their opening is over");
    }
    const GilRelease released;
    const engine::Board board(rules, *state.rules->ops);
    engine::Search search(board, engine::Evaluation(board), {}, 1, table_megabytes(state) << 20, engine::kAllFeatures);
    return search.solve(state.bits, -rules.cells(), rules.cells(), InterruptCheck{check_signals})->value;
}

nb::object playout(nb::handle self, std::uint64_t seed) {
    nb::object end = copy_of(self.ptr());
    State& state = of(end.ptr());
    if (state.is_bits()) {
        state.rules->ops->play_out(*state.rules->rules.bits, &state.bits, 1, seed, 0);
    } else {
        Random random = Random::stream(seed, 0);
        std::vector<std::int32_t> numbers;
        graph::playout(state.rules->rules, *state.graph, random, workspace(*state.rules), numbers);
    }
    return end;
}

nb::object disqualify(nb::handle self, int seat) {
    const State& state = of(self.ptr());
    if (!state.rules->rules.has_phases()) throw nb::value_error("only XT games disqualify seats");
    if (seat < 1 || seat > state.rules->rules.seats) throw nb::value_error("there is no such seat");
    if (state.graph->out >> (seat - 1) & 1) throw nb::value_error("that seat is already disqualified");
    // The last one may be lost together with the one before it.
    if (state.graph->over() && state.graph->status != graph::Status::kOneSeatLeft) throw nb::value_error("the game is over");
    nb::object next = copy_of(self.ptr());
    State& after = of(next.ptr());
    graph::disqualify(after.rules->rules, *after.graph, seat - 1, workspace(*after.rules));
    return next;
}

bool equal(const State& a, const State& b) {
    if (a.rules != b.rules && !nb::handle(a.game).equal(nb::handle(b.game))) return false;
    if (a.is_bits() != b.is_bits()) return false;
    return a.is_bits() ? a.bits == b.bits : *a.graph == *b.graph;
}

std::size_t hash(const State& state) {
    if (!state.is_bits()) return state.graph->hash();
    Random mixer(state.bits.own ^ std::rotl(state.bits.other * 0x9e3779b97f4a7c15u, 31));
    return mixer.next() + state.bits.turn + 2u * state.bits.passes;
}

}  // namespace

void bind_state(nb::module_& module) {
    using namespace nb::literals;
    nb::class_<State> cls(module, "State", nb::type_slots(state_slots), nb::pooled(256), "A position of a game in the core.");
    move_type = reinterpret_cast<PyTypeObject*>(nb::type<Move>().ptr());
    cls.def_prop_ro("game", [](const State& self) { return nb::borrow(self.game); }, "The game this is a position of.")
        .def_prop_ro("turn", [](const State& self) {
            return self.is_over() ? 0 : 1 + (self.is_bits() ? self.bits.turn : self.graph->turn);
        }, "The seat to move, from 1; 0 when the game is over.")
        .def_prop_ro("next_seat", [](const State& self) { return 1 + (self.is_bits() ? self.bits.turn : self.graph->turn); },
                     "The seat whose turn the position line names, also when the game is over.")
        .def_prop_ro("is_over", &State::is_over, "Whether the game has ended.")
        .def_prop_ro("ending", [](const State& self) { return ending(self); }, nb::sig("def ending(self, /) -> str | None"),
                     "Why the game ended, in a word or two, or None.")
        .def_prop_ro("tiles", &tiles, "What lies on each cell, in board order.")
        .def_prop_ro("scores", &scores, "The stones of each seat.")
        .def_prop_ro("passes", [](const State& self) -> int { return self.is_bits() ? self.bits.passes : self.graph->passes; },
                     "How many passes in a row led here, in games with free passes.")
        .def_prop_ro("phase", [](const State& self) {
            return self.graph && self.graph->phase == graph::Phase::kBomb ? "bomb" : "build";
        }, "`build`, or `bomb` in the second phase of XT.")
        .def_prop_ro("overrides", [](const State& self) { return stock(self, &graph::Position::overrides); }, "XT: the override stones of each seat.")
        .def_prop_ro("bombs", [](const State& self) { return stock(self, &graph::Position::bombs); }, "XT: the bombs of each seat.")
        .def_prop_ro("out", [](const State& self) {
            std::vector<int> seats;
            for (int seat = 0; self.graph && seat < self.rules->rules.seats; ++seat) {
                if (self.graph->out >> seat & 1) seats.push_back(seat + 1);
            }
            return tuple_of(seats);
        }, "XT: the disqualified seats.")
        .def_prop_ro("last", [](const State& self) {
            return self.graph && self.graph->last != kMaxSeats ? self.graph->last + 1 : 0;
        }, "XT: the seat that moved last, 0 at the start.")
        .def("is_legal", [](nb::handle self, nb::handle move) { return is_legal(of(self.ptr()), move_number(self.ptr(), move.ptr())); }, "move"_a.none(),
             "Whether a move may be played here.")
        .def("as_move", [](nb::handle self, nb::handle move) {
            return of(self.ptr()).rules->moves[static_cast<std::size_t>(move_number(self.ptr(), move.ptr()))];
        }, "move"_a.none(), "The argument as a Move: text is parsed, and the special value of a bomb, which has no meaning, becomes 0.")
        .def("turned", &turned, "move"_a.none(), "The cells that a legal move flips, or that a bomb destroys.")
        .def("perft", &perft, "depth"_a, "The number of leaves of the game tree at that depth.")
        .def("solve", &solve,
             "The exact difference in stones for the seat to move with best play, positive when it wins.\n\n"
             "Empty cells count for nobody. Only for two seats and forced passes, and meant for small boards.\n\n"
             ">>> import polyversi as pv\n"
             ">>> pv.game('othello-4').start().solve()\n"
             "-8\n")
        .def("playout", &playout, "seed"_a = 0, "A finished game reached by random moves.")
        .def("disqualify", &disqualify, "seat"_a, "XT: the state after that seat is taken out of the game.")
        .def("__eq__", &equal, nb::is_operator())
        .def("__hash__", &hash);
}

}  // namespace polyversi::bindings
