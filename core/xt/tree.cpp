#include "xt/tree.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace polyversi::xt {
namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

constexpr std::uint32_t kGamesToGrow = 2;   // after so many games a position goes into the tree
constexpr std::size_t kMostOverrides = 12;  // of those that turn most, where they are all there is
constexpr std::size_t kMostBranches = 2'000'000;  // of the tree: 64 MB, and no more for its nodes
constexpr std::uint64_t kGamesPerWatch = 64;  // how often whoever started it may look in
constexpr double kCuriosity = 6;              // points by which a move that was hardly tried may be better than it seems
constexpr double kGamesPromised = 1;          // as so many games counts what the evaluation promises
// Of so many moves drawn by lot the one that turns most is played: with override stones everybody is greedy.
constexpr int kDraws = 3, kDrawsOfOverrides = 6;
constexpr int kBeforeAnyTurned = 1000;        // a special cell is taken before any other

}  // namespace

Tree::Tree(const Ground& ground, const Evaluation& evaluation, Player& player)
    : ground_(ground), evaluation_(evaluation), player_(player), start_(ground), now_(ground), tried_(ground) {}

// Room for all that it may become; memory that is never used costs nothing.
void Tree::make_room() {
    nodes_.clear();
    branches_.clear();
    nodes_.reserve(kMostBranches);
    branches_.reserve(kMostBranches + at(16 * ground_.rules.cells()));
}

Result Tree::choose(const Position& from, const std::vector<Move>& moves, const Budget& budget, const Watch& watch) {
    start_ = now_ = from;
    random_ = Random(from.hash);
    make_room();
    played_ = 0;
    add_node(moves);
    Result result;
    result.depth = 1;
    for (std::uint64_t games = 0; !is_spent(budget); ++games) {
        if (games % kGamesPerWatch == 0) watch();
        play_on();
        result.depth = std::max(result.depth, static_cast<int>(way_.size()));
    }
    const auto begin = branches_.begin(), end = begin + static_cast<std::ptrdiff_t>(nodes_[0].count);
    const Branch& best = *std::max_element(begin, end, [](const Branch& a, const Branch& b) { return a.games < b.games; });
    result.move = best.move;
    result.value = static_cast<std::int32_t>(kPoint * mean(best));
    result.nodes = played_;
    return result;
}

// Halfway between the times of a search: at the one it begins no new depth, at the other it breaks off.
bool Tree::is_spent(const Budget& budget) const {
    if (played_ >= budget.nodes) return true;
    if (!budget.deadline) return false;
    const auto until = budget.no_new_depth ? *budget.no_new_depth + (*budget.deadline - *budget.no_new_depth) / 2 : *budget.deadline;
    return Clock::now() >= until;
}

void Tree::play(const Move& move) {
    player_.play(now_, move);
    player_.pass_on(now_, (move.seat + 1) % ground_.rules.seats);
    ++played_;
}

// Puts the position that is looked at into the tree.
void Tree::add_node(const std::vector<Move>& moves) {
    const Node node{branches_.size(), moves.size(), 0};
    for (const Move& move : moves) {
        tried_ = now_;
        player_.play(tried_, move);
        player_.pass_on(tried_, (move.seat + 1) % ground_.rules.seats);
        branches_.push_back({move, 0, kNone, 0, static_cast<double>(evaluation_.value(tried_, move.seat)) / kPoint});
    }
    played_ += moves.size();
    std::sort(branches_.begin() + static_cast<std::ptrdiff_t>(node.first), branches_.end(), [](const Branch& a, const Branch& b) {
        return std::tuple(b.promise, a.move.cell, a.move.special) < std::tuple(a.promise, b.move.cell, b.move.special);
    });
    nodes_.push_back(node);
}

double Tree::mean(const Branch& branch) {
    return (branch.points + kGamesPromised * branch.promise) / (branch.games + kGamesPromised);
}

