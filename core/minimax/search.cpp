#include "minimax/search.hpp"

#include <algorithm>
#include <vector>

namespace polyversi::minimax {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::uint64_t kNodesPerInterruptCheck = 65536;

// How many steps each cell lies from the edge.
std::vector<int> rings(const Rules& rules) {
    const int directions = rules.board.directions;
    std::vector<int> ring(static_cast<std::size_t>(rules.cells()), -1), queue;
    for (int node = 0; node < rules.cells() * directions; ++node) {
        int& here = ring[static_cast<std::size_t>(node / directions)];
        if (rules.step(node) >= 0 || here == 0) continue;
        here = 0;
        queue.push_back(node / directions);
    }
    for (std::size_t at = 0; at < queue.size(); ++at) {
        for (int direction = 0; direction < directions; ++direction) {
            const int to = rules.step(queue[at] * directions + direction);
            if (to < 0 || ring[static_cast<std::size_t>(to / directions)] >= 0) continue;
            ring[static_cast<std::size_t>(to / directions)] = ring[static_cast<std::size_t>(queue[at])] + 1;
            queue.push_back(to / directions);
        }
    }
    return ring;
}

class AlphaBetaSearch {
  public:
    AlphaBetaSearch(const Rules& rules, const graph::Position& root, const Evaluation& evaluation, const Limits& limits, bool pruning,
         Order order, const InterruptCheck& interrupt_check)
        : rules_(rules), evaluation_(evaluation), limits_(limits), interrupt_check_(interrupt_check), seat_(root.turn), pruning_(pruning), work_(rules) {
        if (order == Order::kRings) rank_moves();
        plies_.resize(static_cast<std::size_t>(limits.depth) + 1);
        plies_[0].position = root;
    }

    // One iteration; whether it was completed within the limits.
    bool search_to(int depth) {
        graph::find_captures(rules_, plies_[0].position, work_);
        stopped_ = reached_horizon_ = false;
        plies_[0].best = -1;
        const double value = alpha_beta(0, depth, -kInfinity, kInfinity);
        if (!stopped_ || result_.depth == 0) result_ = {plies_[0].best, value, 0, stopped_ ? 0 : depth};
        result_.nodes = nodes_;
        return !stopped_;
    }

    // Whether a deeper iteration could change anything.
    bool reached_the_horizon() const { return reached_horizon_; }
    bool is_forced() const { return plies_[0].moves.size() == 1; }
    const Result& result() const { return result_; }

  private:
    struct Ply {
        graph::Position position;
        std::vector<std::int32_t> moves;
        std::int32_t best = -1;
    };

    void rank_moves() {
        const std::vector<int> ring = rings(rules_);
        rank_.assign(static_cast<std::size_t>(rules_.moves.size()), 1);
        for (int move = 0; move < rules_.moves.pass(); ++move) {
            const int here = ring[static_cast<std::size_t>(rules_.moves[move].cell)];
            rank_[static_cast<std::size_t>(move)] = here <= 0 ? -kMaxCells : -here;
        }
    }

    void list_moves(Ply& ply) {
        ply.moves.clear();
        graph::list_moves(rules_, ply.position, work_, ply.moves);
        if (rank_.empty()) return;
        std::stable_sort(ply.moves.begin(), ply.moves.end(), [this](std::int32_t a, std::int32_t b) {
            return rank_[static_cast<std::size_t>(a)] < rank_[static_cast<std::size_t>(b)];
        });
    }

    // Whether a limit is reached; never before the first move has been searched.
    bool should_stop() {
        if (nodes_ % kNodesPerInterruptCheck == kNodesPerInterruptCheck - 1) interrupt_check_();
        if (result_.depth == 0 && plies_[0].best < 0) return false;
        return nodes_ >= limits_.nodes || (limits_.deadline && Clock::now() >= *limits_.deadline);
    }

    // Alpha-beta. Values are for the seat at the root, which maximises; every other seat minimises.
    double alpha_beta(std::size_t at, int depth, double alpha, double beta) {
        Ply& ply = plies_[at];
        if (ply.position.over()) return final_value(rules_, ply.position, seat_);
        if (depth == 0) {
            reached_horizon_ = true;
            return evaluation_.value(ply.position, seat_, work_);
        }
        list_moves(ply);
        const bool mine = ply.position.turn == seat_;
        double best = mine ? -kInfinity : kInfinity;
        for (const std::int32_t move : ply.moves) {
            if (stopped_ = should_stop(); stopped_) return best;
            ++nodes_;
            plies_[at + 1].position = ply.position;
            graph::play(rules_, plies_[at + 1].position, move, work_);
            const double value = alpha_beta(at + 1, depth - 1, alpha, beta);
            if (stopped_) return best;
            if (mine ? value > best : value < best) {
                best = value;
                ply.best = move;
            }
            if (!pruning_) continue;
            if (mine ? best >= beta : best <= alpha) return best;
            (mine ? alpha : beta) = mine ? std::max(alpha, best) : std::min(beta, best);
        }
        return best;
    }

    const Rules& rules_;
    const Evaluation& evaluation_;
    const Limits& limits_;
    const InterruptCheck& interrupt_check_;
    const int seat_;
    const bool pruning_;
    graph::Workspace work_;
    std::vector<Ply> plies_;
    std::vector<int> rank_;  // of each move in the order of the rings; empty in the order of the board
    std::uint64_t nodes_ = 0;
    bool stopped_ = false;
    bool reached_horizon_ = false;
    Result result_;
};

}  // namespace

Result search(const Rules& rules, const graph::Position& root, const Evaluation& evaluation, const Limits& limits, bool pruning,
              Order order, const InterruptCheck& interrupt_check) {
    AlphaBetaSearch searcher(rules, root, evaluation, limits, pruning, order, interrupt_check);
    if (!limits.is_limited()) {
        searcher.search_to(limits.depth);
        return searcher.result();
    }
    for (int depth = 1; depth <= limits.depth; ++depth) {
        if (!searcher.search_to(depth) || !searcher.reached_the_horizon() || searcher.is_forced()) break;
    }
    return searcher.result();
}

}  // namespace polyversi::minimax
