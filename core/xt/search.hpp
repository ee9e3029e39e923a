// The search of the building phase of Reversi XT. With two seats, or to a fixed depth, it is iterative deepening of
// alpha-beta (PVS) with a transposition table, killers, history and late move reductions; many seats are searched paranoid
// (all against one) or by best reply (only the strongest answer of the others). Otherwise it is MCTS.
#pragma once

#include <cstdint>
#include <vector>

#include "rules/interrupt.hpp"
#include "xt/limits.hpp"
#include "xt/evaluation.hpp"
#include "xt/transposition_table.hpp"
#include "xt/mcts.hpp"

namespace polyversi::xt {

// For games of many seats; to a fixed depth kMcts becomes kBestReply.
enum class Method : std::uint8_t { kParanoid, kBestReply, kMcts };

class Search {
  public:
    Search(const Rules& rules, const Weights& weights, Method method, int table_bits);

    // The best move that is found; the position must be in its building phase and not over.
    Result think(const graph::Position& from, const Limits& limits, const InterruptCheck& interrupt_check);
    // What every seat may expect from such a position, with the line of play; with many seats always by MCTS.
    Result expect(const graph::Position& from, const Limits& limits, const InterruptCheck& interrupt_check);
    // The static evaluation for a seat.
    std::int32_t evaluate(const graph::Position& from, int seat);
    // For each seat its moves on free cells, and its stones.
    std::array<PerSeat, 2> measure(const graph::Position& from);
    // Counts the leaves of the building phase at a depth, to check the move generator.
    std::uint64_t perft(const graph::Position& from, int depth);

  private:
    struct Ply {
        explicit Ply(const GameData& game) : position(game) {}
        Position position;
        std::array<Move, 2> killers{};
    };

    void begin(const graph::Position& from, const Limits& limits, const InterruptCheck& interrupt_check);
    void search_deeper();
    std::vector<Move> table_line();
    std::int32_t alpha_beta(int at, int depth, std::int32_t alpha, std::int32_t beta);
    bool search_root(int depth);
    bool uses_mcts() const;
    std::uint64_t perft_from(int at, int depth);
    void make(int at, const Move& move);
    bool should_stop();

    std::size_t list_moves(int at, bool is_root);
    void list_free(const Position& position, int seat, bool is_root);
    void list_choices(const Position& position, int seat, int cell, bool is_root);
    void list_overrides(const Position& position, int seat, std::size_t most);
    void add(int cell, int special, int seat, std::int32_t score);
    int plies_left(const Position& position) const;
    void order_moves(int at, std::size_t begin, int depth, const TranspositionTable::Entry& entry, bool to_the_end);
    void update_killers_and_history(int at, const Move& move, int depth);
    std::uint64_t key(const Position& position) const;

    GameData game_;
    Evaluation evaluation_;
    Method method_;
    MoveMaker mover_;
    Mcts mcts_;
    TranspositionTable table_;
    std::vector<Ply> plies_;
    std::vector<Move> moves_;  // a stack over all plies
    std::vector<std::int32_t> history_;
    std::vector<Move> root_moves_;
    Limits limits_;
    const InterruptCheck* interrupt_check_ = nullptr;
    Result result_;
    int root_seat_ = 0;
    std::uint64_t nodes_ = 0, next_clock_check_ = 0, next_interrupt_check_ = 0;
    bool stopped_ = false;
    bool reached_horizon_ = false;
};

}  // namespace polyversi::xt
