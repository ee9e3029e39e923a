// How a game will probably end, judged by what lies in patterns of cells; without learned weights by a rule of thumb.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/plan.hpp"

namespace polyversi::engine {

constexpr int kMostPatterns = 64;
constexpr int kStone = 32;  // values are counted in parts of a stone

class Evaluation {
  public:
    struct Pattern {
        std::vector<std::uint8_t> bits;  // of its cells in their order
        std::uint32_t first = 0;         // where the weights of its family begin
    };

    explicit Evaluation(const Plan& plan) : plan_(&plan) {}
    // Weights for each phase of the game in turn: the contents of the first family, of the second, and so on.
    Evaluation(const Plan& plan, std::vector<Pattern> patterns, int phases, std::vector<std::int16_t> weights);

    // The same for another plan of the same board, which must outlive it.
    Evaluation on(const Plan& plan) const {
        Evaluation moved = *this;
        moved.plan_ = &plan;
        return moved;
    }

    // The value for the seat to move, in parts of a stone.
    int value(std::uint64_t own, std::uint64_t other) const;
    // The same rounded to whole stones.
    int stones(std::uint64_t own, std::uint64_t other) const {
        const int parts = value(own, other);
        return (parts + (parts < 0 ? -kStone / 2 : kStone / 2)) / kStone;
    }
    // What lies in each pattern, as the number of its weight.
    void contents(std::uint64_t own, std::uint64_t other, std::uint32_t* to) const;
    int phase(std::uint64_t own, std::uint64_t other) const {
        return std::popcount(own | other) * phases_ / (plan_->cells + 1);
    }
    std::size_t patterns() const { return patterns_.size(); }

  private:
    int by_thumb(std::uint64_t own, std::uint64_t other) const;
    int within_board(int value) const { return std::clamp(value, -plan_->cells * kStone, plan_->cells * kStone); }

    const Plan* plan_;
    std::vector<Pattern> patterns_;
    int phases_ = 1;
    std::vector<std::int16_t> weights_;
    std::size_t weights_a_phase_ = 0;
    std::vector<bit::PatternPowers> powers_;  // of each bit
};

}  // namespace polyversi::engine
