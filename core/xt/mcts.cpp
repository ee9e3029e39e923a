#include "xt/mcts.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace polyversi::xt {
namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

constexpr std::uint32_t kVisitsToExpand = 2;
constexpr std::size_t kMaxOverrides = 12;     // at a node with override moves only: those that flip most
constexpr std::size_t kMaxEdges = 2'000'000;  // 64 MB, and no more for the nodes
constexpr std::uint64_t kSimulationsPerInterruptCheck = 64;
constexpr std::size_t kMovesPerClockCheck = 64;
constexpr double kExploration = 2;  // the constant of UCT, in points
constexpr double kPriorVisits = 1;  // how many visits the prior counts for
// A rollout move is the one of this many random moves that flips most: with override stones everybody is greedy.
constexpr int kRolloutDraws = 3, kRolloutOverrideDraws = 6;
constexpr int kSpecialTileBonus = 1000;  // special tiles come before any other in rollouts

}  // namespace

Mcts::Mcts(const GameData& game, const Evaluation& evaluation, MoveMaker& mover)
    : game_(game), evaluation_(evaluation), mover_(mover), root_(game), current_(game), scratch_(game) {}

// Reserves the largest tree: memory that is never touched costs nothing.
void Mcts::reserve() {
    nodes_.clear();
    edges_.clear();
    nodes_.reserve(kMaxEdges);
    edges_.reserve(kMaxEdges + at(16 * game_.rules.cells()));
}

Result Mcts::search(const Position& from, const std::vector<Move>& moves, const Limits& limits, const InterruptCheck& interrupt_check) {
    root_ = current_ = from;
    random_ = Random(from.hash);
    reserve();
    moves_played_ = 0;
    expand(moves, limits);
    root_points_.assign(nodes_[0].count, {});
    Result result;
    result.depth = 1;
    for (std::uint64_t simulations = 0; !is_exhausted(limits); ++simulations) {
        if (simulations % kSimulationsPerInterruptCheck == 0) interrupt_check();
        simulate(limits);
        result.depth = std::max(result.depth, static_cast<int>(path_.size()));
    }
    const auto begin = edges_.begin(), end = begin + static_cast<std::ptrdiff_t>(nodes_[0].count);
    const Edge& best = *std::max_element(begin, end, [](const Edge& a, const Edge& b) { return a.visits < b.visits; });
    result.move = best.move;
    result.value = static_cast<std::int32_t>(kPoint * mean(best));
    result.nodes = moves_played_;
    const auto number = static_cast<std::size_t>(&best - edges_.data());
    result.points = mean_points(number);
    result.line = most_visited_line(number);
    return result;
}

// What every seat may expect after a move of the root, the evaluation counting as the prior.
Points Mcts::mean_points(std::size_t edge) {
    scratch_ = root_;
    mover_.play(scratch_, edges_[edge].move);
    mover_.advance_turn(scratch_, (edges_[edge].move.seat + 1) % game_.rules.seats);
    const PerSeat prior = evaluation_.values(scratch_);
    Points points = root_points_[edge];
    for (std::size_t seat = 0; seat < kMaxSeats; ++seat) {
        points[seat] = (points[seat] + kPriorVisits * prior[seat] / kPoint) / (edges_[edge].visits + kPriorVisits);
    }
    return points;
}

std::vector<Move> Mcts::most_visited_line(std::size_t first_edge) const {
    std::vector<Move> line;
    line.reserve(at(kMaxDepth));
    line.push_back(edges_[first_edge].move);
    for (std::int32_t node = edges_[first_edge].child; node != kNone && line.size() < at(kMaxDepth);) {
        const auto begin = edges_.begin() + static_cast<std::ptrdiff_t>(nodes_[at(node)].first);
        const auto end = begin + static_cast<std::ptrdiff_t>(nodes_[at(node)].count);
        const auto most = std::max_element(begin, end, [](const Edge& a, const Edge& b) { return a.visits < b.visits; });
        if (most == end || most->visits == 0) break;
        line.push_back(most->move);
        node = most->child;
    }
    return line;
}

// Stops halfway between the soft and the hard deadline.
bool Mcts::is_exhausted(const Limits& limits) const {
    if (moves_played_ >= limits.nodes || limits.is_stopped()) return true;
    if (!limits.deadline) return false;
    const auto until = limits.soft_deadline ? *limits.soft_deadline + (*limits.deadline - *limits.soft_deadline) / 2 : *limits.deadline;
    return Clock::now() >= until;
}

void Mcts::play(const Move& move) {
    mover_.play(current_, move);
    mover_.advance_turn(current_, (move.seat + 1) % game_.rules.seats);
    ++moves_played_;
}

// Adds the current position to the tree, its edges sorted by prior: as many as there is time for.
void Mcts::expand(const std::vector<Move>& moves, const Limits& limits) {
    Node node{edges_.size(), 0, 0};
    for (const Move& move : moves) {
        if (++node.count % kMovesPerClockCheck == 0 && limits.deadline && Clock::now() >= *limits.deadline) {
            --node.count;
            break;
        }
        scratch_ = current_;
        mover_.play(scratch_, move);
        mover_.advance_turn(scratch_, (move.seat + 1) % game_.rules.seats);
        edges_.push_back({move, 0, kNone, 0, static_cast<double>(evaluation_.value(scratch_, move.seat)) / kPoint});
    }
    moves_played_ += node.count;
    std::sort(edges_.begin() + static_cast<std::ptrdiff_t>(node.first), edges_.end(), [](const Edge& a, const Edge& b) {
        return std::tuple(b.prior, a.move.cell, a.move.special) < std::tuple(a.prior, b.move.cell, b.move.special);
    });
    nodes_.push_back(node);
}

