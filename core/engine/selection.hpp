// What may be left out of a search: a move that a look at few plies shows to be far too good or too bad is not looked at
// with many, as far as one wants to trust that.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace polyversi::engine {

// How far a value is to be trusted, as the number of one of these; the last leaves nothing out.
constexpr std::array<int, 6> kTrustInPercent{73, 87, 95, 98, 99, 100};
constexpr int kMostTrust = static_cast<int>(kTrustInPercent.size()) - 1;
constexpr std::array<float, 5> kDeviations{1.1f, 1.5f, 2.0f, 2.4f, 2.6f};  // of a normal distribution that this makes

// By how much the values of shallow searches differ from those of deep ones: a standard deviation in stones, whose
// logarithm is a sum of these numbers times what the searches are like.
struct Doubt {
    static constexpr int kNumbers = 6;
    std::array<float, kNumbers> of{1.8f, -0.2f, 0.15f, 0.0f, 0.0f, 0.0f};

    static std::array<float, kNumbers> features(int shallow, int depth, int empties) {
        const bool is_exact = depth >= empties;
        return {1.0f, std::log1p(static_cast<float>(shallow)), std::log(static_cast<float>(depth - shallow)),
                static_cast<float>(empties) / 32.0f, is_exact ? 1.0f : 0.0f, is_exact ? static_cast<float>(empties) / 32.0f : 0.0f};
    }

    float deviation(int shallow, int depth, int empties) const {
        const auto like = features(shallow, depth, empties);
        float sum = 0;
        for (std::size_t i = 0; i < of.size(); ++i) sum += of[i] * like[i];
        return std::exp(sum);
    }
};

class Selection {
  public:
    static constexpr int kLeastDepth = 4;

    explicit Selection(const Doubt& doubt) {
        for (int empties = 0; empties <= 64; ++empties) {
            for (int depth = kLeastDepth; depth <= 64; ++depth) {
                deviation_[static_cast<std::size_t>(empties)][static_cast<std::size_t>(depth)] =
                    doubt.deviation(shallow(depth), depth, empties);
            }
        }
    }

    // The plies with which a search of so many is foreseen: about half, and as odd or even.
    static int shallow(int depth) { return depth / 4 * 2 + (depth & 1); }

    // By how many stones a shallow value must be beyond a bound to be trusted.
    int margin(int depth, int empties, int trust) const {
        const float deviation = deviation_[static_cast<std::size_t>(empties)][static_cast<std::size_t>(depth)];
        return static_cast<int>(std::ceil(std::min(kDeviations[static_cast<std::size_t>(trust)] * deviation, 128.0f)));
    }

  private:
    std::array<std::array<float, 65>, 65> deviation_{};
};

}  // namespace polyversi::engine
