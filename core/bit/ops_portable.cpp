// Bit positions on any processor, in plain C++.
#include "bit/hexagon_kernel.hpp"
#include "bit/loops.hpp"
#include "bit/rays.hpp"
#include "bit/mobility.hpp"

namespace polyversi::bit {
namespace {

struct GridKernel {
    static constexpr bool kUsesPext = false;

    template <int shift>
    static Mobility mobility_along(std::uint64_t own, std::uint64_t through) {
        std::uint64_t up = through & (own << shift), down = through & (own >> shift);
        up |= through & (up << shift);
        down |= through & (down >> shift);
        const std::uint64_t pairs = through & (through << shift), lower_pairs = pairs >> shift;
        up |= pairs & (up << 2 * shift);
        down |= lower_pairs & (down >> 2 * shift);
        up |= pairs & (up << 2 * shift);
        down |= lower_pairs & (down >> 2 * shift);
        return {up << shift | down >> shift, through << shift | through >> shift};
    }

    [[gnu::always_inline]] static inline std::uint64_t moves(const Geometry& g, std::uint64_t own, std::uint64_t other) {
        return mobility(g, own, other).moves;
    }

    [[gnu::always_inline]] static inline Mobility mobility(const Geometry&, std::uint64_t own, std::uint64_t other) {
        const std::uint64_t inner = other & kInnerColumns;
        const Mobility a = mobility_along<1>(own, inner), b = mobility_along<7>(own, inner), c = mobility_along<8>(own, other),
                    d = mobility_along<9>(own, inner);
        return {a.moves | b.moves | c.moves | d.moves, a.potential | b.potential | c.potential | d.potential};
    }

    [[gnu::always_inline]] static inline std::uint64_t flips(const Geometry&, int bit, std::uint64_t own, std::uint64_t other) {
        const Rays& rays = kRays[static_cast<std::size_t>(bit)];
        std::uint64_t flipped = 0;
        for (std::size_t line = 0; line < 4; ++line) {
            // The first cell of the ray that is not the other side's; it must be ours.
            const std::uint64_t up = rays.up[line] & ~other, up_end = up & (0 - up) & own;
            flipped |= rays.up[line] & (up_end - (up_end != 0));
            const std::uint64_t down = rays.down[line] & ~other;
            if (down) {
                const std::uint64_t down_end = (std::uint64_t{1} << (63 - std::countl_zero(down))) & own;
                flipped |= rays.down[line] & (0 - 2 * down_end);
            }
        }
        return flipped;
    }
};

struct Word {
    static constexpr std::size_t kLanes = 1;
    std::uint64_t bits;

    static Word all(std::uint64_t word) { return {word}; }
    static Word load(const std::uint64_t* from) { return {*from}; }
    Word operator&(Word b) const { return {bits & b.bits}; }
    Word operator|(Word b) const { return {bits | b.bits}; }
    Word operator-(Word b) const { return {bits - b.bits}; }
    Word operator<<(Word by) const { return {bits << by.bits}; }
    Word operator>>(Word by) const { return {bits >> by.bits}; }
    Word where(Word condition) const { return {condition.bits ? bits : 0}; }
    std::uint64_t or_lanes() const { return bits; }
};

}  // namespace

const Ops kPortableGrid = Loops<GridKernel>::ops("portable");
const Ops kPortableHexagon = Loops<HexagonKernel<Word>>::ops("portable");

}  // namespace polyversi::bit
