// What every kernel finds in one go: the moves of a seat and its potential moves.
#pragma once

#include <cstdint>

namespace polyversi::bit {

// Both may hold cells that are not empty.
struct Mobility {
    std::uint64_t moves = 0;
    std::uint64_t potential = 0;  // next to stones of the other side, on lines that can be flipped at all
};

}  // namespace polyversi::bit
