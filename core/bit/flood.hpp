// Moves and flips on hexagons: all directions at once, a lane each, flooding through the other side's stones in steps of
// one, two and four rotations. Written over a vector type so that every processor shares it.
#pragma once

#include <cstdint>

#include "bit/geometry.hpp"
#include "bit/reach.hpp"

namespace polyversi::bit {
namespace {

template <class Vector>
struct Flood {
    static constexpr bool kGathersLines = false;

    // Bits past the circle's end may appear; every use masks them away.
    static Vector turned(Vector word, Vector by, std::uint64_t circle) {
        return (word << by) | (word >> (Vector::all(circle) - by));
    }

    // The unbroken runs of `other` that begin next to `seeds`.
    static Vector runs(const Geometry& g, std::size_t lane, Vector seeds, Vector other) {
        const Vector one = Vector::load(&g.turn[lane]), two = Vector::load(&g.turn2[lane]), four = Vector::load(&g.turn4[lane]);
        const Vector through = other & Vector::load(&g.enter[lane]);
        Vector run = through & turned(seeds, one, g.circle);
        run = run | (through & turned(run, one, g.circle));
        const Vector through2 = through & turned(through, one, g.circle);
        run = run | (through2 & turned(run, two, g.circle));
        const Vector through4 = through2 & turned(through2, two, g.circle);
        return run | (through4 & turned(run, four, g.circle));
    }

    static Vector beyond(const Geometry& g, std::size_t lane, Vector run) {
        return turned(run, Vector::load(&g.turn[lane]), g.circle) & Vector::load(&g.enter[lane]);
    }

    static std::uint64_t moves(const Geometry& g, std::uint64_t own, std::uint64_t other) { return reach(g, own, other).moves; }

    [[gnu::always_inline]] static inline Reach reach(const Geometry& g, std::uint64_t own, std::uint64_t other) {
        Vector found = Vector::all(0), later = Vector::all(0);
        for (std::size_t lane = 0; lane < 6; lane += Vector::kLanes) {
            found = found | beyond(g, lane, runs(g, lane, Vector::all(own), Vector::all(other)));
            later = later | beyond(g, lane, Vector::all(other));
        }
        return {found.united(), later.united()};
    }

    static std::uint64_t flips(const Geometry& g, int bit, std::uint64_t own, std::uint64_t other) {
        Vector found = Vector::all(0);
        for (std::size_t lane = 0; lane < 6; lane += Vector::kLanes) {
            const Vector run = runs(g, lane, Vector::all(std::uint64_t{1} << bit), Vector::all(other));
            found = found | run.where(beyond(g, lane, run) & Vector::all(own));
        }
        return found.united();
    }
};

}  // namespace
}  // namespace polyversi::bit