double Mcts::mean(const Edge& edge) {
    return (edge.points + kPriorVisits * edge.prior) / (edge.visits + kPriorVisits);
}

// UCT with progressive widening: the more visits, the more edges are considered.
std::size_t Mcts::select_edge(const Node& node) const {
    const std::size_t widened = std::min(node.count, 2 + static_cast<std::size_t>(std::sqrt(node.visits)));
    const double logarithm = std::log(node.visits + 1.0);
    std::size_t best = node.first;
    double best_value = -1e9;
    for (std::size_t i = node.first; i < node.first + widened; ++i) {
        const Edge& edge = edges_[i];
        const double value = mean(edge) + kExploration * std::sqrt(logarithm / (edge.visits + kPriorVisits));
        if (value <= best_value) continue;
        best_value = value;
        best = i;
    }
    return best;
}

void Mcts::simulate(const Limits& limits) {
    // Step 1. Selection and expansion.
    current_ = root_;
    path_.clear();
    for (std::int32_t node = 0;;) {
        const std::size_t chosen = select_edge(nodes_[at(node)]);
        ++nodes_[at(node)].visits;
        path_.push_back(chosen);
        play(edges_[chosen].move);
        if (current_.finished) break;
        if (edges_[chosen].child == kNone) {
            if (edges_[chosen].visits < kVisitsToExpand || edges_.size() >= kMaxEdges) break;
            list_moves(current_, moves_);
            edges_[chosen].child = static_cast<std::int32_t>(nodes_.size());
            expand(moves_, limits);
        }
        node = edges_[chosen].child;
    }
    // Step 2. A short rollout: one move of every seat.
    for (int seat = 0; seat < game_.rules.seats && !current_.finished; ++seat) play(rollout_move(current_));
    // Step 3. Evaluation and backpropagation: each seat gets its own points (max^n).
    const PerSeat points = evaluation_.values(current_);
    for (const std::size_t chosen : path_) {
        ++edges_[chosen].visits;
        edges_[chosen].points += static_cast<double>(points[edges_[chosen].move.seat]) / kPoint;
    }
    for (std::size_t seat = 0; seat < kMaxSeats; ++seat) root_points_[path_.front()][seat] += static_cast<double>(points[seat]) / kPoint;
}

// Fills `cells_` with the cells where a seat can move; whether none of them costs an override stone.
bool Mcts::find_cells(const Position& position, int seat) {
    cells_.clear();
    for (std::size_t i = 0; i < position.free; ++i) {
        if (position.captures(position.free_cells[i], seat)) cells_.push_back(position.free_cells[i]);
    }
    if (cells_.empty()) mover_.visit_beside(position, [&](Cell cell) { cells_.push_back(cell); });
    if (!cells_.empty()) return true;
    for (int cell = 0; cell < game_.board.cells(); ++cell) {
        const std::uint8_t tile = position.tiles[at(cell)];
        if (is_occupied(tile) && (tile == kExpansion || position.captures(cell, seat))) cells_.push_back(static_cast<Cell>(cell));
    }
    return false;
}

// The default choice at a special tile: override stones, or the stones of the seat that has most.
int Mcts::special_for(const Position& position, int cell) const {
    const std::uint8_t tile = position.tiles[at(cell)];
    if (tile == kBonus) return evaluation_.prefers_override(position) ? kBonusOverride : kBonusBomb;
    if (tile != kChoice) return 0;
    const auto begin = position.stones.begin();
    return static_cast<int>(std::max_element(begin, begin + game_.rules.seats) - begin) + 1;
}

Move Mcts::rollout_move(const Position& position) {
    const std::uint8_t seat = position.turn;
    const bool costs_nothing = find_cells(position, seat);
    Move best;
    int best_score = -1;
    for (int draw = costs_nothing ? kRolloutDraws : kRolloutOverrideDraws; draw > 0; --draw) {
        const Cell cell = cells_[random_.below(static_cast<std::uint32_t>(cells_.size()))];
        const Move move{cell, static_cast<std::uint8_t>(special_for(position, cell)), seat, 0};
        const int score = mover_.count_flips(position, move) + (move.special ? kSpecialTileBonus : 0);
        if (score <= best_score) continue;
        best_score = score;
        best = move;
    }
    return best;
}

void Mcts::list_moves(const Position& position, std::vector<Move>& moves) {
    moves.clear();
    const std::uint8_t seat = position.turn;
    const bool costs_nothing = find_cells(position, seat);
    for (const Cell cell : cells_) {
        Move move{cell, static_cast<std::uint8_t>(special_for(position, cell)), seat, 0};
        if (!costs_nothing) move.score = mover_.count_flips(position, move);
        moves.push_back(move);
        if (position.tiles[cell] == kChoice && move.special != seat + 1) {
            move.special = static_cast<std::uint8_t>(seat + 1);
            moves.push_back(move);
        }
    }
    if (costs_nothing || moves.size() <= kMaxOverrides) return;
    std::partial_sort(moves.begin(), moves.begin() + kMaxOverrides, moves.end(), [](const Move& a, const Move& b) { return a.score > b.score; });
    moves.resize(kMaxOverrides);
}

}  // namespace polyversi::xt
