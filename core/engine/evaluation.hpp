// The evaluation: the expected final difference in stones. By tables it is a sum of weights: a position has one for the
// configuration of each pattern, from the tables of its phase, and where there are tables of mobility one for each of four
// counts, from those of its number of stones. A network has rows of numbers for the same things and layers over their sum.
// Without weights it is a heuristic of mobility and corners, which works on every board.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/board.hpp"
#include "engine/network.hpp"

namespace polyversi::engine {

constexpr int kMaxPatterns = 64;
constexpr int kStone = 32;  // units of the evaluation in a stone
constexpr std::size_t kMobilityWeights = bit::kMobilityCounts * Network::kCountLimit;  // for each number of stones

class Evaluation {
  public:
    struct Pattern {
        std::vector<std::uint8_t> bits;  // of its cells, in order
        std::uint32_t offset = 0;        // of the weights of its family, or of their rows
    };

    // The weights of one number of stones.
    struct Tables {
        const std::uint32_t* offsets;  // of the weights of each pattern
        std::size_t patterns;
        const std::int16_t* weights;
        const std::int16_t* mobility;  // a table for each count; null where there are none
    };

    // The weights of tables: each number of stones belongs to a phase. Phases may overlap, so that numbers of one parity
    // can share their weights.
    struct Weights {
        std::vector<std::uint8_t> phase_of;   // each number of stones, from none to as many as cells
        std::vector<std::int16_t> patterns;   // phase by phase; in each phase family by family
        std::vector<std::int16_t> mobility;   // for each number of stones, a table for each count; empty where there are none
    };

    explicit Evaluation(const Board& board) : board_(&board) {}
    Evaluation(const Board& board, const std::vector<Pattern>& patterns, Weights weights);
    Evaluation(const Board& board, const std::vector<Pattern>& patterns, const Network::Numbers& network);

    // A copy for another `Board` of the same game, which must outlive it.
    Evaluation for_board(const Board& board) const {
        Evaluation moved = *this;
        moved.board_ = &board;
        return moved;
    }

    // The value for the seat to move, in units.
    int value(std::uint64_t own, std::uint64_t other) const { return board_->ops.evaluate(*this, own, other); }
    // Without weights: mobility, potential mobility, corners held and corners within reach.
    int heuristic(std::uint64_t own, std::uint64_t other) const;
    // Rounded to whole stones.
    static int to_stones(int units) { return (units + (units < 0 ? -kStone / 2 : kStone / 2)) / kStone; }
    // For each pattern, the index of its weight within a phase, or of its row.
    void pattern_indices(std::uint64_t own, std::uint64_t other, std::uint32_t* to) const;
    [[gnu::always_inline]] std::size_t patterns() const { return patterns_; }
    std::size_t configurations() const { return configurations_; }
    [[gnu::always_inline]] bool has_weights() const { return patterns_ > 0; }
    [[gnu::always_inline]] const Network* network() const { return network_.get(); }  // null where there are tables, or nothing
    [[gnu::always_inline]] const bit::PatternPowers* powers() const { return powers_.data(); }
    [[gnu::always_inline]] const std::uint32_t* offsets() const { return offsets_.data(); }
    // The weights for positions with this number of stones, where there are tables.
    [[gnu::always_inline]] Tables tables(int stones) const {
        const auto row = static_cast<std::size_t>(stones);
        return {offsets_.data(), patterns_, weights_->patterns.data() + weights_->phase_of[row] * configurations_,
                weights_->mobility.empty() ? nullptr : weights_->mobility.data() + row * kMobilityWeights};
    }
    const Board& board() const { return *board_; }

    [[gnu::always_inline]] int clamped(int value) const { return std::clamp(value, -board_->cells * kStone, board_->cells * kStone); }

  private:
    void set(const std::vector<Pattern>& patterns);

    const Board* board_;
    std::shared_ptr<const Weights> weights_;  // shared by copies
    std::shared_ptr<const Network> network_;
    std::size_t configurations_ = 0;  // of a phase
    std::size_t patterns_ = 0;
    std::vector<std::uint32_t> offsets_;
    std::vector<bit::PatternPowers> powers_;
};

}  // namespace polyversi::engine
