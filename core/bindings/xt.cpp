// The search of Reversi XT from Python, also for other games of many seats and on large boards.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <cmath>

#include "bindings/bindings.hpp"
#include "bindings/turns.hpp"
#include "xt/bombing.hpp"
#include "xt/ending.hpp"
#include "xt/search.hpp"

namespace polyversi::bindings {
namespace {

xt::Method method_called(const std::string& name) {
    if (name == "tree") return xt::Method::kMcts;
    if (name == "best-reply") return xt::Method::kBestReply;
    if (name == "paranoid") return xt::Method::kParanoid;
    throw nb::value_error("the method is 'tree', 'best-reply' or 'paranoid'");
}

xt::Weights checked_weights(const std::vector<double>& given) {
    if (given.size() != xt::kWeights) throw nb::value_error("every weight needs a number");
    constexpr double kMostWeight = 1000;
    if (!std::all_of(given.begin(), given.end(), [](double weight) { return std::abs(weight) <= kMostWeight; })) {
        throw nb::value_error("a weight is a number from -1000 to 1000");
    }
    xt::Weights weights;
    std::copy(given.begin(), given.end(), weights.begin());
    return weights;
}

// The rules of a state, if they are those of Reversi XT.
const PyRules& xt_rules(const State& state) {
    const PyRules& found = *state.rules;
    if (state.is_bits() || !found.rules.has_phases() || found.rules.board.directions != xt::kDirections) {
        throw nb::value_error("this is for Reversi XT only, on boards of squares");
    }
    return found;
}

// The rules of a state, if the search can play by them: it takes a seat without a move as skipped, and knows no pass.
const PyRules& searchable_rules(const State& state) {
    const PyRules& found = *state.rules;
    if (state.is_bits() || found.rules.fewest_wins) throw nb::value_error("this search is for games for the most stones that the engine of two seats does not play");
    return found;
}

// A board of hexagons as one of squares with two directions that lead nowhere.
Rules with_eight_directions(const Rules& rules) {
    Rules found = rules;
    const int directions = rules.board.directions, axes = directions / 2;
    const auto widened = [&](int node) {
        const int direction = node % directions;
        return node / directions * xt::kDirections + direction % axes + (direction < axes ? 0 : xt::kAxes);
    };
    found.board.directions = xt::kDirections;
    found.board.steps.assign(static_cast<std::size_t>(rules.cells() * xt::kDirections), xt::kNone);
    for (int node = 0; node < rules.cells() * directions; ++node) {
        if (rules.step(node) >= 0) found.board.steps[static_cast<std::size_t>(widened(node))] = widened(rules.step(node));
    }
    return found;
}

// A search with its transposition table, for one game. Threads take turns.
class XtEngine {
  public:
    XtEngine(const State& state, const std::vector<double>& weights, const std::string& method, int table_bits)
        : game_(nb::borrow(state.game)), rules_(searchable_rules(state)) {
        if (table_bits < 1 || table_bits > 28) throw nb::value_error("table_bits must be from 1 to 28");
        if (rules_.rules.board.directions != xt::kDirections) widened_ = with_eight_directions(rules_.rules);
        const Rules& searched = widened_ ? *widened_ : rules_.rules;
        search_ = std::make_unique<xt::Search>(searched, checked_weights(weights), method_called(method), table_bits);
    }

    ~XtEngine() {
        if (!turns_.are_of_this_process()) static_cast<void>(search_.release());  // a thread may have been at work on it
    }

    nb::tuple think(const State& state, int depth, std::optional<double> seconds, std::optional<double> soft_seconds,
                    std::optional<std::uint64_t> nodes) {
        check_unfinished(state);
        xt::Limits limits = limited(depth, seconds, nodes);
        limits.soft_deadline = after(soft_seconds);
        const graph::Position& position = *state.graph;
        const xt::Result result = turns_.alone([&] {
            const InterruptCheck interrupt_check{check_signals};
            return position.phase == graph::Phase::kBomb ? xt::choose_target(rules_.rules, position, limits, interrupt_check)
                                                         : search_->think(position, limits, interrupt_check);
        });
        return nb::make_tuple(as_move(result.move), static_cast<double>(result.value) / xt::kPoint, result.nodes, result.depth);
    }

