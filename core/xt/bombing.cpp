#include "xt/bombing.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "rules/random.hpp"
#include "xt/evaluation.hpp"
#include "xt/ranks.hpp"

namespace polyversi::xt {
namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

constexpr std::size_t kMaxReached = 4'000'000;  // cells in the blasts of all targets; beyond, some targets are skipped
constexpr double kLeadWeight = 0.5;             // points for a lead of the whole map
constexpr double kAsSure = 3;                   // values are sharper, by this factor, than the uncertainty of many bombs

using Stones = std::array<double, kMaxSeats>;
using Losses = std::array<std::int32_t, kMaxSeats>;

// The points of a seat with these stones; `uncertainty` is that of the differences, 0 at the end.
double points_of(const Rules& rules, unsigned out, const Stones& stones, int seat, double uncertainty) {
    RankDistribution rank;
    double lead = 0;
    for (int other = 0; other < rules.seats; ++other) {
        if (other == seat || (out >> other & 1)) continue;
        rank.add_opponent(probability_above(stones[at(other)] - stones[at(seat)], uncertainty, tie_of(rules.seats)));
        lead += stones[at(seat)] - stones[at(other)];
    }
    return rank.points() + kLeadWeight * lead / (rules.cells() * std::max(1, rules.seats - 1));
}

bool may_throw(const graph::Position& position, int seat) { return !(position.out >> seat & 1) && position.bombs[at(seat)] > 0; }

// When to stop: shared by the solver and the tree.
class Budget {
  public:
    Budget(const Limits& limits, const InterruptCheck& interrupt_check)
        : limits_(limits), interrupt_check_(interrupt_check),
          most_bombs_(static_cast<double>(limits.is_limited() ? limits.nodes : kBombsPerDepth * static_cast<std::uint64_t>(limits.depth))) {}

    // Whether a share of it has been used.
    bool is_spent(std::uint64_t bombs, double share = 1) {
        if (static_cast<double>(bombs) >= share * most_bombs_) return true;
        if (bombs < next_look_) return false;
        next_look_ = bombs + kBombsPerLook;
        interrupt_check_();
        if (limits_.is_stopped()) return true;
        if (!limits_.deadline) return false;
        const auto until = limits_.soft_deadline ? *limits_.soft_deadline + (*limits_.deadline - *limits_.soft_deadline) / 2 : *limits_.deadline;
        return Clock::now() >= begin_ + std::chrono::duration_cast<Clock::duration>((until - begin_) * share);
    }

  private:
    static constexpr std::uint64_t kBombsPerLook = 64;
    static constexpr std::uint64_t kBombsPerDepth = 4000;  // where nothing but the depth is limited
    const Limits& limits_;
    const InterruptCheck& interrupt_check_;
    const double most_bombs_;
    const Clock::time_point begin_ = Clock::now();
    std::uint64_t next_look_ = 0;
};

// Solves the phase by looking at every target of every bomb, with blasts as the rules trace them. With two seats it is
// alpha-beta; of more, each seat maximises its own points.
class BombingSolver {
  public:
    BombingSolver(const Rules& rules, const graph::Position& position, Budget& budget)
        : rules_(rules), budget_(budget), out_(position.out), work_(rules) {
        for (int seat = 0; seat < rules.seats; ++seat) left_ += may_throw(position, seat) ? position.bombs[at(seat)] : 0;
        plies_.resize(at(std::min(left_, kMaxBombs)) + 1);
        for (Ply& ply : plies_) ply.position = position;
    }

    // Whether so few bombs are left, on a map so small, that it is worth trying.
    bool is_possible() const {
        const double side = 2.0 * rules_.radius + 1, cells = rules_.cells();
        return left_ <= kMaxBombs && cells <= kMaxCellsToSolve && cells * std::min(cells, side * side) <= kMaxBlastsToSolve;
    }

    // Whether it was solved within its share of the budget; then `result` is the best target.
    bool solve(Result& result) {
        Stones stones{};
        for (const std::uint8_t tile : plies_[0].position.tiles) {
            if (is_stone(tile)) stones[at(tile - 1)] += 1;
        }
        const Outcome outcome = search(0, stones, -1e9, 1e9);
        if (stopped_) return false;
        const int seat = plies_[0].position.turn;
        result.move = {plies_[0].best, 0, static_cast<std::uint8_t>(seat), 0};
        result.value = static_cast<std::int32_t>(std::lround(kPoint * outcome.worth[at(seat)]));
        result.depth = left_;
        result.points = final_points(rules_, out_, outcome.stones);
        result.line = {result.move};
        result.solved = true;
        return true;
    }

