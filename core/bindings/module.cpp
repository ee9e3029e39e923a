#include "bindings/bindings.hpp"

NB_MODULE(_core, module) {
    module.doc() = "The rules core of Polyversi: positions, moves, counting and playing out.";
    polyversi::bindings::bind_move(module);
    polyversi::bindings::bind_rules(module);
    polyversi::bindings::bind_state(module);
    polyversi::bindings::bind_construction(module);
    polyversi::bindings::bind_batch(module);
}
