#include "xt/bombing.hpp"

#include <algorithm>
#include <cmath>

#include "xt/evaluation.hpp"

namespace polyversi::xt {
namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

constexpr std::size_t kMaxReached = 400'000;  // cells in the blasts of all targets; beyond, some targets are skipped
constexpr std::size_t kMaxCandidates = 48;
constexpr double kPlayoutWeight = 0.6;  // against the immediate effect of the bomb

using Stones = std::array<double, kMaxSeats>;

class BombingSearch {
  public:
    BombingSearch(const Rules& rules, const graph::Position& position, const Limits& limits, const InterruptCheck& interrupt_check)
        : rules_(rules), limits_(limits), interrupt_check_(interrupt_check), root_seat_(position.turn), out_(position.out) {
        find_targets(position);
        current_.tiles = position.tiles;
        current_.bombs = position.bombs;
        current_.turn = position.turn;
        for (const std::uint8_t tile : position.tiles) {
            if (is_stone(tile)) current_.stones[at(tile - 1)] += 1;
        }
        current_.losses.resize(targets_.size());
        for (std::size_t target = 0; target < targets_.size(); ++target) {
            for (const std::uint16_t cell : reach(target)) {
                const std::uint8_t tile = position.tiles[cell];
                if (is_stone(tile)) ++current_.losses[target][at(tile - 1)];
            }
        }
        playout_ = current_;
    }

    Result choose() {
        std::vector<std::pair<double, std::size_t>> candidates_by_value;
        for (std::size_t target = 0; target < targets_.size(); ++target) {
            Stones stones = current_.stones;
            for (std::size_t seat = 0; seat < kMaxSeats; ++seat) stones[seat] -= current_.losses[target][seat];
            candidates_by_value.emplace_back(-expected_points(stones, current_.bombs, root_seat_), target);
        }
        const std::size_t candidates = std::min(kMaxCandidates, candidates_by_value.size());
        std::partial_sort(candidates_by_value.begin(), candidates_by_value.begin() + static_cast<std::ptrdiff_t>(candidates), candidates_by_value.end());
        Result result;
        result.move = move_to(candidates_by_value[0].second);
        double best = -1e9;
        for (std::size_t i = 0; i < candidates; ++i) {
            if (i > 0 && is_exhausted()) break;
            const auto [expected, target] = candidates_by_value[i];
            const double value = kPlayoutWeight * play_out(target) - (1 - kPlayoutWeight) * expected;
            if (value <= best) continue;
            best = value;
            result.move = move_to(target);
        }
        result.value = static_cast<std::int32_t>(kPoint * best);
        result.nodes = bombs_thrown_;
        result.depth = deepest_;
        return result;
    }

  private:
    struct BombState {
        std::vector<std::uint8_t> tiles;
        std::vector<std::array<std::uint16_t, kMaxSeats>> losses;  // of each target, the stones of each seat it reaches
        Stones stones{};
        std::array<std::uint16_t, kMaxSeats> bombs{};
        std::uint8_t turn = 0;
    };

    // The blast of each target. Later holes shorten some; that is ignored.
    void find_targets(const graph::Position& position) {
        graph::Workspace work(rules_);
        reached_from_.push_back(0);
        int step = 1;
        for (int cell = 0; cell < rules_.cells(); cell += step) {
            if (position.tiles[at(cell)] == kHole) continue;
            graph::blast(rules_, position, cell, work);
            if (targets_.empty() && work.cells.size() * at(rules_.cells()) > kMaxReached) {
                step = static_cast<int>(work.cells.size() * at(rules_.cells()) / kMaxReached) + 1;
            }
            targets_.push_back(static_cast<std::uint16_t>(cell));
            reached_.insert(reached_.end(), work.cells.begin(), work.cells.end());
            reached_from_.push_back(reached_.size());
        }
        // The inverse: the targets whose blast reaches each cell.
        reaching_from_.assign(at(rules_.cells()) + 1, 0);
        for (const std::uint16_t cell : reached_) ++reaching_from_[at(cell) + 1];
        for (std::size_t cell = 0; cell < at(rules_.cells()); ++cell) reaching_from_[cell + 1] += reaching_from_[cell];
        std::vector<std::size_t> filled(reaching_from_.begin(), reaching_from_.end() - 1);
        reaching_.resize(reached_.size());
        for (std::size_t target = 0; target < targets_.size(); ++target) {
            for (const std::uint16_t cell : reach(target)) reaching_[filled[cell]++] = static_cast<std::uint16_t>(target);
        }
    }

    std::span<const std::uint16_t> reach(std::size_t target) const {
        return std::span(reached_).subspan(reached_from_[target], reached_from_[target + 1] - reached_from_[target]);
    }

