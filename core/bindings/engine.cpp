// The engine from Python.
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <stdexcept>

#include "bindings/bindings.hpp"
#include "bindings/turns.hpp"
#include "engine/self_play.hpp"
#include "engine/search.hpp"

namespace polyversi::bindings {
namespace {

template <class T>
using Array = nb::ndarray<const T, nb::c_contig, nb::device::cpu>;

template <class Numbers>
auto span_of(const Numbers& numbers) {
    return std::span(numbers.data(), numbers.size());
}

template <class T, class... Sizes>
nb::object to_numpy(std::unique_ptr<std::vector<T>> data, Sizes... sizes) {
    T* const first = data->data();
    nb::capsule owner(data.release(), [](void* pointer) noexcept { delete static_cast<std::vector<T>*>(pointer); });
    return nb::cast(nb::ndarray<nb::numpy, T>(first, {static_cast<std::size_t>(sizes)...}, owner));
}

// A game with the board that the search has precomputed for it.
struct SearchedGame {
    explicit SearchedGame(const State& state) : game(nb::borrow(state.game)), rules(*state.rules), board(board_of(state)) {}

    static engine::Board board_of(const State& state) {
        if (!state.is_bits()) throw nb::value_error("only games of two seats with straight lines, on boards of squares that fit into 8x8 and on hexagons up to side 5, can be searched");
        return {state.rules->rules, *state.rules->ops};
    }

    void check(const State& state) const {
        if (state.rules != &rules) throw nb::value_error("this was made for another game");
    }

    nb::object game;  // keeps the rules
    const PyRules& rules;
    engine::Board board;
};

class Evaluation : SearchedGame {
  public:
    using Patterns = std::vector<std::pair<std::vector<int>, std::uint32_t>>;  // cells, and the index of the first configuration
    using Rows = nb::ndarray<const std::int16_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

    Evaluation(const State& state, const Patterns& patterns, std::vector<std::uint8_t> phase_of, Array<std::int16_t> weights, std::optional<Array<std::int16_t>> mobility,
               const std::vector<float>& probcut)
        : SearchedGame(state), evaluation_(board, as_bits(patterns), engine::Evaluation::Weights{std::move(phase_of), copied(weights), mobility ? copied(*mobility) : std::vector<std::int16_t>{}}),
          model_(probcut_model_of(probcut)) {}

    Evaluation(const State& state, const Patterns& patterns, const engine::Network::Numbers& network, const std::vector<float>& probcut)
        : SearchedGame(state), evaluation_(board, as_bits(patterns), network), model_(probcut_model_of(probcut)) {}

    static std::unique_ptr<Evaluation> of_network(const State& state, const Patterns& patterns, std::vector<std::uint8_t> phase_of, Rows pattern_rows, Array<std::int16_t> mobility_rows,
                                                  Array<std::int16_t> stones_rows, Array<std::int16_t> hidden_weights, Array<std::int16_t> output_weights,
                                                  Array<std::int16_t> skip_weights, Array<std::int32_t> hidden_biases, Array<std::int32_t> output_biases,
                                                  const std::vector<float>& probcut) {
        return std::make_unique<Evaluation>(state, patterns, engine::Network::Numbers{pattern_rows.shape(1), std::move(phase_of), span_of(pattern_rows), span_of(mobility_rows),
                                            span_of(stones_rows), span_of(hidden_weights), span_of(output_weights), span_of(skip_weights), span_of(hidden_biases), span_of(output_biases)},
                                            probcut);
    }

    const engine::Evaluation& evaluation() const { return evaluation_; }
    const engine::ProbCutModel& probcut_model() const { return model_; }
    using SearchedGame::check;

    double value(const State& state) const {
        check(state);
        return static_cast<double>(evaluation_.value(state.bits.own, state.bits.other)) / engine::kStone;
    }

    nb::object pattern_indices(Array<std::uint64_t> own, Array<std::uint64_t> other) const {
        if (own.size() != other.size()) throw nb::value_error("own and other must have the same length");
        auto found = std::make_unique<std::vector<std::uint32_t>>(own.size() * evaluation_.patterns());
        {
            const GilRelease released;
            for (std::size_t i = 0; i < own.size(); ++i) indices_of(own.data()[i], other.data()[i], found->data() + i * evaluation_.patterns());
        }
        return to_numpy(std::move(found), own.size(), evaluation_.patterns());
    }

