#include "xt/bombing.hpp"

#include <algorithm>
#include <cmath>

#include "xt/evaluation.hpp"

namespace polyversi::xt {
namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

constexpr std::size_t kMostReached = 400'000;  // cells that all targets together may reach; beyond, some targets are left out
constexpr std::size_t kMostCandidates = 48;
constexpr double kTrustInGames = 0.6;  // how much the played-out end counts, beside the bomb's own effect

using Stones = std::array<double, kMaxSeats>;

class Bombing {
  public:
    Bombing(const Rules& rules, const graph::Position& position, const Budget& budget, const Watch& watch)
        : rules_(rules), budget_(budget), watch_(watch), me_(position.turn), out_(position.out) {
        find_targets(position);
        now_.tiles = position.tiles;
        now_.bombs = position.bombs;
        now_.turn = position.turn;
        for (const std::uint8_t tile : position.tiles) {
            if (is_stone(tile)) now_.stones[at(tile - 1)] += 1;
        }
        now_.losses.resize(targets_.size());
        for (std::size_t target = 0; target < targets_.size(); ++target) {
            for (const std::uint16_t cell : reach(target)) {
                const std::uint8_t tile = position.tiles[cell];
                if (is_stone(tile)) ++now_.losses[target][at(tile - 1)];
            }
        }
        later_ = now_;
    }

    Result choose() {
        std::vector<std::pair<double, std::size_t>> promising;
        for (std::size_t target = 0; target < targets_.size(); ++target) {
            Stones stones = now_.stones;
            for (std::size_t seat = 0; seat < kMaxSeats; ++seat) stones[seat] -= now_.losses[target][seat];
            promising.emplace_back(-expected_points(stones, now_.bombs, me_), target);
        }
        const std::size_t candidates = std::min(kMostCandidates, promising.size());
        std::partial_sort(promising.begin(), promising.begin() + static_cast<std::ptrdiff_t>(candidates), promising.end());
        Result result;
        result.move = move_to(promising[0].second);
        double best = -1e9;
        for (std::size_t i = 0; i < candidates; ++i) {
            if (i > 0 && is_spent()) break;
            const auto [expected, target] = promising[i];
            const double value = kTrustInGames * play_out(target) - (1 - kTrustInGames) * expected;
            if (value <= best) continue;
            best = value;
            result.move = move_to(target);
        }
        result.value = static_cast<std::int32_t>(kPoint * best);
        result.nodes = thrown_;
        result.depth = deepest_;
        return result;
    }

  private:
    struct Field {
        std::vector<std::uint8_t> tiles;
        std::vector<std::array<std::uint16_t, kMaxSeats>> losses;  // of each target, the stones of each seat it reaches
        Stones stones{};
        std::array<std::uint16_t, kMaxSeats> bombs{};
        std::uint8_t turn = 0;
    };