// The branch that may be the best for who moves. The more games, the more branches are looked at.
std::size_t Tree::pick(const Node& node) const {
    const std::size_t open = std::min(node.count, 2 + static_cast<std::size_t>(std::sqrt(node.games)));
    const double logarithm = std::log(node.games + 1.0);
    std::size_t best = node.first;
    double best_value = -1e9;
    for (std::size_t i = node.first; i < node.first + open; ++i) {
        const Branch& branch = branches_[i];
        const double value = mean(branch) + kCuriosity * std::sqrt(logarithm / (branch.games + kGamesPromised));
        if (value <= best_value) continue;
        best_value = value;
        best = i;
    }
    return best;
}

void Tree::play_on() {
    now_ = start_;
    way_.clear();
    for (std::int32_t node = 0;;) {
        const std::size_t taken = pick(nodes_[at(node)]);
        ++nodes_[at(node)].games;
        way_.push_back(taken);
        play(branches_[taken].move);
        if (now_.finished) break;
        if (branches_[taken].node == kNone) {
            if (branches_[taken].games < kGamesToGrow || branches_.size() >= kMostBranches) break;
            list(now_, moves_);
            branches_[taken].node = static_cast<std::int32_t>(nodes_.size());
            add_node(moves_);
        }
        node = branches_[taken].node;
    }
    for (int seat = 0; seat < ground_.rules.seats && !now_.finished; ++seat) play(likely_move(now_));
    const PerSeat points = evaluation_.values(now_);
    for (const std::size_t taken : way_) {
        ++branches_[taken].games;
        branches_[taken].points += static_cast<double>(points[branches_[taken].move.seat]) / kPoint;
    }
}

// The cells where a seat can place a stone; whether none of them costs an override stone.
bool Tree::find_cells(const Position& position, int seat) {
    cells_.clear();
    for (std::size_t i = 0; i < position.free; ++i) {
        if (position.captures(position.free_cells[i], seat)) cells_.push_back(position.free_cells[i]);
    }
    if (!cells_.empty()) return true;
    for (int cell = 0; cell < ground_.board.cells(); ++cell) {
        const std::uint8_t tile = position.tiles[at(cell)];
        if (is_occupied(tile) && (tile == kExpansion || position.captures(cell, seat))) cells_.push_back(static_cast<std::uint16_t>(cell));
    }
    return false;
}

// What a seat usually asks of a special cell: override stones, and the stones of whoever has most.
int Tree::special_for(const Position& position, int cell) const {
    const std::uint8_t tile = position.tiles[at(cell)];
    if (tile == kBonus) return evaluation_.prefers_override(position) ? kBonusOverride : kBonusBomb;
    if (tile != kChoice) return 0;
    const auto begin = position.stones.begin();
    return static_cast<int>(std::max_element(begin, begin + ground_.rules.seats) - begin) + 1;
}

Move Tree::likely_move(const Position& position) {
    const std::uint8_t seat = position.turn;
    const bool costs_nothing = find_cells(position, seat);
    Move best;
    int most = -1;
    for (int draw = costs_nothing ? kDraws : kDrawsOfOverrides; draw > 0; --draw) {
        const std::uint16_t cell = cells_[random_.below(static_cast<std::uint32_t>(cells_.size()))];
        const Move move{cell, static_cast<std::uint8_t>(special_for(position, cell)), seat, 0};
        const int turned = player_.turned(position, move) + (move.special ? kBeforeAnyTurned : 0);
        if (turned <= most) continue;
        most = turned;
        best = move;
    }
    return best;
}

void Tree::list(const Position& position, std::vector<Move>& moves) {
    moves.clear();
    const std::uint8_t seat = position.turn;
    const bool costs_nothing = find_cells(position, seat);
    for (const std::uint16_t cell : cells_) {
        Move move{cell, static_cast<std::uint8_t>(special_for(position, cell)), seat, 0};
        if (!costs_nothing) move.score = player_.turned(position, move);
        moves.push_back(move);
        if (position.tiles[cell] == kChoice && move.special != seat + 1) {
            move.special = static_cast<std::uint8_t>(seat + 1);
            moves.push_back(move);
        }
    }
    if (costs_nothing || moves.size() <= kMostOverrides) return;
    std::partial_sort(moves.begin(), moves.begin() + kMostOverrides, moves.end(), [](const Move& a, const Move& b) { return a.score > b.score; });
    moves.resize(kMostOverrides);
}

}  // namespace polyversi::xt
