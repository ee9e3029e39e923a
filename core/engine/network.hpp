// A network: the other kind of weights. Each configuration of a pattern, each count of mobility and each number of stones has
// a row of numbers. The sum of the rows of a position goes through the layers of its phase: hidden units, and an output that
// sees them and the sum itself. All numbers are integers, and no sum of 32 bits may overflow, in whatever order it is taken:
// so every processor finds the same value.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "bit/mobility.hpp"
#include "rules/pages.hpp"

namespace polyversi::engine {

class Network {
  public:
    static constexpr std::size_t kHidden = 16;
    static constexpr std::int16_t kOne = 512;     // 1.0 in a row and in a hidden unit, to which both are clamped
    static constexpr int kHiddenShift = 10;       // of the sum for a hidden unit
    static constexpr int kOutputShift = 12;       // of the sum for the output, to units of the evaluation
    static constexpr std::size_t kCountLimit = 64;  // of a count of mobility

    // The numbers as a file has them, but with a row for every configuration.
    struct Numbers {
        std::size_t width;                     // of a row: 16, 32 or 64
        std::vector<std::uint8_t> phase_of;    // each number of stones
        std::span<const std::int16_t> pattern_rows, mobility_rows, stones_rows;
        std::span<const std::int16_t> hidden_weights, output_weights, skip_weights;  // phase by phase
        std::span<const std::int32_t> hidden_biases, output_biases;
    };

    // The layers of a phase. The weights of two neighbours in the sum lie side by side, those of all hidden units in order:
    // what a processor multiplies and adds in one instruction.
    template <std::size_t width>
    struct alignas(64) Layers {
        std::int16_t hidden_weights[width / 2][kHidden][2];
        std::int32_t hidden_biases[kHidden];
        std::int32_t output_weights[kHidden];
        std::int16_t skip_weights[width < 32 ? 32 : width];  // zeros follow those of a small width
        std::int32_t output_bias;
    };

    explicit Network(const Numbers& numbers);

    // What the search calls is inlined everywhere: a copy of one processor's file must not serve the others.
    [[gnu::always_inline]] std::size_t width() const { return width_; }
    std::size_t configurations() const { return configurations_; }
    [[gnu::always_inline]] const std::int16_t* pattern_rows() const { return rows_; }
    [[gnu::always_inline]] const std::int16_t* mobility_rows() const { return rows_ + configurations_ * width_; }
    [[gnu::always_inline]] const std::int16_t* stones_row(std::size_t stones) const { return mobility_rows() + (bit::kMobilityCounts * kCountLimit + stones) * width_; }
    // The number of a row of zeros, for patterns that are not there.
    std::size_t empty_row() const { return configurations_ + bit::kMobilityCounts * kCountLimit + phase_of_.size(); }

    template <std::size_t width>
    [[gnu::always_inline]] const Layers<width>& layers(std::size_t stones) const { return static_cast<const Layers<width>*>(layers_)[phase_of_[stones]]; }

  private:
    template <std::size_t width>
    void set_layers(const Numbers& numbers);

    std::size_t width_, configurations_;
    std::vector<std::uint8_t> phase_of_;
    Pages pages_;
    std::int16_t* rows_;
    void* layers_;
};

}  // namespace polyversi::engine
