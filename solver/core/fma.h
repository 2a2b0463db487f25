// fma: a·b + c with one rounding, the IEEE 754 operation, with the same bits on every processor.
#pragma once
#include <cmath>
#include <cstdint>
#include <cstring>

#include "solver/core/platform.h"

namespace purl {

// fma in software, for processors without the instruction: the product of two floats is exact in double; the sum is
// rounded to odd there, so that the second rounding, to float, cannot double the error of the first (Boldo and
// Melquiond 2008).
PURL_HD inline float fmaInDouble(float a, float b, float c) {
    const double product = double(a) * double(b), to = double(c);
    double sum = product + to;
    // What the addition lost   Knuth's TwoSum; NaN where the sum is not finite
    const double share = sum - product, lost = (product - (sum - share)) + (to - share);
    if (lost > 0 || lost < 0) {
        int64_t bits;
        std::memcpy(&bits, &sum, sizeof bits);
        // An even last digit becomes the odd one on the side of the exact sum.
        if (!(bits & 1)) bits += (lost > 0) == (sum > 0) ? 1 : -1;
        std::memcpy(&sum, &bits, sizeof bits);
    }
    return static_cast<float>(sum);
}

PURL_HD inline float fma(float a, float b, float c) {
#if defined(__CUDA_ARCH__) || defined(__FMA__) || defined(__aarch64__)
    return std::fma(a, b, c);  // one instruction
#else
    return fmaInDouble(a, b, c);
#endif
}

}  // namespace purl
