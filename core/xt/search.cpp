#include "xt/search.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace polyversi::xt {
namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

constexpr std::int32_t kInfinity = 1'000'000'000;
constexpr std::uint64_t kNodesPerClockCheck = 64;
constexpr std::uint64_t kNodesPerInterruptCheck = 65536;
constexpr std::size_t kMaxOverrides = 10;       // those that flip most
constexpr std::size_t kMaxOverridesAtRoot = 5;  // beside moves that need no override stone
constexpr int kMinDepthToOrderByMobility = 3;
constexpr std::int32_t kMobilityScore = 400;    // a move of the others, in thousandths of the value of a cell
constexpr int kMinDepthToOrderByValue = 4;      // move ordering by the evaluation of every child
constexpr std::size_t kFirstLateMove = 5;       // late move reductions: by one ply, then by two
constexpr std::size_t kFirstVeryLateMove = 16;
constexpr std::int32_t kHashMoveScore = 1 << 30, kKillerScore = 1 << 27, kSpecialTileScore = 1 << 22;

constexpr std::uint64_t mix(std::uint64_t value) {
    value = (value ^ (value >> 31)) * 0x7fb5d329728ea185u;
    return value ^ (value >> 27);
}

}  // namespace

Search::Search(const Rules& rules, const Weights& weights, Method method, int table_bits)
    : game_(rules), evaluation_(game_, weights), method_(rules.seats == 2 ? Method::kParanoid : method), mover_(game_),
      mcts_(game_, evaluation_, mover_), table_(table_bits) {
    plies_.reserve(kMaxDepth + 2);
    for (int i = 0; i < kMaxDepth + 2; ++i) plies_.emplace_back(game_);
    history_.resize(at(kMaxSeats * rules.cells()));
    moves_.reserve(at(64 * rules.cells() + 4096));
    root_moves_.reserve(at(16 * rules.cells()));
}

std::int32_t Search::evaluate(const graph::Position& from, int seat) {
    mover_.load(from, plies_[0].position);
    return evaluation_.value(plies_[0].position, seat);
}

std::array<PerSeat, 2> Search::measure(const graph::Position& from) {
    const Position& position = plies_[0].position;
    mover_.load(from, plies_[0].position);
    return {evaluation_.mobility(position), position.stones};
}

std::uint64_t Search::perft(const graph::Position& from, int depth) {
    root_seat_ = from.turn;
    moves_.clear();
    mover_.load(from, plies_[0].position);
    return perft_from(0, std::min(depth, kMaxDepth));
}

std::uint64_t Search::perft_from(int ply, int depth) {
    const Position& position = plies_[at(ply)].position;
    if (depth == 0 || position.finished) return 1;
    const std::size_t begin = moves_.size();
    list_free(position, position.turn, true);
    list_overrides(position, position.turn, at(game_.board.cells()));
    std::uint64_t total = 0;
    for (std::size_t i = begin, end = moves_.size(); i < end; ++i) {
        plies_[at(ply + 1)].position = position;
        mover_.play(plies_[at(ply + 1)].position, moves_[i]);
        mover_.advance_turn(plies_[at(ply + 1)].position, (moves_[i].seat + 1) % game_.rules.seats);
        total += perft_from(ply + 1, depth - 1);
    }
    moves_.resize(begin);
    return total;
}

std::uint64_t Search::key(const Position& position) const {
    std::uint64_t stocks = 0;
    for (int seat = 0; seat < game_.rules.seats; ++seat) {
        stocks = (stocks ^ position.overrides[at(seat)] ^ (std::uint64_t{position.bombs[at(seat)]} << 32)) * 0x9e3779b97f4a7c15u;
    }
    return mix(position.hash ^ stocks ^ (std::uint64_t{position.turn} << 56) ^ (static_cast<std::uint64_t>(root_seat_ + 1) << 48) ^
               (std::uint64_t{position.out} << 40));
}

// Sets everything up for a search, with the moves at the root in their first order.
void Search::begin(const graph::Position& from, const Limits& limits, const InterruptCheck& interrupt_check) {
    limits_ = limits;
    interrupt_check_ = &interrupt_check;
    root_seat_ = from.turn;
    nodes_ = next_clock_check_ = next_interrupt_check_ = 0;
    stopped_ = false;
    result_ = {};
    table_.new_search();
    for (std::int32_t& history : history_) history /= 8;
    for (Ply& ply : plies_) ply.killers = {};
    moves_.clear();
    mover_.load(from, plies_[0].position);
    list_moves(0, true);
    std::stable_sort(moves_.begin(), moves_.end(), [](const Move& a, const Move& b) { return a.score > b.score; });
    root_moves_ = moves_;
    moves_.clear();
    if (root_moves_.empty()) throw std::invalid_argument("the seat to move has no move");
    result_.move = root_moves_.front();
    result_.value = evaluation_.value(plies_[0].position, root_seat_);
}

