// Where a seat can move and where it may be able to move later: what every kernel finds in one go.
#pragma once

#include <cstdint>

namespace polyversi::bit {

// Both may hold cells that are not empty.
struct Reach {
    std::uint64_t moves = 0;
    std::uint64_t later = 0;  // beside stones of the other side, as far as their line can be captured at all
};

}  // namespace polyversi::bit
