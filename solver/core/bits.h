// Counting bits; C++17 has no words for it.
#pragma once
#ifdef _MSC_VER
    #include <intrin.h>
#endif

namespace purl {

inline int countBits(int bits) {
#ifdef _MSC_VER
    return static_cast<int>(__popcnt(static_cast<unsigned>(bits)));
#else
    return __builtin_popcount(static_cast<unsigned>(bits));
#endif
}

// Number of the lowest set bit; there must be one.
inline int lowestBit(int bits) {
#ifdef _MSC_VER
    unsigned long place = 0;
    _BitScanForward(&place, static_cast<unsigned long>(bits));
    return static_cast<int>(place);
#else
    return __builtin_ctz(static_cast<unsigned>(bits));
#endif
}

}  // namespace purl
