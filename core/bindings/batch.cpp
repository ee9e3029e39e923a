// Batches: many games of one kind, played in parallel from arrays.
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

#include "bindings/bindings.hpp"
#include "bindings/turns.hpp"
#include "graph/loops.hpp"

namespace polyversi::bindings {
namespace {

template <class Item>
using Array = nb::ndarray<nb::numpy, Item>;
using Actions = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Mask = nb::ndarray<const bool, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

constexpr std::size_t kMaxBytes = std::size_t{1} << 40;

// A new array and the memory to fill.
template <class Item>
std::pair<Array<Item>, Item*> make_array(std::initializer_list<std::size_t> shape) {
    std::size_t size = 1;
    for (const std::size_t extent : shape) {
        if (extent && size > kMaxBytes / sizeof(Item) / extent) throw nb::value_error("this many games do not fit into memory");
        size *= extent;
    }
    auto* data = new Item[size]();
    nb::capsule owner(data, [](void* memory) noexcept { delete[] static_cast<Item*>(memory); });
    return {Array<Item>(data, shape.size(), shape.begin(), owner), data};
}

void count_stones(const bit::Position& position, std::int32_t* score) {
    score[position.turn] = static_cast<std::int32_t>(std::popcount(position.own));
    score[1 - position.turn] = static_cast<std::int32_t>(std::popcount(position.other));
}

void count_stones(const graph::Position& position, std::int32_t* score) {
    for (const std::uint8_t here : position.tiles) {
        if (is_stone(here)) ++score[here - 1];
    }
}

// Threads take turns: every call sees all games as another one has left them.
class Batch {
  public:
    Batch(nb::object game, const std::vector<nb::object>& starts, std::uint64_t seed)
        : game_(std::move(game)), rules_(&nb::cast<const PyRules&>(game_)), random_(seed) {
        for (const nb::object& start : starts) {
            const State& state = nb::cast<const State&>(start);
            if (state.rules != rules_) throw nb::value_error("every start must be a state of the batch's own game");
            if (is_bits()) {
                bit_starts_.push_back(state.bits);
            } else {
                graph_starts_.push_back(*state.graph);
            }
        }
        count_ = starts.size();
        bits_ = bit_starts_;
        graphs_ = graph_starts_;
        legal_.resize(bits_.size());
        status_.resize(bits_.size());
        for (std::size_t i = 0; i < bits_.size(); ++i) rules_->ops->refresh(*rules().bits, games(), i);
    }

    std::size_t size() const { return count_; }

    void play(const Actions& actions) {
        if (actions.shape(0) != count_) throw nb::value_error("a batch needs one action for each of its games");
        // A copy: other threads may write into the caller's array while this one works without the interpreter.
        const std::vector<std::int32_t> copy(actions.data(), actions.data() + count_);
        const std::int32_t* chosen = copy.data();
        const std::size_t illegal = turns_.alone([&] {
            for (std::size_t i = 0; i < count_; ++i) {
                if (!over(i) && !is_legal(i, chosen[i])) return i;
            }
            step(chosen);
            return count_;
        });
        if (illegal < count_) raise_explained("illegal_action", nb::make_tuple(game_, illegal, chosen[illegal]));
    }

    Array<std::int32_t> random_actions() {
        auto [array, chosen] = make_array<std::int32_t>({count_});
        turns_.alone([&, to = chosen] {
            if (is_bits()) return rules_->ops->random_moves(*rules().bits, games(), random_, to);
            std::vector<std::int32_t> moves;
            for (std::size_t i = 0; i < count_; ++i) {
                list(i, moves);
                to[i] = moves.empty() ? -1 : moves[random_.below(static_cast<std::uint32_t>(moves.size()))];
            }
        });
        return array;
    }

    Array<bool> legal() {
        const auto actions = static_cast<std::size_t>(rules().moves.size());
        auto [array, flags] = make_array<bool>({count_, actions});
        static_assert(sizeof(bool) == 1);
        turns_.alone([&, to = flags] {
            if (is_bits()) return rules_->ops->write_legal(*rules().bits, games(), reinterpret_cast<std::uint8_t*>(to));
            std::vector<std::int32_t> moves;
            for (std::size_t i = 0; i < count_; ++i) {
                list(i, moves);
                for (const std::int32_t move : moves) to[i * actions + static_cast<std::size_t>(move)] = true;
            }
        });
        return array;
    }

