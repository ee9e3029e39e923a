#include "engine/search.hpp"

#include <algorithm>
#include <utility>

#include "engine/free_ending.hpp"

namespace polyversi::engine {
namespace {

// Empty cells that are left to the ending's own search: fewer where it has more to look at.
constexpr int kMostInEnding = 13, kMostInEndingForFewest = 11, kMostInFreeEnding = 9;
constexpr int kLeastShared = 14;   // plies of a node that is worth sharing
constexpr int kLeastHashed = 2;    // and of one that is worth remembering
constexpr int kFirstDepth = 4, kLastDepth = 12;  // of the searches before the exact one, which leave it
constexpr int kLeftToExact = 10;                 // at least so many plies
constexpr int kForeseenFrom = 16;  // empty cells from which on the exact search is preceded by one that leaves out a lot
constexpr int kByValueFrom = 12, kByValueFromDepth = 3;  // where moves are ordered by what they are worth
constexpr int kFreedom = 20, kFreedomAtEnd = 120, kOddQuarter = 6;  // what a reply less and a move in an odd quarter count for then
constexpr int kMargin = 6 * kStone;              // how much worse than the best a move may be to be told from others
constexpr std::uint64_t kNodesPerLook = 1 << 14, kNodesPerWatch = 1 << 20;

std::uint64_t at(int cell) { return std::uint64_t{1} << cell; }

}  // namespace

Search::Search(const Plan& plan, const Evaluation& evaluation, const Doubt& doubt, int threads, std::size_t table_bytes,
               std::uint32_t features)
    : plan_(plan), evaluation_(evaluation.on(plan_)), selection_(doubt),
      most_in_ending_(plan.geometry.free_pass ? kMostInFreeEnding : plan.fewest_wins ? kMostInEndingForFewest : kMostInEnding), features_(features), table_(table_bytes) {
    for (int i = 0; i < threads; ++i) workers_.push_back(std::make_unique<Worker>(*this));
    try {
        for (int i = 1; i < threads; ++i) threads_.emplace_back([this, i] { help(*workers_[static_cast<std::size_t>(i)]); });
    } catch (...) {  // the machine gives no more threads
        close();
        throw;
    }
}

Search::~Search() { close(); }

void Search::close() {
    {
        const std::lock_guard lock(mutex_);
        closing_ = true;
        halted_ = true;
    }
    changed_.notify_all();
    for (std::thread& thread : threads_) thread.join();
}

void Search::begin(const bit::Position& position, const Bounds& bounds, const Watch& watch) {
    if (position.own != root_.own || position.other != root_.other) table_.grow_older();
    root_ = position;
    halted_ = false;
    if (stop_asked_) halted_ = true;
    bounds_ = bounds;
    watch_ = &watch;
    nodes_before_ = nodes();
    next_watch_ = workers_[0]->next_look = 0;
}

// Says what went wrong on the way, if something did.
void Search::end() {
    Worker& worker = *workers_[0];
    worker.next_look = ~std::uint64_t{0};
    worker.counted = worker.memory.nodes + worker.shallow.nodes;
    watch_ = nullptr;
    if (trouble_) std::rethrow_exception(std::exchange(trouble_, nullptr));
}

std::optional<Solution> Search::solve(const bit::Position& position, int low, int high, const Watch& watch) {
    begin(position, {}, watch);
    Root root = root_of(position);
    // Ever deeper and with ever more trust, so that the exact search begins with a good guess and the best moves in the table.
    int guess = 0;
    if (features_ & kDeepening) {
        for (int depth = kFirstDepth; depth <= std::min(kLastDepth, root.empties - kLeftToExact); depth += 2) {
            guess = best_of(root, {depth, 0}, -plan_.cells, plan_.cells, guess).solution.value;
        }
        if ((features_ & kSelection) && root.empties >= kForeseenFrom) {
            guess = best_of(root, {root.empties, 0}, -plan_.cells, plan_.cells, guess).solution.value;
        }
    }
    Solution solution = best_of(root, {root.empties}, low, high, guess).solution;
    solution.line = proved_line(root, solution.value);
    end();
    if (is_halted()) return std::nullopt;
    return solution;
}

Choice Search::best(const bit::Position& position, Aim aim, const Bounds& bounds, const Watch& watch) {
    begin(position, bounds, watch);
    Root root = root_of(position);
    aim.depth = std::min(aim.depth, root.empties);
    Choice choice = best_of(root, aim, -plan_.cells, plan_.cells, guess(root.own, root.other, 0));
    end();
    return choice;
}

std::vector<Choice> Search::all(const bit::Position& position, Aim aim, const Bounds& bounds, const Watch& watch) {
    begin(position, bounds, watch);
    Root root = root_of(position);
    aim.depth = std::min(aim.depth, root.empties);
    Worker& worker = *workers_[0];
    std::vector<Choice> choices;
    for (const Candidate& move : root.moves) {
        table_.grow_with(nodes());
        const int value = enclosed(-plan_.cells, plan_.cells, -guess(move.own, move.other, 0),
                                   [&](int alpha) { return worker.after(move, root, alpha, aim); }, [this] { return is_halted(); });
        choices.push_back({move.cell, {value, {}}, !is_halted()});
        if (is_halted()) continue;
        choices.back().solution.line = remembered_line(move.own, move.other, aim.depth - 1);
        choices.back().solution.line.insert(choices.back().solution.line.begin(), move.cell);
    }
    std::stable_sort(choices.begin(), choices.end(), [](const Choice& one, const Choice& other) {
        return std::pair(one.is_known, one.is_known ? one.solution.value : 0) > std::pair(other.is_known, other.is_known ? other.solution.value : 0);
    });
    if (!is_halted() && !choices.empty() && choices[0].cell != kPass) {
        worker.remember(root.own, root.other, choices[0].solution.value - 1, choices[0].solution.value, choices[0].cell, aim);
    }
    end();
    return choices;
}

std::vector<int> Search::line(const bit::Position& position, int value, const Bounds& bounds, const Watch& watch) {
    begin(position, bounds, watch);
    std::vector<int> line = proved_line(root_of(position), value);
    end();
    return line;
}

Search::Root Search::root_of(const bit::Position& position) {
    Root root{position.own, position.other, position.passes, std::popcount(plan_.geometry.valid & ~(position.own | position.other)), {}};
    if (plan_.geometry.free_pass && root.passes > 1) return root;  // the game is over
    const std::uint64_t todo = plan_.ops.moves(plan_.geometry, root.own, root.other);
    root.moves.resize(static_cast<std::size_t>(std::popcount(todo)));
    workers_[0]->spread(root.own, root.other, todo, root.empties, root.moves.data());
    workers_[0]->order(root.own, root.other, {root.empties}, root.empties, root.moves.data(), static_cast<int>(root.moves.size()));
    Table::Known known;
    table_.find(root.own, root.other, known);
    const auto best = std::find_if(root.moves.begin(), root.moves.end(), [&](const Candidate& one) { return one.cell == known.best; });
    if (best != root.moves.end()) std::rotate(root.moves.begin(), best, best + 1);
    const bool is_free = plan_.geometry.free_pass && root.empties > 0;
    if (is_free || (!todo && plan_.ops.moves(plan_.geometry, root.other, root.own))) root.moves.push_back({root.other, root.own, 0, kPass});
    return root;
}

Choice Search::best_of(Root& root, Aim aim, int low, int high, int first_guess) {
    Choice choice{root.moves.empty() ? kPass : root.moves[0].cell};
    const int value = enclosed(
        low, high, first_guess,
        [&](int alpha) {
            int cell = 64;
            table_.grow_with(nodes());
            const int found = root.moves.empty() ? plan_.final_value(root.own, root.other) : workers_[0]->look_at_root(root, alpha, aim, cell);
            if (found > alpha && !is_halted()) {
                const auto chosen = std::find_if(root.moves.begin(), root.moves.end(), [&](const Candidate& one) { return one.cell == cell; });
                if (chosen != root.moves.end() && cell != kPass) std::rotate(root.moves.begin(), chosen, chosen + 1);
                choice.cell = cell;
                choice.solution.value = found;
                choice.is_known = true;
            }
            return found;
        },
        [this] { return is_halted(); });
    if (is_halted()) return choice;
    choice.solution.value = value;
    if (root.moves.empty()) return choice;
    choice.is_known = true;
    const Candidate* chosen = &root.moves[0];
    for (const Candidate& one : root.moves) {
        if (one.cell == choice.cell) chosen = &one;
    }
    choice.solution.line = remembered_line(chosen->own, chosen->other, aim.depth - 1);
    choice.solution.line.insert(choice.solution.line.begin(), choice.cell);
    return choice;
}

int Search::guess(std::uint64_t own, std::uint64_t other, int otherwise) const {
    Table::Known known;
    if (!table_.find(own, other, known)) return otherwise;
    return known.low > -kNoValue ? known.low : known.high < kNoValue ? known.high : otherwise;
}

// The best moves as far as they are in the table.
std::vector<int> Search::remembered_line(std::uint64_t own, std::uint64_t other, int depth) const {
    std::vector<int> line;
    for (int ply = 0; ply < depth; ++ply) {
        const std::uint64_t todo = plan_.ops.moves(plan_.geometry, own, other);
        Table::Known known;
        if (!todo && !plan_.geometry.free_pass && plan_.ops.moves(plan_.geometry, other, own)) {
            line.push_back(kPass);
            std::swap(own, other);
            continue;
        }
        if (!table_.find(own, other, known) || known.best == 64 || !(todo & at(known.best))) break;
        const std::uint64_t turned = plan_.ops.flips(plan_.geometry, known.best, own, other);
        line.push_back(known.best);
        own = std::exchange(other, own | turned | at(known.best)) & ~turned;
    }
    return line;
}

// Moves with which both sides reach the value: of each position the first that is good enough.
std::vector<int> Search::proved_line(const Root& from, int value) {
    Worker& worker = *workers_[0];
    std::vector<int> line;
    for (Root root = from; !is_halted() && !root.moves.empty(); value = -value) {
        std::size_t chosen = 0;
        while (chosen + 1 < root.moves.size() && worker.after(root.moves[chosen], root, value - 1, {root.empties}) < value) ++chosen;
        if (is_halted()) break;
        const Candidate move = root.moves[chosen];
        line.push_back(move.cell);
        const int passes = move.cell == kPass && plan_.geometry.free_pass ? root.passes + 1 : 0;
        root = root_of({move.own, move.other, 0, static_cast<std::uint8_t>(passes)});
    }
    return line;
}

std::uint64_t Search::nodes() const {
    std::uint64_t sum = 0;
    for (const auto& worker : workers_) sum += worker->counted.load(std::memory_order_relaxed);
    return sum;
}

bool Search::Worker::must_stop() {
    const std::uint64_t seen = memory.nodes + shallow.nodes;
    counted.store(seen, std::memory_order_relaxed);
    if (seen >= next_look) look_around(seen);
    if (search.is_halted()) return true;
    for (const Split* up = split; up; up = up->parent) {
        if (up->is_cut.load(std::memory_order_relaxed)) return true;
    }
    return false;
}

// Whether the search has cost what it may, and whether whoever asked wants something else by now.
void Search::Worker::look_around(std::uint64_t seen) {
    const Bounds& bounds = search.bounds_;
    const std::uint64_t spent = search.nodes() - search.nodes_before_;
    next_look = seen + std::min(kNodesPerLook, bounds.nodes > spent ? bounds.nodes - spent : kNodesPerLook);
    if (spent >= bounds.nodes || (bounds.end && std::chrono::steady_clock::now() >= *bounds.end)) search.halted_ = true;
    if (seen < search.next_watch_) return;
    search.next_watch_ = seen + kNodesPerWatch;
    try {
        (*search.watch_)();
    } catch (...) {  // told when every thread has stopped
        search.trouble_ = std::current_exception();
        search.halted_ = true;
    }
}

// Whether the value of a position is above alpha: a bound of it on that side.
int Search::Worker::look(std::uint64_t own, std::uint64_t other, int alpha, Aim aim, int empties) {
    if (aim.depth >= empties && empties <= search.most_in_ending_ && has(kLastCells)) return plan.ops.ending(memory, own, other, alpha);
    if (plan.geometry.free_pass) {
        return with_free_pass(plan.final_value(own, other), own, other, alpha, [&](std::uint64_t mine, std::uint64_t theirs, int bound) {
            const bool is_after_pass = mine != own && aim.depth < empties;
            return moving(mine, theirs, bound, aim.less(is_after_pass ? 1 : 0), empties);
        });
    }
    if (const int value = moving(own, other, alpha, aim, empties); value != -kNoValue) return value;
    if (const int value = moving(other, own, -alpha - 1, aim, empties); value != -kNoValue) return -value;
    return plan.final_value(own, other);
}

// The same for the best move; -kNoValue where there is none.
int Search::Worker::moving(std::uint64_t own, std::uint64_t other, int alpha, Aim aim, int empties) {
    const int depth = aim.depth;
    ++memory.nodes;
    if (depth <= 0 && empties > 0) return Evaluation::in_stones(search.evaluation_.value(own, other));
    if (must_stop()) return alpha;
    const std::uint64_t todo = plan.ops.moves(plan.geometry, own, other);
    if (!todo) return -kNoValue;
    if (depth == 1 && empties > 1 && !plan.geometry.free_pass) {
        const int enough = Evaluation::in_parts(alpha + 1);
        return Evaluation::in_stones(shallow.value(own, other, 1, enough - 1, enough));
    }
    // Step 1. What is known already.
    Table::Known known;
    const bool is_hashed = depth >= kLeastHashed && has(kTable);
    if (is_hashed && search.table_.find(own, other, known) && known.tells(depth, aim.trust)) {
        if (known.low > alpha) return known.low;
        if (known.high <= alpha) return known.high;
    }
    // Step 2. Stones that cannot be turned any more bound the value.
    if (alpha >= plan.cells - 3 * empties && has(kStability)) {
        if (const int bound = plan.most(own, other); bound <= alpha) return bound;
    }
    // Step 3. What a shallow search shows clearly enough.
    if (aim.trust < kMostTrust && depth >= Selection::kLeastDepth && has(kSelection)) {
        if (const std::optional<int> value = foreseen(own, other, alpha, aim, empties)) return *value;
    }
    // Step 4. Where the moves lead; one that is known to be good enough ends the search at once.
    Candidate list[64];
    int count = spread(own, other, todo, depth, list);
    if (depth > kLeastHashed && has(kTable) && has(kForesight)) {
        for (int i = 0; i < count; ++i) {
            Table::Known next;
            if (!search.table_.find(list[i].own, list[i].other, next) || !next.tells(depth - 1, aim.trust)) continue;
            const int most = with_pass(next.high, list[i]);
            if (-most <= alpha) continue;
            remember(own, other, alpha, -most, list[i].cell, aim);
            return -most;
        }
    }
    // Step 5. The move that was best the last time: mostly it is good enough again, and the others need not be put in order.
    int best = -kNoValue, best_cell = 64;
    const Candidate* known_best = std::find_if(list, list + count, [&](const Candidate& one) { return one.cell == known.best; });
    if (known_best != list + count && has(kOrdering)) {
        best_cell = known.best;
        best = -look(known_best->own, known_best->other, -alpha - 1, aim.less(1), empties - 1);
        list[known_best - list] = list[--count];
    }
    // Step 6. The others in order.
    if (best <= alpha && count > 0) {
        if (has(kOrdering)) order(own, other, aim, empties, list, count);
        go_through(list, count, alpha, aim, empties, best, best_cell);
    }
    if (must_stop()) return alpha;
    // Step 7. Remember it.
    if (is_hashed) remember(own, other, alpha, best, best_cell, aim);
    return best;
}

// What a position is worth at most, if its moves are: the table knows of moves only, but one may also pass.
int Search::Worker::with_pass(int by_moving, const Candidate& position) const {
    return plan.geometry.free_pass ? std::max(by_moving, plan.final_value(position.own, position.other)) : by_moving;
}

std::optional<int> Search::Worker::foreseen(std::uint64_t own, std::uint64_t other, int alpha, Aim aim, int empties) {
    const int margin = search.selection_.margin(aim.depth, empties, aim.trust);
    const Aim nearer{Selection::shallow(aim.depth), aim.trust};
    const bool is_good = Evaluation::in_stones(search.evaluation_.value(own, other)) > alpha;
    const int bound = is_good ? alpha + margin : alpha - margin;
    if (bound >= plan.cells || bound <= -plan.cells) return std::nullopt;
    if ((moving(own, other, bound, nearer, empties) > bound) != is_good || must_stop()) return std::nullopt;
    return is_good ? alpha + 1 : alpha;
}

// The first move alone, then the others together with whoever has nothing to do.
void Search::Worker::go_through(Candidate* list, int count, int alpha, Aim aim, int empties, int& best, int& best_cell) {
    for (int i = 0; i < count && best <= alpha; ++i) {
        if (best > -kNoValue && aim.depth >= kLeastShared && count - i > 1 && search.idle_.load(std::memory_order_relaxed) > 0) {
            share(list + i, count - i, alpha, aim, empties, best, best_cell);
            break;
        }
        const int score = -look(list[i].own, list[i].other, -alpha - 1, aim.less(1), empties - 1);
        if (score > best) best = score, best_cell = list[i].cell;
    }
}

// What a move of the position that was asked about is worth to whoever makes it.
int Search::Worker::after(const Candidate& move, const Root& root, int alpha, Aim aim) {
    if (move.cell != kPass) return -look(move.own, move.other, -alpha - 1, aim.less(1), root.empties - 1);
    if (!plan.geometry.free_pass) return -look(move.own, move.other, -alpha - 1, aim, root.empties);
    const int now = plan.final_value(root.own, root.other);
    if (root.passes > 0 || now <= alpha) return now;
    return std::min(now, -moving(move.own, move.other, -alpha - 1, aim.depth < root.empties ? aim.less(1) : aim, root.empties));
}

int Search::Worker::look_at_root(Root& root, int alpha, Aim aim, int& best_cell) {
    const bool may_pass = root.moves.back().cell == kPass;
    int best = -kNoValue;
    go_through(root.moves.data(), static_cast<int>(root.moves.size()) - may_pass, alpha, aim, root.empties, best, best_cell);
    if (may_pass && best <= alpha) {
        const int value = after(root.moves.back(), root, alpha, aim);
        if (value > best) best = value, best_cell = kPass;
    }
    if (!search.is_halted() && best_cell != kPass) remember(root.own, root.other, alpha, best, best_cell, aim);
    return best;
}

void Search::Worker::remember(std::uint64_t own, std::uint64_t other, int alpha, int value, int cell, Aim aim) {
    if (!has(kTable)) return;
    Table::Known known;
    (value > alpha ? known.low : known.high) = static_cast<std::int8_t>(value);
    known.best = static_cast<std::uint8_t>(cell);
    known.depth = static_cast<std::uint8_t>(aim.depth);
    known.trust = static_cast<std::uint8_t>(aim.trust);
    search.table_.store(own, other, known);
}

// Where each move leads.
int Search::Worker::spread(std::uint64_t own, std::uint64_t other, std::uint64_t todo, int depth, Candidate* list) {
    int count = 0;
    for (; todo; todo &= todo - 1) {
        const int cell = std::countr_zero(todo);
        const std::uint64_t turned = plan.ops.flips(plan.geometry, cell, own, other);
        Candidate& next = list[count++] = {other & ~turned, own | turned | at(cell), 0, cell};
        if (depth > kLeastHashed) search.table_.prefetch(next.own, next.other);
    }
    return count;
}

// The most promising moves first.
void Search::Worker::order(std::uint64_t own, std::uint64_t other, Aim aim, int empties, Candidate* list, int count) {
    const std::uint64_t empty = plan.geometry.valid & ~(own | other);
    const std::uint64_t odd = plan.odd_quarters(empty);
    const int depth = aim.depth;
    const bool is_exact = depth >= empties;
    const bool by_value = is_exact ? empties >= kByValueFrom : depth >= kByValueFromDepth;
    const int ahead = is_exact ? std::clamp((empties - kByValueFrom) / 3, 0, 3) : std::clamp((depth - kByValueFromDepth) / 4, 0, 2);
    int best = -Shallow::kMost;
    for (int i = 0; i < count; ++i) {
        Candidate next = list[i];
        const std::uint64_t replies = plan.ops.moves(plan.geometry, next.own, next.other);
        const int freedom = plan.freedom(replies);
        if (by_value) {
            const int seen = shallow.value(next.own, next.other, ahead, -Shallow::kMost, -(best - kMargin));
            best = std::max(best, -seen);
            next.cost = seen + (is_exact ? kFreedomAtEnd : kFreedom) * freedom - (odd & at(next.cell) ? kOddQuarter : 0);
        } else {
            const std::uint64_t later = plan.beside(next.other) & empty & ~at(next.cell);  // where there may be replies later
            next.cost = 32 * freedom + 6 * std::popcount(later) - (odd & at(next.cell) ? 6 : 0) - 4 * plan.value[static_cast<std::size_t>(next.cell)];
        }
        int place = i;
        for (; place > 0 && list[place - 1].cost > next.cost; --place) list[place] = list[place - 1];
        list[place] = next;
    }
}

}  // namespace polyversi::engine