    // The same with a row for each pattern, and each index replaced by its rank.
    nb::object pattern_ranks(Array<std::uint64_t> own, Array<std::uint64_t> other, Array<std::int32_t> rank) const {
        if (own.size() != other.size()) throw nb::value_error("own and other must have the same length");
        if (rank.size() < evaluation_.configurations()) throw nb::value_error("every index needs a rank");
        const std::size_t patterns = evaluation_.patterns(), count = own.size();
        auto found = std::make_unique<std::vector<std::int32_t>>(count * patterns);
        {
            const GilRelease released;
            std::array<std::uint32_t, engine::kMaxPatterns> indices;
            for (std::size_t i = 0; i < count; ++i) {
                indices_of(own.data()[i], other.data()[i], indices.data());
                for (std::size_t pattern = 0; pattern < patterns; ++pattern) (*found)[pattern * count + i] = rank.data()[indices[pattern]];
            }
        }
        return to_numpy(std::move(found), patterns, count);
    }

    nb::object mobility_counts(Array<std::uint64_t> own, Array<std::uint64_t> other) const {
        if (own.size() != other.size()) throw nb::value_error("own and other must have the same length");
        auto found = std::make_unique<std::vector<std::uint8_t>>(own.size() * bit::kMobilityCounts);
        {
            const GilRelease released;
            for (std::size_t i = 0; i < own.size(); ++i) {
                const bit::MobilityCounts counts = board.ops.mobility_counts(board.geometry, own.data()[i], other.data()[i]);
                std::copy(counts.begin(), counts.end(), found->begin() + static_cast<std::ptrdiff_t>(i * counts.size()));
            }
        }
        return to_numpy(std::move(found), own.size(), bit::kMobilityCounts);
    }

  private:
    // A cell with stones of both is own: otherwise there would be no weight for it.
    void indices_of(std::uint64_t own, std::uint64_t other, std::uint32_t* to) const { evaluation_.pattern_indices(own, other & ~own, to); }

    static std::vector<std::int16_t> copied(const Array<std::int16_t>& numbers) { return {numbers.data(), numbers.data() + numbers.size()}; }

    static engine::ProbCutModel probcut_model_of(const std::vector<float>& coefficients) {
        engine::ProbCutModel model;
        if (coefficients.empty()) return model;
        if (coefficients.size() > model.coefficients.size()) throw nb::value_error("the ProbCut model has the wrong number of coefficients");
        model.coefficients.fill(0);  // older models have fewer
        std::copy(coefficients.begin(), coefficients.end(), model.coefficients.begin());
        return model;
    }

    std::vector<engine::Evaluation::Pattern> as_bits(const Patterns& patterns) const {
        std::vector<engine::Evaluation::Pattern> found;
        for (const auto& [cells, first] : patterns) {
            found.push_back({{}, first});
            for (const int cell : cells) {
                if (cell < 0 || cell >= board.cells) throw nb::value_error("a pattern has a cell that is not on the board");
                found.back().bits.push_back(board.geometry.bit_of_cell[static_cast<std::size_t>(cell)]);
            }
        }
        return found;
    }

    engine::Evaluation evaluation_;
    engine::ProbCutModel model_;
};

// The pattern evaluation, or the heuristic where there is none.
engine::Evaluation evaluation_or_heuristic(const State& state, const Evaluation* evaluation, const engine::Board& board) {
    if (!evaluation) return engine::Evaluation(board);
    evaluation->check(state);
    return evaluation->evaluation().for_board(board);
}

nb::tuple self_play(const State& state, const Evaluation* evaluation, std::uint64_t seed, int games, int min_random_plies, int max_random_plies,
                    int depth, int solve_empties, float td_lambda) {
    if (min_random_plies < 0 || max_random_plies < min_random_plies || depth < 1 ||
        solve_empties > 16 || td_lambda < 0 || td_lambda > 1) {
        throw nb::value_error("the options of self-play are out of range");
    }
    const SearchedGame game_searched(state);
    auto own = std::make_unique<std::vector<std::uint64_t>>(), other = std::make_unique<std::vector<std::uint64_t>>();
    auto value = std::make_unique<std::vector<std::int8_t>>();
    {
        const GilRelease released;
        const engine::Evaluation used = evaluation_or_heuristic(state, evaluation, game_searched.board);
        engine::ShallowSearch shallow(game_searched.board, used);
        engine::EndgameContext context(game_searched.board);
        std::vector<engine::Example> examples;
        for (int game = 0; game < games; ++game) {
            Random random = Random::stream(seed, static_cast<std::uint64_t>(game));
            engine::play_game(game_searched.board, state.bits, shallow, context, {min_random_plies, max_random_plies, depth, solve_empties, td_lambda}, random,
                              examples);
            if (game % 64 == 0) check_signals();
        }
        for (const engine::Example& example : examples) {
            own->push_back(example.own);
            other->push_back(example.other);
            value->push_back(example.value);
        }
    }
    const std::size_t count = own->size();
    return nb::make_tuple(to_numpy(std::move(own), count), to_numpy(std::move(other), count), to_numpy(std::move(value), count));
}

class Search : SearchedGame {
    // One search at a time, with the GIL released.
    template <class Work>
    auto alone(const State& state, Work work) {
        check(state);
        if (board.geometry.opening & ~(state.bits.own | state.bits.other)) throw nb::value_error("the opening is not over");
        if (threads_ > 1 && !turns_.are_of_this_process()) throw std::runtime_error("its threads are those of the process that this one was forked from; make another one here");
        return turns_.alone(work);
    }