Result Search::think(const graph::Position& from, const Limits& limits, const InterruptCheck& interrupt_check) {
    begin(from, limits, interrupt_check);
    if (root_moves_.size() == 1) return result_;
    if (uses_mcts()) return mcts_.search(plies_[0].position, root_moves_, limits, interrupt_check);
    search_deeper();
    return result_;
}

Result Search::expect(const graph::Position& from, const Limits& limits, const InterruptCheck& interrupt_check) {
    begin(from, limits, interrupt_check);
    if (game_.rules.seats > 2) return mcts_.search(plies_[0].position, root_moves_, limits, interrupt_check);
    search_deeper();
    // What one of two gains the other one loses.
    result_.points[at(root_seat_)] = static_cast<double>(result_.value) / kPoint;
    result_.points[at(1 - root_seat_)] = kRankPoints[0] + kRankPoints[1] - result_.points[at(root_seat_)];
    result_.line = table_line();
    return result_;
}

void Search::search_deeper() {
    for (int depth = 1; depth <= std::min(limits_.depth, kMaxDepth); ++depth) {
        reached_horizon_ = false;
        if (!search_root(depth)) break;
        if (result_.solved = !reached_horizon_; result_.solved) break;
        if (limits_.soft_deadline && Clock::now() >= *limits_.soft_deadline) break;
    }
    result_.nodes = nodes_;
}

// The best move, and what the transposition table knows about the play that follows.
std::vector<Move> Search::table_line() {
    std::vector<Move> line;
    line.reserve(at(kMaxDepth));
    line.push_back(result_.move);
    plies_[1].position = plies_[0].position;
    for (int ply = 0; ply + 1 < std::max(1, result_.depth); ++ply) {
        Position& position = plies_[1].position;
        mover_.play(position, line.back());
        mover_.advance_turn(position, (line.back().seat + 1) % game_.rules.seats);
        if (position.finished) break;
        const TranspositionTable::Entry entry = table_.find(key(position));
        const std::size_t first = list_moves(1, false);
        const auto known = std::find_if(moves_.begin() + static_cast<std::ptrdiff_t>(first), moves_.end(), [&](const Move& move) { return entry.is_move(move); });
        const bool is_known = known != moves_.end();
        if (is_known) line.push_back(*known);
        moves_.resize(first);
        if (!is_known) break;
    }
    return line;
}

// Two seats are a zero-sum game, as alpha-beta assumes. Of many, each maximises its own points. A fixed depth always means
// alpha-beta.
bool Search::uses_mcts() const {
    return method_ == Method::kMcts && limits_.depth >= kMaxDepth && limits_.is_limited();
}

// One iteration over the root moves; whether it was completed.
bool Search::search_root(int depth) {
    std::int32_t best = -kInfinity;
    for (std::size_t i = 0; i < root_moves_.size(); ++i) {
        if (i > 0 && should_stop()) return false;  // on the largest maps a single ply may take longer than there is time
        const Move move = root_moves_[i];
        make(0, move);
        std::int32_t value = i == 0 ? alpha_beta(1, depth - 1, -kInfinity, kInfinity) : alpha_beta(1, depth - 1, best, best + 1);
        if (i > 0 && value > best && !stopped_) value = alpha_beta(1, depth - 1, best, kInfinity);
        if (stopped_) return false;
        if (value > best) {
            best = value;
            result_.move = move;
            result_.value = value;
            // The new best goes to the front, the others keep their order.
            std::rotate(root_moves_.begin(), root_moves_.begin() + static_cast<std::ptrdiff_t>(i),
                        root_moves_.begin() + static_cast<std::ptrdiff_t>(i) + 1);
        }
    }
    result_.depth = depth;
    return true;
}

bool Search::should_stop() {
    if (nodes_ >= next_interrupt_check_) {
        next_interrupt_check_ = nodes_ + kNodesPerInterruptCheck;
        (*interrupt_check_)();
    }
    if (limits_.is_stopped() || (result_.depth > 0 && nodes_ >= limits_.nodes)) return true;
    if (!limits_.deadline || nodes_ < next_clock_check_) return false;
    next_clock_check_ = nodes_ + kNodesPerClockCheck;
    return Clock::now() >= *limits_.deadline;
}

void Search::make(int at_ply, const Move& move) {
    const Position& before = plies_[at(at_ply)].position;
    Position& after = plies_[at(at_ply + 1)].position;
    after = before;
    mover_.play(after, move);
    const bool reply = method_ != Method::kParanoid && move.seat != root_seat_;
    mover_.advance_turn(after, reply ? root_seat_ : (move.seat + 1) % game_.rules.seats);
    ++nodes_;
}