    // What each bomb would reach. Holes that come later shorten some of the ways; that is passed over.
    void find_targets(const graph::Position& position) {
        graph::Workspace work(rules_);
        reached_from_.push_back(0);
        int step = 1;
        for (int cell = 0; cell < rules_.cells(); cell += step) {
            if (position.tiles[at(cell)] == kHole) continue;
            graph::blast(rules_, position, cell, work);
            if (targets_.empty() && work.cells.size() * at(rules_.cells()) > kMostReached) {
                step = static_cast<int>(work.cells.size() * at(rules_.cells()) / kMostReached) + 1;
            }
            targets_.push_back(static_cast<std::uint16_t>(cell));
            reached_.insert(reached_.end(), work.cells.begin(), work.cells.end());
            reached_from_.push_back(reached_.size());
        }
        // The other way round: from which targets each cell is reached.
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

    Move move_to(std::size_t target) const { return {targets_[target], 0, static_cast<std::uint8_t>(me_), 0}; }

    bool is_spent() {
        watch_();
        return thrown_ >= budget_.nodes || (budget_.deadline && Clock::now() >= *budget_.deadline);
    }

    // The points a seat may expect with so many stones while so many bombs are left to everybody.
    double expected_points(const Stones& stones, const std::array<std::uint16_t, kMaxSeats>& bombs, int seat) const {
        double left = 0;
        for (int other = 0; other < rules_.seats; ++other) left += out_ >> other & 1 ? 0 : bombs[at(other)];
        const double reach_of_one = static_cast<double>(reached_.size()) / static_cast<double>(targets_.size());
        const double doubt = left > 0 ? 0.5 + 0.15 * reach_of_one * left : 0;
        LikelyRank rank;
        double lead = 0;
        for (int other = 0; other < rules_.seats; ++other) {
            if (other == seat || (out_ >> other & 1)) continue;
            rank.meet(chance_of_being_above(stones[at(other)] - stones[at(seat)], doubt));
            lead += stones[at(seat)] - stones[at(other)];
        }
        return rank.points() + 0.01 * lead / static_cast<double>(rules_.cells());
    }

    void throw_at(Field& field, std::size_t target) {
        for (const std::uint16_t cell : reach(target)) {
            const std::uint8_t tile = field.tiles[cell];
            field.tiles[cell] = kHole;
            if (!is_stone(tile)) continue;
            const auto seat = at(tile - 1);
            field.stones[seat] -= 1;
            for (std::size_t i = reaching_from_[cell]; i < reaching_from_[at(cell) + 1]; ++i) --field.losses[reaching_[i]][seat];
        }
        --field.bombs[field.turn];
        ++thrown_;
    }

    bool pass_on(Field& field) const {
        for (int i = 1; i <= rules_.seats; ++i) {
            const int seat = (field.turn + i) % rules_.seats;
            if ((out_ >> seat & 1) || field.bombs[at(seat)] == 0) continue;
            field.turn = static_cast<std::uint8_t>(seat);
            return true;
        }
        return false;
    }

    // The target that brings a seat most, if what a stone is worth did not change on the way.
    std::size_t greedy_target(const Field& field) const {
        const int seat = field.turn;
        const double reach_of_one = std::max(1.0, static_cast<double>(reached_.size()) / static_cast<double>(targets_.size()) / 2);
        const double now = expected_points(field.stones, field.bombs, seat);
        std::array<float, kMaxSeats> worth{};
        for (int other = 0; other < rules_.seats; ++other) {
            if (out_ >> other & 1) continue;
            Stones stones = field.stones;
            stones[at(other)] -= reach_of_one;
            worth[at(other)] = static_cast<float>((expected_points(stones, field.bombs, seat) - now) / reach_of_one);
        }
        std::size_t best = 0;
        float best_value = -1e9f;
        for (std::size_t target = 0; target < targets_.size(); ++target) {
            if (field.tiles[targets_[target]] == kHole) continue;
            float value = 0;
            for (std::size_t other = 0; other < kMaxSeats; ++other) value += worth[other] * static_cast<float>(field.losses[target][other]);
            if (value <= best_value) continue;
            best_value = value;
            best = target;
        }
        return best;
    }

    // The points at the end if this target is hit first and everybody is greedy from then on.
    double play_out(std::size_t first) {
        later_ = now_;
        throw_at(later_, first);
        int bombs = 1;
        while (pass_on(later_)) {
            const std::size_t target = greedy_target(later_);
            if (later_.tiles[targets_[target]] == kHole || is_past_deadline()) break;
            throw_at(later_, target);
            ++bombs;
        }
        deepest_ = std::max(deepest_, bombs);
        return expected_points(later_.stones, later_.bombs, me_);
    }

    bool is_past_deadline() const { return budget_.deadline && Clock::now() >= *budget_.deadline; }

    const Rules& rules_;
    const Budget& budget_;
    const Watch& watch_;
    const int me_;
    const unsigned out_;
    std::vector<std::uint16_t> targets_;
    std::vector<std::uint16_t> reached_;
    std::vector<std::size_t> reached_from_;
    std::vector<std::uint16_t> reaching_;
    std::vector<std::size_t> reaching_from_;
    Field now_, later_;
    std::uint64_t thrown_ = 0;
    int deepest_ = 0;
};

}  // namespace

Result choose_target(const Rules& rules, const graph::Position& position, const Budget& budget, const Watch& watch) {
    return Bombing(rules, position, budget, watch).choose();
}

}  // namespace polyversi::xt
