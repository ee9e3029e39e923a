#include "xt/ending.hpp"

#include <algorithm>
#include <deque>

namespace polyversi::xt {
namespace {

constexpr double kLeadWeight = 0.5;  // points for a lead of the whole board: less than the smallest difference of ranks
constexpr double kBoth = kRankPoints[0] + kRankPoints[1];
constexpr std::uint64_t kNodesPerLook = 256;

std::size_t at(int index) { return static_cast<std::size_t>(index); }

class EndingSearch {
  public:
    EndingSearch(const Rules& rules, const graph::Position& position, const Limits& limits, const InterruptCheck& interrupt_check)
        : rules_(rules), limits_(limits), interrupt_check_(interrupt_check), work_(rules) {
        ply(0).position = position;
        graph::find_captures(rules, position, work_);
    }

    Ending solve() {
        const Outcome outcome = search(0, -1e9, 1e9);
        Ending ending;
        ending.nodes = nodes_;
        ending.solved = !stopped_;
        if (stopped_) return ending;
        ending.points = outcome.points;
        ending.line = ply(0).line;
        return ending;
    }

  private:
    struct Outcome {
        Points points{};
        Points worth{};  // with what a lead counts for
    };
    struct Ply {
        graph::Position position;
        std::vector<std::int32_t> moves, line;
    };

    Ply& ply(int depth) {
        while (plies_.size() <= at(depth)) plies_.emplace_back();
        return plies_[at(depth)];
    }

    bool should_stop() {
        if (++nodes_ > limits_.nodes || limits_.is_stopped()) return true;
        if (nodes_ % kNodesPerLook != 0) return false;
        interrupt_check_();
        return limits_.deadline && Clock::now() >= *limits_.deadline;
    }

    Outcome ended(const graph::Position& position) const {
        std::array<double, kMaxSeats> stones{};
        for (const std::uint8_t tile : position.tiles) {
            if (is_stone(tile)) stones[at(tile - 1)] += rules_.fewest_wins ? -1 : 1;
        }
        Outcome outcome{final_points(rules_, position.out, stones), {}};
        double all = 0;
        for (int seat = 0; seat < rules_.seats; ++seat) all += stones[at(seat)];
        for (int seat = 0; seat < rules_.seats; ++seat) {
            const double lead = stones[at(seat)] - (all - stones[at(seat)]) / (rules_.seats - 1);
            outcome.worth[at(seat)] = outcome.points[at(seat)] + kLeadWeight * lead / rules_.cells();
        }
        return outcome;
    }

    // With two seats values outside of the window, which is that of the seat to move, are bounds.
    Outcome search(int depth, double alpha, double beta) {
        if (stopped_ = stopped_ || should_stop(); stopped_) return {};
        Ply& here = ply(depth);
        here.line.clear();
        if (here.position.over()) return ended(here.position);
        here.moves.clear();
        graph::list_moves(rules_, here.position, work_, here.moves);
        const std::size_t seat = here.position.turn;
        Outcome best;
        best.worth[seat] = -1e9;
        for (const std::int32_t move : here.moves) {
            Ply& next = ply(depth + 1);
            next.position = here.position;
            graph::play(rules_, next.position, move, work_);
            const double low = std::max(alpha, best.worth[seat]);
            const bool hands_over = next.position.turn != seat;
            const bool is_window = rules_.seats == 2 && hands_over;
            const Outcome outcome = search(depth + 1, is_window ? kBoth - beta : low, is_window ? kBoth - low : beta);
            if (stopped_) return {};
            if (outcome.worth[seat] > best.worth[seat]) {
                best = outcome;
                here.line.assign(1, move);
                here.line.insert(here.line.end(), next.line.begin(), next.line.end());
            }
            if (rules_.seats == 2 && best.worth[seat] >= beta) break;
        }
        return best;
    }

    const Rules& rules_;
    const Limits& limits_;
    const InterruptCheck& interrupt_check_;
    graph::Workspace work_;
    std::deque<Ply> plies_;  // references to its elements stay valid as it grows
    std::uint64_t nodes_ = 0;
    bool stopped_ = false;
};

}  // namespace

Ending solve_ending(const Rules& rules, const graph::Position& position, const Limits& limits, const InterruptCheck& interrupt_check) {
    return EndingSearch(rules, position, limits, interrupt_check).solve();
}

}  // namespace polyversi::xt