    std::uint64_t bombs_thrown() const { return bombs_thrown_; }

  private:
    static constexpr int kMaxBombs = 6;
    static constexpr double kMaxCellsToSolve = 10'000, kMaxBlastsToSolve = 1e7;  // the cells in the blasts of all targets
    static constexpr double kShare = 0.4;

    struct Target {
        double value = 0;
        Cell cell = 0;
        Losses losses{};
    };
    struct Ply {
        graph::Position position;
        std::vector<Target> targets;
        std::vector<std::uint64_t> seen;  // fingerprints of blasts: two targets with the same blast are one
        Cell best = 0;
    };

    // How the game ends, and what that is worth to each seat: points, and a little for its lead.
    struct Outcome {
        Points worth{};
        Stones stones{};
    };

    Outcome ended(const Stones& stones) const {
        Outcome outcome{{}, stones};
        for (int seat = 0; seat < rules_.seats; ++seat) outcome.worth[at(seat)] = points_of(rules_, out_, stones, seat, 0);
        return outcome;
    }

    // The seat that throws next, or kNone.
    int next_seat(const graph::Position& position) const {
        for (int i = 1; i <= rules_.seats; ++i) {
            const int seat = (position.turn + i) % rules_.seats;
            if (may_throw(position, seat)) return seat;
        }
        return kNone;
    }

    void list_targets(Ply& ply, const Stones& stones) {
        ply.targets.clear();
        ply.seen.clear();
        const int seat = ply.position.turn;
        for (int cell = 0; cell < rules_.cells(); ++cell) {
            if (ply.position.tiles[at(cell)] == kHole) continue;
            graph::blast(rules_, ply.position, cell, work_);
            Target target;
            target.cell = static_cast<Cell>(cell);
            std::uint64_t fingerprint = 0;
            for (const Cell reached : work_.cells) {
                const std::uint8_t tile = ply.position.tiles[reached];
                if (is_stone(tile)) ++target.losses[at(tile - 1)];
                fingerprint += Random(reached).next();
            }
            if (std::find(ply.seen.begin(), ply.seen.end(), fingerprint) != ply.seen.end()) continue;
            ply.seen.push_back(fingerprint);
            Stones after = stones;
            for (std::size_t other = 0; other < kMaxSeats; ++other) after[other] -= target.losses[other];
            target.value = points_of(rules_, out_, after, seat, 0);
            ply.targets.push_back(target);
        }
        bombs_thrown_ += ply.targets.size();
        std::stable_sort(ply.targets.begin(), ply.targets.end(), [](const Target& a, const Target& b) { return a.value > b.value; });
    }

    // What perfect play leads to. With two seats values outside of the window, which is that of the seat to
    // move, are bounds.
    Outcome search(std::size_t depth, const Stones& stones, double alpha, double beta) {
        if (stopped_ = stopped_ || budget_.is_spent(bombs_thrown_, kShare); stopped_) return {};
        Ply& ply = plies_[depth];
        list_targets(ply, stones);
        const auto seat = at(ply.position.turn);
        Outcome best{};
        best.worth[seat] = -1e9;
        for (const Target& target : ply.targets) {
            Stones after = stones;
            for (std::size_t other = 0; other < kMaxSeats; ++other) after[other] -= target.losses[other];
            const Outcome outcome = after_bomb(depth, target.cell, after, std::max(alpha, best.worth[seat]), beta);
            if (stopped_) return {};
            if (outcome.worth[seat] > best.worth[seat]) {
                best = outcome;
                ply.best = target.cell;
            }
            if (rules_.seats == 2 && best.worth[seat] >= beta) break;
        }
        return best;
    }

    Outcome after_bomb(std::size_t depth, Cell cell, const Stones& stones, double alpha, double beta) {
        const graph::Position& before = plies_[depth].position;
        if (depth + 1 >= at(left_)) return ended(stones);
        graph::Position& after = plies_[depth + 1].position;
        after = before;
        graph::blast(rules_, before, cell, work_);
        for (const Cell hit : work_.cells) after.tiles[hit] = kHole;
        --after.bombs[before.turn];
        const int next = next_seat(after);
        const bool any_left = std::any_of(after.tiles.begin(), after.tiles.end(), [](std::uint8_t tile) { return tile != kHole; });
        if (next == kNone || !any_left) return ended(stones);
        after.turn = static_cast<std::uint8_t>(next);
        if (rules_.seats != 2 || next == before.turn) return search(depth + 1, stones, alpha, beta);
        // The other seat's window: what one of two gains the other one loses.
        return search(depth + 1, stones, kBoth - beta, kBoth - alpha);
    }