// Principal variation search. Values are for the seat at the root, which maximises; every other seat minimises.
std::int32_t Search::alpha_beta(int ply, int depth, std::int32_t alpha, std::int32_t beta) {
    const Position& position = plies_[at(ply)].position;
    if (position.finished) return evaluation_.value(position, root_seat_);
    if (depth <= 0 || ply >= kMaxDepth) {
        reached_horizon_ = true;
        return evaluation_.value(position, root_seat_);
    }
    if (stopped_ = stopped_ || should_stop(); stopped_) return 0;
    // Step 1. Transposition table cutoff.
    const std::uint64_t hash = key(position);
    const TranspositionTable::Entry entry = table_.find(hash);
    if ((entry.solved || entry.depth >= depth) && (entry.bound == Bound::kExact || (entry.bound == Bound::kLower && entry.value >= beta) ||
                                 (entry.bound == Bound::kUpper && entry.value <= alpha))) {
        reached_horizon_ = reached_horizon_ || !entry.solved;
        return entry.value;
    }
    const bool reached_before = std::exchange(reached_horizon_, false);
    // Step 2. Generate and order the moves.
    const std::size_t begin = list_moves(ply, false);
    const bool to_the_end = depth >= plies_left(position);
    order_moves(ply, begin, depth, entry, to_the_end);
    // Step 3. The first move with the full window, the others with a null window and late move reductions.
    const bool mine = position.turn == root_seat_;
    const std::int32_t old_alpha = alpha, old_beta = beta;
    std::int32_t best = mine ? -kInfinity : kInfinity;
    Move best_move = moves_[begin];
    const std::size_t end = moves_.size();
    for (std::size_t i = begin; i < end; ++i) {
        const Move move = moves_[i];
        make(ply, move);
        std::int32_t value;
        if (i == begin) {
            value = alpha_beta(ply + 1, depth - 1, alpha, beta);
        } else {
            int reduction = 0;
            if (depth >= 3 && !to_the_end && move.score < kKillerScore) reduction = (i - begin >= kFirstVeryLateMove) + (i - begin >= kFirstLateMove);
            const std::int32_t low = mine ? alpha : beta - 1, high = mine ? alpha + 1 : beta;
            value = alpha_beta(ply + 1, depth - 1 - reduction, low, high);
            if (reduction && !stopped_ && (mine ? value > alpha : value < beta)) value = alpha_beta(ply + 1, depth - 1, low, high);
            if (!stopped_ && value > alpha && value < beta) value = alpha_beta(ply + 1, depth - 1, alpha, beta);
        }
        if (stopped_) break;
        if (mine ? value > best : value < best) {
            best = value;
            best_move = move;
        }
        (mine ? alpha : beta) = mine ? std::max(alpha, best) : std::min(beta, best);
        if (alpha >= beta) {
            update_killers_and_history(ply, move, depth);
            break;
        }
    }
    moves_.resize(begin);
    if (stopped_) return 0;
    // Step 4. Store the bound.
    const Bound bound = best <= old_alpha ? Bound::kUpper : best >= old_beta ? Bound::kLower : Bound::kExact;
    table_.store(hash, depth, !reached_horizon_, best, bound, best_move);
    reached_horizon_ = reached_horizon_ || reached_before;
    return best;
}

void Search::update_killers_and_history(int ply, const Move& move, int depth) {
    auto& killers = plies_[at(ply)].killers;
    if (!killers[0].same_as(move)) {
        killers[1] = killers[0];
        killers[0] = move;
    }
    std::int32_t& history = history_[at(move.seat * game_.rules.cells()) + move.cell];
    history = std::min(history + depth * depth * 16, 1 << 20);
}

// The most plies that the building phase can still take, as long as nobody gains override stones.
int Search::plies_left(const Position& position) const {
    int plies = position.free + position.bonuses;
    for (int seat = 0; seat < game_.rules.seats; ++seat) plies += position.overrides[at(seat)];
    return plies;
}

// Move ordering: the hash move, then by value at deep nodes, or by the moves that are left to the others where everything
// is searched to the end (fastest first); otherwise by killers and history.
void Search::order_moves(int ply, std::size_t begin, int depth, const TranspositionTable::Entry& entry, bool to_the_end) {
    const bool by_value = depth >= (to_the_end ? kMinDepthToOrderByMobility : kMinDepthToOrderByValue) && moves_.size() - begin > 1;
    const bool mine = plies_[at(ply)].position.turn == root_seat_;
    for (std::size_t i = begin; i < moves_.size(); ++i) {
        Move& move = moves_[i];
        if (entry.is_move(move)) {
            move.score = kHashMoveScore;
        } else if (by_value) {
            make(ply, move);
            const Position& after = plies_[at(ply + 1)].position;
            if (to_the_end) {
                const PerSeat mobility = evaluation_.mobility(after);
                std::int32_t others = 0;
                for (int seat = 0; seat < game_.rules.seats; ++seat) others += seat == move.seat ? 0 : mobility[at(seat)];
                move.score = kMobilityScore * (mobility[move.seat] / 2 - others) + evaluation_.cell_value(move.cell);
            } else {
                const std::int32_t value = evaluation_.value(after, root_seat_);
                move.score = mine ? value : -value;
            }
        } else if (plies_[at(ply)].killers[0].same_as(move) || plies_[at(ply)].killers[1].same_as(move)) {
            move.score += kKillerScore;
        }
    }
    std::sort(moves_.begin() + static_cast<std::ptrdiff_t>(begin), moves_.end(),
              [](const Move& a, const Move& b) { return a.score > b.score; });
}

