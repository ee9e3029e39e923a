// The engine from Python.
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <mutex>

#include "bindings/bindings.hpp"
#include "engine/selfplay.hpp"
#include "engine/solver.hpp"

namespace polyversi::bindings {
namespace {

template <class T>
using Array = nb::ndarray<const T, nb::c_contig, nb::device::cpu>;

template <class T, class... Sizes>
nb::object handed_over(std::unique_ptr<std::vector<T>> data, Sizes... sizes) {
    T* const first = data->data();
    nb::capsule owner(data.release(), [](void* pointer) noexcept { delete static_cast<std::vector<T>*>(pointer); });
    return nb::cast(nb::ndarray<nb::numpy, T>(first, {static_cast<std::size_t>(sizes)...}, owner));
}

// The plan of a game's board, with the game it belongs to.
struct Ground {
    explicit Ground(const State& state) : game(nb::borrow(state.game)), rules(*state.rules), plan(planned(state)) {}

    static engine::Plan planned(const State& state) {
        const Rules& rules = state.rules->rules;
        if (!state.is_bits() || rules.bits->free_pass || !rules.opening.empty()) {
            throw nb::value_error("only two-seat games on small boards with forced passes can be solved");
        }
        return {rules, *state.rules->ops};
    }

    void check(const State& state) const {
        if (state.rules != &rules) throw nb::value_error("this was made for another game");
    }

    nb::object game;  // keeps the rules
    const PyRules& rules;
    engine::Plan plan;
};

class Evaluation : Ground {
  public:
    Evaluation(const State& state, const std::vector<std::pair<std::vector<int>, std::uint32_t>>& patterns, int phases,
               Array<std::int16_t> weights)
        : Ground(state), learned_(plan, with_bits(patterns), phases, {weights.data(), weights.data() + weights.size()}) {}

    const engine::Evaluation& learned() const { return learned_; }
    using Ground::check;

    double value(const State& state) const {
        check(state);
        return static_cast<double>(learned_.value(state.bits.own, state.bits.other)) / engine::kStone;
    }

    nb::object contents(Array<std::uint64_t> own, Array<std::uint64_t> other) const {
        if (own.size() != other.size()) throw nb::value_error("there must be as many words of the one as of the other");
        auto found = std::make_unique<std::vector<std::uint32_t>>(own.size() * learned_.patterns());
        for (std::size_t i = 0; i < own.size(); ++i) {
            learned_.contents(own.data()[i], other.data()[i], found->data() + i * learned_.patterns());
        }
        return handed_over(std::move(found), own.size(), learned_.patterns());
    }

  private:
    std::vector<engine::Evaluation::Pattern> with_bits(const std::vector<std::pair<std::vector<int>, std::uint32_t>>& patterns) const {
        std::vector<engine::Evaluation::Pattern> found;
        for (const auto& [cells, first] : patterns) {
            found.push_back({{}, first});
            for (const int cell : cells) {
                if (cell < 0 || cell >= plan.cells) throw nb::value_error("a pattern has a cell that is not on the board");
                found.back().bits.push_back(plan.geometry.bit_of_cell[static_cast<std::size_t>(cell)]);
            }
        }
        return found;
    }