    static constexpr double kBoth = kRankPoints[0] + kRankPoints[1];

    const Rules& rules_;
    Budget& budget_;
    const unsigned out_;
    graph::Workspace work_;
    std::vector<Ply> plies_;
    int left_ = 0;
    std::uint64_t bombs_thrown_ = 0;
    bool stopped_ = false;
};

// The tree. Blasts are those of the root: that later holes shorten some of them is ignored.
class BombingTree {
  public:
    BombingTree(const Rules& rules, const graph::Position& position, Budget& budget)
        : rules_(rules), budget_(budget), out_(position.out), random_(position.hash()) {
        find_targets(position);
        root_.tiles = position.tiles;
        root_.bombs = position.bombs;
        root_.turn = position.turn;
        for (const std::uint8_t tile : position.tiles) {
            if (is_stone(tile)) root_.stones[at(tile - 1)] += 1;
        }
        root_.losses.resize(targets_.size());
        for (std::size_t target = 0; target < targets_.size(); ++target) {
            for (const Cell cell : reach(target)) {
                const std::uint8_t tile = position.tiles[cell];
                if (is_stone(tile)) ++root_.losses[target][at(tile - 1)];
            }
        }
        current_ = root_;
        values_.resize(targets_.size());
        expand(root_, kRootEdges);
        root_points_.resize(edges_.size());
    }

    // The best target when the budget is spent, of which some bombs were used before.
    Result search(std::uint64_t used) {
        bombs_thrown_ = used;
        Result result;
        result.depth = 1;
        while (!budget_.is_spent(bombs_thrown_)) {
            simulate();
            result.depth = std::max(result.depth, bombs_ahead_);
        }
        const auto begin = edges_.begin(), end = begin + static_cast<std::ptrdiff_t>(nodes_[0].count);
        const Edge& best = *std::max_element(begin, end, [](const Edge& a, const Edge& b) { return a.visits < b.visits; });
        result.move = {targets_[best.target], 0, root_.turn, 0};
        result.value = static_cast<std::int32_t>(std::lround(kPoint * mean(best)));
        result.nodes = bombs_thrown_;
        result.points = mean_points(best);
        result.line = {result.move};
        return result;
    }

  private:
    static constexpr std::size_t kRootEdges = 96, kInnerEdges = 24, kMaxEdges = 400'000;
    static constexpr std::uint32_t kVisitsToExpand = 3;
    static constexpr double kExploration = 3;   // the constant of UCT, in points
    static constexpr double kPriorVisits = 2;   // how many visits the prior counts for
    static constexpr double kNoise = 0.35;      // in playouts everybody misjudges targets by up to this part

    struct BombState {
        std::vector<std::uint8_t> tiles;
        std::vector<Losses> losses;  // of each target, the stones of each seat it reaches
        Stones stones{};
        std::array<std::uint32_t, kMaxSeats> bombs{};
        std::uint8_t turn = 0;
    };
    struct Edge {
        std::uint32_t target;
        std::uint32_t visits = 0;
        std::int32_t child = kNone;
        std::uint8_t seat = 0;
        double prior = 0, points = 0;
    };
    struct Node {
        std::size_t first = 0, count = 0;
        std::uint32_t visits = 0;
    };

    void find_targets(const graph::Position& position) {
        graph::Workspace work(rules_);
        reached_from_.push_back(0);
        int step = 1;
        for (int cell = 0; cell < rules_.cells(); cell += step) {
            if (position.tiles[at(cell)] == kHole) continue;
            graph::blast(rules_, position, cell, work);
            if (!targets_.empty() && reached_.size() + work.cells.size() > kMaxReached) break;
            const std::size_t room = kMaxReached - reached_.size(), wanted = work.cells.size() * at(rules_.cells() - cell);
            step = static_cast<int>(wanted / room) + 1;
            targets_.push_back(static_cast<Cell>(cell));
            reached_.insert(reached_.end(), work.cells.begin(), work.cells.end());
            reached_from_.push_back(reached_.size());
        }
        // The inverse: the targets whose blast reaches each cell.
        reaching_from_.assign(at(rules_.cells()) + 1, 0);
        for (const Cell cell : reached_) ++reaching_from_[at(cell) + 1];
        for (std::size_t cell = 0; cell < at(rules_.cells()); ++cell) reaching_from_[cell + 1] += reaching_from_[cell];
        std::vector<std::size_t> filled(reaching_from_.begin(), reaching_from_.end() - 1);
        reaching_.resize(reached_.size());
        for (std::size_t target = 0; target < targets_.size(); ++target) {
            for (const Cell cell : reach(target)) reaching_[filled[cell]++] = static_cast<std::uint32_t>(target);
        }
        mean_reach_ = static_cast<double>(reached_.size()) / static_cast<double>(targets_.size());
    }

