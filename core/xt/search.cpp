#include "xt/search.hpp"

#include <algorithm>

namespace polyversi::xt {
namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

constexpr std::int32_t kInfinity = 1'000'000'000;
constexpr std::uint64_t kNodesPerLook = 64;       // at the clock
constexpr std::uint64_t kNodesPerWatch = 65536;  // how often whoever started the search may look in
constexpr std::size_t kOverridesLookedAt = 10;   // of those that turn most
constexpr std::size_t kOverridesAtRoot = 5;      // beside moves that cost nothing
constexpr int kDepthToRank = 4;                  // from here on it pays to look at every position before choosing the order
constexpr std::size_t kFirstReduced = 5;         // moves this late in the order are looked at less deeply first
constexpr std::size_t kFirstReducedMore = 16;
constexpr std::int32_t kKnownBest = 1 << 30, kKiller = 1 << 27, kSpecial = 1 << 22;

constexpr std::uint64_t mix(std::uint64_t value) {
    value = (value ^ (value >> 31)) * 0x7fb5d329728ea185u;
    return value ^ (value >> 27);
}

}  // namespace

Search::Search(const Rules& rules, const Weights& weights, Method method, int table_bits)
    : ground_(rules), evaluation_(ground_, weights), method_(rules.seats == 2 ? Method::kParanoid : method), player_(ground_),
      tree_(ground_, evaluation_, player_), table_(table_bits) {
    plies_.reserve(kDeepest + 2);
    for (int i = 0; i < kDeepest + 2; ++i) plies_.emplace_back(ground_);
    history_.resize(at(kMaxSeats * rules.cells()));
    moves_.reserve(at(64 * rules.cells() + 4096));
    root_moves_.reserve(at(16 * rules.cells()));
}

std::int32_t Search::evaluate(const graph::Position& from, int seat) {
    player_.take(from, plies_[0].position);
    return evaluation_.value(plies_[0].position, seat);
}

std::array<PerSeat, 2> Search::measure(const graph::Position& from) {
    const Position& position = plies_[0].position;
    player_.take(from, plies_[0].position);
    return {evaluation_.mobility(position), position.stones};
}

std::uint64_t Search::count(const graph::Position& from, int depth) {
    me_ = from.turn;
    moves_.clear();
    player_.take(from, plies_[0].position);
    return count_from(0, std::min(depth, kDeepest));
}

std::uint64_t Search::count_from(int ply, int depth) {
    const Position& position = plies_[at(ply)].position;
    if (depth == 0 || position.finished) return 1;
    const std::size_t begin = moves_.size();
    list_free(position, position.turn, true);
    list_overrides(position, position.turn, at(ground_.board.cells()));
    std::uint64_t total = 0;
    for (std::size_t i = begin, end = moves_.size(); i < end; ++i) {
        plies_[at(ply + 1)].position = position;
        player_.play(plies_[at(ply + 1)].position, moves_[i]);
        player_.pass_on(plies_[at(ply + 1)].position, (moves_[i].seat + 1) % ground_.rules.seats);
        total += count_from(ply + 1, depth - 1);
    }
    moves_.resize(begin);
    return total;
}

std::uint64_t Search::key(const Position& position) const {
    std::uint64_t stocks = 0;
    for (int seat = 0; seat < ground_.rules.seats; ++seat) {
        stocks = (stocks ^ position.overrides[at(seat)] ^ (std::uint64_t{position.bombs[at(seat)]} << 16)) * 0x9e3779b97f4a7c15u;
    }
    return mix(position.hash ^ stocks ^ (std::uint64_t{position.turn} << 56) ^ (static_cast<std::uint64_t>(me_ + 1) << 48) ^
               (std::uint64_t{position.out} << 40));
}

Result Search::think(const graph::Position& from, const Budget& budget, const Watch& watch) {
    budget_ = budget;
    watch_ = &watch;
    me_ = from.turn;
    nodes_ = next_look_ = next_watch_ = 0;
    stopped_ = false;
    result_ = {};
    table_.grow_older();
    for (std::int32_t& credit : history_) credit /= 8;
    for (Ply& ply : plies_) ply.killers = {};
    moves_.clear();
    player_.take(from, plies_[0].position);
    list_moves(0, true);
    std::stable_sort(moves_.begin(), moves_.end(), [](const Move& a, const Move& b) { return a.score > b.score; });
    root_moves_ = moves_;
    moves_.clear();
    result_.move = root_moves_.front();
    result_.value = evaluation_.value(plies_[0].position, me_);
    if (root_moves_.size() == 1) return result_;
    if (grows_a_tree()) return tree_.choose(plies_[0].position, root_moves_, budget, watch);
    for (int depth = 1; depth <= std::min(budget.depth, kDeepest); ++depth) {
        reached_depth_ = false;
        if (!look_from_root(depth) || !reached_depth_) break;
        if (budget.no_new_depth && Clock::now() >= *budget.no_new_depth) break;
    }
    result_.nodes = nodes_;
    return result_;
}

