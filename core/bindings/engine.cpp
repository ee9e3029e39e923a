// The engine from Python.
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <mutex>

#include "bindings/bindings.hpp"
#include "engine/selfplay.hpp"
#include "engine/search.hpp"

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
        if (!state.is_bits()) throw nb::value_error("only games of two seats with straight lines, on boards of squares that fit into 8x8 and on hexagons up to side 5, can be searched");
        return {state.rules->rules, *state.rules->ops};
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
               Array<std::int16_t> weights, const std::vector<float>& doubt)
        : Ground(state), learned_(plan, with_bits(patterns), phases, {weights.data(), weights.data() + weights.size()}) {
        if (doubt.empty()) return;
        if (doubt.size() != doubt_.of.size()) throw nb::value_error("doubt has another number of numbers");
        std::copy(doubt.begin(), doubt.end(), doubt_.of.begin());
    }

    const engine::Evaluation& learned() const { return learned_; }
    const engine::Doubt& doubt() const { return doubt_; }
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
    engine::Doubt doubt_;
};

// The evaluation that was learned, or else the rule of thumb.
engine::Evaluation evaluation_or_thumb(const State& state, const Evaluation* evaluation, const engine::Plan& plan) {
    if (!evaluation) return engine::Evaluation(plan);
    evaluation->check(state);
    return evaluation->learned().on(plan);
}

