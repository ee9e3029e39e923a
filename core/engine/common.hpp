// Shared by the searches of the engine: hashing a position, and MTD(f).
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

namespace polyversi::engine {

// A hash of the two words of a position; its upper bits are the most random.
inline std::uint64_t hash_of(std::uint64_t own, std::uint64_t other) {
    const std::uint64_t both = (own * 0x9e3779b97f4a7c15u) ^ std::rotl(other * 0xd1342543de82ef95u, 29);
    return (both ^ (both >> 31)) * 0xbf58476d1ce4e5b9u;
}

// MTD(f): null-window searches from a first guess until the bounds are less than `tolerance` apart. `search(alpha)` returns a
// fail-soft bound. Once `is_stopped`, the result of a search is void, and the value returned is a lower bound.
template <class NullWindowSearch, class Stopped>
int mtdf(int low, int high, int guess, int tolerance, NullWindowSearch search, Stopped is_stopped) {
    const int lowest = low, highest = high;
    int stride = tolerance;
    for (int alpha = guess - (tolerance + 1) / 2; high - low >= tolerance && low < high && !is_stopped();) {
        alpha = std::clamp(alpha, low, high - 1);
        const int found = search(alpha);
        if (is_stopped()) return low;
        if (found > alpha) {
            low = std::min(found, high);
        } else {
            high = std::max(found, low);
        }
        // Where one bound is unknown, in growing strides; then halfway.
        alpha = high == highest ? low + stride - 1 : low == lowest ? high - stride : low + (high - low) / 2;
        if (tolerance > 1) stride *= 2;
    }
    return is_stopped() ? low : low + (high - low) / 2;
}

}  // namespace polyversi::engine
