// Bit positions on processors with AVX2: four directions at a time, a lane each.
#include "bit/hexagon_kernel.hpp"
#include "bit/lanes.hpp"
#include "bit/loops.hpp"
#include "bit/rays.hpp"
#include "bit/mobility.hpp"

namespace polyversi::bit {
namespace {

struct GridKernel {
    static constexpr bool kUsesPext = false;

    [[gnu::always_inline]] static inline std::uint64_t moves(const Geometry& g, std::uint64_t own, std::uint64_t other) {
        return mobility(g, own, other).moves;
    }

    [[gnu::always_inline]] static inline Mobility mobility(const Geometry&, std::uint64_t own, std::uint64_t other) {
        const __m256i shift = _mm256_set_epi64x(7, 8, 9, 1), shift2 = _mm256_add_epi64(shift, shift);
        const __m256i inner = _mm256_set_epi64x(kInnerColumns, -1, kInnerColumns, kInnerColumns);
        const __m256i mine = all(own), through = _mm256_and_si256(all(other), inner);
        __m256i up = _mm256_and_si256(through, _mm256_sllv_epi64(mine, shift));
        __m256i down = _mm256_and_si256(through, _mm256_srlv_epi64(mine, shift));
        up = _mm256_or_si256(up, _mm256_and_si256(through, _mm256_sllv_epi64(up, shift)));
        down = _mm256_or_si256(down, _mm256_and_si256(through, _mm256_srlv_epi64(down, shift)));
        const __m256i above = _mm256_sllv_epi64(through, shift);
        const __m256i pairs = _mm256_and_si256(through, above);
        const __m256i lower_pairs = _mm256_srlv_epi64(pairs, shift);
        for (int i = 0; i < 2; ++i) {
            up = _mm256_or_si256(up, _mm256_and_si256(pairs, _mm256_sllv_epi64(up, shift2)));
            down = _mm256_or_si256(down, _mm256_and_si256(lower_pairs, _mm256_srlv_epi64(down, shift2)));
        }
        return {or_lanes(_mm256_or_si256(_mm256_sllv_epi64(up, shift), _mm256_srlv_epi64(down, shift))),
                or_lanes(_mm256_or_si256(above, _mm256_srlv_epi64(through, shift)))};
    }

    [[gnu::always_inline]] static inline std::uint64_t flips(const Geometry&, int bit, std::uint64_t own, std::uint64_t other) {
        const Rays& rays = kRays[static_cast<std::size_t>(bit)];
        const __m256i zero = _mm256_setzero_si256(), mine = all(own), theirs = all(other);
        // Upwards the first cell that is not theirs is the lowest bit left of the ray.
        const __m256i up_ray = _mm256_load_si256(reinterpret_cast<const __m256i*>(rays.up.data()));
        const __m256i up = _mm256_andnot_si256(theirs, up_ray);
        const __m256i up_end = _mm256_and_si256(_mm256_and_si256(up, _mm256_sub_epi64(zero, up)), mine);
        const __m256i up_fails = _mm256_cmpeq_epi64(up_end, zero);
        // Subtracts one from the end where there is one: -1 - (-1) leaves an end of zero at zero.
        const __m256i up_below = _mm256_sub_epi64(_mm256_add_epi64(up_end, _mm256_set1_epi64x(-1)), up_fails);
        // Downwards our nearest stone comes before the nearest gap if it is the larger number (no ray down has the sign
        // bit); everything of the ray above it is flipped.
        const __m256i shift = _mm256_set_epi64x(7, 8, 9, 1), shift2 = _mm256_set_epi64x(14, 16, 18, 2);
        const __m256i shift4 = _mm256_set_epi64x(28, 32, 36, 4);
        const __m256i down_ray = _mm256_load_si256(reinterpret_cast<const __m256i*>(rays.down.data()));
        __m256i reached = _mm256_and_si256(down_ray, mine);
        const __m256i gaps = _mm256_andnot_si256(_mm256_or_si256(mine, theirs), down_ray);
        const __m256i holds = _mm256_cmpgt_epi64(reached, gaps);
        reached = _mm256_or_si256(reached, _mm256_srlv_epi64(reached, shift));
        reached = _mm256_or_si256(reached, _mm256_srlv_epi64(reached, shift2));
        reached = _mm256_or_si256(reached, _mm256_srlv_epi64(reached, shift4));
        const __m256i down_flipped = _mm256_and_si256(_mm256_andnot_si256(reached, down_ray), holds);
        return or_lanes(_mm256_or_si256(_mm256_and_si256(up_ray, up_below), down_flipped));
    }
};

struct FourWords {
    static constexpr std::size_t kLanes = 4;
    __m256i bits;

    static FourWords all(std::uint64_t word) { return {_mm256_set1_epi64x(static_cast<long long>(word))}; }
    static FourWords load(const std::uint64_t* from) { return {_mm256_load_si256(reinterpret_cast<const __m256i*>(from))}; }
    FourWords operator&(FourWords b) const { return {_mm256_and_si256(bits, b.bits)}; }
    FourWords operator|(FourWords b) const { return {_mm256_or_si256(bits, b.bits)}; }
    FourWords operator-(FourWords b) const { return {_mm256_sub_epi64(bits, b.bits)}; }
    FourWords operator<<(FourWords by) const { return {_mm256_sllv_epi64(bits, by.bits)}; }
    FourWords operator>>(FourWords by) const { return {_mm256_srlv_epi64(bits, by.bits)}; }
    FourWords where(FourWords condition) const {
        return {_mm256_andnot_si256(_mm256_cmpeq_epi64(condition.bits, _mm256_setzero_si256()), bits)};
    }
    std::uint64_t or_lanes() const { return bit::or_lanes(bits); }
};

}  // namespace

const Ops kAvx2Grid = Loops<GridKernel>::ops("avx2");
const Ops kAvx2Hexagon = Loops<HexagonKernel<FourWords>>::ops("avx2");

}  // namespace polyversi::bit
