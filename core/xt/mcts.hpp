// Monte Carlo tree search (UCT) for games of many seats: every seat maximises its own rank points (max^n). Edges have a
// prior from the evaluation and are considered by progressive widening; a leaf is one short rollout and the evaluation.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "rules/random.hpp"
#include "rules/interrupt.hpp"
#include "xt/limits.hpp"
#include "xt/evaluation.hpp"

namespace polyversi::xt {

class Mcts {
  public:
    Mcts(const GameData& game, const Evaluation& evaluation, MoveMaker& mover);

    // The most visited move of the seat to move, what every seat may expect after it, and the line; `moves` are its moves.
    // `nodes` of the result counts the moves played, `depth` is the longest path through the tree.
    Result search(const Position& from, const std::vector<Move>& moves, const Limits& limits, const InterruptCheck& interrupt_check);

  private:
    // A move in the tree with the points of the simulations through it, for the seat that made it.
    struct Edge {
        Move move;
        std::uint32_t visits = 0;
        std::int32_t child = kNone;  // the node after it, once expanded
        double points = 0;
        double prior = 0;            // points by the evaluation
    };
    struct Node {
        std::size_t first = 0, count = 0;  // its edges, by descending prior
        std::uint32_t visits = 0;
    };

    static double mean(const Edge& edge);
    Points mean_points(std::size_t edge);
    std::vector<Move> most_visited_line(std::size_t first_edge) const;
    void expand(const std::vector<Move>& moves, const Limits& limits);
    std::size_t select_edge(const Node& node) const;
    void reserve();
    void simulate(const Limits& limits);
    void play(const Move& move);
    bool is_exhausted(const Limits& limits) const;

    // The moves that go into the tree, and a move for rollouts.
    void list_moves(const Position& position, std::vector<Move>& moves);
    Move rollout_move(const Position& position);
    bool find_cells(const Position& position, int seat);
    int special_for(const Position& position, int cell) const;

    const GameData& game_;
    const Evaluation& evaluation_;
    MoveMaker& mover_;
    Random random_{0};
    Position root_, current_, scratch_;
    std::vector<Node> nodes_;
    std::vector<Edge> edges_;
    std::vector<std::size_t> path_;      // the edges of the current simulation
    std::vector<Points> root_points_;    // of each edge of the root, the points of all seats
    std::vector<Cell> cells_;  // where a seat can move
    std::vector<Move> moves_;
    std::uint64_t moves_played_ = 0;
};

}  // namespace polyversi::xt