  public:
    Search(const State& state, int threads, std::size_t megabytes, const Evaluation* evaluation, std::uint32_t features) : SearchedGame(state), threads_(threads) {
        if (threads < 1 || threads > 256) throw nb::value_error("threads must be from 1 to 256");
        if (megabytes < 1 || megabytes > (1u << 20)) throw nb::value_error("the transposition table must have 1 to 1048576 MB");
        search_ = std::make_unique<engine::Search>(board, evaluation_or_heuristic(state, evaluation, board),
                                                   evaluation ? evaluation->probcut_model() : engine::ProbCutModel{}, threads, megabytes << 20, features);
    }

    ~Search() {
        // In a forked process there are no threads to wait for, and one may have been at work on it.
        if (!turns_.are_of_this_process()) static_cast<void>(search_.release());
    }

    nb::object solve(const State& state, int low, int high) {
        const auto solution = alone(state, [&] { return search_->solve(state.bits, low, high, interrupt_check_); });
        if (!solution) return nb::none();
        return nb::make_tuple(solution->value, moves(solution->pv));
    }

    nb::object best_move(const State& state, int depth, int selectivity, std::optional<double> seconds, std::optional<std::uint64_t> nodes) {
        const engine::SearchDepth target = checked(depth, selectivity);
        return as_tuple(alone(state, [&] { return search_->best_move(state.bits, target, limits(seconds, nodes), interrupt_check_); }));
    }

    double value(const State& state, int depth, int selectivity) {
        const engine::SearchDepth target = checked(depth, selectivity);
        const auto found = alone(state, [&] { return search_->best_move(state.bits, target, {}, interrupt_check_); });
        return static_cast<double>(found.solution.value) / engine::kStone;
    }

    nb::list multi_pv(const State& state, int depth, int selectivity, std::optional<double> seconds, std::optional<std::uint64_t> nodes) {
        const engine::SearchDepth target = checked(depth, selectivity);
        const auto results = alone(state, [&] { return search_->multi_pv(state.bits, target, limits(seconds, nodes), interrupt_check_); });
        nb::list list;
        for (const engine::RootMoveResult& result : results) list.append(as_tuple(result));
        return list;
    }

    nb::list exact_pv(const State& state, int value, std::optional<double> seconds, std::uint64_t nodes) {
        return moves(alone(state, [&] { return search_->exact_pv(state.bits, value, limits(seconds, nodes), interrupt_check_); }));
    }

    void stop() { search_->stop(); }
    void resume() { search_->resume(); }
    std::uint64_t nodes() const { return search_->nodes(); }
    bool was_interrupted() const { return search_->was_interrupted(); }

  private:
    static engine::SearchDepth checked(int depth, int selectivity) {
        if (depth < 1 || selectivity < 0 || selectivity > engine::kNoSelectivity) throw nb::value_error("the depth must be at least 1 and the selectivity from 0 to 5");
        return {depth, selectivity};
    }

    static engine::Limits limits(std::optional<double> seconds, std::optional<std::uint64_t> nodes) {
        using Clock = std::chrono::steady_clock;
        engine::Limits found;
        if (seconds) found.deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(std::clamp(*seconds, 0.0, 1e9)));
        if (nodes) found.nodes = *nodes;
        return found;
    }

    nb::object as_tuple(const engine::RootMoveResult& result) const {
        if (!result.is_known) return nb::none();
        return nb::make_tuple(rules.moves[static_cast<std::size_t>(move_index(result.cell))], engine::Evaluation::to_stones(result.solution.value), moves(result.solution.pv));
    }

    nb::list moves(const std::vector<int>& pv) const {
        nb::list found;
        for (const int bit : pv) found.append(rules.moves[static_cast<std::size_t>(move_index(bit))]);
        return found;
    }

    int move_index(int bit) const {
        const MoveTable& table = rules.rules.moves;
        return bit == engine::kPass ? table.pass() : table.first(board.geometry.cell_of_bit[static_cast<std::size_t>(bit)]);
    }

