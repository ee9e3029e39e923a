// What more than one search of the engine uses: mixing the words of a position, and closing in on a value.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

namespace polyversi::engine {

// A number that looks random, its upper bits most of all.
inline std::uint64_t mixed(std::uint64_t own, std::uint64_t other) {
    const std::uint64_t both = (own * 0x9e3779b97f4a7c15u) ^ std::rotl(other * 0xd1342543de82ef95u, 29);
    return (both ^ (both >> 31)) * 0xbf58476d1ce4e5b9u;
}

// Null windows from the guess on until the value between low and high is enclosed. `look` says whether it is above an
// alpha by a bound of it on that side; once `is_stopped` what it says means nothing, and the value is a lower bound.
template <class Look, class Stopped>
int enclosed(int low, int high, int guess, Look look, Stopped is_stopped) {
    while (low < high && !is_stopped()) {
        const int alpha = std::clamp(guess, low + 1, high) - 1;
        const int found = look(alpha);
        if (is_stopped()) break;
        if (found > alpha) {
            low = std::min(found, high);
            guess = low + 1;
        } else {
            high = guess = std::max(found, low);
        }
    }
    return low;
}

}  // namespace polyversi::engine
