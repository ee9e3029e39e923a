// Bit positions on any processor, in plain C++.
#include "bit/flood.hpp"
#include "bit/loops.hpp"
#include "bit/rays.hpp"
#include "bit/reach.hpp"

namespace polyversi::bit {
namespace {

struct Grid {
    static constexpr bool kGathersLines = false;

    template <int shift>
    static Reach reach_along(std::uint64_t own, std::uint64_t through) {
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
        return reach(g, own, other).moves;
    }

    [[gnu::always_inline]] static inline Reach reach(const Geometry&, std::uint64_t own, std::uint64_t other) {
        const std::uint64_t inner = other & kInnerColumns;
        const Reach a = reach_along<1>(own, inner), b = reach_along<7>(own, inner), c = reach_along<8>(own, other),
                    d = reach_along<9>(own, inner);
        return {a.moves | b.moves | c.moves | d.moves, a.later | b.later | c.later | d.later};
    }

    [[gnu::always_inline]] static inline std::uint64_t flips(const Geometry&, int bit, std::uint64_t own, std::uint64_t other) {
        const Rays& rays = kRays[static_cast<std::size_t>(bit)];
        std::uint64_t turned = 0;
        for (std::size_t line = 0; line < 4; ++line) {
            // The first cell of the ray that is not the other side's; it must be ours.
            const std::uint64_t up = rays.up[line] & ~other, up_end = up & (0 - up) & own;
            turned |= rays.up[line] & (up_end - (up_end != 0));
            const std::uint64_t down = rays.down[line] & ~other;
            if (down) {
                const std::uint64_t down_end = (std::uint64_t{1} << (63 - std::countl_zero(down))) & own;
                turned |= rays.down[line] & (0 - 2 * down_end);
            }
        }
        return turned;
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
    std::uint64_t united() const { return bits; }
};

}  // namespace

const Ops kPortableGrid = Loops<Grid>::ops("portable");
const Ops kPortableHexagon = Loops<Flood<Word>>::ops("portable");

}  // namespace polyversi::bit