    nb::tuple expect(const State& state, int depth, std::optional<double> seconds, std::optional<std::uint64_t> nodes) {
        check_unfinished(state);
        const xt::Limits limits = limited(depth, seconds, nodes);
        const graph::Position& position = *state.graph;
        const xt::Result result = turns_.alone([&] {
            const InterruptCheck interrupt_check{check_signals};
            return position.phase == graph::Phase::kBomb ? xt::choose_target(rules_.rules, position, limits, interrupt_check)
                                                         : search_->expect(position, limits, interrupt_check);
        });
        nb::list line;
        for (const xt::Move& move : result.line) line.append(as_move(move));
        return nb::make_tuple(per_seat(result.points), line, result.nodes, result.depth, result.solved);
    }

    nb::object solve(const State& state, std::optional<double> seconds, std::optional<std::uint64_t> nodes) {
        check_unfinished(state);
        const xt::Limits limits = limited(xt::kMaxDepth, seconds, nodes);
        const xt::Ending ending = turns_.alone([&] { return xt::solve_ending(rules_.rules, *state.graph, limits, InterruptCheck{check_signals}); });
        nb::list line;
        for (const std::int32_t move : ending.line) line.append(rules_.moves[static_cast<std::size_t>(move)]);
        return nb::make_tuple(ending.solved ? nb::object(per_seat(ending.points)) : nb::none(), line, ending.nodes);
    }

    void stop() { stop_ = true; }
    void resume() { stop_ = false; }
    bool is_stopped() const { return stop_; }

    double evaluate(const State& state, int seat) {
        check_building(state);
        if (seat < 1 || seat > rules_.rules.seats) throw nb::value_error("there is no such seat");
        return static_cast<double>(turns_.alone([&] { return search_->evaluate(*state.graph, seat - 1); })) / xt::kPoint;
    }

    nb::dict measure(const State& state) {
        check_building(state);
        const auto found = turns_.alone([&] { return search_->measure(*state.graph); });
        const std::array names{"mobility", "stones"};
        nb::dict measured;
        for (std::size_t i = 0; i < names.size(); ++i) {
            nb::list seats;
            for (int seat = 0; seat < rules_.rules.seats; ++seat) seats.append(found[i][static_cast<std::size_t>(seat)]);
            measured[names[i]] = nb::tuple(seats);
        }
        return measured;
    }

    std::uint64_t perft(const State& state, int depth) {
        check_building(state);
        return turns_.alone([&] { return search_->perft(*state.graph, std::max(0, depth)); });
    }

  private:
    void check_building(const State& state) const {
        check(state);
        if (state.is_over() || state.graph->phase == graph::Phase::kBomb) throw nb::value_error("the building phase is over");
    }

    void check_unfinished(const State& state) const {
        check(state);
        if (state.is_over()) throw nb::value_error("the game is over: there is nothing to search");
        if (graph::in_opening(rules_.rules, *state.graph)) throw nb::value_error("the opening is not over");
    }

    void check(const State& state) const {
        if (state.rules != &rules_) throw nb::value_error("this engine was made for another game");
    }

    xt::Limits limited(int depth, std::optional<double> seconds, std::optional<std::uint64_t> nodes) const {
        xt::Limits limits;
        limits.depth = std::clamp(depth, 1, xt::kMaxDepth);
        if (nodes) limits.nodes = *nodes;
        limits.deadline = after(seconds);
        limits.stop = &stop_;
        return limits;
    }

    nb::tuple per_seat(const xt::Points& points) const {
        nb::list seats;
        for (int seat = 0; seat < rules_.rules.seats; ++seat) seats.append(points[static_cast<std::size_t>(seat)]);
        return nb::tuple(seats);
    }

    static std::optional<xt::Clock::time_point> after(std::optional<double> seconds) {
        if (!seconds) return std::nullopt;
        if (!(*seconds >= 0 && *seconds <= 1e9)) throw nb::value_error("seconds must be from 0 to 1e9");
        return xt::Clock::now() + std::chrono::duration_cast<xt::Clock::duration>(std::chrono::duration<double>(*seconds));
    }

    nb::object as_move(const xt::Move& move) const {
        const MoveTable& table = rules_.rules.moves;
        int index = table.first(move.cell);
        while (table[index].special != move.special) ++index;
        return rules_.moves[static_cast<std::size_t>(index)];
    }