    Array<bool> done() const {
        auto [array, flags] = make_array<bool>({count_});
        turns_.alone([&, to = flags] {
            for (std::size_t i = 0; i < count_; ++i) to[i] = over(i);
        });
        return array;
    }

    Array<std::int8_t> seats_to_move() const {
        auto [array, seats] = make_array<std::int8_t>({count_});
        turns_.alone([&, to = seats] {
            for (std::size_t i = 0; i < count_; ++i) {
                to[i] = over(i) ? std::int8_t{0} : static_cast<std::int8_t>(1 + (is_bits() ? bits_[i].turn : graphs_[i].turn));
            }
        });
        return array;
    }

    Array<std::uint8_t> tiles() const {
        const auto cells = static_cast<std::size_t>(rules().cells());
        auto [array, tile] = make_array<std::uint8_t>({count_, cells});
        turns_.alone([&, to = tile]() mutable {
            if (is_bits()) return rules_->ops->write_tiles(*rules().bits, bits_.data(), count_, to);
            for (const graph::Position& position : graphs_) to = std::copy(position.tiles.begin(), position.tiles.end(), to);
        });
        return array;
    }

    Array<std::int32_t> scores() const {
        const auto seats = static_cast<std::size_t>(rules().seats);
        auto [array, score] = make_array<std::int32_t>({count_, seats});
        turns_.alone([&, to = score]() mutable {
            for (const bit::Position& position : bits_) count_stones(position, std::exchange(to, to + seats));
            for (const graph::Position& position : graphs_) count_stones(position, std::exchange(to, to + seats));
        });
        return array;
    }

    void reset(std::optional<Mask> which) {
        if (which && which->shape(0) != count_) throw nb::value_error("the mask needs one entry for each game");
        // A copy, as of actions.
        const std::vector<std::uint8_t> chosen = which ? std::vector<std::uint8_t>(which->data(), which->data() + count_) : std::vector<std::uint8_t>(count_, 1);
        turns_.alone([&] {
            for (std::size_t i = 0; i < count_; ++i) {
                if (!chosen[i]) continue;
                if (is_bits()) {
                    bits_[i] = bit_starts_[i];
                    rules_->ops->refresh(*rules().bits, games(), i);
                } else {
                    graphs_[i] = graph_starts_[i];
                }
            }
        });
    }

    void play_out() {
        turns_.alone([&] {
            if (is_bits()) {
                rules_->ops->play_out(*rules().bits, bits_.data(), count_, random_.next(), 0);
                for (std::size_t i = 0; i < count_; ++i) rules_->ops->refresh(*rules().bits, games(), i);
                return;
            }
            std::vector<std::int32_t> moves;
            for (std::size_t i = 0; i < count_; ++i) {
                if (i % 64 == 0) check_signals();
                graph::playout(rules(), graphs_[i], random_, workspace(*rules_), moves);
            }
        });
    }

    nb::object state(nb::handle type, std::size_t i) const {
        if (i >= count_) throw nb::index_error("the batch has no game with that number");
        if (is_bits()) return make_state(type, game_, turns_.alone([&] { return bits_[i]; }));
        return make_state(type, game_, turns_.alone([&] { return graphs_[i]; }));
    }

  private:
    const Rules& rules() const { return rules_->rules; }
    bool is_bits() const { return rules_->ops != nullptr; }
    bit::Games games() { return {bits_.size(), bits_.data(), legal_.data(), status_.data()}; }
    bool over(std::size_t i) const { return is_bits() ? status_[i] == bit::Games::kOver : graphs_[i].over(); }

    bool is_legal(std::size_t i, std::int32_t action) const {
        if (action < 0 || action >= rules().moves.size()) return false;
        if (!is_bits()) return graph::is_legal(rules(), graphs_[i], action, workspace(*rules_));
        if (action == rules().cells()) return status_[i] == bit::Games::kCanPass;
        return legal_[i] & rules().bits->cell_bit(action);
    }

