// Feature pairs of continuous collision detection (CCD), vertex–face and edge–edge: closest points, and the time of
// impact on straight paths.
#pragma once
#include "solver/search/triangleTree.h"

namespace purl {

// pointTriangle: x[0] and the triangle x[1] x[2] x[3]; edgeEdge: x[0] x[1] and x[2] x[3].
enum class FeaturePair { pointTriangle, edgeEdge };

// Closest points of the two features. Σ wᵢ xᵢ = separation, the vector from the second feature's closest point to the
// first's; the weights of the first feature add up to 1, those of the second to −1.
struct ClosestPair {
    float w[4] = {};
    Vec3 separation;

    PURL_HD Vec3 between(const Vec3* x) const {
        // Sums differences to x[0]: they are small, so rounding errors are too.
        Vec3 sum;
        for (int k = 1; k < 4; ++k) sum += w[k] * (x[k] - x[0]);
        return sum;
    }
};

namespace featurePair {

PURL_HD inline ClosestPair pointTriangle(const Vec3* x) {
    int feature = 0;
    const Vec3 p = triangle::closest(x[0], x[1], x[2], x[3], feature);
    float b[3] = {};
    if (feature == triangle::face) {
        const auto local = triangle::coordinates(p, x[1], x[2], x[3]);
        b[1] = clamp(local.u, 0, 1);
        b[2] = clamp(local.v, 0, 1 - b[1]);
        b[0] = 1 - b[1] - b[2];
    } else if (feature <= triangle::corner2) {
        b[feature] = 1;
    } else {
        const int k = feature - triangle::edge0, next = (k + 1) % 3;
        const Vec3 edge = x[1 + next] - x[1 + k];
        b[next] = clamp(triangle::safeRatio(dot(p - x[1 + k], edge), lengthSquared(edge)), 0, 1);
        b[k] = 1 - b[next];
    }
    ClosestPair nearest{{1, -b[0], -b[1], -b[2]}, {}};
    nearest.separation = nearest.between(x);
    return nearest;
}

// Parameter, 0 … 1, of the point closest to p on the edge from a to a + edge.
PURL_HD inline float closestParameter(Vec3 p, Vec3 a, Vec3 edge) {
    return clamp(triangle::safeRatio(dot(p - a, edge), lengthSquared(edge)), 0, 1);
}

// Closest points of the two lines if both lie within the edges; otherwise, and for nearly parallel edges, the closest
// of the four endpoint–edge pairs.
PURL_HD inline ClosestPair edgeEdge(const Vec3* x) {
    const Vec3 e = x[1] - x[0], f = x[3] - x[2], r = x[0] - x[2];
    ClosestPair best;
    float best2 = 1e30f;
    const auto consider = [&](float s, float t) {
        const ClosestPair pair{{1 - s, s, t - 1, -t}, {}};
        const Vec3 separation = pair.between(x);
        const float d2 = lengthSquared(separation);
        if (!(d2 < best2)) return;
        best2 = d2;
        best = pair;
        best.separation = separation;
    };
    const float a = dot(e, e), b = dot(e, f), c = dot(f, f), d = dot(e, r), g = dot(f, r), area2 = a * c - b * b;
    if (area2 > 1e-7f * a * c) {
        const float s = (b * g - c * d) / area2, t = (a * g - b * d) / area2;
        if (s >= 0 && s <= 1 && t >= 0 && t <= 1) consider(s, t);
    }
    consider(0, closestParameter(x[0], x[2], f));
    consider(1, closestParameter(x[1], x[2], f));
    consider(closestParameter(x[2], x[0], e), 0);
    consider(closestParameter(x[3], x[0], e), 1);
    return best;
}

}  // namespace featurePair

PURL_HD inline ClosestPair closestPair(FeaturePair kind, const Vec3* x) {
    return kind == FeaturePair::pointTriangle ? featurePair::pointTriangle(x) : featurePair::edgeEdge(x);
}

// m, upper bound on how much the two features can approach each other when their points move by `displacement`; the
// mean motion does not count.
PURL_HD inline float maxApproach(FeaturePair kind, const Vec3* displacement) {
    const Vec3 mean = 0.25f * (displacement[0] + displacement[1] + displacement[2] + displacement[3]);
    float l[4];
    for (int k = 0; k < 4; ++k) l[k] = length(displacement[k] - mean);
    const auto maxOf = [](float p, float q) { return p > q ? p : q; };
    if (kind == FeaturePair::pointTriangle) return l[0] + maxOf(l[1], maxOf(l[2], l[3]));
    return maxOf(l[0], l[1]) + maxOf(l[2], l[3]);
}

// Impact is reported when the distance falls near this fraction of the initial distance.
constexpr float kMinSeparationRatio = 0.1f;

// The extreme points that bound the gap between the features along direction n, as a ClosestPair.
PURL_HD inline ClosestPair supportPoints(FeaturePair kind, const Vec3* x, Vec3 n) {
    float l[4] = {};
    for (int k = 1; k < 4; ++k) l[k] = dot(x[k] - x[0], n);
    const int low = kind == FeaturePair::edgeEdge && l[1] < 0 ? 1 : 0;
    int high = kind == FeaturePair::edgeEdge ? 2 : 1;
    for (int k = high + 1; k < 4; ++k) high = l[k] > l[high] ? k : high;
    ClosestPair corners;
    corners.w[low] = 1;
    corners.w[high] = -1;
    corners.separation = x[low] - x[high];
    return corners;
}

// Gap between the features along n, times |n|. On straight paths it is never smaller than at the worse end. Negative: n
// does not separate them.
PURL_HD inline float separationAlong(FeaturePair kind, const Vec3* x, Vec3 n) {
    return dot(supportPoints(kind, x, n).separation, n);
}

// Coplanarity test: whether two features, initially separated, are closer than `minSeparation` (m) at any time at which
// their four points are coplanar. Without such a time neither passes through the other.
//     det(x₁ − x₀, x₂ − x₀, x₃ − x₀) = 0, a cubic in time   (Provot 1997)
PURL_HD inline bool coplanarityTest(FeaturePair kind, const Vec3* at, const Vec3* displacement, float minSeparation) {
    struct Vec3d {
        double x, y, z;
    };
    const auto difference = [](Vec3 p, Vec3 q) {
        return Vec3d{double(p.x) - double(q.x), double(p.y) - double(q.y), double(p.z) - double(q.z)};
    };
    const auto det = [](const Vec3d& a, const Vec3d& b, const Vec3d& c) {
        return a.x * (b.y * c.z - b.z * c.y) + a.y * (b.z * c.x - b.x * c.z) + a.z * (b.x * c.y - b.y * c.x);
    };
    Vec3d p[3], v[3];
    double size = 0, speed = 0;
    for (int k = 0; k < 3; ++k) {
        p[k] = difference(at[k + 1], at[0]);
        v[k] = difference(displacement[k + 1], displacement[0]);
        size += std::fabs(p[k].x) + std::fabs(p[k].y) + std::fabs(p[k].z);
        speed += std::fabs(v[k].x) + std::fabs(v[k].y) + std::fabs(v[k].z);
    }
    const double c0 = det(p[0], p[1], p[2]), c3 = det(v[0], v[1], v[2]);
    const double c1 = det(v[0], p[1], p[2]) + det(p[0], v[1], p[2]) + det(p[0], p[1], v[2]);
    const double c2 = det(p[0], v[1], v[2]) + det(v[0], p[1], v[2]) + det(v[0], v[1], p[2]);
    // Values below this are zero up to rounding.
    const double tolerance = 1e-13 * (size + speed) * (size + speed) * (size + speed);
    const auto f = [&](double t) { return c0 + t * (c1 + t * (c2 + t * c3)); };
    const auto isTooClose = [&](double t) {
        Vec3 there[4];
        for (int k = 0; k < 4; ++k)
            there[k] = (at[k] - at[0]) + static_cast<float>(t) * (displacement[k] - displacement[0]);
        return length(closestPair(kind, there).separation) < minSeparation;
    };
    // The cubic is monotonic between its extrema: each interval holds at most one root.
    double ends[4] = {0, 1, 1, 1};
    int count = 1;
    const double discriminant = c2 * c2 - 3 * c3 * c1;
    if (discriminant > 0) {
        const double q = -(c2 + (c2 < 0 ? -1 : 1) * std::sqrt(discriminant));
        double extremum1 = q / (3 * c3), extremum2 = c1 / q;
        if (extremum2 < extremum1) {
            const double swap = extremum1;
            extremum1 = extremum2;
            extremum2 = swap;
        }
        if (extremum1 > 0 && extremum1 < 1) ends[count++] = extremum1;
        if (extremum2 > 0 && extremum2 < 1) ends[count++] = extremum2;
    }
    ends[count] = 1;
    for (int k = 0; k < count; ++k) {
        double a = ends[k], b = ends[k + 1];
        const double fa = f(a), fb = f(b);
        if ((std::fabs(fa) <= tolerance && isTooClose(a)) || (std::fabs(fb) <= tolerance && isTooClose(b))) return true;
        if ((fa < 0) == (fb < 0)) continue;
        constexpr int kBisections = 40;
        for (int pass = 0; pass < kBisections; ++pass) {
            const double middle = 0.5 * (a + b);
            ((f(middle) < 0) == (fa < 0) ? a : b) = middle;
        }
        if (isTooClose(0.5 * (a + b))) return true;
    }
    return false;
}

// Time of impact as a fraction of the displacement, conservative; 1: no impact. Additive CCD (Li et al. 2021,
// Codimensional Incremental Potential Contact, §5): advances repeatedly by a time in which the distance cannot close,
// until a plane separates the features for the rest of the step, as it does for sliding contact. Pairs too close for
// this to converge in a few iterations take the coplanarity test. Pairs that touch at the start return 1: their sides
// are unknown.
PURL_HD inline float timeOfImpact(FeaturePair kind, const Vec3* x, const Vec3* displacement) {
    const float closingDistance = maxApproach(kind, displacement);
    if (!(closingDistance > 0)) return 1;
    Vec3 at[4], last[4];
    for (int k = 0; k < 4; ++k) {
        at[k] = x[k] - x[0];
        last[k] = at[k] + (displacement[k] - displacement[0]);
    }
    Vec3 separation = closestPair(kind, at).separation;
    float distance = length(separation);
    const float minSeparation = kMinSeparationRatio * distance;
    if (!(distance > 1e-7f * (length(at[1]) + length(at[3] - at[2])))) return 1;
    float time = 0;
    constexpr int kMaxIterations = 16;
    for (int pass = 0; pass < kMaxIterations; ++pass) {
        if (separationAlong(kind, last, separation) >= 1.5f * minSeparation * distance) return 1;
        // Slightly less than the safe bound, so that rounding does not decide.
        time += 0.9f * (distance - minSeparation) / closingDistance;
        if (time >= 1) return 1;
        for (int k = 0; k < 4; ++k) at[k] = (x[k] - x[0]) + time * (displacement[k] - displacement[0]);
        separation = closestPair(kind, at).separation;
        distance = length(separation);
        if (distance < 1.5f * minSeparation) return time;
    }
    return coplanarityTest(kind, x, displacement, 1.5f * minSeparation) ||
                   length(closestPair(kind, last).separation) < 1.5f * minSeparation
               ? time
               : 1;
}

}  // namespace purl