nb::tuple self_play(const State& state, const Evaluation* evaluation, std::uint64_t seed, int games, int least_random, int most_random,
                    int depth, int exact, int last, float later) {
    if (least_random < 0 || most_random < least_random || depth < 1 || last < 0 || exact > 16 || later < 0 || later > 1) throw nb::value_error("no such games");
    const Ground ground(state);
    auto own = std::make_unique<std::vector<std::uint64_t>>(), other = std::make_unique<std::vector<std::uint64_t>>();
    auto value = std::make_unique<std::vector<std::int8_t>>();
    {
        const Unlocked unlocked;
        const engine::Evaluation used = evaluation_or_thumb(state, evaluation, ground.plan);
        engine::Shallow shallow(ground.plan, used);
        engine::EndingMemory memory(ground.plan);
        std::vector<engine::Example> examples;
        for (int game = 0; game < games; ++game) {
            Random random = Random::stream(seed, static_cast<std::uint64_t>(game));
            engine::play_game(ground.plan, state.bits, shallow, memory, {least_random, most_random, depth, exact, last, later}, random, examples);
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

class Search : Ground {
    // One search at a time, with the interpreter free meanwhile.
    template <class Work>
    auto alone(const State& state, Work work) {
        check(state);
        if (plan.geometry.opening & ~(state.bits.own | state.bits.other)) throw nb::value_error("the opening is not over");
        const Unlocked unlocked;
        const std::lock_guard lock(mutex_);
        return work();
    }

  public:
    Search(const State& state, int threads, std::size_t megabytes, const Evaluation* evaluation, std::uint32_t features) : Ground(state) {
        if (threads < 1 || threads > 256) throw nb::value_error("threads go from 1 to 256");
        if (megabytes < 1 || megabytes > (1u << 20)) throw nb::value_error("a table has 1 to 1048576 MB");
        search_ = std::make_unique<engine::Search>(plan, evaluation_or_thumb(state, evaluation, plan),
                                                   evaluation ? evaluation->doubt() : engine::Doubt{}, threads, megabytes << 20, features);
    }

    nb::object solve(const State& state, int low, int high) {
        const auto solution = alone(state, [&] { return search_->solve(state.bits, low, high, watch_); });
        if (!solution) return nb::none();
        return nb::make_tuple(solution->value, moves(solution->line));
    }

    nb::object best(const State& state, int depth, int trust, std::optional<double> seconds, std::optional<std::uint64_t> nodes) {
        const engine::Aim aim = aimed(depth, trust);
        const auto choice = alone(state, [&] { return search_->best(state.bits, aim, bounds(seconds, nodes), watch_); });
        return told(choice);
    }

    nb::list all(const State& state, int depth, int trust, std::optional<double> seconds, std::optional<std::uint64_t> nodes) {
        const engine::Aim aim = aimed(depth, trust);
        nb::list list;
        for (const engine::Choice& choice : alone(state, [&] { return search_->all(state.bits, aim, bounds(seconds, nodes), watch_); })) {
            list.append(told(choice));
        }
        return list;
    }

    nb::list line(const State& state, int value, std::optional<double> seconds, std::uint64_t nodes) {
        return moves(alone(state, [&] { return search_->line(state.bits, value, bounds(seconds, nodes), watch_); }));
    }

    void stop() { search_->stop(); }
    void go_on() { search_->go_on(); }
    std::uint64_t nodes() const { return search_->nodes(); }
    bool was_broken_off() const { return search_->was_broken_off(); }

  private:
    static engine::Aim aimed(int depth, int trust) {
        if (depth < 1 || trust < 0 || trust > engine::kMostTrust) throw nb::value_error("a search looks at least one ply ahead, with trust 0 to 5");
        return {depth, trust};
    }

    static engine::Bounds bounds(std::optional<double> seconds, std::optional<std::uint64_t> nodes) {
        using Clock = std::chrono::steady_clock;
        engine::Bounds found;
        if (seconds) found.end = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(std::clamp(*seconds, 0.0, 1e9)));
        if (nodes) found.nodes = *nodes;
        return found;
    }

    nb::object told(const engine::Choice& choice) const {
        if (!choice.is_known) return nb::none();
        return nb::make_tuple(rules.moves[static_cast<std::size_t>(move_index(choice.cell))], choice.solution.value, moves(choice.solution.line));
    }

    nb::list moves(const std::vector<int>& line) const {
        nb::list found;
        for (const int bit : line) found.append(rules.moves[static_cast<std::size_t>(move_index(bit))]);
        return found;
    }

    int move_index(int bit) const {
        const MoveTable& table = rules.rules.moves;
        return bit == engine::kPass ? table.pass() : table.first(plan.geometry.cell_of_bit[static_cast<std::size_t>(bit)]);
    }

    const Watch watch_{let_signals_through};
    std::unique_ptr<engine::Search> search_;
    std::mutex mutex_;
};

}  // namespace

void bind_engine(nb::module_& module) {
    using namespace nb::literals;
    nb::class_<Evaluation>(module, "LearnedEvaluation", "What positions of one game are worth by learned weights.")
        .def(nb::init<const State&, const std::vector<std::pair<std::vector<int>, std::uint32_t>>&, int, Array<std::int16_t>,
                      const std::vector<float>&>(),
             "state"_a, "patterns"_a, "phases"_a, "weights"_a, "doubt"_a = std::vector<float>{})
        .def("value", &Evaluation::value, "state"_a, "What the seat to move may expect, in stones.")
        .def("contents", &Evaluation::contents, "own"_a, "other"_a, "For each position what lies in each pattern.");
    module.def("self_play", &self_play, "state"_a, "evaluation"_a.none(), "seed"_a, "games"_a, "least_random"_a, "most_random"_a, "depth"_a,
               "exact"_a, "last"_a, "later"_a, "Positions of games against itself and what became of them: own stones, other stones, values.");
    module.def("doubt_features", [](int shallow, int depth, int empties) {
        if (shallow < 0 || depth <= shallow || empties < 0) throw nb::value_error("a deep search looks further than a shallow one");
        const auto like = engine::Doubt::features(shallow, depth, empties);
        return std::vector<float>(like.begin(), like.end());
    }, "shallow"_a, "depth"_a, "empties"_a, "What two searches are like, for the numbers that say how far they differ.");
    module.attr("TRUST") = nb::cast(std::vector<int>(engine::kTrustInPercent.begin(), engine::kTrustInPercent.end()));
    nb::class_<Search>(module, "Search", "What positions of one game are worth, by several threads over one table.")
        .def(nb::init<const State&, int, std::size_t, const Evaluation*, std::uint32_t>(), "state"_a, "threads"_a, "megabytes"_a,
             "evaluation"_a.none(), "features"_a = static_cast<std::uint32_t>(engine::kAllFeatures))
        .def("solve", &Search::solve, "state"_a, "low"_a, "high"_a,
             "The exact value for the seat to move within bounds and moves that reach it; None when it was stopped.")
        .def("best", &Search::best, "state"_a, "depth"_a, "trust"_a, "seconds"_a.none(), "nodes"_a.none(),
             "The best move, its value and a line, or None when nothing was found in time.")
        .def("all", &Search::all, "state"_a, "depth"_a, "trust"_a, "seconds"_a.none(), "nodes"_a.none(),
             "Every move with its value and a line, the best first; None for each that was not reached.")
        .def("line", &Search::line, "state"_a, "value"_a, "seconds"_a.none(), "nodes"_a,
             "Moves with which both sides reach an exact value, as far as they are found in time and with so many nodes.")
        .def("stop", &Search::stop, "Ends the search that is going on in another thread, and every later one until `go_on`.")
        .def("go_on", &Search::go_on, "Lets later searches go on after a stop.")
        .def_prop_ro("was_broken_off", &Search::was_broken_off, "Whether the last search did not come to its end.")
        .def_prop_ro("nodes", &Search::nodes, "Positions looked at so far, also while a search goes on.");
}

}  // namespace polyversi::bindings
