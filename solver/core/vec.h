// Vectors and matrices of the solver: plain floats, usable inside kernels, independent of CUDA's and Maya's types.
#pragma once
#include <cmath>

#include "solver/core/platform.h"

namespace purl {

struct Vec3 {
    float x = 0, y = 0, z = 0;

    PURL_HD float operator[](int i) const { return i == 0 ? x : i == 1 ? y : z; }
    PURL_HD float& operator[](int i) { return i == 0 ? x : i == 1 ? y : z; }
};

PURL_HD inline Vec3 operator+(Vec3 a, Vec3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
PURL_HD inline Vec3 operator-(Vec3 a, Vec3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
PURL_HD inline Vec3 operator-(Vec3 a) { return {-a.x, -a.y, -a.z}; }
PURL_HD inline Vec3 operator*(float s, Vec3 a) { return {s * a.x, s * a.y, s * a.z}; }
PURL_HD inline Vec3 operator*(Vec3 a, float s) { return s * a; }
PURL_HD inline Vec3 operator/(Vec3 a, float s) { return {a.x / s, a.y / s, a.z / s}; }
PURL_HD inline Vec3& operator+=(Vec3& a, Vec3 b) { return a = a + b; }
PURL_HD inline Vec3& operator-=(Vec3& a, Vec3 b) { return a = a - b; }
PURL_HD inline Vec3& operator*=(Vec3& a, float s) { return a = s * a; }
PURL_HD inline bool operator==(Vec3 a, Vec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }
PURL_HD inline bool operator!=(Vec3 a, Vec3 b) { return !(a == b); }

PURL_HD inline float dot(Vec3 a, Vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
PURL_HD inline Vec3 cross(Vec3 a, Vec3 b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
PURL_HD inline float lengthSquared(Vec3 a) { return dot(a, a); }
PURL_HD inline float length(Vec3 a) { return std::sqrt(dot(a, a)); }
PURL_HD inline float square(float s) { return s * s; }
PURL_HD inline float clamp(float s, float low, float high) { return s < low ? low : s > high ? high : s; }
PURL_HD inline float lerp(float a, float b, float t) { return a + t * (b - a); }
PURL_HD inline Vec3 lerp(Vec3 a, Vec3 b, float t) { return a + t * (b - a); }
PURL_HD inline Vec3 min(Vec3 a, Vec3 b) {
    return {a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z};
}
PURL_HD inline Vec3 max(Vec3 a, Vec3 b) {
    return {a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y, a.z > b.z ? a.z : b.z};
}
PURL_HD inline bool isFinite(float s) { return s - s == 0; }
PURL_HD inline bool isFinite(Vec3 a) { return isFinite(a.x) && isFinite(a.y) && isFinite(a.z); }

// The unit vector along a, or `fallback` if a is zero.
PURL_HD inline Vec3 normalized(Vec3 a, Vec3 fallback = {0, 1, 0}) {
    const float l = length(a);
    return l > 0 ? a / l : fallback;
}

// A matrix of three columns: M v = v.x * x + v.y * y + v.z * z.
struct Mat3 {
    Vec3 x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
};

PURL_HD inline Vec3 operator*(const Mat3& m, Vec3 v) { return v.x * m.x + v.y * m.y + v.z * m.z; }
PURL_HD inline Mat3 operator*(const Mat3& a, const Mat3& b) { return {a * b.x, a * b.y, a * b.z}; }
PURL_HD inline bool operator==(const Mat3& a, const Mat3& b) { return a.x == b.x && a.y == b.y && a.z == b.z; }
PURL_HD inline Mat3 transposed(const Mat3& m) {
    return {{m.x.x, m.y.x, m.z.x}, {m.x.y, m.y.y, m.z.y}, {m.x.z, m.y.z, m.z.z}};
}

// An axis-aligned bounding box, initially empty.
struct Bounds {
    Vec3 low{1e30f, 1e30f, 1e30f}, high{-1e30f, -1e30f, -1e30f};

    PURL_HD bool empty() const { return low.x > high.x || low.y > high.y || low.z > high.z; }
    PURL_HD void include(Vec3 p) {
        low = min(low, p);
        high = max(high, p);
    }
    PURL_HD Vec3 center() const { return 0.5f * (low + high); }
    PURL_HD Vec3 size() const { return high - low; }
};

}  // namespace purl