// Pushes the moves of a ply onto the stack; the index of the first.
std::size_t Search::list_moves(int ply, bool is_root) {
    const std::size_t begin = moves_.size();
    const Position& position = plies_[at(ply)].position;
    const auto each_mover = [&](auto list) {
        if (method_ == Method::kParanoid || position.turn == root_seat_) return list(static_cast<int>(position.turn));
        for (int seat = 0; seat < game_.rules.seats; ++seat) {
            if (seat != root_seat_ && !position.is_out(seat)) list(seat);
        }
    };
    each_mover([&](int seat) { list_free(position, seat, is_root); });
    const bool must_override = moves_.size() == begin;
    if (must_override || is_root) {
        const std::size_t most = !must_override ? kMaxOverridesAtRoot : is_root ? 4 * kMaxOverrides : kMaxOverrides;
        each_mover([&](int seat) { list_overrides(position, seat, most); });
    }
    return begin;
}

void Search::add(int cell, int special, int seat, std::int32_t score) {
    moves_.push_back({static_cast<Cell>(cell), static_cast<std::uint8_t>(special), static_cast<std::uint8_t>(seat), score});
}

void Search::list_free(const Position& position, int seat, bool is_root) {
    const std::uint64_t mask = kEachDirection << seat;
    const std::size_t first = moves_.size();
    for (std::size_t i = 0; i < position.free; ++i) {
        const int cell = static_cast<int>(position.free_cells[i]);
        if (!(word(position.rays[at(cell)]) & mask)) continue;
        const std::uint8_t tile = position.tiles[at(cell)];
        if (tile == kChoice) {
            list_choices(position, seat, cell, is_root);
        } else if (tile == kBonus) {
            const bool overriding = evaluation_.prefers_override(position);
            add(cell, overriding ? kBonusOverride : kBonusBomb, seat, kSpecialTileScore);
            if (is_root) add(cell, overriding ? kBonusBomb : kBonusOverride, seat, 0);
        } else {
            const std::int32_t history = history_[at(seat * game_.rules.cells() + cell)];
            add(cell, 0, seat, history + evaluation_.cell_value(cell) + (tile == kInversion ? kSpecialTileScore / 2 : 0));
        }
    }
    if (moves_.size() > first) return;
    mover_.visit_beside(position, [&](Cell cell) { add(static_cast<int>(cell), 0, seat, evaluation_.cell_value(static_cast<int>(cell))); });
}

// Below the root only the swaps that matter: none, with the seat that has most stones, and with the root seat.
void Search::list_choices(const Position& position, int seat, int cell, bool is_root) {
    const auto most = std::max_element(position.stones.begin(), position.stones.begin() + game_.rules.seats) - position.stones.begin();
    for (int with = 0; with < game_.rules.seats; ++with) {
        if (is_root || game_.rules.seats <= 3 || with == seat || with == root_seat_ || with == most) add(cell, with + 1, seat, kSpecialTileScore);
    }
}

// The override moves that flip most stones: there are too many to search all.
void Search::list_overrides(const Position& position, int seat, std::size_t most) {
    if (position.overrides[at(seat)] == 0) return;
    const std::size_t begin = moves_.size();
    for (int cell = 0; cell < game_.board.cells(); ++cell) {
        const std::uint8_t tile = position.tiles[at(cell)];
        if (!is_occupied(tile) || !(tile == kExpansion || position.captures(cell, seat))) continue;
        Move move{static_cast<Cell>(cell), 0, static_cast<std::uint8_t>(seat), 0};
        move.score = mover_.count_flips(position, move) + (tile != seat + 1);
        moves_.push_back(move);
    }
    if (moves_.size() - begin <= most) return;
    const auto first = moves_.begin() + static_cast<std::ptrdiff_t>(begin);
    std::partial_sort(first, first + static_cast<std::ptrdiff_t>(most), moves_.end(),
                      [](const Move& a, const Move& b) { return a.score > b.score; });
    moves_.resize(begin + most);
}

}  // namespace polyversi::xt
