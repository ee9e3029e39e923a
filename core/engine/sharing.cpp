// How the threads of a search share the moves of a node.
#include <algorithm>

#include "engine/search.hpp"

namespace polyversi::engine {
namespace {

constexpr std::chrono::milliseconds kLongestRest{2};  // of whoever has to look around

}  // namespace

// What a thread does until the end: works wherever there is something to do.
void Search::help(Worker& worker) {
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

// With the mutex held: a node that has moves nobody searches yet, under the given one if there is one.
Search::Split* Search::find_work(const Split* within) {
    for (auto one = open_.rbegin(); one != open_.rend(); ++one) {
        Split* split = *one;
        if (split->next.load(std::memory_order_relaxed) >= split->count || split->is_cut.load(std::memory_order_relaxed)) continue;
        const Split* up = split;
        while (within && up && up != within) up = up->parent;
        if (!within || up) return split;
    }
    return nullptr;
}

void Search::Worker::share(Candidate* list, int count, int alpha, Aim aim, int empties, int& best, int& best_cell) {
    Split here{split, list, count, alpha, aim, empties, 0, {}, 0, best, best_cell};
    {
        const std::lock_guard lock(search.mutex_);
        search.open_.push_back(&here);
    }
    search.changed_.notify_all();
    work_at(here);
    std::unique_lock lock(search.mutex_);
    search.open_.erase(std::find(search.open_.begin(), search.open_.end(), &here));
    while (here.helpers > 0) {
        if (Split* other = search.find_work(&here)) {
            ++other->helpers;
            lock.unlock();
            work_at(*other);
            lock.lock();
            --other->helpers;
            search.changed_.notify_all();
            continue;
        }
        rest(lock);
    }
    best = here.best;
    best_cell = here.best_cell;
}

// Waits until something has changed. Whoever has to look around still does so now and then.
void Search::Worker::rest(std::unique_lock<std::mutex>& lock) {
    ++search.idle_;
    if (next_look == ~std::uint64_t{0}) {
        search.changed_.wait(lock);
    } else {
        const bool is_long = search.changed_.wait_for(lock, kLongestRest) == std::cv_status::timeout;
        lock.unlock();
        if (is_long) search.next_watch_ = 0;
        look_around(memory.nodes + shallow.nodes);
        lock.lock();
    }
    --search.idle_;
}

void Search::Worker::work_at(Split& here) {
    Split* const before = split;
    split = &here;
    while (!must_stop()) {
        const int i = here.next.fetch_add(1);
        if (i >= here.count) break;
        const int score = -look(here.list[i].own, here.list[i].other, -here.alpha - 1, here.aim.less(1), here.empties - 1);
        const std::lock_guard lock(search.mutex_);
        if (must_stop()) break;
        if (score > here.best) here.best = score, here.best_cell = here.list[i].cell;
        if (here.best > here.alpha) here.is_cut = true;
    }
    split = before;
}

}  // namespace polyversi::engine
