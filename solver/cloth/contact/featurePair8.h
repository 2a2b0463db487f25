// Eight vertex–face or edge–edge pairs at a time, lane by lane; featurePair.h has the scalar version.
#pragma once
#include "solver/cloth/contact/featurePair.h"
#include "solver/cloth/contact/float8.h"

namespace purl {

// From the second feature's closest point to the first's, m, and its squared length, m².
struct ClosestPair8 {
    Vec3x8 separation;
    Float8 distance2;
};

namespace featurePair8 {

inline void consider(ClosestPair8& best, const Vec3x8& separation) {
    const Float8 d2 = dot(separation, separation);
    const Mask8 nearer = d2 < best.distance2;
    best = {select(nearer, separation, best.separation), select(nearer, d2, best.distance2)};
}
// 1/a, or 0 where a is not positive.
inline Float8 inverse(Float8 a) { return select(broadcast(0) < a, broadcast(1) / a, broadcast(0)); }
inline Float8 clamp01(Float8 a) { return min(max(a, broadcast(0)), broadcast(1)); }

// Within the face if the vertex projects into it, otherwise on one of its edges.
inline ClosestPair8 pointTriangle(const Vec3x8* x) {
    const Vec3x8 ab = x[2] - x[1], ac = x[3] - x[1], bc = x[3] - x[2], ap = x[0] - x[1], bp = x[0] - x[2];
    const Float8 ab2 = dot(ab, ab), ac2 = dot(ac, ac);
    const Vec3x8 first = ap - clamp01(dot(ap, ab) * inverse(ab2)) * ab;
    ClosestPair8 best{first, dot(first, first)};
    consider(best, ap - clamp01(dot(ap, ac) * inverse(ac2)) * ac);
    consider(best, bp - clamp01(dot(bp, bc) * inverse(dot(bc, bc))) * bc);
    const Vec3x8 n = cross(ab, ac);
    const Float8 n2 = dot(n, n), v = dot(cross(ap, ac), n), w = dot(cross(ab, ap), n), zero = broadcast(0);
    const Mask8 above = (zero <= v) & (zero <= w) & (v + w <= n2) & (broadcast(1e-10f) * ab2 * ac2 < n2);
    const Vec3x8 across = (dot(ap, n) * inverse(n2)) * n;
    return {select(above, across, best.separation), select(above, dot(across, across), best.distance2)};
}

inline ClosestPair8 edgeEdge(const Vec3x8* x) {
    const Vec3x8 e = x[1] - x[0], f = x[3] - x[2], r = x[0] - x[2];
    const Float8 a = dot(e, e), b = dot(e, f), c = dot(f, f), d = dot(e, r), g = dot(f, r), area2 = a * c - b * b;
    const Float8 overA = inverse(a), overC = inverse(c), zero = broadcast(0), one = broadcast(1);
    const Vec3x8 first = r - clamp01(g * overC) * f;
    ClosestPair8 best{first, dot(first, first)};
    consider(best, r + e - clamp01((g + b) * overC) * f);
    consider(best, r + clamp01((zero - d) * overA) * e);
    consider(best, r - f + clamp01((b - d) * overA) * e);
    const Mask8 crossed = broadcast(1e-7f) * a * c < area2;
    const Float8 over = inverse(area2), s = (b * g - c * d) * over, t = (a * g - b * d) * over;
    const Mask8 within = crossed & (zero <= s) & (s <= one) & (zero <= t) & (t <= one);
    const Vec3x8 between = r + s * e - t * f;
    const Float8 d2 = dot(between, between);
    const Mask8 nearer = within & (d2 < best.distance2);
    return {select(nearer, between, best.separation), select(nearer, d2, best.distance2)};
}

}  // namespace featurePair8

inline ClosestPair8 closestPair(FeaturePair kind, const Vec3x8* x) {
    return kind == FeaturePair::pointTriangle ? featurePair8::pointTriangle(x) : featurePair8::edgeEdge(x);
}

// Gap along n, times |n|; see separationAlong in featurePair.h.
inline Float8 separationAlong(FeaturePair kind, const Vec3x8* x, const Vec3x8& n) {
    const Float8 l1 = dot(x[1] - x[0], n), l2 = dot(x[2] - x[0], n), l3 = dot(x[3] - x[0], n), zero = broadcast(0);
    return kind == FeaturePair::pointTriangle ? zero - max(l1, max(l2, l3)) : min(zero, l1) - max(l2, l3);
}

}  // namespace purl
