// Eight floats, or eight points, at a time: vector registers where the CPU has them, loops elsewhere. Only IEEE
// operations are used, so that both give the same bits.
#pragma once
#include <cmath>

#include "solver/core/lanes.h"
#include "solver/core/vec.h"

namespace purl {

// A place, m, and the inverse of a mass, 1/kg, in one aligned load.
struct alignas(16) MassPoint {
    Vec3 x;
    float w = 0;
};

#ifdef __AVX2__

struct Eight {
    __m256 v;
};
struct EightMask {
    __m256 v;
};

inline Eight eightOf(float a) { return {_mm256_set1_ps(a)}; }
inline Eight loadEight(const float* a) { return {_mm256_load_ps(a)}; }
inline void store(Eight a, float* to) { _mm256_store_ps(to, a.v); }
inline Eight operator+(Eight a, Eight b) { return {_mm256_add_ps(a.v, b.v)}; }
inline Eight operator-(Eight a, Eight b) { return {_mm256_sub_ps(a.v, b.v)}; }
inline Eight operator*(Eight a, Eight b) { return {_mm256_mul_ps(a.v, b.v)}; }
inline Eight operator/(Eight a, Eight b) { return {_mm256_div_ps(a.v, b.v)}; }
inline Eight min(Eight a, Eight b) { return {_mm256_min_ps(a.v, b.v)}; }
inline Eight max(Eight a, Eight b) { return {_mm256_max_ps(a.v, b.v)}; }
inline Eight sqrt(Eight a) { return {_mm256_sqrt_ps(a.v)}; }
inline EightMask operator<(Eight a, Eight b) { return {_mm256_cmp_ps(a.v, b.v, _CMP_LT_OQ)}; }
inline EightMask operator<=(Eight a, Eight b) { return {_mm256_cmp_ps(a.v, b.v, _CMP_LE_OQ)}; }
inline EightMask operator&(EightMask a, EightMask b) { return {_mm256_and_ps(a.v, b.v)}; }
inline EightMask operator|(EightMask a, EightMask b) { return {_mm256_or_ps(a.v, b.v)}; }
inline Eight select(EightMask m, Eight a, Eight b) { return {_mm256_blendv_ps(b.v, a.v, m.v)}; }
// A bit each, the first the lowest.
inline int bitsOf(EightMask m) { return _mm256_movemask_ps(m.v); }

// The least and the largest of all eight.
inline float leastOf(Eight a) {
    const __m128 four = _mm_min_ps(_mm256_castps256_ps128(a.v), _mm256_extractf128_ps(a.v, 1));
    const __m128 two = _mm_min_ps(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(_mm_min_ss(two, _mm_movehdup_ps(two)));
}
inline float mostOf(Eight a) {
    const __m128 four = _mm_max_ps(_mm256_castps256_ps128(a.v), _mm256_extractf128_ps(a.v, 1));
    const __m128 two = _mm_max_ps(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(_mm_max_ss(two, _mm_movehdup_ps(two)));
}

// Bits of where list is equal to a.
inline int bitsEqual(const int* list, int a) {
    const __m256i all = _mm256_load_si256(reinterpret_cast<const __m256i*>(list));
    return _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpeq_epi32(all, _mm256_set1_epi32(a))));
}

#else

struct Eight {
    float v[8];
};
struct EightMask {
    int bits;
};

template <class Of>
inline Eight eachOf(const Of& of) {
    Eight all;
    for (int l = 0; l < 8; ++l) all.v[l] = of(l);
    return all;
}
template <class Of>
inline int bitsWhere(const Of& of) {
    int bits = 0;
    for (int l = 0; l < 8; ++l) bits |= of(l) ? 1 << l : 0;
    return bits;
}

inline Eight eightOf(float a) {
    return eachOf([&](int) { return a; });
}
inline Eight loadEight(const float* a) {
    return eachOf([&](int l) { return a[l]; });
}
inline void store(const Eight& a, float* to) {
    for (int l = 0; l < 8; ++l) to[l] = a.v[l];
}
inline Eight operator+(const Eight& a, const Eight& b) {
    return eachOf([&](int l) { return a.v[l] + b.v[l]; });
}
inline Eight operator-(const Eight& a, const Eight& b) {
    return eachOf([&](int l) { return a.v[l] - b.v[l]; });
}
inline Eight operator*(const Eight& a, const Eight& b) {
    return eachOf([&](int l) { return a.v[l] * b.v[l]; });
}
inline Eight operator/(const Eight& a, const Eight& b) {
    return eachOf([&](int l) { return a.v[l] / b.v[l]; });
}
// As the CPU's: the second where either is not a number.
inline Eight min(const Eight& a, const Eight& b) {
    return eachOf([&](int l) { return a.v[l] < b.v[l] ? a.v[l] : b.v[l]; });
}
inline Eight max(const Eight& a, const Eight& b) {
    return eachOf([&](int l) { return a.v[l] > b.v[l] ? a.v[l] : b.v[l]; });
}
inline Eight sqrt(const Eight& a) {
    return eachOf([&](int l) { return std::sqrt(a.v[l]); });
}
inline EightMask operator<(const Eight& a, const Eight& b) {
    return {bitsWhere([&](int l) { return a.v[l] < b.v[l]; })};
}
inline EightMask operator<=(const Eight& a, const Eight& b) {
    return {bitsWhere([&](int l) { return a.v[l] <= b.v[l]; })};
}
inline EightMask operator&(EightMask a, EightMask b) { return {a.bits & b.bits}; }
inline EightMask operator|(EightMask a, EightMask b) { return {a.bits | b.bits}; }
inline Eight select(EightMask m, const Eight& a, const Eight& b) {
    return eachOf([&](int l) { return m.bits >> l & 1 ? a.v[l] : b.v[l]; });
}
inline int bitsOf(EightMask m) { return m.bits; }
inline float leastOf(const Eight& a) {
    float least = a.v[0];
    for (const float each : a.v) least = each < least ? each : least;
    return least;
}
inline float mostOf(const Eight& a) {
    float most = a.v[0];
    for (const float each : a.v) most = each > most ? each : most;
    return most;
}
inline int bitsEqual(const int* list, int a) {
    return bitsWhere([&](int l) { return list[l] == a; });
}

#endif

struct Vec3Eight {
    Eight x, y, z;
};
inline Vec3Eight eightOf(Vec3 a) { return {eightOf(a.x), eightOf(a.y), eightOf(a.z)}; }
inline Vec3Eight operator+(const Vec3Eight& a, const Vec3Eight& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Vec3Eight operator-(const Vec3Eight& a, const Vec3Eight& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Vec3Eight operator*(const Eight& s, const Vec3Eight& a) { return {s * a.x, s * a.y, s * a.z}; }
inline Eight dot(const Vec3Eight& a, const Vec3Eight& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Vec3Eight cross(const Vec3Eight& a, const Vec3Eight& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline Vec3Eight min(const Vec3Eight& a, const Vec3Eight& b) { return {min(a.x, b.x), min(a.y, b.y), min(a.z, b.z)}; }
inline Vec3Eight max(const Vec3Eight& a, const Vec3Eight& b) { return {max(a.x, b.x), max(a.y, b.y), max(a.z, b.z)}; }
inline Vec3Eight select(EightMask m, const Vec3Eight& a, const Vec3Eight& b) {
    return {select(m, a.x, b.x), select(m, a.y, b.y), select(m, a.z, b.z)};
}
inline Vec3Eight loadEight(const float (&a)[3][8]) { return {loadEight(a[0]), loadEight(a[1]), loadEight(a[2])}; }
inline void store(const Vec3Eight& a, float (&to)[3][8]) {
    store(a.x, to[0]);
    store(a.y, to[1]);
    store(a.z, to[2]);
}

// The places of points list[0] … list[7].
inline Vec3Eight loadPoints(const MassPoint* points, const int* list) {
#ifdef __AVX2__
    const Lanes4 lanes = loadLanes(points, list);
    return {{lanes.x}, {lanes.y}, {lanes.z}};
#else
    return {eachOf([&](int l) { return points[list[l]].x.x; }), eachOf([&](int l) { return points[list[l]].x.y; }),
            eachOf([&](int l) { return points[list[l]].x.z; })};
#endif
}

// visit(l) for every bit that is set, the lowest first.
template <class Visit>
inline void forEachBit(int bits, const Visit& visit) {
#ifdef __GNUC__
    for (; bits; bits &= bits - 1) visit(__builtin_ctz(static_cast<unsigned>(bits)));
#else
    for (int l = 0; bits; ++l, bits >>= 1)
        if (bits & 1) visit(l);
#endif
}

}  // namespace purl
