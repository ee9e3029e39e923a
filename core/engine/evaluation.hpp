// How a game will probably end, judged by what lies in patterns of cells; without learned weights by a rule of thumb.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
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

    // What the patterns are worth at one phase of the game.
    struct Tables {
        const bit::PatternPowers* powers;  // of each bit
        const std::uint32_t* firsts;       // where the weights of each pattern begin
        std::size_t patterns;
        const std::int16_t* weights;
    };

    explicit Evaluation(const Plan& plan) : plan_(&plan) {}
    // Weights for each phase of the game in turn: the contents of the first family, of the second, and so on.
    Evaluation(const Plan& plan, const std::vector<Pattern>& patterns, int phases, std::vector<std::int16_t> weights);

    // The same for another plan of the same board, which must outlive it.
    Evaluation on(const Plan& plan) const {
        Evaluation moved = *this;
        moved.plan_ = &plan;
        return moved;
    }

    // The value for the seat to move, in parts of a stone.
    int value(std::uint64_t own, std::uint64_t other) const;
    // Rounded to whole stones.
    static int in_stones(int parts) { return (parts + (parts < 0 ? -kStone / 2 : kStone / 2)) / kStone; }
    // The least value that is rounded to so many stones or more.
    static int in_parts(int stones) { return stones * kStone - kStone / 2 + (stones > 0 ? 0 : 1); }
    // What lies in each pattern, as the number of its weight.
    void contents(std::uint64_t own, std::uint64_t other, std::uint32_t* to) const;
    std::size_t patterns() const { return firsts_.size(); }
    bool is_learned() const { return !firsts_.empty(); }
    // For positions with so many stones.
    [[gnu::always_inline]] Tables tables(int stones) const {
        const auto phase = static_cast<std::size_t>(stones * phases_ / (plan_->cells + 1));
        return {powers_.data(), firsts_.data(), firsts_.size(), weights_->data() + phase * weights_a_phase_};
    }

    [[gnu::always_inline]] int within_board(int value) const { return std::clamp(value, -plan_->cells * kStone, plan_->cells * kStone); }

  private:
    int by_thumb(std::uint64_t own, std::uint64_t other) const;

    const Plan* plan_;
    std::vector<std::uint32_t> firsts_;
    int phases_ = 1;
    std::shared_ptr<const std::vector<std::int16_t>> weights_;  // which copies share
    std::size_t weights_a_phase_ = 0;
    std::vector<bit::PatternPowers> powers_;
};

}  // namespace polyversi::engine
