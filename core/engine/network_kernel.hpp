// The value of a position by a network, with the vectors of one processor: each processor's file instantiates its own copy.
#pragma once

#include <algorithm>
#include <cstdint>

#include "engine/network.hpp"

#ifdef __SSE2__
#include <immintrin.h>
#endif

namespace polyversi::engine {
namespace {

#if defined(__AVX512BW__)
constexpr std::size_t kVectorBytes = 64;
#elif defined(__AVX2__)
constexpr std::size_t kVectorBytes = 32;
#else
constexpr std::size_t kVectorBytes = 16;
#endif

typedef std::int32_t Lanes __attribute__((vector_size(kVectorBytes), may_alias));

// Each lane holds two numbers of 16 bits: the sum of their products.
[[gnu::always_inline]] inline Lanes products_of_pairs(Lanes a, Lanes b) {
#if defined(__AVX512BW__)
    return reinterpret_cast<Lanes>(_mm512_madd_epi16(reinterpret_cast<__m512i>(a), reinterpret_cast<__m512i>(b)));
#elif defined(__AVX2__)
    return reinterpret_cast<Lanes>(_mm256_madd_epi16(reinterpret_cast<__m256i>(a), reinterpret_cast<__m256i>(b)));
#elif defined(__SSE2__)
    return reinterpret_cast<Lanes>(_mm_madd_epi16(reinterpret_cast<__m128i>(a), reinterpret_cast<__m128i>(b)));
#else
    return (a << 16 >> 16) * (b << 16 >> 16) + (a >> 16) * (b >> 16);
#endif
}

// A number for each hidden unit.
struct Units {
    static constexpr std::size_t kParts = Network::kHidden * sizeof(std::int32_t) / kVectorBytes;
    Lanes parts[kParts] = {};

    [[gnu::always_inline]] static Units load(const void* from) {
        Units units;
        for (std::size_t i = 0; i < kParts; ++i) units.parts[i] = static_cast<const Lanes*>(from)[i];
        return units;
    }
    [[gnu::always_inline]] void add(const Units& others) {
        for (std::size_t i = 0; i < kParts; ++i) parts[i] += others.parts[i];
    }
    [[gnu::always_inline]] void add_products(const Units& a, const Units& b) {
        for (std::size_t i = 0; i < kParts; ++i) parts[i] += products_of_pairs(a.parts[i], b.parts[i]);
    }
    // Adds the products of each unit's two weights and the same two inputs.
    [[gnu::always_inline]] void add_inputs(const void* weights, const std::int16_t* two_inputs) {
        std::int32_t pair;
        __builtin_memcpy(&pair, two_inputs, sizeof pair);
        for (std::size_t i = 0; i < kParts; ++i) parts[i] += products_of_pairs(static_cast<const Lanes*>(weights)[i], Lanes{} + pair);
    }
    [[gnu::always_inline]] Units activated() const {
        Units found;
        for (std::size_t i = 0; i < kParts; ++i) {
            const Lanes shifted = parts[i] >> Network::kHiddenShift, positive = shifted > 0 ? shifted : Lanes{};
            found.parts[i] = positive < Network::kOne ? positive : Lanes{} + Network::kOne;
        }
        return found;
    }
};

// The sum of the rows of a position.
template <std::size_t width>
class RowSum {
    static constexpr std::size_t kBytes = std::min(2 * width, kVectorBytes), kParts = 2 * width / kBytes;
    typedef std::uint16_t Part __attribute__((vector_size(kBytes), may_alias));  // unsigned, since it may wrap
    typedef std::int16_t Signed __attribute__((vector_size(kBytes), may_alias));

  public:
    [[gnu::always_inline]] void add(const std::int16_t* row) {
        for (std::size_t i = 0; i < kParts; ++i) parts_[i] += reinterpret_cast<const Part*>(row)[i];
    }

    // The output of the layers, in units of the evaluation.
    [[gnu::always_inline]] int value(const Network::Layers<width>& layers) const {
        Units hidden[2] = {Units::load(layers.hidden_biases)};  // two, so that an addition need not wait for the one before
        const Inputs inputs = clamped();
#pragma GCC unroll 32
        for (std::size_t i = 0; i < width; i += 2) hidden[i / 2 % 2].add_inputs(layers.hidden_weights[i / 2], inputs.of + i);
        hidden[0].add(hidden[1]);
        Units products;
        products.add_products(hidden[0].activated(), Units::load(layers.output_weights));
        const Skipped skipped = sum_and_nothing();
        for (std::size_t i = 0; i < kSkipped; i += kUnitNumbers) products.add_products(Units::load(skipped.of + i), Units::load(layers.skip_weights + i));
        return (layers.output_bias + total(products)) >> Network::kOutputShift;
    }

  private:
    static constexpr std::size_t kUnitNumbers = 2 * Network::kHidden, kSkipped = std::max(width, kUnitNumbers);

    struct alignas(64) Inputs {
        std::int16_t of[width];
    };
    struct alignas(64) Skipped {
        std::int16_t of[kSkipped];
    };

    // As many numbers as fill `Units`.
    [[gnu::always_inline]] Skipped sum_and_nothing() const {
        Skipped skipped = {};
        __builtin_memcpy(skipped.of, parts_, sizeof parts_);
        return skipped;
    }

    [[gnu::always_inline]] Inputs clamped() const {
        Inputs inputs;
        for (std::size_t i = 0; i < kParts; ++i) {
            const Signed sum = reinterpret_cast<Signed>(parts_[i]), positive = sum > 0 ? sum : Signed{};
            reinterpret_cast<Signed*>(inputs.of)[i] = positive < Network::kOne ? positive : Signed{} + Network::kOne;
        }
        return inputs;
    }

    [[gnu::always_inline]] static std::int32_t total(const Units& units) {
        Lanes sum = units.parts[0];
        for (std::size_t i = 1; i < Units::kParts; ++i) sum += units.parts[i];
        std::int32_t found = 0;
        for (std::size_t i = 0; i < kVectorBytes / sizeof found; ++i) found += sum[i];
        return found;
    }

    Part parts_[kParts] = {};
};

}  // namespace
}  // namespace polyversi::engine
