// Choosing a move in a game of many by playing on from it many times: a tree in which every seat wants its own rank
// points grows where that goes well for whoever moves; beyond it everybody makes one more likely move, and then the
// evaluation says what each may expect.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "rules/random.hpp"
#include "rules/stop.hpp"
#include "xt/budget.hpp"
#include "xt/evaluation.hpp"

namespace polyversi::xt {

class Tree {
  public:
    Tree(const Ground& ground, const Evaluation& evaluation, Player& player);

    // The move after which the games go best for the seat to move; `moves` are its moves, at least two. Of the result,
    // `nodes` is how many moves were played on the way and `depth` the longest way that the tree followed.
    Result choose(const Position& from, const std::vector<Move>& moves, const Budget& budget, const Watch& watch);

  private:
    // A move in the tree, and how the games after it went for who played it.
    struct Branch {
        Move move;
        std::uint32_t games = 0;
        std::int32_t node = kNone;  // the position after it, once it is in the tree
        double points = 0;
        double promise = 0;         // the points that the evaluation promises
    };
    struct Node {
        std::size_t first = 0, count = 0;  // of its branches, those that promise most before the others
        std::uint32_t games = 0;
    };

    static double mean(const Branch& branch);
    void add_node(const std::vector<Move>& moves);
    std::size_t pick(const Node& node) const;
    void make_room();
    void play_on();
    void play(const Move& move);
    bool is_spent(const Budget& budget) const;

    // The moves of the seat whose turn it is that go into the tree, and one to go on with beyond it.
    void list(const Position& position, std::vector<Move>& moves);
    Move likely_move(const Position& position);
    bool find_cells(const Position& position, int seat);
    int special_for(const Position& position, int cell) const;

    const Ground& ground_;
    const Evaluation& evaluation_;
    Player& player_;
    Random random_{0};
    Position start_, now_, tried_;
    std::vector<Node> nodes_;
    std::vector<Branch> branches_;
    std::vector<std::size_t> way_;      // the branches that a game followed
    std::vector<std::uint16_t> cells_;  // where a seat can move
    std::vector<Move> moves_;
    std::uint64_t played_ = 0;
};

}  // namespace polyversi::xt