    Move move_to(std::size_t target) const { return {targets_[target], 0, static_cast<std::uint8_t>(root_seat_), 0}; }

    bool is_exhausted() {
        interrupt_check_();
        return bombs_thrown_ >= limits_.nodes || (limits_.deadline && Clock::now() >= *limits_.deadline);
    }

    // The expected rank points of a seat, given everybody's stones and the bombs left.
    double expected_points(const Stones& stones, const std::array<std::uint16_t, kMaxSeats>& bombs, int seat) const {
        double left = 0;
        for (int other = 0; other < rules_.seats; ++other) left += out_ >> other & 1 ? 0 : bombs[at(other)];
        const double reach_of_one = static_cast<double>(reached_.size()) / static_cast<double>(targets_.size());
        const double uncertainty = left > 0 ? 0.5 + 0.15 * reach_of_one * left : 0;
        RankDistribution rank;
        double lead = 0;
        for (int other = 0; other < rules_.seats; ++other) {
            if (other == seat || (out_ >> other & 1)) continue;
            rank.add_opponent(probability_above(stones[at(other)] - stones[at(seat)], uncertainty));
            lead += stones[at(seat)] - stones[at(other)];
        }
        return rank.points() + 0.01 * lead / static_cast<double>(rules_.cells());
    }

    void throw_at(BombState& state, std::size_t target) {
        for (const std::uint16_t cell : reach(target)) {
            const std::uint8_t tile = state.tiles[cell];
            state.tiles[cell] = kHole;
            if (!is_stone(tile)) continue;
            const auto seat = at(tile - 1);
            state.stones[seat] -= 1;
            for (std::size_t i = reaching_from_[cell]; i < reaching_from_[at(cell) + 1]; ++i) --state.losses[reaching_[i]][seat];
        }
        --state.bombs[state.turn];
        ++bombs_thrown_;
    }

    bool advance_turn(BombState& state) const {
        for (int i = 1; i <= rules_.seats; ++i) {
            const int seat = (state.turn + i) % rules_.seats;
            if ((out_ >> seat & 1) || state.bombs[at(seat)] == 0) continue;
            state.turn = static_cast<std::uint8_t>(seat);
            return true;
        }
        return false;
    }

    // The target that gains the seat most, with the value of a stone linearised.
    std::size_t greedy_target(const BombState& state) const {
        const int seat = state.turn;
        const double reach_of_one = std::max(1.0, static_cast<double>(reached_.size()) / static_cast<double>(targets_.size()) / 2);
        const double now = expected_points(state.stones, state.bombs, seat);
        std::array<float, kMaxSeats> worth{};
        for (int other = 0; other < rules_.seats; ++other) {
            if (out_ >> other & 1) continue;
            Stones stones = state.stones;
            stones[at(other)] -= reach_of_one;
            worth[at(other)] = static_cast<float>((expected_points(stones, state.bombs, seat) - now) / reach_of_one);
        }
        std::size_t best = 0;
        float best_value = -1e9f;
        for (std::size_t target = 0; target < targets_.size(); ++target) {
            if (state.tiles[targets_[target]] == kHole) continue;
            float value = 0;
            for (std::size_t other = 0; other < kMaxSeats; ++other) value += worth[other] * static_cast<float>(state.losses[target][other]);
            if (value <= best_value) continue;
            best_value = value;
            best = target;
        }
        return best;
    }

    // The points at the end if this target is hit first and everybody is greedy from then on.
    double play_out(std::size_t first) {
        playout_ = current_;
        throw_at(playout_, first);
        int bombs = 1;
        while (advance_turn(playout_)) {
            const std::size_t target = greedy_target(playout_);
            if (playout_.tiles[targets_[target]] == kHole || is_past_deadline()) break;
            throw_at(playout_, target);
            ++bombs;
        }
        deepest_ = std::max(deepest_, bombs);
        return expected_points(playout_.stones, playout_.bombs, root_seat_);
    }

    bool is_past_deadline() const { return limits_.deadline && Clock::now() >= *limits_.deadline; }

    const Rules& rules_;
    const Limits& limits_;
    const InterruptCheck& interrupt_check_;
    const int root_seat_;
    const unsigned out_;
    std::vector<std::uint16_t> targets_;
    std::vector<std::uint16_t> reached_;
    std::vector<std::size_t> reached_from_;
    std::vector<std::uint16_t> reaching_;
    std::vector<std::size_t> reaching_from_;
    BombState current_, playout_;
    std::uint64_t bombs_thrown_ = 0;
    int deepest_ = 0;
};

}  // namespace

Result choose_target(const Rules& rules, const graph::Position& position, const Limits& limits, const InterruptCheck& interrupt_check) {
    return BombingSearch(rules, position, limits, interrupt_check).choose();
}

}  // namespace polyversi::xt