    engine::Evaluation learned_;
};

// The evaluation that was learned, or else the rule of thumb.
engine::Evaluation evaluation_or_thumb(const State& state, const Evaluation* evaluation, const engine::Plan& plan) {
    if (!evaluation) return engine::Evaluation(plan);
    evaluation->check(state);
    return evaluation->learned().on(plan);
}

nb::tuple self_play(const State& state, const Evaluation* evaluation, std::uint64_t seed, int games, int least_random, int most_random,
                    int depth, int exact, int last) {
    if (least_random < 0 || most_random < least_random || depth < 1 || last < 0 || exact > 16) throw nb::value_error("no such games");
    const Ground ground(state);
    auto own = std::make_unique<std::vector<std::uint64_t>>(), other = std::make_unique<std::vector<std::uint64_t>>();
    auto value = std::make_unique<std::vector<std::int8_t>>();
    {
        nb::gil_scoped_release release;
        const engine::Evaluation used = evaluation_or_thumb(state, evaluation, ground.plan);
        engine::Shallow shallow(ground.plan, used);
        engine::EndingMemory memory(ground.plan);
        std::vector<engine::Example> examples;
        for (int game = 0; game < games; ++game) {
            Random random = Random::stream(seed, static_cast<std::uint64_t>(game));
            engine::play_game(ground.plan, state.bits, shallow, memory, {least_random, most_random, depth, exact, last}, random, examples);
            if (game % 64 == 0) let_signals_through();
        }
        for (const engine::Example& example : examples) {
            own->push_back(example.own);
            other->push_back(example.other);
            value->push_back(example.value);
        }
    }
    const std::size_t count = own->size();
    return nb::make_tuple(handed_over(std::move(own), count), handed_over(std::move(other), count), handed_over(std::move(value), count));
}

class Solver : Ground {
  public:
    Solver(const State& state, int threads, std::size_t megabytes, const Evaluation* evaluation) : Ground(state) {
        if (threads < 1 || threads > 256) throw nb::value_error("threads go from 1 to 256");
        if (megabytes < 1 || megabytes > (1u << 20)) throw nb::value_error("a table has 1 to 1048576 MB");
        solver_ = std::make_unique<engine::Solver>(plan, evaluation_or_thumb(state, evaluation, plan), threads, megabytes << 20);
    }

    nb::object solve(const State& state, int low, int high) {
        check(state);
        const std::optional<engine::Solution> solution = [&] {
            nb::gil_scoped_release release;
            const std::lock_guard lock(mutex_);
            return solver_->solve(state.bits.own, state.bits.other, low, high, Watch{let_signals_through});
        }();
        if (!solution) return nb::none();
        nb::list line;
        for (const int bit : solution->line) line.append(rules.moves[static_cast<std::size_t>(move_index(bit))]);
        return nb::make_tuple(solution->value, line);
    }

    void stop() { solver_->stop(); }
    std::uint64_t nodes() const { return solver_->nodes(); }

  private:
    int move_index(int bit) const {
        const MoveTable& table = rules.rules.moves;
        return bit == engine::kPass ? table.pass() : table.first(plan.geometry.cell_of_bit[static_cast<std::size_t>(bit)]);
    }

    std::unique_ptr<engine::Solver> solver_;
    std::mutex mutex_;
};

}  // namespace

void bind_engine(nb::module_& module) {
    using namespace nb::literals;
    nb::class_<Evaluation>(module, "LearnedEvaluation", "What positions of one game are worth by learned weights.")
        .def(nb::init<const State&, const std::vector<std::pair<std::vector<int>, std::uint32_t>>&, int, Array<std::int16_t>>(), "state"_a,
             "patterns"_a, "phases"_a, "weights"_a)
        .def("value", &Evaluation::value, "state"_a, "What the seat to move may expect, in stones.")
        .def("contents", &Evaluation::contents, "own"_a, "other"_a, "For each position what lies in each pattern.");
    module.def("self_play", &self_play, "state"_a, "evaluation"_a.none(), "seed"_a, "games"_a, "least_random"_a, "most_random"_a, "depth"_a,
               "exact"_a, "last"_a, "Positions of games against itself and what became of them: own stones, other stones, values.");
    nb::class_<Solver>(module, "Solver", "Exact values of one game's positions, by several threads over one table.")
        .def(nb::init<const State&, int, std::size_t, const Evaluation*>(), "state"_a, "threads"_a, "megabytes"_a, "evaluation"_a.none())
        .def("solve", &Solver::solve, "state"_a, "low"_a, "high"_a,
             "The value for the seat to move within bounds and moves that reach it; None when it was stopped.")
        .def("stop", &Solver::stop, "Ends the search that is going on in another thread, and every later one.")
        .def_prop_ro("nodes", &Solver::nodes, "Positions looked at so far, also while a search goes on.");
}

}  // namespace polyversi::bindings
