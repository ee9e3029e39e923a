// A position of the building phase for the search. The capturing rays of every cell are updated incrementally, so that
// move generation and mobility need no sweep of the board.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

#include "graph/position.hpp"
#include "xt/board.hpp"

namespace polyversi::xt {

// A byte for each direction with a bit for each seat that captures that way.
using Rays = std::array<std::uint8_t, kDirections>;
using PerSeat = std::array<std::int32_t, kMaxSeats>;

inline std::uint64_t word(const Rays& rays) {
    std::uint64_t bits;
    std::memcpy(&bits, rays.data(), sizeof bits);
    return bits;
}
constexpr std::uint64_t kEachDirection = 0x0101010101010101u;

struct Move {
    Cell cell = 0;
    std::uint8_t special = 0;
    std::uint8_t seat = 0;
    std::int32_t score = 0;  // for move ordering

    bool same_as(const Move& other) const { return cell == other.cell && special == other.special && seat == other.seat; }
};

// The static data of a game, shared by all positions.
struct GameData {
    explicit GameData(const Rules& rules);

    const Rules& rules;
    Board board;
    std::vector<std::uint64_t> zobrist_keys;       // of each tile on each cell
    std::vector<std::int32_t> cell_value;  // positional value; set by the evaluation

    // Whether a seat that captures nothing may place a stone beside any other (Rolit).
    bool allows_beside() const { return rules.placing == Placing::kAdjacent; }
};

struct Position {
    explicit Position(const GameData& game);

    std::vector<std::uint8_t> tiles;
    std::vector<Rays> rays;
    std::vector<Cell> free_cells;  // only the first `free` of them
    std::vector<Cell> free_at;     // where a free cell stands among these

    std::uint64_t hash = 0;
    PerSeat stones{}, value{};
    std::array<std::uint32_t, kMaxSeats> overrides{}, bombs{};
    std::uint32_t free = 0;
    std::uint32_t choices = 0, inversions = 0, bonuses = 0, expansions = 0;
    std::uint8_t turn = 0;
    std::uint8_t out = 0;
    bool finished = false;  // nobody can build any more

    bool is_out(int seat) const { return out >> seat & 1; }
    // Seats that would capture something by a stone on the cell.
    bool captures(int cell, int seat) const {
        return word(rays[static_cast<std::size_t>(cell)]) & (kEachDirection << seat);
    }
    bool has_free_move(int seat) const;
    bool has_override_move(int seat) const;
};

// Makes moves, with the scratch memory that takes.
class MoveMaker {
  public:
    explicit MoveMaker(const GameData& game);

    // Converts a position of the rules, which must be in its building phase and not over.
    void load(const graph::Position& from, Position& to);
    // Plays a legal move of any seat; `advance_turn` says whose turn it is then.
    void play(Position& position, const Move& move);
    // Gives the turn to the first seat from `candidate` on that can move, or finishes the phase.
    void advance_turn(Position& position, int candidate) const;
    int count_flips(const Position& position, const Move& move);
    // Where a seat that captures nothing may place a stone; nowhere in most games.
    template <class Visit>
    void visit_beside(const Position& position, Visit visit) const {
        if (!game_.allows_beside()) return;
        for (std::size_t i = 0; i < position.free; ++i) {
            if (is_beside_a_stone(position, position.free_cells[i])) visit(position.free_cells[i]);
        }
    }

  private:
    bool is_beside_a_stone(const Position& position, Cell cell) const;
    bool can_move(const Position& position, int seat) const;
    bool wins_by_a_pass(const Position& position, int seat) const;
    void trace(const Position& position, int cell, int seat);
    void set_tile(Position& position, int cell, std::uint8_t tile);
    void sweep_around(Position& position, int cell);
    template <class Walk>
    void sweep_back_from(Position& position, std::int32_t end, Walk walk);
    void sweep_full_circle(Position& position, const Board::Line& line);
    void walk_full_circle(Position& position, const Board::Line& line);
    void permute_owners(Position& position, const std::array<std::uint8_t, kMaxSeats + 1>& new_tile);
    void rebuild(Position& position);

    const GameData& game_;
    std::vector<Cell> flipped_;
    std::vector<std::uint32_t> swept_;  // the last sweeping that came by each place
    std::vector<std::uint64_t> met_cell_;  // the step at which a walk along a self-crossing line last met each cell
    std::uint64_t steps_ = 0;
    std::uint32_t sweeping_ = 0;
};

}  // namespace polyversi::xt
