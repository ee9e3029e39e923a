// Parallel search by split points (Young Brothers Wait): threads without work join a node whose first move has been
// searched, and take its remaining moves one by one. While its helpers finish, the thread that split a node works below it
// itself (the "helpful master").
#include <algorithm>

#include "engine/search.hpp"

namespace polyversi::engine {
namespace {

constexpr std::chrono::milliseconds kMaxWait{2};  // of the thread that checks the limits

}  // namespace

// What a helper thread runs until the search object is destroyed.
void Search::idle_loop(Worker& worker) {
    std::unique_lock lock(mutex_);
    while (!exiting_) {
        SplitPoint* split_point = find_split_point(nullptr);
        if (!split_point) {
            ++idle_;
            changed_.wait(lock);
            --idle_;
            continue;
        }
        ++split_point->helpers;
        lock.unlock();
        worker.search_split_point(*split_point);
        lock.lock();
        --split_point->helpers;
        changed_.notify_all();
    }
}

// With the mutex held: a split point with moves left, below the given one if there is one.
Search::SplitPoint* Search::find_split_point(const SplitPoint* within) {
    for (auto one = split_points_.rbegin(); one != split_points_.rend(); ++one) {
        SplitPoint* split_point = *one;
        if (split_point->next.load(std::memory_order_relaxed) >= split_point->count || split_point->has_cutoff.load(std::memory_order_relaxed)) continue;
        const SplitPoint* up = split_point;
        while (within && up && up != within) up = up->parent;
        if (!within || up) return split_point;
    }
    return nullptr;
}

void Search::Worker::split_node(Move* list, int count, int alpha, SearchDepth target, int empties, int& best, int& best_cell) {
    SplitPoint here{split_point, list, count, alpha, target, empties, 0, {}, 0, best, best_cell};
    {
        const std::lock_guard lock(search.mutex_);
        search.split_points_.push_back(&here);
    }
    search.changed_.notify_all();
    search_split_point(here);
    std::unique_lock lock(search.mutex_);
    search.split_points_.erase(std::find(search.split_points_.begin(), search.split_points_.end(), &here));
    while (here.helpers > 0) {
        if (SplitPoint* other = search.find_split_point(&here)) {
            ++other->helpers;
            lock.unlock();
            search_split_point(*other);
            lock.lock();
            --other->helpers;
            search.changed_.notify_all();
            continue;
        }
        wait_for_helpers(lock);
    }
    best = here.best;
    best_cell = here.best_cell;
}

// Waits for a change; the thread that checks the limits keeps doing so.
void Search::Worker::wait_for_helpers(std::unique_lock<std::mutex>& lock) {
    ++search.idle_;
    if (next_check == ~std::uint64_t{0}) {
        search.changed_.wait(lock);
    } else {
        const bool timed_out = search.changed_.wait_for(lock, kMaxWait) == std::cv_status::timeout;
        lock.unlock();
        if (timed_out) search.next_interrupt_check_ = 0;
        check_limits(endgame.nodes + shallow.nodes);
        lock.lock();
    }
    --search.idle_;
}

void Search::Worker::search_split_point(SplitPoint& here) {
    SplitPoint* const before = split_point;
    split_point = &here;
    while (!should_stop()) {
        const int i = here.next.fetch_add(1);
        if (i >= here.count) break;
        const int score = -null_window_search(here.list[i].own, here.list[i].other, -here.alpha - 1, here.target.reduced(1), here.empties - 1);
        const std::lock_guard lock(search.mutex_);
        if (should_stop()) break;
        if (score > here.best) here.best = score, here.best_cell = here.list[i].cell;
        if (here.best > here.alpha) here.has_cutoff = true;
    }
    split_point = before;
}

}  // namespace polyversi::engine
