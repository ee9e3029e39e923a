#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>

#include "bindings/bindings.hpp"

namespace polyversi::bindings {
namespace {

template <class Enum>
Enum chosen(const std::string& word, std::initializer_list<std::pair<const char*, Enum>> options, const char* what) {
    for (const auto& [name, value] : options) {
        if (word == name) return value;
    }
    throw std::invalid_argument(std::string("unknown ") + what + ": " + word);
}

std::span<const bit::Ops* const> ops_of(const Rules& rules) {
    if (!rules.bits) return {};
    return rules.bits->kind == bit::Geometry::Kind::kGrid ? bit::grid_ops() : bit::hexagon_ops();
}

// The kernel with that name, or the fastest without a name.
const bit::Ops& named_ops(const Rules& rules, const std::string& name) {
    if (!rules.bits) throw std::invalid_argument("this game has no bit positions");
    if (name.empty()) return *ops_of(rules).back();
    for (const bit::Ops* ops : ops_of(rules)) {
        if (name == ops->name) return *ops;
    }
    throw std::invalid_argument("this machine has no kernel with that name");
}

}  // namespace

PyRules::PyRules(Rules data, const std::vector<std::string>& names, const std::string& kernel) : rules(std::move(data)) {
    if (kernel != "graph" && (rules.bits || !kernel.empty())) ops = &named_ops(rules, kernel);
    for (int index = 0; index < rules.moves.size(); ++index) {
        const MoveSpec spec = rules.moves[index];
        std::string text = spec.cell < 0 ? "pass" : names[static_cast<std::size_t>(spec.cell)];
        if (spec.special) text.append(1, ':').append(std::to_string(spec.special));
        moves.push_back(nb::cast(Move{std::move(text), index, spec}));
    }
}

void bind_rules(nb::module_& module) {
    using namespace nb::literals;
    nb::class_<PyRules>(module, "Rules", "The rules of one game, made from its definition.")
        .def("__init__",
             [](PyRules* self, int directions, std::vector<std::pair<int, int>> coordinates, std::vector<std::int32_t> steps,
                std::vector<std::string> names, std::vector<std::uint8_t> start, int seats, bool fewest_wins,
                const std::string& empties, const std::string& passing, const std::string& placing, std::vector<Cell> opening, int overrides,
                int bombs, int radius, const std::string& kernel) {
                 Rules rules;
                 rules.board = {directions, std::move(coordinates), std::move(steps)};
                 if (names.size() != rules.board.coordinates.size()) throw std::invalid_argument("every cell needs a name");
                 rules.start = std::move(start);
                 rules.seats = seats;
                 rules.fewest_wins = fewest_wins;
                 rules.empties_to_winner = chosen<bool>(empties, {{"nobody", false}, {"winner", true}}, "way of scoring empty cells");
                 rules.passing = chosen<Passing>(
                     passing, {{"forced", Passing::kForced}, {"free", Passing::kFree}, {"skip", Passing::kSkip}}, "way of passing");
                 rules.placing = chosen<Placing>(placing, {{"capture", Placing::kCapture}, {"adjacent", Placing::kAdjacent}}, "way of placing");
                 rules.opening = std::move(opening);
                 rules.overrides = overrides;
                 rules.bombs = bombs;
                 rules.radius = radius;
                 rules.prepare(kernel != "graph");
                 new (self) PyRules(std::move(rules), names, kernel);
             },
             nb::kw_only(), "directions"_a, "coordinates"_a, "steps"_a, "names"_a, "start"_a, "seats"_a, "fewest_wins"_a, "empties"_a,
             "passing"_a, "placing"_a, "opening"_a, "overrides"_a, "bombs"_a, "radius"_a, "kernel"_a = "")
        .def_prop_ro("actions", [](const PyRules& self) { return self.rules.moves.size(); },
                     "How many different moves the game has, the pass included: the size of its action space.")
        .def("action", [](const PyRules& self, int index) -> nb::object {
                 if (index < 0 || index >= self.rules.moves.size()) throw nb::index_error("there is no move with that number");
                 return self.moves[static_cast<std::size_t>(index)];
             },
             "index"_a, "The move with that number.")
        .def("first_action", [](const PyRules& self, int cell) {
                 if (cell < 0 || cell >= self.rules.cells()) throw nb::index_error("there is no cell with that number");
                 return std::pair(self.rules.moves.first(cell), self.rules.moves.plain(cell));
             },
             "cell"_a, "The numbers of the first and the last move on a cell.")
        .def_prop_ro("kernel", [](const PyRules& self) { return self.ops ? self.ops->name : "graph"; },
                     "The kernel that plays the game: `graph`, or the instruction set that bit positions are compiled for.");

    module.def("kernels", [](const PyRules& rules) {
        std::vector<std::string> names;
        for (const bit::Ops* ops : ops_of(rules.rules)) names.emplace_back(ops->name);
        return names;
    }, "The kernels that can play a game on this machine, the fastest last.");
    module.def("kernel_moves", [](const PyRules& rules, const std::string& name, std::uint64_t own, std::uint64_t other) {
        return named_ops(rules.rules, name).moves(*rules.rules.bits, own, other);
    });
    module.def("kernel_flips", [](const PyRules& rules, const std::string& name, int bit, std::uint64_t own, std::uint64_t other) {
        if (bit < 0 || bit > 63) throw nb::index_error("bits are numbered 0 to 63");
        return named_ops(rules.rules, name).flips(*rules.rules.bits, bit, own, other);
    });
    module.def("kernel_perft", [](const PyRules& rules, const std::string& name, std::uint64_t own, std::uint64_t other, int depth) {
        const bit::Ops& ops = named_ops(rules.rules, name);
        if (depth < 0 || depth > 1000) throw nb::value_error("depth counts plies: a number from 0 to 1000");
        const GilRelease released;
        return ops.perft(*rules.rules.bits, {own, other, 0, 0}, depth, InterruptCheck{check_signals});
    });
    module.def("cell_bits", [](const PyRules& rules) {
        std::vector<int> bits;
        if (rules.rules.bits) {
            for (int cell = 0; cell < rules.rules.cells(); ++cell) {
                bits.push_back(rules.rules.bits->bit_of_cell[static_cast<std::size_t>(cell)]);
            }
        }
        return bits;
    }, "The bit that stands for each cell in bit positions.");
}

}  // namespace polyversi::bindings
