// Searching the building phase of Reversi XT: with two seats, or to a depth, iterative deepening of alpha-beta, in which
// several others are taken either to move in turn against the one (paranoid) or to have their single strongest reply
// between two moves of the one; otherwise a tree in which each wants its own points.
#pragma once

#include <cstdint>
#include <vector>

#include "rules/stop.hpp"
#include "xt/budget.hpp"
#include "xt/evaluation.hpp"
#include "xt/table.hpp"
#include "xt/tree.hpp"

namespace polyversi::xt {

// Of a game of many; to a depth a tree becomes a search for best replies.
enum class Method : std::uint8_t { kParanoid, kBestReply, kTree };

class Search {
  public:
    Search(const Rules& rules, const Weights& weights, Method method, int table_bits);

    // The best move that is found; the position must be in its building phase and not over.
    Result think(const graph::Position& from, const Budget& budget, const Watch& watch);
    // What the evaluation says of a position for a seat.
    std::int32_t evaluate(const graph::Position& from, int seat);
    // For each seat its moves on free cells, and its stones.
    std::array<PerSeat, 2> measure(const graph::Position& from);
    // How many ways the building can go on for so many moves, or until it ends: what shows that its moves are right.
    std::uint64_t count(const graph::Position& from, int depth);

  private:
    struct Ply {
        explicit Ply(const Ground& ground) : position(ground) {}
        Position position;
        std::array<Move, 2> killers{};
    };

    std::int32_t look(int at, int depth, std::int32_t alpha, std::int32_t beta);
    bool look_from_root(int depth);
    bool grows_a_tree() const;
    std::uint64_t count_from(int at, int depth);
    void make(int at, const Move& move);
    bool must_stop();

    std::size_t list_moves(int at, bool is_root);
    void list_free(const Position& position, int seat, bool is_root);
    void list_choices(const Position& position, int seat, int cell, bool is_root);
    void list_overrides(const Position& position, int seat, std::size_t most);
    void add(int cell, int special, int seat, std::int32_t score);
    void rank(int at, std::size_t begin, int depth, const Table::Entry& known);
    void remember(int at, const Move& move, int depth);
    std::uint64_t key(const Position& position) const;

    Ground ground_;
    Evaluation evaluation_;
    Method method_;
    Player player_;
    Tree tree_;
    Table table_;
    std::vector<Ply> plies_;
    std::vector<Move> moves_;  // of all plies, one after the other
    std::vector<std::int32_t> history_;
    std::vector<Move> root_moves_;
    Budget budget_;
    const Watch* watch_ = nullptr;
    Result result_;
    int me_ = 0;
    std::uint64_t nodes_ = 0, next_look_ = 0, next_watch_ = 0;
    bool stopped_ = false;
    bool reached_depth_ = false;
};

}  // namespace polyversi::xt
