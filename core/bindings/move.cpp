#include <nanobind/operators.h>
#include <nanobind/stl/string.h>

#include <functional>

#include "bindings/bindings.hpp"

namespace polyversi::bindings {

void bind_move(nb::module_& module) {
    using namespace nb::literals;
    nb::class_<Move>(module, "Move", nb::is_final(),
                     "A move of a game, as `state.moves` lists them and `game.move(text)` reads them.\n\n"
                     ">>> import polyversi as pv\n"
                     ">>> move = pv.game('othello').move('f5')\n"
                     ">>> move, str(move), move.cell, move.is_pass\n"
                     "(Move('f5'), 'f5', 37, False)\n")
        .def("__init__",
             [](Move* self, std::string text, std::int32_t index, std::int32_t cell, std::int16_t special) {
                 new (self) Move{std::move(text), index, {cell, special}};
             },
             "text"_a, "index"_a, "cell"_a, "special"_a = 0)
        .def_prop_ro("cell", [](const Move& move) { return static_cast<int>(move.spec.cell); },
                     "The cell it is played on, counted from 0 in board order; -1 for a pass.")
        .def_prop_ro("special", [](const Move& move) { return static_cast<int>(move.spec.special); },
                     "XT: the seat of a choice, 20 or 21 for a bonus; otherwise 0.")
        .def_prop_ro("index", [](const Move& move) { return move.index; },
                     "Its number among all moves of the game, the pass last: the action number of batches.")
        .def_prop_ro("is_pass", [](const Move& move) { return move.spec.cell < 0; }, "Whether it is the pass.")
        .def("__str__", [](const Move& move) { return move.text; })
        .def("__repr__", [](const Move& move) { return "Move('" + move.text + "')"; })
        .def("__eq__",
             [](const Move& a, const Move& b) {
                 return a.index == b.index && a.spec.cell == b.spec.cell && a.spec.special == b.spec.special && a.text == b.text;
             },
             nb::is_operator())
        .def("__hash__", [](const Move& move) { return std::hash<std::string>{}(move.text); })
        .def("__reduce__", [](nb::handle self) {
            const Move& move = nb::cast<const Move&>(self);
            return nb::make_tuple(self.type(), nb::make_tuple(move.text, move.index, move.spec.cell, move.spec.special));
        });
}

}  // namespace polyversi::bindings
