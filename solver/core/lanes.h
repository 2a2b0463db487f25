// Eight-wide AVX2 helpers for the vectorized CPU loops.
// No approximations such as rsqrt: they differ between CPU models, and a farm has several.
#pragma once
#ifdef __AVX2__
    #include <immintrin.h>
#endif

#include "solver/core/vec.h"

namespace purl {

#ifdef __AVX2__
constexpr bool kHasLanes = true;
#else
constexpr bool kHasLanes = false;
#endif

// A Vec3 and a scalar in one aligned 16-byte load.
struct alignas(16) Float4 {
    float x, y, z, w = 0;

    PURL_HD explicit operator Vec3() const { return {x, y, z}; }
};

#ifdef __AVX2__

// Four floats of each of eight elements, one register per component (SoA).
struct Lanes4 {
    __m256 x, y, z, w;
};

// Transposes eight rows of four floats to four columns of eight, or back. Rows 0 and 4 are in a, rows 1 and 5 in b, …
inline Lanes4 transposed(__m256 a, __m256 b, __m256 c, __m256 d) {
    const __m256 abLow = _mm256_unpacklo_ps(a, b), abHigh = _mm256_unpackhi_ps(a, b);  // x x y y | z z w w
    const __m256 cdLow = _mm256_unpacklo_ps(c, d), cdHigh = _mm256_unpackhi_ps(c, d);
    return {_mm256_shuffle_ps(abLow, cdLow, _MM_SHUFFLE(1, 0, 1, 0)),
            _mm256_shuffle_ps(abLow, cdLow, _MM_SHUFFLE(3, 2, 3, 2)),
            _mm256_shuffle_ps(abHigh, cdHigh, _MM_SHUFFLE(1, 0, 1, 0)),
            _mm256_shuffle_ps(abHigh, cdHigh, _MM_SHUFFLE(3, 2, 3, 2))};
}

// Loads the first 16 bytes of elements list[0] … list[7]. Aligned loads plus a transpose: AVX2 gather instructions take
// three times as long.
template <class Four>
inline Lanes4 loadLanes(const Four* array, const int* list) {
    static_assert(alignof(Four) >= 16);
    const auto pair = [&](int low) {
        const __m128 a = _mm_load_ps(reinterpret_cast<const float*>(array + list[low]));
        const __m128 b = _mm_load_ps(reinterpret_cast<const float*>(array + list[low + 4]));
        return _mm256_insertf128_ps(_mm256_castps128_ps256(a), b, 1);
    };
    return transposed(pair(0), pair(1), pair(2), pair(3));
}

// Inverse of loadLanes: scatters the lanes back to elements list[0] … list[7].
template <class Four>
inline void storeLanes(const Lanes4& lanes, Four* array, const int* list) {
    static_assert(alignof(Four) >= 16);
    const Lanes4 rows = transposed(lanes.x, lanes.y, lanes.z, lanes.w);
    const auto put = [&](__m256 row, int low) {
        _mm_store_ps(reinterpret_cast<float*>(array + list[low]), _mm256_castps256_ps128(row));
        _mm_store_ps(reinterpret_cast<float*>(array + list[low + 4]), _mm256_extractf128_ps(row, 1));
    };
    put(rows.x, 0);
    put(rows.y, 1);
    put(rows.z, 2);
    put(rows.w, 3);
}

#endif

}  // namespace purl
