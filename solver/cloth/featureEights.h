// Eight pairs of a vertex and a face, or of two edges, at a time: see solver/contact/approach.h for one.
#pragma once
#include "solver/cloth/eights.h"
#include "solver/contact/approach.h"

namespace purl {

// From the second feature's nearest point to the first's, m, and its square.
struct NearestEight {
    Vec3Eight apart;
    Eight distance2;
};

namespace eights {

inline void consider(NearestEight& best, const Vec3Eight& apart) {
    const Eight d2 = dot(apart, apart);
    const EightMask nearer = d2 < best.distance2;
    best = {select(nearer, apart, best.apart), select(nearer, d2, best.distance2)};
}
// 1/a, or 0 where a is nothing.
inline Eight inverse(Eight a) { return select(eightOf(0) < a, eightOf(1) / a, eightOf(0)); }
inline Eight clamp01(Eight a) { return min(max(a, eightOf(0)), eightOf(1)); }

// Within the face where the vertex is above it, else on one of its edges.
inline NearestEight pointTriangle(const Vec3Eight* x) {
    const Vec3Eight ab = x[2] - x[1], ac = x[3] - x[1], bc = x[3] - x[2], ap = x[0] - x[1], bp = x[0] - x[2];
    const Eight ab2 = dot(ab, ab), ac2 = dot(ac, ac);
    const Vec3Eight first = ap - clamp01(dot(ap, ab) * inverse(ab2)) * ab;
    NearestEight best{first, dot(first, first)};
    consider(best, ap - clamp01(dot(ap, ac) * inverse(ac2)) * ac);
    consider(best, bp - clamp01(dot(bp, bc) * inverse(dot(bc, bc))) * bc);
    const Vec3Eight n = cross(ab, ac);
    const Eight n2 = dot(n, n), v = dot(cross(ap, ac), n), w = dot(cross(ab, ap), n), zero = eightOf(0);
    const EightMask above = (zero <= v) & (zero <= w) & (v + w <= n2) & (eightOf(1e-10f) * ab2 * ac2 < n2);
    const Vec3Eight across = (dot(ap, n) * inverse(n2)) * n;
    return {select(above, across, best.apart), select(above, dot(across, across), best.distance2)};
}

inline NearestEight edgeEdge(const Vec3Eight* x) {
    const Vec3Eight e = x[1] - x[0], f = x[3] - x[2], r = x[0] - x[2];
    const Eight a = dot(e, e), b = dot(e, f), c = dot(f, f), d = dot(e, r), g = dot(f, r), area2 = a * c - b * b;
    const Eight overA = inverse(a), overC = inverse(c), zero = eightOf(0), one = eightOf(1);
    const Vec3Eight first = r - clamp01(g * overC) * f;
    NearestEight best{first, dot(first, first)};
    consider(best, r + e - clamp01((g + b) * overC) * f);
    consider(best, r + clamp01((zero - d) * overA) * e);
    consider(best, r - f + clamp01((b - d) * overA) * e);
    const EightMask crossed = eightOf(1e-7f) * a * c < area2;
    const Eight over = inverse(area2), s = (b * g - c * d) * over, t = (a * g - b * d) * over;
    const EightMask within = crossed & (zero <= s) & (s <= one) & (zero <= t) & (t <= one);
    const Vec3Eight between = r + s * e - t * f;
    const Eight d2 = dot(between, between);
    const EightMask nearer = within & (d2 < best.distance2);
    return {select(nearer, between, best.apart), select(nearer, d2, best.distance2)};
}

}  // namespace eights

inline NearestEight nearestOf(Passing passing, const Vec3Eight* x) {
    return passing == Passing::pointTriangle ? eights::pointTriangle(x) : eights::edgeEdge(x);
}

// How far the two are apart along a direction, times its length; see apartAlong in approach.h.
inline Eight apartAlong(Passing passing, const Vec3Eight* x, const Vec3Eight& n) {
    const Eight l1 = dot(x[1] - x[0], n), l2 = dot(x[2] - x[0], n), l3 = dot(x[3] - x[0], n), zero = eightOf(0);
    return passing == Passing::pointTriangle ? zero - max(l1, max(l2, l3)) : min(zero, l1) - max(l2, l3);
}

}  // namespace purl
