#include "engine/search.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "engine/free_pass_endgame.hpp"

namespace polyversi::engine {
namespace {

// Empty cells at which the endgame solver takes over: fewer where its tree is larger.
constexpr int kMaxEndgameEmpties = 13, kMaxEndgameEmptiesForFewest = 11, kMaxFreePassEndgameEmpties = 9;
constexpr int kMinSplitDepth = 14;  // remaining plies of a node worth splitting
constexpr int kMinHashed = 2;       // and of one worth storing in the transposition table
constexpr int kFirstDepth = 4, kLastDepth = 12;  // of iterative deepening before an exact search,
constexpr int kMinPliesLeftToExact = 10;         // as long as it is this much deeper;
constexpr int kAlmostAll = 8;                    // a win by all stones but so many is looked for further ahead,
constexpr int kMinPliesLeftToWipeOut = 4;        // but not so near the end that telling 63 stones from 64 takes longer than solving
constexpr int kMinEmptiesForSelectiveSearch = 16;  // before an exact search
constexpr int kMinEmptiesToOrderByValue = 12, kMinDepthToOrderByValue = 3;  // by a shallow search
constexpr int kTolerance = kStone / 8;  // of the value of a search that does not reach the end of the game:
constexpr int kMaxPreciseDepth = 5;     // the last units cost more searches than they are worth, except at few plies
constexpr int kNoUnits = kNoValue * kStone;  // no value
constexpr int kMobilityWeight = 20, kEndgameMobilityWeight = 120, kParityBonus = 6;  // in units of the evaluation
constexpr int kOrderingMargin = 6 * kStone;  // moves this far below the best need no exact order
constexpr std::uint64_t kNodesPerLimitCheck = 1 << 14, kNodesPerInterruptCheck = 1 << 20;

std::uint64_t at(int cell) { return std::uint64_t{1} << cell; }

// Rounded down: the lower stone of a bound in units.
int lower_stone(int units) { return (units >= 0 ? units : units - kStone + 1) / kStone; }

// A bound in units between a number of stones and the next.
int above(int stones) { return stones * kStone + kStone / 2; }

}  // namespace

Search::Search(const Board& board, const Evaluation& evaluation, const ProbCutModel& model, int threads, std::size_t table_bytes,
               std::uint32_t features)
    : board_(board), evaluation_(evaluation.for_board(board_)), probcut_(model),
      max_endgame_empties_(board.geometry.free_pass ? kMaxFreePassEndgameEmpties : board.fewest_wins ? kMaxEndgameEmptiesForFewest : kMaxEndgameEmpties),
      features_(features), table_(table_bytes) {
    for (int i = 0; i < threads; ++i) workers_.push_back(std::make_unique<Worker>(*this));
    try {
        for (int i = 1; i < threads; ++i) threads_.emplace_back([this, i] { idle_loop(*workers_[static_cast<std::size_t>(i)]); });
    } catch (...) {  // the system refuses more threads
        close();
        throw;
    }
}

Search::~Search() { close(); }

void Search::close() {
    {
        const std::lock_guard lock(mutex_);
        exiting_ = true;
        halted_ = true;
    }
    changed_.notify_all();
    for (std::thread& thread : threads_) thread.join();
}

void Search::begin(const bit::Position& position, const Limits& limits, const InterruptCheck& interrupt_check) {
    if (position.own != root_.own || position.other != root_.other) table_.new_search();
    root_ = position;
    halted_ = false;
    if (stop_requested_) halted_ = true;
    limits_ = limits;
    interrupt_check_ = &interrupt_check;
    nodes_before_ = nodes();
    next_interrupt_check_ = workers_[0]->next_check = 0;
}

// Rethrows what an interrupt check threw.
void Search::end() {
    Worker& worker = *workers_[0];
    worker.next_check = ~std::uint64_t{0};
    worker.counted = worker.endgame.nodes + worker.shallow.nodes;
    interrupt_check_ = nullptr;
    if (exception_) std::rethrow_exception(std::exchange(exception_, nullptr));
}

std::optional<Solution> Search::solve(const bit::Position& position, int low, int high, const InterruptCheck& interrupt_check) {
    begin(position, {}, interrupt_check);
    Root root = root_of(position);
    // Step 1. Iterative deepening, then a selective search to the end: a good first guess, and hash moves in the table.
    int guess = 0;
    if (features_ & kIterativeDeepening) {
        // Where one side may lose all its stones, little is left to search: such an end is found before the long search, ply
        // by ply, since a move that wins everything may show at odd depths only.
        const int last_depth = std::min(kLastDepth, root.empties - kMinPliesLeftToExact);
        const auto is_almost_all = [&] { return std::abs(guess) >= (board_.cells - kAlmostAll) * kStone; };
        for (int depth = kFirstDepth; depth <= last_depth || (is_almost_all() && depth <= root.empties - kMinPliesLeftToWipeOut); depth += is_almost_all() ? 1 : 2) {
            guess = search_best(root, {depth, 0}, -board_.cells, board_.cells, guess).solution.value;
        }
        if ((features_ & kProbCut) && root.empties >= kMinEmptiesForSelectiveSearch) {
            guess = search_best(root, {root.empties, 0}, -board_.cells, board_.cells, guess).solution.value;
        }
    }
    // Step 2. The exact search, and its principal variation.
    Solution solution = search_best(root, {root.empties}, low, high, guess).solution;
    solution.value /= kStone;
    solution.pv = find_exact_pv(root, solution.value);
    end();
    if (is_halted()) return std::nullopt;
    return solution;
}

RootMoveResult Search::best_move(const bit::Position& position, SearchDepth target, const Limits& limits, const InterruptCheck& interrupt_check) {
    begin(position, limits, interrupt_check);
    Root root = root_of(position);
    target.depth = std::min(target.depth, root.empties);
    RootMoveResult result = search_best(root, target, -board_.cells, board_.cells, first_guess(root.own, root.other, 0));
    end();
    return result;
}

std::vector<RootMoveResult> Search::multi_pv(const bit::Position& position, SearchDepth target, const Limits& limits, const InterruptCheck& interrupt_check) {
    begin(position, limits, interrupt_check);
    Root root = root_of(position);
    target.depth = std::min(target.depth, root.empties);
    Worker& worker = *workers_[0];
    std::vector<RootMoveResult> results;
    for (const Move& move : root.moves) {
        table_.grow(nodes());
        const int value = converge(-board_.cells, board_.cells, -first_guess(move.own, move.other, 0), target, root.empties,
                                   [&](int alpha) { return worker.search_root_move(move, root, alpha, target); });
        results.push_back({move.cell, {value, {}}, !is_halted()});
        if (is_halted()) continue;
        results.back().solution.pv = pv_from_table(move.own, move.other, target.depth - 1);
        results.back().solution.pv.insert(results.back().solution.pv.begin(), move.cell);
    }
    std::stable_sort(results.begin(), results.end(), [](const RootMoveResult& one, const RootMoveResult& other) {
        return std::pair(one.is_known, one.is_known ? one.solution.value : 0) > std::pair(other.is_known, other.is_known ? other.solution.value : 0);
    });
    if (!is_halted() && !results.empty() && results[0].cell != kPass) {
        worker.store_bound(root.own, root.other, results[0].solution.value - 1, results[0].solution.value, results[0].cell, target);
    }
    end();
    return results;
}

std::vector<int> Search::exact_pv(const bit::Position& position, int value, const Limits& limits, const InterruptCheck& interrupt_check) {
    begin(position, limits, interrupt_check);
    std::vector<int> pv = find_exact_pv(root_of(position), value);
    end();
    return pv;
}

Search::Root Search::root_of(const bit::Position& position) {
    Root root{position.own, position.other, position.passes, std::popcount(board_.geometry.valid & ~(position.own | position.other)), {}};
    if (board_.geometry.free_pass && root.passes > 1) return root;  // the game is over
    const std::uint64_t todo = board_.ops.moves(board_.geometry, root.own, root.other);
    root.moves.resize(static_cast<std::size_t>(std::popcount(todo)));
    workers_[0]->generate_moves(root.own, root.other, todo, root.empties, root.moves.data());
    workers_[0]->order_moves(root.own, root.other, {root.empties}, root.empties, root.moves.data(), static_cast<int>(root.moves.size()));
    TranspositionTable::Data known;
    table_.probe(root.own, root.other, known);
    const auto best = std::find_if(root.moves.begin(), root.moves.end(), [&](const Move& one) { return one.cell == known.best; });
    if (best != root.moves.end()) std::rotate(root.moves.begin(), best, best + 1);
    const bool is_free = board_.geometry.free_pass && root.empties > 0;
    if (is_free || (!todo && board_.ops.moves(board_.geometry, root.other, root.own))) root.moves.push_back({root.other, root.own, 0, kPass});
    return root;
}

// MTD(f) in units, or in stones where the values are whole ones. `low` and `high` are in stones.
template <class NullWindowSearch>
int Search::converge(int low, int high, int guess, SearchDepth target, int empties, NullWindowSearch search) {
    const auto is_stopped = [this] { return is_halted(); };
    const int tolerance = target.depth <= kMaxPreciseDepth ? 1 : kTolerance;
    if (target.step(empties) == 1) return mtdf(low * kStone, high * kStone, guess, tolerance, search, is_stopped);
    const auto search_stones = [&](int alpha) { return lower_stone(search(above(alpha))); };
    return kStone * mtdf(low, high, Evaluation::to_stones(guess), 1, search_stones, is_stopped);
}

RootMoveResult Search::search_best(Root& root, SearchDepth target, int low, int high, int guess) {
    RootMoveResult result{root.moves.empty() ? kPass : root.moves[0].cell};
    const int value = converge(
        low, high, guess, target, root.empties,
        [&](int alpha) {
            int cell = 64;
            table_.grow(nodes());
            const int found = root.moves.empty() ? kStone * board_.final_value(root.own, root.other) : workers_[0]->search_root(root, alpha, target, cell);
            if (found > alpha && !is_halted()) {
                const auto chosen = std::find_if(root.moves.begin(), root.moves.end(), [&](const Move& one) { return one.cell == cell; });
                if (chosen != root.moves.end() && cell != kPass) std::rotate(root.moves.begin(), chosen, chosen + 1);
                result.cell = cell;
                result.solution.value = found;
                result.is_known = true;
            }
            return found;
        });
    if (is_halted()) return result;
    result.solution.value = value;
    if (root.moves.empty()) return result;
    result.is_known = true;
    const Move* chosen = &root.moves[0];
    for (const Move& one : root.moves) {
        if (one.cell == result.cell) chosen = &one;
    }
    result.solution.pv = pv_from_table(chosen->own, chosen->other, target.depth - 1);
    result.solution.pv.insert(result.solution.pv.begin(), result.cell);
    return result;
}

int Search::first_guess(std::uint64_t own, std::uint64_t other, int otherwise) const {
    TranspositionTable::Data known;
    if (!table_.probe(own, other, known)) return otherwise;
    return known.low > -TranspositionTable::kNoBound ? known.low : known.high < TranspositionTable::kNoBound ? known.high : otherwise;
}

// The principal variation as far as the transposition table has it.
std::vector<int> Search::pv_from_table(std::uint64_t own, std::uint64_t other, int depth) const {
    std::vector<int> pv;
    for (int ply = 0; ply < depth; ++ply) {
        const std::uint64_t todo = board_.ops.moves(board_.geometry, own, other);
        TranspositionTable::Data known;
        if (!todo && !board_.geometry.free_pass && board_.ops.moves(board_.geometry, other, own)) {
            pv.push_back(kPass);
            std::swap(own, other);
            continue;
        }
        if (!table_.probe(own, other, known) || known.best == 64 || !(todo & at(known.best))) break;
        const std::uint64_t flipped = board_.ops.flips(board_.geometry, known.best, own, other);
        pv.push_back(known.best);
        own = std::exchange(other, own | flipped | at(known.best)) & ~flipped;
    }
    return pv;
}

// At each position the first move that reaches the value, which is in stones.
std::vector<int> Search::find_exact_pv(const Root& from, int value) {
    Worker& worker = *workers_[0];
    std::vector<int> pv;
    for (Root root = from; !is_halted() && !root.moves.empty(); value = -value) {
        std::size_t chosen = 0;
        while (chosen + 1 < root.moves.size() && worker.search_root_move(root.moves[chosen], root, above(value - 1), {root.empties}) < value * kStone) ++chosen;
        if (is_halted()) break;
        const Move move = root.moves[chosen];
        pv.push_back(move.cell);
        const int passes = move.cell == kPass && board_.geometry.free_pass ? root.passes + 1 : 0;
        root = root_of({move.own, move.other, 0, static_cast<std::uint8_t>(passes)});
    }
    return pv;
}

std::uint64_t Search::nodes() const {
    std::uint64_t sum = 0;
    for (const auto& worker : workers_) sum += worker->counted.load(std::memory_order_relaxed);
    return sum;
}

bool Search::Worker::should_stop() {
    const std::uint64_t searched = endgame.nodes + shallow.nodes;
    counted.store(searched, std::memory_order_relaxed);
    if (searched >= next_check) check_limits(searched);
    if (search.is_halted()) return true;
    for (const SplitPoint* up = split_point; up; up = up->parent) {
        if (up->has_cutoff.load(std::memory_order_relaxed)) return true;
    }
    return false;
}

// Stops the search when its limits are reached, and runs the interrupt check now and then.
void Search::Worker::check_limits(std::uint64_t searched) {
    const Limits& limits = search.limits_;
    const std::uint64_t spent = search.nodes() - search.nodes_before_;
    next_check = searched + std::min(kNodesPerLimitCheck, limits.nodes > spent ? limits.nodes - spent : kNodesPerLimitCheck);
    if (spent >= limits.nodes || (limits.deadline && std::chrono::steady_clock::now() >= *limits.deadline)) search.halted_ = true;
    if (searched < search.next_interrupt_check_) return;
    search.next_interrupt_check_ = searched + kNodesPerInterruptCheck;
    try {
        (*search.interrupt_check_)();
    } catch (...) {  // rethrown when every thread has stopped
        search.exception_ = std::current_exception();
        search.halted_ = true;
    }
}

// Whether the value of a position is above alpha: a fail-soft bound on that side.
int Search::Worker::null_window_search(std::uint64_t own, std::uint64_t other, int alpha, SearchDepth target, int empties) {
    if (target.depth >= empties && empties <= search.max_endgame_empties_ && has(kEndgame)) {
        return kStone * board.ops.solve_endgame(endgame, own, other, lower_stone(alpha));
    }
    if (board.geometry.free_pass) {
        return with_free_pass(kStone * board.final_value(own, other), own, other, alpha, [&](std::uint64_t mine, std::uint64_t theirs, int bound) {
            const bool is_after_pass = mine != own && target.depth < empties;
            return search_moves(mine, theirs, bound, target.reduced(is_after_pass ? 1 : 0), empties);
        });
    }
    if (const int value = search_moves(own, other, alpha, target, empties); value != -kNoUnits) return value;
    if (const int value = search_moves(other, own, -alpha - 1, target, empties); value != -kNoUnits) return -value;
    return kStone * board.final_value(own, other);
}

// The same without passes; -kNoUnits if there is no move.
int Search::Worker::search_moves(std::uint64_t own, std::uint64_t other, int alpha, SearchDepth target, int empties) {
    const int depth = target.depth;
    ++endgame.nodes;
    if (depth <= 0 && empties > 0) return search.evaluation_.value(own, other);
    if (should_stop()) return alpha;
    const std::uint64_t todo = board.ops.moves(board.geometry, own, other);
    if (!todo) return -kNoUnits;
    if (depth == 1 && empties > 1 && !board.geometry.free_pass) return shallow.value(own, other, 1, alpha, alpha + 1);
    // Step 1. Transposition table cutoff.
    TranspositionTable::Data known;
    const bool is_hashed = depth >= kMinHashed && has(kTranspositionTable);
    if (is_hashed && search.table_.probe(own, other, known) && known.covers(depth, target.selectivity)) {
        if (known.low > alpha) return known.low;
        if (known.high <= alpha) return known.high;
    }
    // Step 2. Stability cutoff: stable stones bound the value.
    if (alpha >= (board.cells - 3 * empties) * kStone && has(kStabilityCutoff)) {
        if (const int bound = kStone * board.stability_bound(own, other); bound <= alpha) return bound;
    }
    // Step 3. ProbCut.
    if (target.selectivity < kNoSelectivity && depth >= ProbCut::kMinDepth && has(kProbCut)) {
        if (const std::optional<int> value = probcut(own, other, alpha, target, empties)) return *value;
    }
    // Step 4. Generate the moves; enhanced transposition cutoff where the table refutes by one of them.
    Move list[64];
    int count = generate_moves(own, other, todo, depth, list);
    if (depth > kMinHashed && has(kTranspositionTable) && has(kEnhancedTranspositionCutoff)) {
        for (int i = 0; i < count; ++i) {
            TranspositionTable::Data next;
            if (!search.table_.probe(list[i].own, list[i].other, next) || !next.covers(depth - 1, target.selectivity)) continue;
            const int most = bound_with_pass(next.high, list[i]);
            if (-most <= alpha) continue;
            store_bound(own, other, alpha, -most, list[i].cell, target);
            return -most;
        }
    }
    // Step 5. Search the hash move first: mostly it cuts off, and the others need no ordering.
    int best = -kNoUnits, best_cell = 64;
    const Move* hash_move = std::find_if(list, list + count, [&](const Move& one) { return one.cell == known.best; });
    if (hash_move != list + count && has(kMoveOrdering)) {
        best_cell = known.best;
        best = -null_window_search(hash_move->own, hash_move->other, -alpha - 1, target.reduced(1), empties - 1);
        list[hash_move - list] = list[--count];
    }
    // Step 6. Order and search the others.
    if (best <= alpha && count > 0) {
        if (has(kMoveOrdering)) order_moves(own, other, target, empties, list, count);
        search_move_list(list, count, alpha, target, empties, best, best_cell);
    }
    if (should_stop()) return alpha;
    // Step 7. Store the bound.
    if (is_hashed) store_bound(own, other, alpha, best, best_cell, target);
    return best;
}

// The table bounds the moves of a position only; with free passes its value may also be that of passing.
int Search::Worker::bound_with_pass(int bound, const Move& position) const {
    return board.geometry.free_pass ? std::max(bound, kStone * board.final_value(position.own, position.other)) : bound;
}

std::optional<int> Search::Worker::probcut(std::uint64_t own, std::uint64_t other, int alpha, SearchDepth target, int empties) {
    const int margin = search.probcut_.margin(target.depth, empties, target.selectivity);
    const SearchDepth reduced{ProbCut::reduced_depth(target.depth), target.selectivity};
    const bool is_good = search.evaluation_.value(own, other) > alpha;
    const int bound = is_good ? alpha + margin : alpha - margin;
    if (bound >= board.cells * kStone || bound <= -board.cells * kStone) return std::nullopt;
    if ((search_moves(own, other, bound, reduced, empties) > bound) != is_good || should_stop()) return std::nullopt;
    const int step = target.step(empties), low = step == 1 ? alpha : lower_stone(alpha) * kStone;
    return is_good ? low + step : low;
}

// Young Brothers Wait: the first move alone; the others are split when a thread is idle.
void Search::Worker::search_move_list(Move* list, int count, int alpha, SearchDepth target, int empties, int& best, int& best_cell) {
    for (int i = 0; i < count && best <= alpha; ++i) {
        if (best > -kNoUnits && target.depth >= kMinSplitDepth && count - i > 1 && search.idle_.load(std::memory_order_relaxed) > 0) {
            split_node(list + i, count - i, alpha, target, empties, best, best_cell);
            break;
        }
        const int score = -null_window_search(list[i].own, list[i].other, -alpha - 1, target.reduced(1), empties - 1);
        if (score > best) best = score, best_cell = list[i].cell;
    }
}

// The value of a root move for the seat that makes it.
int Search::Worker::search_root_move(const Move& move, const Root& root, int alpha, SearchDepth target) {
    if (move.cell != kPass) return -null_window_search(move.own, move.other, -alpha - 1, target.reduced(1), root.empties - 1);
    if (!board.geometry.free_pass) return -null_window_search(move.own, move.other, -alpha - 1, target, root.empties);
    const int now = kStone * board.final_value(root.own, root.other);
    if (root.passes > 0 || now <= alpha) return now;
    return std::min(now, -search_moves(move.own, move.other, -alpha - 1, target.depth < root.empties ? target.reduced(1) : target, root.empties));
}

int Search::Worker::search_root(Root& root, int alpha, SearchDepth target, int& best_cell) {
    const bool may_pass = root.moves.back().cell == kPass;
    int best = -kNoUnits;
    search_move_list(root.moves.data(), static_cast<int>(root.moves.size()) - may_pass, alpha, target, root.empties, best, best_cell);
    if (may_pass && best <= alpha) {
        const int value = search_root_move(root.moves.back(), root, alpha, target);
        if (value > best) best = value, best_cell = kPass;
    }
    if (!search.is_halted() && best_cell != kPass) store_bound(root.own, root.other, alpha, best, best_cell, target);
    return best;
}

void Search::Worker::store_bound(std::uint64_t own, std::uint64_t other, int alpha, int value, int cell, SearchDepth target) {
    if (!has(kTranspositionTable)) return;
    TranspositionTable::Data known;
    (value > alpha ? known.low : known.high) = static_cast<std::int16_t>(value);
    known.best = static_cast<std::uint8_t>(cell);
    known.depth = static_cast<std::uint8_t>(target.depth);
    known.selectivity = static_cast<std::uint8_t>(target.selectivity);
    search.table_.store(own, other, known);
}

int Search::Worker::generate_moves(std::uint64_t own, std::uint64_t other, std::uint64_t todo, int depth, Move* list) {
    int count = 0;
    for (; todo; todo &= todo - 1) {
        const int cell = std::countr_zero(todo);
        const std::uint64_t flipped = board.ops.flips(board.geometry, cell, own, other);
        Move& next = list[count++] = {other & ~flipped, own | flipped | at(cell), 0, cell};
        if (depth > kMinHashed) search.table_.prefetch(next.own, next.other);
    }
    return count;
}

// Move ordering: by a shallow search where the node is deep enough, otherwise by mobility, potential mobility, parity
// and cell values. The lowest cost comes first.
void Search::Worker::order_moves(std::uint64_t own, std::uint64_t other, SearchDepth target, int empties, Move* list, int count) {
    const std::uint64_t empty = board.geometry.valid & ~(own | other);
    const std::uint64_t odd = board.odd_quadrants(empty);
    const int depth = target.depth;
    const bool is_exact = depth >= empties;
    const bool by_value = is_exact ? empties >= kMinEmptiesToOrderByValue : depth >= kMinDepthToOrderByValue;
    const int ahead = is_exact ? std::clamp((empties - kMinEmptiesToOrderByValue) / 3, 0, 3) : std::clamp((depth - kMinDepthToOrderByValue) / 4, 0, 2);
    int best = -ShallowSearch::kInfinity;
    for (int i = 0; i < count; ++i) {
        Move next = list[i];
        const int mobility = board.ops.weighted_mobility(board, next.own, next.other);
        if (by_value) {
            const int seen = shallow.value(next.own, next.other, ahead, -ShallowSearch::kInfinity, -(best - kOrderingMargin));
            best = std::max(best, -seen);
            next.cost = seen + (is_exact ? kEndgameMobilityWeight : kMobilityWeight) * mobility - (odd & at(next.cell) ? kParityBonus : 0);
        } else {
            const std::uint64_t potential = board.adjacent(next.other) & empty & ~at(next.cell);  // potential mobility
            next.cost = 32 * mobility + 6 * std::popcount(potential) - (odd & at(next.cell) ? 6 : 0) - 4 * board.cell_value[static_cast<std::size_t>(next.cell)];
        }
        int place = i;
        for (; place > 0 && list[place - 1].cost > next.cost; --place) list[place] = list[place - 1];
        list[place] = next;
    }
}

}  // namespace polyversi::engine