// Of two seats the one wants what the other does not, which is what alpha-beta is for. Of many each wants its own points,
// and alpha-beta has to pretend that all are against one. Who asks for a depth or a method gets it, though.
bool Search::grows_a_tree() const {
    return method_ == Method::kTree && budget_.depth >= kDeepest && budget_.is_limited();
}

// Searches every move of the root so deep; whether that was finished.
bool Search::look_from_root(int depth) {
    std::int32_t best = -kInfinity;
    for (std::size_t i = 0; i < root_moves_.size(); ++i) {
        const Move move = root_moves_[i];
        make(0, move);
        std::int32_t value = i == 0 ? look(1, depth - 1, -kInfinity, kInfinity) : look(1, depth - 1, best, best + 1);
        if (i > 0 && value > best && !stopped_) value = look(1, depth - 1, best, kInfinity);
        if (stopped_) return false;
        if (value > best) {
            best = value;
            result_.move = move;
            result_.value = value;
            // The best so far goes to the front, the others keep their order.
            std::rotate(root_moves_.begin(), root_moves_.begin() + static_cast<std::ptrdiff_t>(i),
                        root_moves_.begin() + static_cast<std::ptrdiff_t>(i) + 1);
        }
    }
    result_.depth = depth;
    return true;
}

bool Search::must_stop() {
    if (nodes_ >= next_watch_) {
        next_watch_ = nodes_ + kNodesPerWatch;
        (*watch_)();
    }
    if (result_.depth > 0 && nodes_ >= budget_.nodes) return true;
    if (!budget_.deadline || nodes_ < next_look_) return false;
    next_look_ = nodes_ + kNodesPerLook;
    return Clock::now() >= *budget_.deadline;
}

void Search::make(int at_ply, const Move& move) {
    const Position& before = plies_[at(at_ply)].position;
    Position& after = plies_[at(at_ply + 1)].position;
    after = before;
    player_.play(after, move);
    const bool reply = method_ != Method::kParanoid && move.seat != me_;
    player_.pass_on(after, reply ? me_ : (move.seat + 1) % ground_.rules.seats);
    ++nodes_;
}

// The value of a ply's position for the seat at the root, who wants it high; every other seat wants it low.
std::int32_t Search::look(int ply, int depth, std::int32_t alpha, std::int32_t beta) {
    const Position& position = plies_[at(ply)].position;
    if (position.finished) return evaluation_.value(position, me_);
    if (depth <= 0 || ply >= kDeepest) {
        reached_depth_ = true;
        return evaluation_.value(position, me_);
    }
    if (stopped_ = stopped_ || must_stop(); stopped_) return 0;
    const std::uint64_t hash = key(position);
    const Table::Entry known = table_.find(hash);
    if (known.depth >= depth && (known.bound == Bound::kExact || (known.bound == Bound::kAtLeast && known.value >= beta) ||
                                 (known.bound == Bound::kAtMost && known.value <= alpha))) {
        reached_depth_ = true;
        return known.value;
    }
    const std::size_t begin = list_moves(ply, false);
    rank(ply, begin, depth, known);
    const bool mine = position.turn == me_;
    const std::int32_t old_alpha = alpha, old_beta = beta;
    std::int32_t best = mine ? -kInfinity : kInfinity;
    Move best_move = moves_[begin];
    const std::size_t end = moves_.size();
    for (std::size_t i = begin; i < end; ++i) {
        const Move move = moves_[i];
        make(ply, move);
        std::int32_t value;
        if (i == begin) {
            value = look(ply + 1, depth - 1, alpha, beta);
        } else {
            int less = 0;
            if (depth >= 3 && move.score < kKiller) less = (i - begin >= kFirstReducedMore) + (i - begin >= kFirstReduced);
            const std::int32_t low = mine ? alpha : beta - 1, high = mine ? alpha + 1 : beta;
            value = look(ply + 1, depth - 1 - less, low, high);
            if (less && !stopped_ && (mine ? value > alpha : value < beta)) value = look(ply + 1, depth - 1, low, high);
            if (!stopped_ && value > alpha && value < beta) value = look(ply + 1, depth - 1, alpha, beta);
        }
        if (stopped_) break;
        if (mine ? value > best : value < best) {
            best = value;
            best_move = move;
        }
        (mine ? alpha : beta) = mine ? std::max(alpha, best) : std::min(beta, best);
        if (alpha >= beta) {
            remember(ply, move, depth);
            break;
        }
    }
    moves_.resize(begin);
    if (stopped_) return 0;
    const Bound bound = best <= old_alpha ? Bound::kAtMost : best >= old_beta ? Bound::kAtLeast : Bound::kExact;
    table_.store(hash, depth, best, bound, best_move);
    return best;
}

