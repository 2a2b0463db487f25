// Eight floats or eight points at a time: AVX2 registers where available, loops elsewhere. Uses only IEEE operations,
// so both give the same bits.
#pragma once
#include <cmath>

#include "solver/core/lanes.h"
#include "solver/core/vec.h"

namespace purl {

// Position, m, and inverse mass, 1/kg, in one aligned load.
struct alignas(16) MassPoint {
    Vec3 x;
    float w = 0;
};

#ifdef __AVX2__

struct Float8 {
    __m256 v;
};
struct Mask8 {
    __m256 v;
};

inline Float8 broadcast(float a) { return {_mm256_set1_ps(a)}; }
inline Float8 load8(const float* a) { return {_mm256_load_ps(a)}; }
inline void store(Float8 a, float* to) { _mm256_store_ps(to, a.v); }
inline Float8 operator+(Float8 a, Float8 b) { return {_mm256_add_ps(a.v, b.v)}; }
inline Float8 operator-(Float8 a, Float8 b) { return {_mm256_sub_ps(a.v, b.v)}; }
inline Float8 operator*(Float8 a, Float8 b) { return {_mm256_mul_ps(a.v, b.v)}; }
inline Float8 operator/(Float8 a, Float8 b) { return {_mm256_div_ps(a.v, b.v)}; }
inline Float8 min(Float8 a, Float8 b) { return {_mm256_min_ps(a.v, b.v)}; }
inline Float8 max(Float8 a, Float8 b) { return {_mm256_max_ps(a.v, b.v)}; }
inline Float8 sqrt(Float8 a) { return {_mm256_sqrt_ps(a.v)}; }
inline Mask8 operator<(Float8 a, Float8 b) { return {_mm256_cmp_ps(a.v, b.v, _CMP_LT_OQ)}; }
inline Mask8 operator<=(Float8 a, Float8 b) { return {_mm256_cmp_ps(a.v, b.v, _CMP_LE_OQ)}; }
inline Mask8 operator&(Mask8 a, Mask8 b) { return {_mm256_and_ps(a.v, b.v)}; }
inline Mask8 operator|(Mask8 a, Mask8 b) { return {_mm256_or_ps(a.v, b.v)}; }
inline Float8 select(Mask8 m, Float8 a, Float8 b) { return {_mm256_blendv_ps(b.v, a.v, m.v)}; }
// One bit per lane, lane 0 lowest.
inline int bitsOf(Mask8 m) { return _mm256_movemask_ps(m.v); }

// Horizontal minimum and maximum.
inline float minLane(Float8 a) {
    const __m128 four = _mm_min_ps(_mm256_castps256_ps128(a.v), _mm256_extractf128_ps(a.v, 1));
    const __m128 two = _mm_min_ps(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(_mm_min_ss(two, _mm_movehdup_ps(two)));
}
inline float maxLane(Float8 a) {
    const __m128 four = _mm_max_ps(_mm256_castps256_ps128(a.v), _mm256_extractf128_ps(a.v, 1));
    const __m128 two = _mm_max_ps(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(_mm_max_ss(two, _mm_movehdup_ps(two)));
}

// Bits of the lanes where list equals a.
inline int lanesEqual(const int* list, int a) {
    const __m256i all = _mm256_load_si256(reinterpret_cast<const __m256i*>(list));
    return _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpeq_epi32(all, _mm256_set1_epi32(a))));
}

#else

struct Float8 {
    float v[8];
};
struct Mask8 {
    int bits;
};

template <class Of>
inline Float8 perLane(const Of& of) {
    Float8 all;
    for (int l = 0; l < 8; ++l) all.v[l] = of(l);
    return all;
}
template <class Of>
inline int lanesWhere(const Of& of) {
    int bits = 0;
    for (int l = 0; l < 8; ++l) bits |= of(l) ? 1 << l : 0;
    return bits;
}

inline Float8 broadcast(float a) {
    return perLane([&](int) { return a; });
}
inline Float8 load8(const float* a) {
    return perLane([&](int l) { return a[l]; });
}
inline void store(const Float8& a, float* to) {
    for (int l = 0; l < 8; ++l) to[l] = a.v[l];
}
inline Float8 operator+(const Float8& a, const Float8& b) {
    return perLane([&](int l) { return a.v[l] + b.v[l]; });
}
inline Float8 operator-(const Float8& a, const Float8& b) {
    return perLane([&](int l) { return a.v[l] - b.v[l]; });
}
inline Float8 operator*(const Float8& a, const Float8& b) {
    return perLane([&](int l) { return a.v[l] * b.v[l]; });
}
inline Float8 operator/(const Float8& a, const Float8& b) {
    return perLane([&](int l) { return a.v[l] / b.v[l]; });
}
// As the AVX instructions: returns b if either is NaN.
inline Float8 min(const Float8& a, const Float8& b) {
    return perLane([&](int l) { return a.v[l] < b.v[l] ? a.v[l] : b.v[l]; });
}
inline Float8 max(const Float8& a, const Float8& b) {
    return perLane([&](int l) { return a.v[l] > b.v[l] ? a.v[l] : b.v[l]; });
}
inline Float8 sqrt(const Float8& a) {
    return perLane([&](int l) { return std::sqrt(a.v[l]); });
}
inline Mask8 operator<(const Float8& a, const Float8& b) {
    return {lanesWhere([&](int l) { return a.v[l] < b.v[l]; })};
}
inline Mask8 operator<=(const Float8& a, const Float8& b) {
    return {lanesWhere([&](int l) { return a.v[l] <= b.v[l]; })};
}
inline Mask8 operator&(Mask8 a, Mask8 b) { return {a.bits & b.bits}; }
inline Mask8 operator|(Mask8 a, Mask8 b) { return {a.bits | b.bits}; }
inline Float8 select(Mask8 m, const Float8& a, const Float8& b) {
    return perLane([&](int l) { return m.bits >> l & 1 ? a.v[l] : b.v[l]; });
}
inline int bitsOf(Mask8 m) { return m.bits; }
inline float minLane(const Float8& a) {
    float smallest = a.v[0];
    for (const float each : a.v) smallest = each < smallest ? each : smallest;
    return smallest;
}
inline float maxLane(const Float8& a) {
    float largest = a.v[0];
    for (const float each : a.v) largest = each > largest ? each : largest;
    return largest;
}
inline int lanesEqual(const int* list, int a) {
    return lanesWhere([&](int l) { return list[l] == a; });
}

#endif

struct Vec3x8 {
    Float8 x, y, z;
};
inline Vec3x8 broadcast(Vec3 a) { return {broadcast(a.x), broadcast(a.y), broadcast(a.z)}; }
inline Vec3x8 operator+(const Vec3x8& a, const Vec3x8& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Vec3x8 operator-(const Vec3x8& a, const Vec3x8& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Vec3x8 operator*(const Float8& s, const Vec3x8& a) { return {s * a.x, s * a.y, s * a.z}; }
inline Float8 dot(const Vec3x8& a, const Vec3x8& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Vec3x8 cross(const Vec3x8& a, const Vec3x8& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline Vec3x8 min(const Vec3x8& a, const Vec3x8& b) { return {min(a.x, b.x), min(a.y, b.y), min(a.z, b.z)}; }
inline Vec3x8 max(const Vec3x8& a, const Vec3x8& b) { return {max(a.x, b.x), max(a.y, b.y), max(a.z, b.z)}; }
inline Vec3x8 select(Mask8 m, const Vec3x8& a, const Vec3x8& b) {
    return {select(m, a.x, b.x), select(m, a.y, b.y), select(m, a.z, b.z)};
}
inline Vec3x8 load8(const float (&a)[3][8]) { return {load8(a[0]), load8(a[1]), load8(a[2])}; }
inline void store(const Vec3x8& a, float (&to)[3][8]) {
    store(a.x, to[0]);
    store(a.y, to[1]);
    store(a.z, to[2]);
}

// Gathers the positions of points list[0] … list[7].
inline Vec3x8 loadPoints(const MassPoint* points, const int* list) {
#ifdef __AVX2__
    const Lanes4 lanes = loadLanes(points, list);
    return {{lanes.x}, {lanes.y}, {lanes.z}};
#else
    return {perLane([&](int l) { return points[list[l]].x.x; }), perLane([&](int l) { return points[list[l]].x.y; }),
            perLane([&](int l) { return points[list[l]].x.z; })};
#endif
}

}  // namespace purl
