// The search: what a position and its moves are worth, as far ahead and with as much trust as is asked for, to the end of the
// game with nothing left out if that is what is asked. Null windows over a shared table, searched by several threads.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "engine/ending.hpp"
#include "engine/features.hpp"
#include "engine/selection.hpp"
#include "engine/shallow.hpp"
#include "engine/table.hpp"
#include "rules/stop.hpp"

namespace polyversi::engine {

constexpr int kPass = 64;

struct Solution {
    int value = 0;          // for the seat to move
    std::vector<int> line;  // bits of moves, or kPass, with which both sides reach it
};

// How far to look: to the end of the game if the depth is the number of empty cells.
struct Aim {
    int depth;
    int trust = kMostTrust;

    Aim less(int plies) const { return {depth - plies, trust}; }
};

// What a search may cost.
struct Bounds {
    std::optional<std::chrono::steady_clock::time_point> end = {};
    std::uint64_t nodes = ~std::uint64_t{0};
};

// A move of the position that was asked about.
struct Choice {
    int cell = kPass;
    Solution solution{};
    bool is_known = false;  // whether the search got so far
};

class Search {
  public:
    Search(const Plan& plan, const Evaluation& evaluation, const Doubt& doubt, int threads, std::size_t table_bytes,
           std::uint32_t features);
    ~Search();

    // The exact value, if it lies between low and high, otherwise that end of the two; nothing when it was stopped.
    std::optional<Solution> solve(const bit::Position& position, int low, int high, const Watch& watch);
    // The best move; what was found last when it is broken off.
    Choice best(const bit::Position& position, Aim aim, const Bounds& bounds, const Watch& watch);
    // What every move is worth, the best first; those that it did not come to are not known.
    std::vector<Choice> all(const bit::Position& position, Aim aim, const Bounds& bounds, const Watch& watch);
    // Moves with which both sides reach an exact value, as far as they are found within the bounds.
    std::vector<int> line(const bit::Position& position, int value, const Bounds& bounds, const Watch& watch);
    // Ends the search that is going on, and every later one until `go_on`.
    void stop() {
        stop_asked_ = true;  // first: a search that begins meanwhile looks for it when it is no longer halted
        halted_ = true;
    }
    void go_on() { stop_asked_ = false; }
    // Whether the last search did not come to its end.
    bool was_broken_off() const { return is_halted(); }
    // How many positions have been looked at; may be asked while the search goes on.
    std::uint64_t nodes() const;

  private:
    struct Candidate {
        std::uint64_t own, other;
        int cost, cell;
    };
    // The position that was asked about.
    struct Root {
        std::uint64_t own, other;
        int passes, empties;
        std::vector<Candidate> moves;  // a pass too, where there is one
    };
    // A node whose moves several threads search: all but the first, which one of them has searched already.
    struct Split {
        Split* parent;
        const Candidate* list;
        int count, alpha;
        Aim aim;
        int empties;
        std::atomic<int> next;
        std::atomic<bool> is_cut{false};
        int helpers = 0;  // these and what follows belong to the crew's mutex
        int best, best_cell;
    };
    struct Worker {
        explicit Worker(Search& its_search)
            : search(its_search), plan(its_search.plan_), memory(plan), shallow(plan, its_search.evaluation_) {}

        bool has(Feature feature) const { return search.features_ & feature; }
        int look(std::uint64_t own, std::uint64_t other, int alpha, Aim aim, int empties);
        int moving(std::uint64_t own, std::uint64_t other, int alpha, Aim aim, int empties);
        std::optional<int> foreseen(std::uint64_t own, std::uint64_t other, int alpha, Aim aim, int empties);
        int with_pass(int by_moving, const Candidate& position) const;
        void go_through(Candidate* list, int count, int alpha, Aim aim, int empties, int& best, int& best_cell);
        int after(const Candidate& move, const Root& root, int alpha, Aim aim);
        int look_at_root(Root& root, int alpha, Aim aim, int& best_cell);
        void remember(std::uint64_t own, std::uint64_t other, int alpha, int value, int cell, Aim aim);
        int spread(std::uint64_t own, std::uint64_t other, std::uint64_t todo, int depth, Candidate* list);
        void order(std::uint64_t own, std::uint64_t other, Aim aim, int empties, Candidate* list, int count);
        void share(Candidate* list, int count, int alpha, Aim aim, int empties, int& best, int& best_cell);
        void work_at(Split& split);
        bool must_stop();
        void look_around(std::uint64_t seen);
        void rest(std::unique_lock<std::mutex>& lock);

        Search& search;
        const Plan& plan;
        EndingMemory memory;
        Shallow shallow;
        Split* split = nullptr;
        std::uint64_t next_look = ~std::uint64_t{0};  // nodes with which it looks around, where that is its business
        std::atomic<std::uint64_t> counted{0};
    };

    void close();
    void help(Worker& worker);
    Split* find_work(const Split* within);
    void begin(const bit::Position& position, const Bounds& bounds, const Watch& watch);
    void end();
    bool is_halted() const { return halted_.load(std::memory_order_relaxed); }
    Root root_of(const bit::Position& position);
    // A value that was found before, or another one to begin with.
    int guess(std::uint64_t own, std::uint64_t other, int otherwise) const;
    Choice best_of(Root& root, Aim aim, int low, int high, int first_guess);
    std::vector<int> remembered_line(std::uint64_t own, std::uint64_t other, int depth) const;
    std::vector<int> proved_line(const Root& root, int value);

    const Plan plan_;
    const Evaluation evaluation_;
    const Selection selection_;
    const int most_in_ending_;
    const std::uint32_t features_;
    Table table_;
    std::vector<std::unique_ptr<Worker>> workers_;
    std::vector<std::thread> threads_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<Split*> open_;
    std::atomic<int> idle_{0};
    std::atomic<bool> halted_{false}, stop_asked_{false};
    std::exception_ptr trouble_;
    bool closing_ = false;
    // Of the search that is going on.
    bit::Position root_;
    const Watch* watch_ = nullptr;
    Bounds bounds_;
    std::uint64_t nodes_before_ = 0, next_watch_ = 0;
};

}  // namespace polyversi::engine
