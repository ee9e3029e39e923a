#include "bindings/bindings.hpp"

NB_MODULE(_core, module) {
    // Games are cached until the interpreter ends, which nanobind would report as a leak.
    nanobind::set_leak_warnings(false);
    module.doc() = "The rules core of Polyversi: positions, moves, counting, playing out and searching.";
    module.def("set_explainers", &polyversi::bindings::set_explainers, "Sets the functions that explain why a move is illegal.");
    polyversi::bindings::bind_move(module);
    polyversi::bindings::bind_rules(module);
    polyversi::bindings::bind_state(module);
    polyversi::bindings::bind_construction(module);
    polyversi::bindings::bind_batch(module);
    polyversi::bindings::bind_minimax(module);
    polyversi::bindings::bind_xt(module);
    polyversi::bindings::bind_engine(module);
}
