// The search of the engine: MTD(f) over null-window alpha-beta with a shared transposition table, ProbCut, iterative
// deepening and, near the end of the game, an exact endgame solver. Several threads search one tree by splitting nodes
// (Young Brothers Wait: the first move of a node is searched alone, its siblings in parallel).
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "engine/endgame.hpp"
#include "engine/probcut.hpp"
#include "engine/shallow_search.hpp"
#include "engine/transposition_table.hpp"
#include "rules/interrupt.hpp"

namespace polyversi::engine {

constexpr int kPass = 64;

// Techniques that tests switch off one by one, to measure each and to show that none changes an exact value.
enum Feature : std::uint32_t {
    kTranspositionTable = 1,
    kEnhancedTranspositionCutoff = 2,  // probe the table for every child before searching any
    kStabilityCutoff = 4,
    kMoveOrdering = 8,
    kIterativeDeepening = 16,
    kProbCut = 32,
    kEndgame = 64,  // the endgame solver
    kAllFeatures = 127,
};

struct Solution {
    int value = 0;        // for the seat to move, in units of the evaluation
    std::vector<int> pv;  // the principal variation: bits of moves, or kPass
};

// How deep to search, and how much ProbCut may prune; a depth of as many plies as empty cells reaches the end of the game.
struct SearchDepth {
    int depth;
    int selectivity = kNoSelectivity;

    SearchDepth reduced(int plies) const { return {depth - plies, selectivity}; }
    // How fine its values are, in units: whole stones at the end of the game.
    int step(int empties) const { return depth >= empties ? kStone : 1; }
};

struct Limits {
    std::optional<std::chrono::steady_clock::time_point> deadline = {};
    std::uint64_t nodes = ~std::uint64_t{0};
};

struct RootMoveResult {
    int cell = kPass;
    Solution solution{};
    bool is_known = false;  // false where the search stopped before
};

// The search works in units of the evaluation. Searches to the end of the game have values of whole stones; between two of
// them it makes no difference where a bound lies.
class Search {
  public:
    Search(const Board& board, const Evaluation& evaluation, const ProbCutModel& model, int threads, std::size_t table_bytes,
           std::uint32_t features);
    ~Search();

    // The exact value in stones, clamped to [low, high]; nothing when stopped.
    std::optional<Solution> solve(const bit::Position& position, int low, int high, const InterruptCheck& interrupt_check);
    // The best move; when stopped, the best one found so far.
    RootMoveResult best_move(const bit::Position& position, SearchDepth target, const Limits& limits, const InterruptCheck& interrupt_check);
    // Every move with its value, the best first; moves that were not reached are not known.
    std::vector<RootMoveResult> multi_pv(const bit::Position& position, SearchDepth target, const Limits& limits, const InterruptCheck& interrupt_check);
    // A principal variation to the end of the game for an exact value in stones, as long as the limits allow.
    std::vector<int> exact_pv(const bit::Position& position, int value, const Limits& limits, const InterruptCheck& interrupt_check);
    // Stops the running search, and every later one until `resume`. Callable from any thread.
    void stop() {
        stop_requested_ = true;  // first: a search that starts at the same time tests it after clearing `halted_`
        halted_ = true;
    }
    void resume() { stop_requested_ = false; }
    // Whether the last search ended early.
    bool was_interrupted() const { return is_halted(); }
    // Nodes searched so far. Callable from any thread.
    std::uint64_t nodes() const;

  private:
    // A legal move: the position after it, and its cost for move ordering (the lowest is searched first).
    struct Move {
        std::uint64_t own, other;
        int cost, cell;
    };
    struct Root {
        std::uint64_t own, other;
        int passes, empties;
        std::vector<Move> moves;  // the pass last, where it is legal
    };
    // A node whose remaining moves several threads search; its first move has been searched already.
    struct SplitPoint {
        SplitPoint* parent;
        const Move* list;
        int count, alpha;
        SearchDepth target;
        int empties;
        std::atomic<int> next;
        std::atomic<bool> has_cutoff{false};
        int helpers = 0;  // this and what follows is guarded by the search's mutex
        int best, best_cell;
    };
    // A thread of the search, with its own endgame solver and counters.
    struct Worker {
        explicit Worker(Search& its_search)
            : search(its_search), board(its_search.board_), endgame(board), shallow(board, its_search.evaluation_) {}

        bool has(Feature feature) const { return search.features_ & feature; }
        int null_window_search(std::uint64_t own, std::uint64_t other, int alpha, SearchDepth target, int empties);
        int search_moves(std::uint64_t own, std::uint64_t other, int alpha, SearchDepth target, int empties);
        std::optional<int> probcut(std::uint64_t own, std::uint64_t other, int alpha, SearchDepth target, int empties);
        int bound_with_pass(int bound, const Move& position) const;
        void search_move_list(Move* list, int count, int alpha, SearchDepth target, int empties, int& best, int& best_cell);
        int search_root_move(const Move& move, const Root& root, int alpha, SearchDepth target);
        int search_root(Root& root, int alpha, SearchDepth target, int& best_cell);
        void store_bound(std::uint64_t own, std::uint64_t other, int alpha, int value, int cell, SearchDepth target);
        int generate_moves(std::uint64_t own, std::uint64_t other, std::uint64_t todo, int depth, Move* list);
        void order_moves(std::uint64_t own, std::uint64_t other, SearchDepth target, int empties, Move* list, int count);
        void split_node(Move* list, int count, int alpha, SearchDepth target, int empties, int& best, int& best_cell);
        void search_split_point(SplitPoint& here);
        bool should_stop();
        void check_limits(std::uint64_t searched);
        void wait_for_helpers(std::unique_lock<std::mutex>& lock);

        Search& search;
        const Board& board;
        EndgameContext endgame;
        ShallowSearch shallow;
        SplitPoint* split_point = nullptr;
        std::uint64_t next_check = ~std::uint64_t{0};  // node count of the next limit check; used by the main thread only
        std::atomic<std::uint64_t> counted{0};
    };

    void close();
    void idle_loop(Worker& worker);
    SplitPoint* find_split_point(const SplitPoint* within);
    void begin(const bit::Position& position, const Limits& limits, const InterruptCheck& interrupt_check);
    void end();
    bool is_halted() const { return halted_.load(std::memory_order_relaxed); }
    Root root_of(const bit::Position& position);
    // The value in the transposition table, or a default: the first guess of MTD(f).
    int first_guess(std::uint64_t own, std::uint64_t other, int otherwise) const;
    template <class NullWindowSearch>
    int converge(int low, int high, int guess, SearchDepth target, int empties, NullWindowSearch search);
    RootMoveResult search_best(Root& root, SearchDepth target, int low, int high, int guess);
    std::vector<int> pv_from_table(std::uint64_t own, std::uint64_t other, int depth) const;
    std::vector<int> find_exact_pv(const Root& root, int value);

    const Board board_;
    const Evaluation evaluation_;
    const ProbCut probcut_;
    const int max_endgame_empties_;
    const std::uint32_t features_;
    TranspositionTable table_;
    std::vector<std::unique_ptr<Worker>> workers_;
    std::vector<std::thread> threads_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<SplitPoint*> split_points_;
    std::atomic<int> idle_{0};
    std::atomic<bool> halted_{false}, stop_requested_{false};
    std::exception_ptr exception_;
    bool exiting_ = false;
    // Of the current search.
    bit::Position root_;
    const InterruptCheck* interrupt_check_ = nullptr;
    Limits limits_;
    std::uint64_t nodes_before_ = 0, next_interrupt_check_ = 0;
};

}  // namespace polyversi::engine
