// Parts of the search that can be left away one by one, to see what each is worth and that none changes a value.
#pragma once

#include <cstdint>

namespace polyversi::engine {

enum Feature : std::uint32_t {
    kTable = 1,         // remember positions
    kForesight = 2,     // look the moves of a node up before any is searched
    kStability = 4,     // bounds from stones that nothing can turn
    kOrdering = 8,      // the most promising moves first
    kDeepening = 16,    // ever deeper searches before the exact one
    kSelection = 32,    // leave out what shallow searches show to be hopeless
    kLastCells = 64,    // an own search for the last empty cells
    kAllFeatures = 127,
};

}  // namespace polyversi::engine