    nb::object game_;  // keeps the rules
    const PyRules& rules_;
    std::optional<Rules> widened_;
    std::unique_ptr<xt::Search> search_;
    std::atomic<bool> stop_ = false;
    Turns turns_;
};

// Positions of one game, to be evaluated again and again with other weights.
class XtSample {
  public:
    explicit XtSample(const State& state) : game_(nb::borrow(state.game)), rules_(xt_rules(state)), data_(rules_.rules), mover_(data_) {}

    void add(const State& state) {
        if (state.rules != &rules_) throw nb::value_error("this position is of another game");
        if (state.is_over() || state.graph->phase == graph::Phase::kBomb) throw nb::value_error("the building phase is over");
        turns_.alone([&] { mover_.load(*state.graph, positions_.emplace_back(data_)); });
    }

    // The points that every seat may expect, position after position.
    std::vector<double> values(const std::vector<double>& given) {
        return turns_.alone([this, weights = checked_weights(given)] { return values_by(weights); });
    }

  private:
    std::vector<double> values_by(const xt::Weights& weights) {
        const xt::Evaluation evaluation(data_, weights);
        std::vector<double> points;
        for (xt::Position& position : positions_) {
            position.value = {};
            for (std::size_t cell = 0; cell < position.tiles.size(); ++cell) {
                const std::uint8_t tile = position.tiles[cell];
                if (is_stone(tile)) position.value[tile - 1u] += data_.cell_value[cell];
            }
            const xt::PerSeat values = evaluation.values(position);
            for (int seat = 0; seat < rules_.rules.seats; ++seat) points.push_back(static_cast<double>(values[static_cast<std::size_t>(seat)]) / xt::kPoint);
        }
        return points;
    }

    nb::object game_;  // keeps the rules
    const PyRules& rules_;
    xt::GameData data_;
    xt::MoveMaker mover_;
    std::vector<xt::Position> positions_;
    Turns turns_;
};

}  // namespace

void bind_xt(nb::module_& module) {
    using namespace nb::literals;
    std::vector<std::string> names(xt::kWeightNames.begin(), xt::kWeightNames.end());
    module.attr("XT_WEIGHTS") = nb::tuple(nb::cast(names));
    nb::class_<XtSample>(module, "XtSample", nb::is_final(), "Positions of one Reversi XT game, to fit weights to them.")
        .def(nb::init<const State&>(), "state"_a)
        .def("add", &XtSample::add, "state"_a, "Adds a position of the building phase.")
        .def("values", &XtSample::values, "weights"_a, "The points that every seat of every position may expect, in one list.");
    nb::class_<XtEngine>(module, "XtEngine", nb::is_final(), "The search of the Reversi XT player, for one game.")
        .def(nb::init<const State&, const std::vector<double>&, const std::string&, int>(), "state"_a, "weights"_a, "method"_a,
             "table_bits"_a)
        .def("think", &XtEngine::think, "state"_a, "depth"_a, "seconds"_a.none(), "soft_seconds"_a.none(), "nodes"_a.none(),
             "The best move, its value in points, the nodes searched and the depth.")
        .def("expect", &XtEngine::expect, "state"_a, "depth"_a, "seconds"_a.none(), "nodes"_a.none(),
             "The points that every seat may expect, the line of play, the nodes, the depth and whether all of it was searched to its end.")
        .def("solve", &XtEngine::solve, "state"_a, "seconds"_a.none(), "nodes"_a.none(),
             "The points of every seat after the best play to the end by the rules, or None where the limits are too low; the line and the nodes.")
        .def("stop", &XtEngine::stop, "Stops the search that runs in another thread, and every later one until `resume`.")
        .def("resume", &XtEngine::resume, "Lets later searches run again after a stop.")
        .def_prop_ro("is_stopped", &XtEngine::is_stopped, "Whether it has been stopped.")
        .def("measure", &XtEngine::measure, "state"_a, "Mobility and stones of every seat.")
        .def("perft", &XtEngine::perft, "state"_a, "depth"_a, "The number of leaves of the building phase at that depth.")
        .def("evaluate", &XtEngine::evaluate, "state"_a, "seat"_a, "The static evaluation for a seat, in points.");
}

}  // namespace polyversi::bindings
