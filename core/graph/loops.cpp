#include "graph/loops.hpp"

namespace polyversi::graph {
namespace {

// One position and one move list for each depth, made once.
struct Ply {
    Position position;
    std::vector<std::int32_t> moves;
};

std::uint64_t count_leaves(const Rules& rules, std::vector<Ply>& plies, std::size_t ply, int depth, Workspace& work,
                           const InterruptCheck& interrupt_check) {
    Ply& here = plies[ply];
    if (depth == 0 || here.position.over()) return 1;
    if (depth == 1) return static_cast<std::uint64_t>(count_moves(rules, here.position, work));
    if (depth == 3) interrupt_check();
    here.moves.clear();
    list_moves(rules, here.position, work, here.moves);
    std::uint64_t leaves = 0;
    for (const std::int32_t move : here.moves) {
        plies[ply + 1].position = here.position;
        play(rules, plies[ply + 1].position, move, work);
        leaves += count_leaves(rules, plies, ply + 1, depth - 1, work, interrupt_check);
    }
    return leaves;
}

}  // namespace

std::uint64_t perft(const Rules& rules, const Position& position, int depth, const InterruptCheck& interrupt_check) {
    Workspace work(rules);
    std::vector<Ply> plies(static_cast<std::size_t>(depth) + 1);
    plies[0].position = position;
    find_captures(rules, position, work);
    return count_leaves(rules, plies, 0, depth, work, interrupt_check);
}

void playout(const Rules& rules, Position& position, Random& random, Workspace& work, std::vector<std::int32_t>& moves) {
    find_captures(rules, position, work);
    while (!position.over()) {
        moves.clear();
        list_moves(rules, position, work, moves);
        play(rules, position, moves[random.below(static_cast<std::uint32_t>(moves.size()))], work);
    }
}

}  // namespace polyversi::graph
