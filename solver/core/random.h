// Counter-based random numbers: each depends only on (seed, index), so threads may draw them in any order.
#pragma once
#include <cstdint>

#include "solver/core/platform.h"

namespace purl {

// PCG's output permutation over a 64-bit mix of seed and index (O'Neill 2014).
PURL_HD inline uint32_t randomBits(uint64_t seed, uint64_t index) {
    uint64_t s = (seed * 0x9e3779b97f4a7c15ull + index) * 6364136223846793005ull + 1442695040888963407ull;
    s = (s ^ (s >> 29)) * 0xbf58476d1ce4e5b9ull;
    const auto shifted = static_cast<uint32_t>(((s >> 18) ^ s) >> 27);
    const auto rotation = static_cast<uint32_t>(s >> 59);
    return (shifted >> rotation) | (shifted << ((32 - rotation) & 31));
}

// Uniform in [0, 1).
PURL_HD inline float randomUnit(uint64_t seed, uint64_t index) {
    return static_cast<float>(randomBits(seed, index) >> 8) * (1.0f / 16777216.0f);
}

}  // namespace purl
