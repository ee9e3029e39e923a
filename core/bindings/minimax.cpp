// The minimax search from Python, with an evaluation of the core or with one written in Python.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <functional>

#include "bindings/bindings.hpp"
#include "minimax/evaluations.hpp"
#include "minimax/search.hpp"

namespace polyversi::bindings {
namespace {

// An evaluation as Python sees it: how to make one for the rules of any game it is asked about.
struct PyEvaluation {
    std::function<std::unique_ptr<minimax::WeightedSum>(const Rules&)> for_rules;
};

graph::Position graph_position(const State& state) {
    if (!state.is_bits()) return *state.graph;
    const Rules& rules = state.rules->rules;
    const bit::Position& bits = state.bits;
    std::vector<std::uint8_t> tiles(static_cast<std::size_t>(rules.cells()));
    for (int cell = 0; cell < rules.cells(); ++cell) {
        const std::uint64_t here = rules.bits->cell_bit(cell);
        const int stone = bits.own & here ? bits.turn + 1 : bits.other & here ? 2 - bits.turn : 0;
        tiles[static_cast<std::size_t>(cell)] = static_cast<std::uint8_t>(stone);
    }
    graph::Workspace& work = workspace(*state.rules);
    graph::Position position = graph::start(rules, tiles, work);
    position.passes = bits.passes;
    graph::settle(rules, position, bits.turn, work);
    return position;
}

bit::Position bit_position(const Rules& rules, const graph::Position& position) {
    bit::Position bits{0, 0, position.turn, position.passes};
    for (int cell = 0; cell < rules.cells(); ++cell) {
        const std::uint8_t here = position.tiles[static_cast<std::size_t>(cell)];
        if (here != kEmpty) (here - 1 == position.turn ? bits.own : bits.other) |= rules.bits->cell_bit(cell);
    }
    return bits;
}

// Calls a Python function with the state and the seat, counted from 1.
class PythonEvaluation final : public minimax::Evaluation {
  public:
    PythonEvaluation(nb::object function, nb::handle state) : function_(std::move(function)), state_(state) {}

    double value(const graph::Position& position, int seat, const graph::Workspace&) const override {
        const State& root = *nb::inst_ptr<State>(state_);
        const nb::handle type = state_.type(), game(root.game);
        const nb::object leaf = root.is_bits() ? make_state(type, game, bit_position(root.rules->rules, position))
                                               : make_state(type, game, position);
        const nb::object answer = function_(leaf, seat + 1);
        const double value = PyFloat_AsDouble(answer.ptr());
        if (PyErr_Occurred()) throw nb::python_error();
        if (!(std::abs(value) < minimax::kWinValue)) {
            throw nb::value_error("an evaluation must be a number between -1e9 and 1e9: a won game counts for more");
        }
        return value;
    }

  private:
    nb::object function_;
    nb::handle state_;
};

// Evaluates a state with an evaluation of the core; `answer` picks what is returned.
template <class Answer>
auto evaluate(const PyEvaluation& self, const State& state, int seat, Answer answer) {
    if (seat < 1 || seat > state.rules->rules.seats) throw nb::value_error("there is no such seat");
    const Rules& rules = state.rules->rules;
    const auto evaluation = self.for_rules(rules);
    const graph::Position position = graph_position(state);
    graph::Workspace& work = workspace(*state.rules);
    graph::find_captures(rules, position, work);
    return answer(*evaluation, position, seat - 1, work);
}

nb::dict terms(const PyEvaluation& self, const State& state, int seat) {
    return evaluate(self, state, seat, [](const auto& evaluation, const auto& position, int counted_from_0, const auto& work) {
        const auto values = evaluation.measure(position, counted_from_0, work);
        nb::dict named;
        std::size_t at = 0;
        for (const auto& term : evaluation.terms()) named[term.name] = values[at++];
        return named;
    });
}

nb::tuple run_search(nb::handle_t<State> object, nb::object evaluation, int depth, std::optional<double> seconds,
                     std::optional<std::uint64_t> nodes, bool pruning, const std::string& order) {
    const State& state = *nb::inst_ptr<State>(object);
    if (state.is_over()) throw nb::value_error("the game is over: there is nothing to search");
    if (depth < 1 || depth > minimax::kMaxDepth) throw nb::value_error("depth counts plies: a number from 1 to 1000");
    if (!PyCallable_Check(evaluation.ptr())) throw nb::type_error("an evaluation is called with a state and a seat");
    if (order != "board" && order != "rings") throw nb::value_error("the order of the moves is 'board' or 'rings'");
    minimax::Limits limits;
    limits.depth = depth;
    if (nodes) limits.nodes = *nodes;
    if (seconds) {
        if (!(*seconds >= 0 && *seconds <= 1e9)) throw nb::value_error("seconds must be from 0 to 1e9");
        limits.deadline = minimax::Clock::now() + std::chrono::duration_cast<minimax::Clock::duration>(std::chrono::duration<double>(*seconds));
    }
    const Rules& rules = state.rules->rules;
    const graph::Position root = graph_position(state);
    const auto run = [&](const minimax::Evaluation& by) {
        return minimax::search(rules, root, by, limits, pruning, order == "rings" ? minimax::Order::kRings : minimax::Order::kBoard,
                              InterruptCheck{check_signals});
    };
    minimax::Result result;
    if (nb::isinstance<PyEvaluation>(evaluation)) {
        const auto native = nb::cast<const PyEvaluation&>(evaluation).for_rules(rules);
        const GilRelease released;
        result = run(*native);
    } else {
        result = run(PythonEvaluation(std::move(evaluation), object));
    }
    return nb::make_tuple(state.rules->moves[static_cast<std::size_t>(result.move)], result.value, result.nodes, result.depth);
}

}  // namespace

void bind_minimax(nb::module_& module) {
    using namespace nb::literals;
    nb::class_<PyEvaluation>(module, "Evaluation", nb::is_final(),
                             "An evaluation of the core: how good a state is for a seat, as a sum of weighted terms.")
        .def("__call__",
             [](const PyEvaluation& self, const State& state, int seat) {
                 return evaluate(self, state, seat, [](const auto& evaluation, const auto& position, int counted_from_0, const auto& work) {
                     return evaluation.value(position, counted_from_0, work);
                 });
             },
             "state"_a, "seat"_a, "The value of a state for a seat; the larger, the better.")
        .def("terms", &terms, "state"_a, "seat"_a, "The terms by name, without their weights.");
    module.def("six_factor_evaluation", [] { return PyEvaluation{minimax::six_factor}; }, "The six factors, for 8x8 and 6x6.");
    module.def("safety_evaluation", [] { return PyEvaluation{minimax::safety}; }, "Safe stones and corners, for any rectangle.");
    module.def("matrix_evaluation",
               [](std::vector<double> values, double gamma) {
                   return PyEvaluation{[values = std::move(values), gamma](const Rules& rules) {
                       return minimax::position_and_stability(rules, values, gamma);
                   }};
               },
               "values"_a, "gamma"_a, "Cell values and stable stones, for any rectangle where the fewest stones win.");
    module.def("search", &run_search, "state"_a, "evaluation"_a, "depth"_a, "seconds"_a.none(), "nodes"_a.none(), "pruning"_a,
               "order"_a, "The best move, its value, the nodes searched and the depth.");
}

}  // namespace polyversi::bindings
