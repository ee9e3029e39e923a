#include <vector>

#include "bit/ops.hpp"

namespace polyversi::bit {
namespace {

struct Choices {
    std::vector<const Ops*> grid{&kPortableGrid};
    std::vector<const Ops*> hexagon{&kPortableHexagon};

    Choices() {
#ifdef POLYVERSI_X86
        const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
                          __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("lzcnt");
        if (avx2) {
            grid.push_back(&kAvx2Grid);
            hexagon.push_back(&kAvx2Hexagon);
        }
        if (avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512cd") &&
            __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw")) {
            grid.push_back(&kAvx512Grid);
            hexagon.push_back(&kAvx512Hexagon);
        }
#endif
    }
};

const Choices& choices() {
    static const Choices instance;
    return instance;
}

}  // namespace

std::span<const Ops* const> grid_ops() { return choices().grid; }
std::span<const Ops* const> hexagon_ops() { return choices().hexagon; }

}  // namespace polyversi::bit