    std::span<const Cell> reach(std::size_t target) const {
        return std::span(reached_).subspan(reached_from_[target], reached_from_[target + 1] - reached_from_[target]);
    }

    void throw_at(BombState& state, std::size_t target) {
        for (const Cell cell : reach(target)) {
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

    // Hands the turn on; false at the end of the game.
    bool advance_turn(BombState& state) const {
        for (int i = 1; i <= rules_.seats; ++i) {
            const int seat = (state.turn + i) % rules_.seats;
            if ((out_ >> seat & 1) || state.bombs[at(seat)] == 0) continue;
            state.turn = static_cast<std::uint8_t>(seat);
            return true;
        }
        return false;
    }

    // How uncertain differences of stones are before the bombs that are left.
    double uncertainty(const BombState& state) const {
        double left = 0;
        for (int seat = 0; seat < rules_.seats; ++seat) left += out_ >> seat & 1 ? 0 : state.bombs[at(seat)];
        return left > 0 ? (0.5 + 0.45 * mean_reach_ * std::sqrt(left)) / kAsSure : 0;
    }

    // Sets `values_` to what each target is worth to the seat to move, at once; holes are worth nothing at all. The value
    // of a stone is linearised: exact values of all targets would take most of the time.
    void value_targets(const BombState& state) {
        const int seat = state.turn;
        const double doubt = std::max(uncertainty(state), 1.0);
        const double step = std::max(1.0, mean_reach_ / 2);
        const double now = points_of(rules_, out_, state.stones, seat, doubt);
        std::array<float, kMaxSeats> worth{};
        for (int other = 0; other < rules_.seats; ++other) {
            if (out_ >> other & 1) continue;
            Stones stones = state.stones;
            stones[at(other)] -= step;
            worth[at(other)] = static_cast<float>((points_of(rules_, out_, stones, seat, doubt) - now) / step);
        }
        for (std::size_t target = 0; target < targets_.size(); ++target) {
            float value = 0;
            for (std::size_t other = 0; other < kMaxSeats; ++other) value += worth[other] * static_cast<float>(state.losses[target][other]);
            values_[target] = state.tiles[targets_[target]] == kHole ? kNever : value;
        }
    }

    // Adds the targets of a state to the tree, the best ones by their immediate value; false if there is no tile left.
    bool expand(const BombState& state, std::size_t most) {
        value_targets(state);
        candidates_.clear();
        for (std::size_t target = 0; target < targets_.size(); ++target) {
            if (values_[target] > kNever) candidates_.push_back(static_cast<std::uint32_t>(target));
        }
        if (candidates_.empty()) return false;
        const std::size_t count = std::min(most, candidates_.size());
        std::partial_sort(candidates_.begin(), candidates_.begin() + static_cast<std::ptrdiff_t>(count), candidates_.end(),
                          [&](std::uint32_t a, std::uint32_t b) { return std::pair(-values_[a], a) < std::pair(-values_[b], b); });
        const Node node{edges_.size(), count, 0};
        BombState after = state;
        --after.bombs[state.turn];
        const double doubt = uncertainty(after);
        for (std::size_t i = 0; i < count; ++i) {
            Edge edge{candidates_[i], 0, kNone, state.turn, 0, 0};
            Stones stones = state.stones;
            for (std::size_t seat = 0; seat < kMaxSeats; ++seat) stones[seat] -= state.losses[edge.target][seat];
            edge.prior = points_of(rules_, out_, stones, state.turn, doubt);
            edges_.push_back(edge);
        }
        std::stable_sort(edges_.begin() + static_cast<std::ptrdiff_t>(node.first), edges_.end(),
                         [](const Edge& a, const Edge& b) { return a.prior > b.prior; });
        nodes_.push_back(node);
        return true;
    }

    // What every seat may expect after a target of the root.
    Points mean_points(const Edge& edge) const {
        BombState after = root_;
        for (std::size_t seat = 0; seat < kMaxSeats; ++seat) after.stones[seat] -= root_.losses[edge.target][seat];
        --after.bombs[root_.turn];
        const double doubt = uncertainty(after);
        const Points& sums = root_points_[static_cast<std::size_t>(&edge - edges_.data())];
        Points points{};
        for (int seat = 0; seat < rules_.seats; ++seat) {
            const double prior = points_of(rules_, out_, after.stones, seat, doubt);
            points[at(seat)] = (sums[at(seat)] + kPriorVisits * prior) / (edge.visits + kPriorVisits);
        }
        return points;
    }

    static double mean(const Edge& edge) { return (edge.points + kPriorVisits * edge.prior) / (edge.visits + kPriorVisits); }

    std::size_t select_edge(const Node& node) const {
        const std::size_t widened = std::min(node.count, 2 + static_cast<std::size_t>(2 * std::sqrt(node.visits)));
        const double logarithm = std::log(node.visits + 1.0);
        std::size_t best = node.first;
        double best_value = -1e9;
        for (std::size_t i = node.first; i < node.first + widened; ++i) {
            const double value = mean(edges_[i]) + kExploration * std::sqrt(logarithm / (edges_[i].visits + kPriorVisits));
            if (value <= best_value) continue;
            best_value = value;
            best = i;
        }
        return best;
    }

    void simulate() {
        current_ = root_;
        path_.clear();
        bombs_ahead_ = 0;
        bool over = false;
        for (std::int32_t node = 0; !over;) {
            const std::size_t chosen = select_edge(nodes_[at(node)]);
            ++nodes_[at(node)].visits;
            path_.push_back(chosen);
            throw_at(current_, edges_[chosen].target);
            ++bombs_ahead_;
            over = !advance_turn(current_);
            if (over || edges_[chosen].child != kNone) {
                node = edges_[chosen].child;
                continue;
            }
            if (edges_[chosen].visits < kVisitsToExpand || edges_.size() >= kMaxEdges) break;
            const auto child = static_cast<std::int32_t>(nodes_.size());
            over = !expand(current_, kInnerEdges);
            if (!over) edges_[chosen].child = node = child;
        }
        while (!over) {
            const std::size_t target = playout_target();
            if (values_[target] == kNever) break;
            throw_at(current_, target);
            ++bombs_ahead_;
            over = !advance_turn(current_);
        }
        for (const std::size_t chosen : path_) {
            ++edges_[chosen].visits;
            edges_[chosen].points += points_of(rules_, out_, current_.stones, edges_[chosen].seat, 0);
        }
        Points& sums = root_points_[path_.front()];
        for (int seat = 0; seat < rules_.seats; ++seat) sums[at(seat)] += points_of(rules_, out_, current_.stones, seat, 0);
    }

    std::size_t playout_target() {
        value_targets(current_);
        std::size_t best = 0;
        float best_value = 2 * kNever;
        for (std::size_t target = 0; target < targets_.size(); ++target) {
            if (values_[target] <= best_value) continue;
            const float noisy = values_[target] == kNever ? kNever
                : values_[target] * (1 - static_cast<float>(kNoise) * static_cast<float>(random_.below(1024)) / 1024);
            if (noisy <= best_value) continue;
            best_value = noisy;
            best = target;
        }
        return best;
    }

    static constexpr float kNever = -1e9f;

    const Rules& rules_;
    Budget& budget_;
    const unsigned out_;
    Random random_;
    std::vector<Cell> targets_, reached_;
    std::vector<std::uint32_t> reaching_;
    std::vector<std::size_t> reached_from_, reaching_from_;
    double mean_reach_ = 1;
    BombState root_, current_;
    std::vector<float> values_;
    std::vector<std::uint32_t> candidates_;
    std::vector<Node> nodes_;
    std::vector<Edge> edges_;
    std::vector<Points> root_points_;  // of each edge of the root, the sums for all seats
    std::vector<std::size_t> path_;
    std::uint64_t bombs_thrown_ = 0;
    int bombs_ahead_ = 0;
};

}  // namespace

Result choose_target(const Rules& rules, const graph::Position& position, const Limits& limits, const InterruptCheck& interrupt_check) {
    Budget budget(limits, interrupt_check);
    BombingSolver solver(rules, position, budget);
    if (Result result; solver.is_possible() && solver.solve(result)) {
        result.nodes = solver.bombs_thrown();
        return result;
    }
    return BombingTree(rules, position, budget).search(solver.bombs_thrown());
}

}  // namespace polyversi::xt
