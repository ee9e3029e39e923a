// The exact value of a position with many empty cells: null windows over a shared table, searched by several threads.
#pragma once

#include <atomic>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "engine/ending.hpp"
#include "engine/shallow.hpp"
#include "engine/table.hpp"
#include "watch.hpp"

namespace polyversi::engine {

constexpr int kPass = 64;

struct Solution {
    int value = 0;          // for the seat to move
    std::vector<int> line;  // bits of moves, or kPass, with which both sides reach it
};

class Solver {
  public:
    Solver(const Plan& plan, const Evaluation& evaluation, int threads, std::size_t table_bytes);
    ~Solver();

    // The value, if it lies between low and high, otherwise that end of the two; nothing when it was stopped.
    std::optional<Solution> solve(std::uint64_t own, std::uint64_t other, int low, int high, const Watch& watch);
    // Ends the search that is going on, and every later one.
    void stop() { stopped_ = true; }
    // How many positions have been looked at; may be asked while the search goes on.
    std::uint64_t nodes() const;

  private:
    struct Candidate {
        std::uint64_t own, other;
        int cost, cell;
    };
    // A node whose moves several threads search: all but the first, which one of them has searched already.
    struct Split {
        Split* parent;
        const Candidate* list;
        int count, alpha, depth, empties;
        std::atomic<int> next;
        std::atomic<bool> is_cut{false};
        int helpers = 0;  // these and what follows belong to the crew's mutex
        int best, best_cell;
    };
    struct Worker {
        Worker(Solver& its_solver, const Watch* its_watch) : solver(its_solver), plan(its_solver.plan_), memory(plan), shallow(plan, its_solver.evaluation_), watch(its_watch) {}

        int look(std::uint64_t own, std::uint64_t other, int alpha, int depth, int empties);
        void remember(std::uint64_t own, std::uint64_t other, int alpha, int value, int cell, int depth);
        int order(std::uint64_t own, std::uint64_t other, std::uint64_t todo, int known_best, int depth, int empties,
                  Candidate* list);
        void share(Candidate* list, int count, int alpha, int depth, int empties, int& best, int& best_cell);
        void work_at(Split& split);
        bool must_stop();

        Solver& solver;
        const Plan& plan;
        EndingMemory memory;
        Shallow shallow;
        const Watch* watch;  // only for the thread of whoever asked
        Split* split = nullptr;
        std::uint64_t next_look = 0;
        std::atomic<std::uint64_t> counted{0};
    };

    void close();
    void help(Worker& worker);
    Split* find_work(const Split* within);
    int value(std::uint64_t own, std::uint64_t other, int depth, int empties, int low, int high, int guess);
    void find_line(std::uint64_t own, std::uint64_t other, int value, std::vector<int>& line);

    const Plan plan_;
    const Evaluation evaluation_;
    Table table_;
    std::vector<std::unique_ptr<Worker>> workers_;
    std::vector<std::thread> threads_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<Split*> open_;
    std::atomic<int> idle_{0};
    std::atomic<bool> stopped_{false};
    std::exception_ptr trouble_;
    bool closing_ = false;
};

}  // namespace polyversi::engine
