// Eight vertex–face or edge–edge pairs at a time, lane by lane; featurePair.h has the scalar version.
#pragma once
#include "solver/cloth/contact/contactLanes.h"
#include "solver/cloth/contact/featurePair.h"

namespace purl {

// From the second feature's closest point to the first's, m, and its squared length, m².
struct ClosestPairs {
    PointLanes separation;
    Lanes distance2;
};

namespace featurePairLanes {

inline void consider(ClosestPairs& best, const PointLanes& separation) {
    const Lanes d2 = dot(separation, separation);
    const LaneMask nearer = d2 < best.distance2;
    best = {select(nearer, separation, best.separation), select(nearer, d2, best.distance2)};
}
// 1/a, or 0 where a is not positive.
inline Lanes inverse(Lanes a) { return select(Lanes(0) < a, Lanes(1) / a, Lanes(0)); }
inline Lanes clamp01(Lanes a) { return min(max(a, Lanes(0)), Lanes(1)); }

// Within the face if the vertex projects into it, otherwise on one of its edges.
inline ClosestPairs pointTriangle(const PointLanes* x) {
    const PointLanes ab = x[2] - x[1], ac = x[3] - x[1], bc = x[3] - x[2], ap = x[0] - x[1], bp = x[0] - x[2];
    const Lanes ab2 = dot(ab, ab), ac2 = dot(ac, ac);
    const PointLanes first = ap - clamp01(dot(ap, ab) * inverse(ab2)) * ab;
    ClosestPairs best{first, dot(first, first)};
    consider(best, ap - clamp01(dot(ap, ac) * inverse(ac2)) * ac);
    consider(best, bp - clamp01(dot(bp, bc) * inverse(dot(bc, bc))) * bc);
    const PointLanes n = cross(ab, ac);
    const Lanes n2 = dot(n, n), v = dot(cross(ap, ac), n), w = dot(cross(ab, ap), n), zero = Lanes(0);
    const LaneMask above = (zero <= v) & (zero <= w) & (v + w <= n2) & (Lanes(1e-10f) * ab2 * ac2 < n2);
    const PointLanes across = (dot(ap, n) * inverse(n2)) * n;
    return {select(above, across, best.separation), select(above, dot(across, across), best.distance2)};
}

inline ClosestPairs edgeEdge(const PointLanes* x) {
    const PointLanes e = x[1] - x[0], f = x[3] - x[2], r = x[0] - x[2];
    const Lanes a = dot(e, e), b = dot(e, f), c = dot(f, f), d = dot(e, r), g = dot(f, r), area2 = a * c - b * b;
    const Lanes overA = inverse(a), overC = inverse(c), zero = Lanes(0), one = Lanes(1);
    const PointLanes first = r - clamp01(g * overC) * f;
    ClosestPairs best{first, dot(first, first)};
    consider(best, r + e - clamp01((g + b) * overC) * f);
    consider(best, r + clamp01((zero - d) * overA) * e);
    consider(best, r - f + clamp01((b - d) * overA) * e);
    const LaneMask crossed = Lanes(1e-7f) * a * c < area2;
    const Lanes over = inverse(area2), s = (b * g - c * d) * over, t = (a * g - b * d) * over;
    const LaneMask within = crossed & (zero <= s) & (s <= one) & (zero <= t) & (t <= one);
    const PointLanes between = r + s * e - t * f;
    const Lanes d2 = dot(between, between);
    const LaneMask nearer = within & (d2 < best.distance2);
    return {select(nearer, between, best.separation), select(nearer, d2, best.distance2)};
}

}  // namespace featurePairLanes

inline ClosestPairs closestPair(FeaturePair kind, const PointLanes* x) {
    return kind == FeaturePair::pointTriangle ? featurePairLanes::pointTriangle(x) : featurePairLanes::edgeEdge(x);
}

// Gap along n, times |n|; see separationAlong in featurePair.h.
inline Lanes separationAlong(FeaturePair kind, const PointLanes* x, const PointLanes& n) {
    const Lanes l1 = dot(x[1] - x[0], n), l2 = dot(x[2] - x[0], n), l3 = dot(x[3] - x[0], n), zero = Lanes(0);
    return kind == FeaturePair::pointTriangle ? zero - max(l1, max(l2, l3)) : min(zero, l1) - max(l2, l3);
}

}  // namespace purl