    const InterruptCheck interrupt_check_{check_signals};
    const int threads_;
    std::unique_ptr<engine::Search> search_;
    Turns turns_;
};

}  // namespace

void bind_engine(nb::module_& module) {
    using namespace nb::literals;
    nb::class_<Evaluation>(module, "PatternEvaluation", "The evaluation of one game by trained weights of patterns: tables or a network.")
        .def(nb::init<const State&, const Evaluation::Patterns&, std::vector<std::uint8_t>, Array<std::int16_t>,
                      std::optional<Array<std::int16_t>>, const std::vector<float>&>(),
             "state"_a, "patterns"_a, "phase_of"_a, "weights"_a, "mobility"_a = nb::none(), "probcut"_a = std::vector<float>{})
        .def_static("of_network", &Evaluation::of_network, "state"_a, "patterns"_a, "phase_of"_a, "pattern_rows"_a, "mobility_rows"_a, "stones_rows"_a, "hidden_weights"_a,
                    "output_weights"_a, "skip_weights"_a, "hidden_biases"_a, "output_biases"_a, "probcut"_a = std::vector<float>{},
                    "The evaluation by a network, with a row for every configuration.")
        .def("value", &Evaluation::value, "state"_a, "The evaluation for the seat to move, in stones.")
        .def("pattern_indices", &Evaluation::pattern_indices, "own"_a, "other"_a, "For each position the weight index of each pattern.")
        .def("pattern_ranks", &Evaluation::pattern_ranks, "own"_a, "other"_a, "rank"_a,
             "For each pattern a row with the rank of its weight index in each position.")
        .def("mobility_counts", &Evaluation::mobility_counts, "own"_a, "other"_a,
             "For each position the moves of the seat to move and of the other one, and the potential moves of both.");
    module.attr("COUNT_LIMIT") = engine::Network::kCountLimit;
    module.attr("MOBILITY_COUNTS") = bit::kMobilityCounts;
    module.def("self_play", &self_play, "state"_a, "evaluation"_a.none(), "seed"_a, "games"_a, "min_random_plies"_a, "max_random_plies"_a, "depth"_a,
               "solve_empties"_a, "td_lambda"_a, "Training examples from self-play: own stones, other stones, target values.");
    module.def("probcut_features", [](int shallow, int depth, int empties) {
        if (shallow < 0 || depth <= shallow || empties < 0) throw nb::value_error("the deep search must be deeper than the shallow one");
        const auto found = engine::ProbCutModel::features(shallow, depth, empties);
        return std::vector<float>(found.begin(), found.end());
    }, "shallow"_a, "depth"_a, "empties"_a, "The features of the ProbCut model for a shallow and a deep search.");
    module.attr("SELECTIVITY") = nb::cast(std::vector<int>(engine::kSelectivityPercent.begin(), engine::kSelectivityPercent.end()));
    nb::class_<Search>(module, "Search", "The search of one game, by several threads over one transposition table.")
        .def(nb::init<const State&, int, std::size_t, const Evaluation*, std::uint32_t>(), "state"_a, "threads"_a, "megabytes"_a,
             "evaluation"_a.none(), "features"_a = static_cast<std::uint32_t>(engine::kAllFeatures))
        .def("solve", &Search::solve, "state"_a, "low"_a, "high"_a,
             "The exact value for the seat to move, clamped to low and high, and the principal variation; None when stopped.")
        .def("best_move", &Search::best_move, "state"_a, "depth"_a, "selectivity"_a, "seconds"_a.none(), "nodes"_a.none(),
             "The best move, its value and its principal variation; None when nothing was found in time.")
        .def("value", &Search::value, "state"_a, "depth"_a, "selectivity"_a,
             "The value for the seat to move by a search without limits, in stones and parts of them.")
        .def("multi_pv", &Search::multi_pv, "state"_a, "depth"_a, "selectivity"_a, "seconds"_a.none(), "nodes"_a.none(),
             "Every move with its value and principal variation, the best first; None for each that was not reached.")
        .def("exact_pv", &Search::exact_pv, "state"_a, "value"_a, "seconds"_a.none(), "nodes"_a,
             "A principal variation to the end of the game for an exact value, as long as the limits allow.")
        .def("stop", &Search::stop, "Stops the search that runs in another thread, and every later one until `resume`.")
        .def("resume", &Search::resume, "Lets later searches run again after a stop.")
        .def_prop_ro("was_interrupted", &Search::was_interrupted, "Whether the last search ended early.")
        .def_prop_ro("nodes", &Search::nodes, "Nodes searched so far, also while a search runs.");
}

}  // namespace polyversi::bindings
