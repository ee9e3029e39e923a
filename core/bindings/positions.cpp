// Properties of positions that the bindings need outside the tight loops.
#include <memory>

#include "bindings/bindings.hpp"
#include "bit/play.hpp"

namespace polyversi::bindings {

std::uint64_t State::bit_moves() const { return bit::legal(*rules->rules.bits, *rules->ops, bits); }
bool State::is_over() const { return is_bits() ? bit::is_over(*rules->rules.bits, *rules->ops, bits) : graph->over(); }

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
        case graph::Status::kNoSeatLeft: return "no seat left";
        case graph::Status::kPlaying:
        case graph::Status::kMustPass: break;
    }
    return nullptr;
}

void check_signals() {
    const GilAcquire acquired;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

PyTypeObject* state_class(nb::handle type) {
    auto* wanted = reinterpret_cast<PyTypeObject*>(type.ptr());
    auto* base = reinterpret_cast<PyTypeObject*>(nb::type<State>().ptr());
    if (!PyType_Check(type.ptr()) || !PyType_IsSubtype(wanted, base)) throw nb::type_error("the type must be a subclass of State");
    return wanted;
}

namespace {

// Never destroyed: Python has already shut down by then.
nb::object& explainers() {
    static auto* kept = new nb::object();
    return *kept;
}

}  // namespace

void set_explainers(nb::object object) { explainers() = std::move(object); }

void raise_explained(const char* explainer, nb::tuple arguments) {
    nb::object error = explainers().attr(explainer)(*arguments);
    PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(error.ptr())), error.ptr());
    throw nb::python_error();
}

}  // namespace polyversi::bindings
