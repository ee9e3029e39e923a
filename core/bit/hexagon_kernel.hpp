// Move generation on hexagons: a Kogge-Stone fill through the opponent's stones in steps of one, two and four rotations,
// all directions at once with a vector lane each. A template over the vector type of a processor.
#pragma once

#include <cstdint>

#include "bit/geometry.hpp"
#include "bit/mobility.hpp"

namespace polyversi::bit {
namespace {

template <class Vector>
struct HexagonKernel {
    static constexpr bool kUsesPext = false;

    // Bits beyond the modulus may appear; every use masks them off.
    static Vector rotated(Vector word, Vector by, std::uint64_t modulus) {
        return (word << by) | (word >> (Vector::all(modulus) - by));
    }

    // The unbroken runs of `other` that begin next to `seeds`.
    static Vector runs(const Geometry& g, std::size_t lane, Vector seeds, Vector other) {
        const Vector one = Vector::load(&g.rotation[lane]), two = Vector::load(&g.rotation2[lane]), four = Vector::load(&g.rotation4[lane]);
        const Vector through = other & Vector::load(&g.enterable[lane]);
        Vector run = through & rotated(seeds, one, g.modulus);
        run = run | (through & rotated(run, one, g.modulus));
        const Vector through2 = through & rotated(through, one, g.modulus);
        run = run | (through2 & rotated(run, two, g.modulus));
        const Vector through4 = through2 & rotated(through2, two, g.modulus);
        return run | (through4 & rotated(run, four, g.modulus));
    }

    static Vector beyond(const Geometry& g, std::size_t lane, Vector run) {
        return rotated(run, Vector::load(&g.rotation[lane]), g.modulus) & Vector::load(&g.enterable[lane]);
    }

    static std::uint64_t moves(const Geometry& g, std::uint64_t own, std::uint64_t other) { return mobility(g, own, other).moves; }

    [[gnu::always_inline]] static inline Mobility mobility(const Geometry& g, std::uint64_t own, std::uint64_t other) {
        Vector found = Vector::all(0), potential = Vector::all(0);
        for (std::size_t lane = 0; lane < 6; lane += Vector::kLanes) {
            found = found | beyond(g, lane, runs(g, lane, Vector::all(own), Vector::all(other)));
            potential = potential | beyond(g, lane, Vector::all(other));
        }
        return {found.or_lanes(), potential.or_lanes()};
    }

    static std::uint64_t flips(const Geometry& g, int bit, std::uint64_t own, std::uint64_t other) {
        Vector found = Vector::all(0);
        for (std::size_t lane = 0; lane < 6; lane += Vector::kLanes) {
            const Vector run = runs(g, lane, Vector::all(std::uint64_t{1} << bit), Vector::all(other));
            found = found | run.where(beyond(g, lane, run) & Vector::all(own));
        }
        return found.or_lanes();
    }
};

}  // namespace
}  // namespace polyversi::bit
