// Vectors of four 64-bit lanes, for the files compiled for AVX2 and beyond.
#pragma once

#include <immintrin.h>

#include <cstdint>

namespace polyversi::bit {
namespace {

inline std::uint64_t or_lanes(__m256i lanes) {
    const __m128i half = _mm_or_si128(_mm256_castsi256_si128(lanes), _mm256_extracti128_si256(lanes, 1));
    return static_cast<std::uint64_t>(_mm_cvtsi128_si64(_mm_or_si128(half, _mm_unpackhi_epi64(half, half))));
}

inline __m256i all(std::uint64_t word) { return _mm256_set1_epi64x(static_cast<long long>(word)); }

}  // namespace
}  // namespace polyversi::bit
