// The objects that Python sees and what the binding files share.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <string>
#include <vector>

#include "bindings/gil.hpp"
#include "bit/ops.hpp"
#include "graph/position.hpp"
#include "rules/rules.hpp"

namespace polyversi::bindings {

namespace nb = nanobind;

// A move as Python sees it: a value of its own, equal to the same move of the same game wherever it came from.
struct Move {
    std::string text;
    std::int32_t index;
    MoveSpec spec;
};

// The rules together with one Python object for each of their moves, made once and then reused.
struct PyRules {
    Rules rules;
    const bit::Ops* ops = nullptr;  // set where bit positions serve the game
    std::vector<nb::object> moves;

    // The kernel: a processor's name, or nothing for the fastest.
    PyRules(Rules data, const std::vector<std::string>& names, const std::string& kernel);
};

// A position together with the Python game it belongs to.
struct State {
    State(PyObject* game_object, const PyRules& its_rules) : game(game_object), rules(&its_rules) { Py_INCREF(game); }
    ~State() { Py_DECREF(game); }
    State(const State&) = delete;
    State& operator=(const State&) = delete;

    bool is_bits() const { return rules->ops != nullptr; }
    std::uint64_t bit_moves() const;  // without passes
    bool is_over() const;

    PyObject* game;
    const PyRules* rules;
    bit::Position bits;
    std::unique_ptr<graph::Position> graph;
};

// A state of the given Python class, not yet filled in.
nb::object blank_state(PyTypeObject* type, PyObject* game, const PyRules& rules);
// A new state that holds a copy of the position.
nb::object make_state(nb::handle type, nb::handle game, const bit::Position& position);
nb::object make_state(nb::handle type, nb::handle game, const graph::Position& position);

// Scratch memory for boards of that size, kept by each thread for the size it used last.
graph::Workspace& workspace(const PyRules& rules);

// Why a finished game ended, or nullptr while it is running.
const char* ending(const State& state);

// The type, if it is a subclass of State; otherwise a TypeError.
PyTypeObject* state_class(nb::handle type);

// The Python layer explains why a move is illegal: it registers its functions here, and the core raises what they return.
void set_explainers(nb::object object);
[[noreturn]] void raise_explained(const char* explainer, nb::tuple arguments);

// Raises a pending KeyboardInterrupt while a loop runs with the GIL released.
void check_signals();

void bind_move(nb::module_& module);
void bind_rules(nb::module_& module);
void bind_state(nb::module_& module);
void bind_construction(nb::module_& module);
void bind_batch(nb::module_& module);
void bind_minimax(nb::module_& module);
void bind_xt(nb::module_& module);
void bind_engine(nb::module_& module);

}  // namespace polyversi::bindings
