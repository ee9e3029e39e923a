// The evaluation: the expected final difference in stones as a sum of pattern weights for the phase of the game. Without
// weights it is a heuristic of mobility and corners, which works on every board.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/board.hpp"

namespace polyversi::engine {

constexpr int kMaxPatterns = 64;
constexpr int kStone = 32;  // units of the evaluation in a stone

class Evaluation {
  public:
    struct Pattern {
        std::vector<std::uint8_t> bits;  // of its cells, in order
        std::uint32_t offset = 0;        // of the weights of its family
    };

    // The weights of one phase.
    struct Tables {
        const bit::PatternPowers* powers;  // of each bit
        const std::uint32_t* offsets;       // of the weights of each pattern
        std::size_t patterns;
        const std::int16_t* weights;
    };

    explicit Evaluation(const Board& board) : board_(&board) {}
    // The weights phase by phase; in each phase family by family.
    Evaluation(const Board& board, const std::vector<Pattern>& patterns, int phases, std::vector<std::int16_t> weights);

    // A copy for another `Board` of the same game, which must outlive it.
    Evaluation for_board(const Board& board) const {
        Evaluation moved = *this;
        moved.board_ = &board;
        return moved;
    }

    // The value for the seat to move, in units.
    int value(std::uint64_t own, std::uint64_t other) const;
    // Rounded to whole stones.
    static int to_stones(int units) { return (units + (units < 0 ? -kStone / 2 : kStone / 2)) / kStone; }
    // The lowest value that `to_stones` rounds to this number of stones.
    static int lowest_rounding_to(int stones) { return stones * kStone - kStone / 2 + (stones > 0 ? 0 : 1); }
    // For each pattern, the index of its weight within a phase.
    void pattern_indices(std::uint64_t own, std::uint64_t other, std::uint32_t* to) const;
    std::size_t patterns() const { return offsets_.size(); }
    bool has_weights() const { return !offsets_.empty(); }
    // The weights for positions with this number of stones.
    [[gnu::always_inline]] Tables tables(int stones) const {
        const auto phase = static_cast<std::size_t>(stones * phases_ / (board_->cells + 1));
        return {powers_.data(), offsets_.data(), offsets_.size(), weights_->data() + phase * weights_per_phase_};
    }

    [[gnu::always_inline]] int clamped(int value) const { return std::clamp(value, -board_->cells * kStone, board_->cells * kStone); }

  private:
    int heuristic(std::uint64_t own, std::uint64_t other) const;

    const Board* board_;
    std::vector<std::uint32_t> offsets_;
    int phases_ = 1;
    std::shared_ptr<const std::vector<std::int16_t>> weights_;  // shared by copies
    std::size_t weights_per_phase_ = 0;
    std::vector<bit::PatternPowers> powers_;
};

}  // namespace polyversi::engine
