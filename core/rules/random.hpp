// A small, fast source of random numbers that gives the same sequence on every machine (splitmix64).
#pragma once

#include <cstdint>

namespace polyversi {

class Random {
  public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    std::uint64_t next() {
        std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return z ^ (z >> 31);
    }

    // A number below `bound`, by multiplication instead of division; the bias is below 2^-32 * bound.
    std::uint32_t below(std::uint32_t bound) {
        return static_cast<std::uint32_t>(((next() >> 32) * bound) >> 32);
    }

    // The generator of the n-th of many games that share one seed.
    static Random stream(std::uint64_t seed, std::uint64_t n) {
        Random mixer(seed ^ (n * 0xd1342543de82ef95u));
        return Random(mixer.next());
    }

  private:
    std::uint64_t state_;
};

}  // namespace polyversi
