#include "engine/solver.hpp"

#include <algorithm>
#include <utility>

namespace polyversi::engine {
namespace {

constexpr int kMostInEnding = 12;  // empty cells that are left to the ending's own search
constexpr int kLeastShared = 14;   // plies of a node that is worth sharing
constexpr int kLeastHashed = 2;    // and of one that is worth remembering
constexpr int kFirstDepth = 4, kLastDepth = 10;  // of the searches before the exact one, which leave it
constexpr int kLeftToExact = 10;                 // at least so many plies
constexpr int kByValueFrom = kMostInEnding + 1, kByValueFromDepth = 3;  // where moves are ordered by what they are worth
constexpr int kFreedom = 48, kOddQuarter = 6;    // what a reply less and a move in an odd quarter count for then
constexpr int kMargin = 6 * kStone;              // how much worse than the best a move may be to be told from others
constexpr std::uint64_t kNodesPerWatch = 1 << 20;
constexpr int kFirst = 1 << 20;    // cheaper than any move's cost

std::uint64_t at(int cell) { return std::uint64_t{1} << cell; }

}  // namespace

Solver::Solver(const Plan& plan, const Evaluation& evaluation, int threads, std::size_t table_bytes)
    : plan_(plan), evaluation_(evaluation.on(plan_)), table_(table_bytes) {
    for (int i = 0; i < threads; ++i) workers_.push_back(std::make_unique<Worker>(*this, nullptr));
    try {
        for (int i = 1; i < threads; ++i) threads_.emplace_back([this, i] { help(*workers_[static_cast<std::size_t>(i)]); });
    } catch (...) {  // the machine gives no more threads
        close();
        throw;
    }
}

Solver::~Solver() { close(); }

void Solver::close() {
    {
        const std::lock_guard lock(mutex_);
        closing_ = true;
        stopped_ = true;
    }
    changed_.notify_all();
    for (std::thread& thread : threads_) thread.join();
}

// What a thread does until the end: works wherever there is something to do.
void Solver::help(Worker& worker) {
    std::unique_lock lock(mutex_);
    while (!closing_) {
        Split* split = find_work(nullptr);
        if (!split) {
            ++idle_;
            changed_.wait(lock);
            --idle_;
            continue;
        }
        ++split->helpers;
        lock.unlock();
        worker.work_at(*split);
        lock.lock();
        --split->helpers;
        changed_.notify_all();
    }
}

std::optional<Solution> Solver::solve(std::uint64_t own, std::uint64_t other, int low, int high, const Watch& watch) {
    Worker& worker = *workers_[0];
    worker.watch = &watch;
    const int empties = std::popcount(plan_.geometry.valid & ~(own | other));
    // Ever deeper, so that the exact search begins with a good guess and with the best moves in the table.
    int guess = 0;
    for (int depth = kFirstDepth; depth <= std::min(kLastDepth, empties - kLeftToExact) && !stopped_; depth += 2) {
        guess = value(own, other, depth, empties, -plan_.cells, plan_.cells, guess);
    }
    Solution solution;
    solution.value = value(own, other, empties, empties, low, high, guess);
    find_line(own, other, solution.value, solution.line);
    worker.watch = nullptr;
    worker.counted = worker.memory.nodes + worker.shallow.nodes;
    if (trouble_) {
        stopped_ = false;  // it was whoever looked in that ended this search, and this one only
        std::rethrow_exception(std::exchange(trouble_, nullptr));
    }
    if (stopped_) return std::nullopt;
    return solution;
}

int Solver::value(std::uint64_t own, std::uint64_t other, int depth, int empties, int low, int high, int guess) {
    return enclosed(low, high, guess, [&](int alpha) { return workers_[0]->look(own, other, alpha, depth, empties); },
                    [this] { return stopped_.load(); });
}

// Moves with which both sides reach the value: of each position the first that is good enough.
void Solver::find_line(std::uint64_t own, std::uint64_t other, int value, std::vector<int>& line) {
    Worker& worker = *workers_[0];
    while (!stopped_) {
        std::uint64_t todo = plan_.ops.moves(plan_.geometry, own, other);
        if (!todo && !plan_.ops.moves(plan_.geometry, other, own)) return;
        const int empties = std::popcount(plan_.geometry.valid & ~(own | other));
        Table::Known known;
        table_.find(own, other, known);
        Candidate list[64];
        const int count = worker.order(own, other, todo, known.best, empties, empties, list);
        int chosen = 0;
        while (chosen + 1 < count && -worker.look(list[chosen].own, list[chosen].other, -value, empties - 1, empties - 1) < value) ++chosen;
        line.push_back(count ? list[chosen].cell : kPass);
        value = -value;
        std::swap(own, other);
        if (count) own = list[chosen].own, other = list[chosen].other;
    }
}

std::uint64_t Solver::nodes() const {
    std::uint64_t sum = 0;
    for (const auto& worker : workers_) sum += worker->counted.load(std::memory_order_relaxed);
    return sum;
}

// With the mutex held: a node that has moves nobody searches yet, under the given one if there is one.
Solver::Split* Solver::find_work(const Split* within) {
    for (auto one = open_.rbegin(); one != open_.rend(); ++one) {
        Split* split = *one;
        if (split->next.load(std::memory_order_relaxed) >= split->count || split->is_cut.load(std::memory_order_relaxed)) continue;
        const Split* up = split;
        while (within && up && up != within) up = up->parent;
        if (!within || up) return split;
    }
    return nullptr;
}

bool Solver::Worker::must_stop() {
    counted.store(memory.nodes + shallow.nodes, std::memory_order_relaxed);
    if (watch && memory.nodes >= next_look) {
        next_look = memory.nodes + kNodesPerWatch;
        try {
            (*watch)();
        } catch (...) {  // told when every thread has stopped
            solver.trouble_ = std::current_exception();
            solver.stopped_ = true;
        }
    }
    if (solver.stopped_.load(std::memory_order_relaxed)) return true;
    for (const Split* up = split; up; up = up->parent) {
        if (up->is_cut.load(std::memory_order_relaxed)) return true;
    }
    return false;
}

int Solver::Worker::look(std::uint64_t own, std::uint64_t other, int alpha, int depth, int empties) {
    const bool is_exact = depth >= empties;
    if (is_exact && empties <= kMostInEnding) return plan.ops.ending(memory, own, other, alpha);
    ++memory.nodes;
    if (depth <= 0) return solver.evaluation_.stones(own, other);
    if (must_stop()) return alpha;
    const std::uint64_t todo = plan.ops.moves(plan.geometry, own, other);
    if (!todo) {
        if (plan.ops.moves(plan.geometry, other, own)) return -look(other, own, -alpha - 1, depth, empties);
        return plan.final_value(own, other);
    }
    // Step 1. What is known already.
    Table::Known known;
    if (depth >= kLeastHashed && solver.table_.find(own, other, known) && known.depth >= depth) {
        if (known.low > alpha) return known.low;
        if (known.high <= alpha) return known.high;
    }
    // Step 2. Stones that cannot be turned any more bound the value.
    if (alpha >= plan.cells - 3 * empties) {
        if (const int bound = plan.most(own, other); bound <= alpha) return bound;
    }
    // Step 3. The moves in order; one that is known to be good enough ends the search at once.
    Candidate list[64];
    const int count = order(own, other, todo, known.best, depth, empties, list);
    if (depth > kLeastHashed) {
        for (int i = 0; i < count; ++i) {
            Table::Known next;
            if (!solver.table_.find(list[i].own, list[i].other, next) || next.depth < depth - 1 || -next.high <= alpha) continue;
            remember(own, other, alpha, -next.high, list[i].cell, depth);
            return -next.high;
        }
    }
    // Step 4. The first move alone, then the others together with whoever has nothing to do.
    int best = -kNoValue, best_cell = 64;
    for (int i = 0; i < count && best <= alpha; ++i) {
        if (i == 1 && depth >= kLeastShared && count > 2 && solver.idle_.load(std::memory_order_relaxed) > 0) {
            share(list + 1, count - 1, alpha, depth, empties, best, best_cell);
            break;
        }
        const int score = -look(list[i].own, list[i].other, -alpha - 1, depth - 1, empties - 1);
        if (score > best) best = score, best_cell = list[i].cell;
    }
    if (must_stop()) return alpha;
    // Step 5. Remember it.
    if (depth >= kLeastHashed) remember(own, other, alpha, best, best_cell, depth);
    return best;
}

void Solver::Worker::remember(std::uint64_t own, std::uint64_t other, int alpha, int value, int cell, int depth) {
    const bool is_above = value > alpha;
    solver.table_.store(own, other, {static_cast<std::int8_t>(is_above ? value : -kNoValue), static_cast<std::int8_t>(is_above ? kNoValue : value),
                                     static_cast<std::uint8_t>(cell), static_cast<std::uint8_t>(depth)});
}

void Solver::Worker::share(Candidate* list, int count, int alpha, int depth, int empties, int& best, int& best_cell) {
    Split here{split, list, count, alpha, depth, empties, 0, {}, 0, best, best_cell};
    {
        const std::lock_guard lock(solver.mutex_);
        solver.open_.push_back(&here);
    }
    solver.changed_.notify_all();
    work_at(here);
    std::unique_lock lock(solver.mutex_);
    solver.open_.erase(std::find(solver.open_.begin(), solver.open_.end(), &here));
    while (here.helpers > 0) {
        if (Split* other = solver.find_work(&here)) {
            ++other->helpers;
            lock.unlock();
            work_at(*other);
            lock.lock();
            --other->helpers;
            solver.changed_.notify_all();
            continue;
        }
        ++solver.idle_;
        solver.changed_.wait(lock);
        --solver.idle_;
    }
    best = here.best;
    best_cell = here.best_cell;
}

void Solver::Worker::work_at(Split& here) {
    Split* const before = split;
    split = &here;
    while (!must_stop()) {
        const int i = here.next.fetch_add(1);
        if (i >= here.count) break;
        const int score = -look(here.list[i].own, here.list[i].other, -here.alpha - 1, here.depth - 1, here.empties - 1);
        const std::lock_guard lock(solver.mutex_);
        if (must_stop()) break;
        if (score > here.best) here.best = score, here.best_cell = here.list[i].cell;
        if (here.best > here.alpha) here.is_cut = true;
    }
    split = before;
}

int Solver::Worker::order(std::uint64_t own, std::uint64_t other, std::uint64_t todo, int known_best, int depth, int empties,
                          Candidate* list) {
    const std::uint64_t empty = plan.geometry.valid & ~(own | other);
    const std::uint64_t odd = plan.odd_quarters(empty);
    const bool is_exact = depth >= empties;
    const bool by_value = is_exact ? empties >= kByValueFrom : depth >= kByValueFromDepth;
    const int ahead = is_exact ? std::clamp((empties - kByValueFrom) / 2, 0, 3) : std::clamp((depth - kByValueFromDepth) / 3, 0, 2);
    int count = 0, best = -Shallow::kMost;
    for (; todo; todo &= todo - 1) {
        const int cell = std::countr_zero(todo);
        const std::uint64_t turned = plan.ops.flips(plan.geometry, cell, own, other);
        Candidate next{other & ~turned, own | turned | at(cell), -kFirst, cell};
        if (depth > kLeastHashed) solver.table_.prefetch(next.own, next.other);
        if (depth == 1) {
            next.cost = 0;
        } else if (cell != known_best) {
            const std::uint64_t replies = plan.ops.moves(plan.geometry, next.own, next.other);
            const int freedom = std::popcount(replies) + std::popcount(replies & plan.corners);
            if (by_value) {
                const int seen = shallow.value(next.own, next.other, ahead, -Shallow::kMost, -(best - kMargin));
                best = std::max(best, -seen);
                next.cost = seen + kFreedom * freedom - (odd & at(cell) ? kOddQuarter : 0);
            } else {
                const std::uint64_t later = plan.beside(next.other) & empty & ~at(cell);  // where there may be replies later
                next.cost = 32 * freedom + 6 * std::popcount(later) - (odd & at(cell) ? 6 : 0) - 4 * plan.value[static_cast<std::size_t>(cell)];
            }
        }
        int place = count++;
        for (; place > 0 && list[place - 1].cost > next.cost; --place) list[place] = list[place - 1];
        list[place] = next;
    }
    return count;
}

}  // namespace polyversi::engine
