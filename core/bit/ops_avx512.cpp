// Bit positions on processors with AVX-512: leading zeros are counted per lane, and three-way logic is one instruction.
#include "bit/hexagon_kernel.hpp"
#include "bit/lanes.hpp"
#include "bit/loops.hpp"
#include "bit/rays.hpp"
#include "bit/mobility.hpp"
#include "engine/last_flip.hpp"

namespace polyversi::bit {
namespace {

// a | (b & c)
inline __m256i or_and(__m256i a, __m256i b, __m256i c) { return _mm256_ternarylogic_epi64(a, b, c, 0xf8); }

struct GridKernel {
    static constexpr bool kUsesPext = true;  // PEXT is fast on every processor with AVX-512; with AVX2 alone it may be microcoded

    // What a stone on the last empty cell flips, by the tables.
    [[gnu::always_inline]] static inline unsigned count_last_flips(const engine::LastFlipTables& last, int bit, std::uint64_t own) {
        const engine::LastFlipTables::Cell& cell = last.cells[static_cast<std::size_t>(bit)];
        unsigned sum = 0;
        for (std::size_t axis = 0; axis < 4; ++axis) sum += last.flips[cell.tables[axis] + _pext_u64(own, cell.lines[axis])];
        return sum;
    }

    [[gnu::always_inline]] static inline std::uint64_t moves(const Geometry& g, std::uint64_t own, std::uint64_t other) {
        return mobility(g, own, other).moves;
    }

    [[gnu::always_inline]] static inline Mobility mobility(const Geometry&, std::uint64_t own, std::uint64_t other) {
        const __m256i shift = _mm256_set_epi64x(7, 8, 9, 1), shift2 = _mm256_add_epi64(shift, shift);
        const __m256i inner = _mm256_set_epi64x(kInnerColumns, -1, kInnerColumns, kInnerColumns);
        const __m256i mine = all(own), through = _mm256_and_si256(all(other), inner);
        __m256i up = _mm256_and_si256(through, _mm256_sllv_epi64(mine, shift));
        __m256i down = _mm256_and_si256(through, _mm256_srlv_epi64(mine, shift));
        up = or_and(up, through, _mm256_sllv_epi64(up, shift));
        down = or_and(down, through, _mm256_srlv_epi64(down, shift));
        const __m256i above = _mm256_sllv_epi64(through, shift);
        const __m256i pairs = _mm256_and_si256(through, above);
        const __m256i lower_pairs = _mm256_srlv_epi64(pairs, shift);
        for (int i = 0; i < 2; ++i) {
            up = or_and(up, pairs, _mm256_sllv_epi64(up, shift2));
            down = or_and(down, lower_pairs, _mm256_srlv_epi64(down, shift2));
        }
        return {or_lanes(_mm256_or_si256(_mm256_sllv_epi64(up, shift), _mm256_srlv_epi64(down, shift))),
                or_lanes(_mm256_or_si256(above, _mm256_srlv_epi64(through, shift)))};
    }

    [[gnu::always_inline]] static inline std::uint64_t flips(const Geometry&, int bit, std::uint64_t own, std::uint64_t other) {
        const Rays& rays = kRays[static_cast<std::size_t>(bit)];
        const __m256i zero = _mm256_setzero_si256(), mine = all(own), theirs = all(other);
        const __m256i minus_one = _mm256_set1_epi64x(-1), one = _mm256_set1_epi64x(1);
        // Upwards the first cell that is not theirs is the lowest bit left of the ray.
        const __m256i up_ray = _mm256_load_si256(reinterpret_cast<const __m256i*>(rays.up.data()));
        const __m256i up = _mm256_andnot_si256(theirs, up_ray);
        const __m256i up_end = _mm256_ternarylogic_epi64(up, _mm256_sub_epi64(zero, up), mine, 0x80);
        const __m256i up_below = _mm256_add_epi64(_mm256_max_epu64(up_end, one), minus_one);  // nothing below no end
        // Downwards it is the highest one.
        const __m256i down_ray = _mm256_load_si256(reinterpret_cast<const __m256i*>(rays.down.data()));
        const __m256i down = _mm256_andnot_si256(theirs, down_ray);
        const __m256i top = _mm256_set1_epi64x(static_cast<long long>(std::uint64_t{1} << 63));
        const __m256i down_end = _mm256_and_si256(_mm256_srlv_epi64(top, _mm256_lzcnt_epi64(down)), mine);
        const __m256i down_above = _mm256_sub_epi64(zero, _mm256_add_epi64(down_end, down_end));
        return or_lanes(or_and(_mm256_and_si256(up_ray, up_below), down_ray, down_above));
    }
};

struct EightWords {
    static constexpr std::size_t kLanes = 8;
    __m512i bits;

    static EightWords all(std::uint64_t word) { return {_mm512_set1_epi64(static_cast<long long>(word))}; }
    static EightWords load(const std::uint64_t* from) { return {_mm512_load_si512(from)}; }
    EightWords operator&(EightWords b) const { return {_mm512_and_si512(bits, b.bits)}; }
    EightWords operator|(EightWords b) const { return {_mm512_or_si512(bits, b.bits)}; }
    EightWords operator-(EightWords b) const { return {_mm512_sub_epi64(bits, b.bits)}; }
    EightWords operator<<(EightWords by) const { return {_mm512_sllv_epi64(bits, by.bits)}; }
    EightWords operator>>(EightWords by) const { return {_mm512_srlv_epi64(bits, by.bits)}; }
    EightWords where(EightWords condition) const {
        return {_mm512_maskz_mov_epi64(_mm512_test_epi64_mask(condition.bits, condition.bits), bits)};
    }
    std::uint64_t or_lanes() const {
        return bit::or_lanes(_mm256_or_si256(_mm512_castsi512_si256(bits), _mm512_extracti64x4_epi64(bits, 1)));
    }
};

}  // namespace

const Ops kAvx512Grid = Loops<GridKernel>::ops("avx512");
const Ops kAvx512Hexagon = Loops<HexagonKernel<EightWords>>::ops("avx512");

}  // namespace polyversi::bit