    void list(std::size_t i, std::vector<std::int32_t>& moves) const {
        graph::Workspace& work = workspace(*rules_);
        moves.clear();
        if (over(i)) return;
        if (graphs_[i].phase == graph::Phase::kBuild) graph::find_captures(rules(), graphs_[i], work);
        graph::list_moves(rules(), graphs_[i], work, moves);
    }

    void step(const std::int32_t* chosen) {
        if (is_bits()) return rules_->ops->step(*rules().bits, games(), chosen);
        graph::Workspace& work = workspace(*rules_);
        for (std::size_t i = 0; i < count_; ++i) {
            if (!over(i)) graph::play(rules(), graphs_[i], chosen[i], work);
        }
    }

    nb::object game_;
    const PyRules* rules_;
    Random random_;
    std::size_t count_ = 0;
    std::vector<bit::Position> bits_, bit_starts_;
    std::vector<std::uint64_t> legal_;
    std::vector<std::uint8_t> status_;
    std::vector<graph::Position> graphs_, graph_starts_;
    Turns turns_;
};

// The final scores of many random games from one state.
Array<std::int32_t> playouts(const State& state, std::size_t count, std::uint64_t seed) {
    constexpr std::size_t kBlock = 4096;  // games between two interrupt checks
    const PyRules& rules = *state.rules;
    const auto seats = static_cast<std::size_t>(rules.rules.seats);
    auto [array, score] = make_array<std::int32_t>({count, seats});
    const GilRelease released;
    if (state.is_bits()) {
        std::vector<bit::Position> block;
        for (std::size_t begin = 0; begin < count; begin += kBlock) {
            check_signals();
            block.assign(std::min(kBlock, count - begin), state.bits);
            rules.ops->play_out(*rules.rules.bits, block.data(), block.size(), seed, begin);
            for (const bit::Position& end : block) {
                count_stones(end, score);
                score += seats;
            }
        }
        return array;
    }
    graph::Position position;
    std::vector<std::int32_t> moves;
    for (std::size_t i = 0; i < count; ++i, score += seats) {
        if (i % 64 == 0) check_signals();
        Random random = Random::stream(seed, i);
        position = *state.graph;
        graph::playout(rules.rules, position, random, workspace(rules), moves);
        count_stones(position, score);
    }
    return array;
}

}  // namespace

void bind_batch(nb::module_& module) {
    using namespace nb::literals;
    nb::class_<Batch>(module, "Batch", "Many games side by side in the core.")
        .def(nb::init<nb::object, const std::vector<nb::object>&, std::uint64_t>(), "game"_a, "starts"_a, "seed"_a)
        .def("__len__", &Batch::size)
        .def("play", &Batch::play, "actions"_a,
             "Plays one move in every game, by action number; the action of a finished game is ignored.")
        .def("random_actions", &Batch::random_actions, "A random legal action for every game, -1 for finished ones.")
        .def("play_out", &Batch::play_out, "Plays every game to its end by random moves.")
        .def("reset", &Batch::reset, "which"_a = nb::none(), "Resets all games, or those that the mask selects, to their start.")
        .def("state_of", &Batch::state, "type"_a, "index"_a)
        .def_prop_ro("legal", &Batch::legal, nb::rv_policy::automatic, "For every game and action whether it is legal: a boolean array of shape (games, actions).")
        .def_prop_ro("done", &Batch::done, nb::rv_policy::automatic, "Which games are over.")
        .def_prop_ro("turns", &Batch::seats_to_move, nb::rv_policy::automatic, "The seat to move in every game, from 1; 0 when it is over.")
        .def_prop_ro("tiles", &Batch::tiles, nb::rv_policy::automatic, "What lies on each cell of every game: shape (games, cells).")
        .def_prop_ro("scores", &Batch::scores, nb::rv_policy::automatic, "The stones of each seat in every game: shape (games, seats).");
    module.def("playouts", &playouts, "state"_a, "count"_a, "seed"_a);
}

}  // namespace polyversi::bindings
