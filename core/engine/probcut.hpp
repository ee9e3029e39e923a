// ProbCut: a node is pruned when a reduced-depth search shows that its value is very probably outside of the window. The
// model gives the standard deviation between shallow and deep values; the selectivity says how many deviations are enough.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "engine/evaluation.hpp"

namespace polyversi::engine {

// Selectivity levels by the probability, in percent, that a cut is right; the last one prunes nothing.
constexpr std::array<int, 6> kSelectivityPercent{73, 87, 95, 98, 99, 100};
constexpr int kNoSelectivity = static_cast<int>(kSelectivityPercent.size()) - 1;
constexpr std::array<float, 5> kSelectivityDeviations{1.1f, 1.5f, 2.0f, 2.4f, 2.6f};  // how many standard deviations each takes

// The standard deviation, in stones, between the values of a shallow and of a deep search. Its logarithm is a linear
// function of features of the two searches.
struct ProbCutModel {
    static constexpr int kCoefficients = 8;
    std::array<float, kCoefficients> coefficients{1.8f, -0.2f, 0.15f};  // the rest is 0, as in older models, which have six

    static std::array<float, kCoefficients> features(int shallow, int depth, int empties) {
        const bool is_exact = depth >= empties;
        const float phase = static_cast<float>(empties) / 32.0f;
        const bool has_odd_leaves = (empties - shallow) % 2 != 0;
        return {1.0f, std::log1p(static_cast<float>(shallow)), std::log(static_cast<float>(depth - shallow)), phase,
                is_exact ? 1.0f : 0.0f, is_exact ? phase : 0.0f, phase * phase, has_odd_leaves ? 1.0f : 0.0f};
    }

    float deviation(int shallow, int depth, int empties) const {
        const auto found = features(shallow, depth, empties);
        float sum = 0;
        for (std::size_t i = 0; i < coefficients.size(); ++i) sum += coefficients[i] * found[i];
        return std::exp(sum);
    }
};

class ProbCut {
  public:
    static constexpr int kMinDepth = 4;

    explicit ProbCut(const ProbCutModel& model) {
        for (int empties = 0; empties <= 64; ++empties) {
            for (int depth = kMinDepth; depth <= 64; ++depth) {
                deviation_[static_cast<std::size_t>(empties)][static_cast<std::size_t>(depth)] =
                    model.deviation(reduced_depth(depth), depth, empties);
            }
        }
    }

    // The depth of the shallow search: about half, of the same parity.
    static int reduced_depth(int depth) { return depth / 4 * 2 + (depth & 1); }

    // How far beyond a bound, in units of the evaluation, a shallow value must lie for a cut.
    int margin(int depth, int empties, int selectivity) const {
        const float deviation = deviation_[static_cast<std::size_t>(empties)][static_cast<std::size_t>(depth)];
        return static_cast<int>(std::ceil(kStone * std::min(kSelectivityDeviations[static_cast<std::size_t>(selectivity)] * deviation, 128.0f)));
    }

  private:
    std::array<std::array<float, 65>, 65> deviation_{};
};

}  // namespace polyversi::engine