void Search::remember(int ply, const Move& move, int depth) {
    auto& killers = plies_[at(ply)].killers;
    if (!killers[0].same_as(move)) {
        killers[1] = killers[0];
        killers[0] = move;
    }
    std::int32_t& credit = history_[at(move.seat * ground_.rules.cells() + move.cell)];
    credit = std::min(credit + depth * depth * 16, 1 << 20);
}

// Puts the moves in the order in which they promise most.
void Search::rank(int ply, std::size_t begin, int depth, const Table::Entry& known) {
    const bool look_first = depth >= kDepthToRank && moves_.size() - begin > 1;
    const bool mine = plies_[at(ply)].position.turn == me_;
    for (std::size_t i = begin; i < moves_.size(); ++i) {
        Move& move = moves_[i];
        if (known.is_move(move)) {
            move.score = kKnownBest;
        } else if (look_first) {
            make(ply, move);
            const std::int32_t value = evaluation_.value(plies_[at(ply + 1)].position, me_);
            move.score = mine ? value : -value;
        } else if (plies_[at(ply)].killers[0].same_as(move) || plies_[at(ply)].killers[1].same_as(move)) {
            move.score += kKiller;
        }
    }
    std::sort(moves_.begin() + static_cast<std::ptrdiff_t>(begin), moves_.end(),
              [](const Move& a, const Move& b) { return a.score > b.score; });
}

// Appends the moves of a ply to those of the plies above it; where they begin.
std::size_t Search::list_moves(int ply, bool is_root) {
    const std::size_t begin = moves_.size();
    const Position& position = plies_[at(ply)].position;
    const auto each_mover = [&](auto list) {
        if (method_ == Method::kParanoid || position.turn == me_) return list(static_cast<int>(position.turn));
        for (int seat = 0; seat < ground_.rules.seats; ++seat) {
            if (seat != me_ && !position.is_out(seat)) list(seat);
        }
    };
    each_mover([&](int seat) { list_free(position, seat, is_root); });
    const bool must_override = moves_.size() == begin;
    if (must_override || is_root) {
        const std::size_t most = !must_override ? kOverridesAtRoot : is_root ? 4 * kOverridesLookedAt : kOverridesLookedAt;
        each_mover([&](int seat) { list_overrides(position, seat, most); });
    }
    return begin;
}

void Search::add(int cell, int special, int seat, std::int32_t score) {
    moves_.push_back({static_cast<std::uint16_t>(cell), static_cast<std::uint8_t>(special), static_cast<std::uint8_t>(seat), score});
}

void Search::list_free(const Position& position, int seat, bool is_root) {
    const std::uint64_t mask = kEachDirection << seat;
    for (std::size_t i = 0; i < position.free; ++i) {
        const int cell = position.free_cells[i];
        if (!(word(position.rays[at(cell)]) & mask)) continue;
        const std::uint8_t tile = position.tiles[at(cell)];
        if (tile == kChoice) {
            list_choices(position, seat, cell, is_root);
        } else if (tile == kBonus) {
            const bool overriding = evaluation_.prefers_override(position);
            add(cell, overriding ? kBonusOverride : kBonusBomb, seat, kSpecial);
            if (is_root) add(cell, overriding ? kBonusBomb : kBonusOverride, seat, 0);
        } else {
            const std::int32_t credit = history_[at(seat * ground_.rules.cells() + cell)];
            add(cell, 0, seat, credit + evaluation_.cell_value(cell) + (tile == kInversion ? kSpecial / 2 : 0));
        }
    }
}

// In the tree only the swaps that can matter: none, with whoever has most stones, and with the seat at the root.
void Search::list_choices(const Position& position, int seat, int cell, bool is_root) {
    const auto most = std::max_element(position.stones.begin(), position.stones.begin() + ground_.rules.seats) - position.stones.begin();
    for (int with = 0; with < ground_.rules.seats; ++with) {
        if (is_root || ground_.rules.seats <= 3 || with == seat || with == me_ || with == most) add(cell, with + 1, seat, kSpecial);
    }
}

// Those that turn most stones: there are far too many to look at all of them.
void Search::list_overrides(const Position& position, int seat, std::size_t most) {
    if (position.overrides[at(seat)] == 0) return;
    const std::size_t begin = moves_.size();
    for (int cell = 0; cell < ground_.board.cells(); ++cell) {
        const std::uint8_t tile = position.tiles[at(cell)];
        if (!is_occupied(tile) || !(tile == kExpansion || position.captures(cell, seat))) continue;
        Move move{static_cast<std::uint16_t>(cell), 0, static_cast<std::uint8_t>(seat), 0};
        move.score = player_.turned(position, move) + (tile != seat + 1);
        moves_.push_back(move);
    }
    if (moves_.size() - begin <= most) return;
    const auto first = moves_.begin() + static_cast<std::ptrdiff_t>(begin);
    std::partial_sort(first, first + static_cast<std::ptrdiff_t>(most), moves_.end(),
                      [](const Move& a, const Move& b) { return a.score > b.score; });
    moves_.resize(begin + most);
}

}  // namespace polyversi::xt
