// Two small things that pass each other, a point and a triangle or two edges: where they are nearest, and how much of
// their straight ways they may go before they would touch.
#pragma once
#include "solver/search/triangleTree.h"

namespace purl {

// pointTriangle: x[0] and the triangle x[1] x[2] x[3]; edgeEdge: x[0] x[1] and x[2] x[3].
enum class Passing { pointTriangle, edgeEdge };

// Σ wᵢ xᵢ = apart, from the second thing's nearest point to the first's; weights of the first add to 1, of the second
// to −1.
struct Nearest {
    float w[4] = {};
    Vec3 apart;

    PURL_HD Vec3 between(const Vec3* x) const {
        // Differences first: they are small, and so is their rounding.
        Vec3 sum;
        for (int k = 1; k < 4; ++k) sum += w[k] * (x[k] - x[0]);
        return sum;
    }
};

namespace approach {

PURL_HD inline Nearest pointTriangle(const Vec3* x) {
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
    Nearest nearest{{1, -b[0], -b[1], -b[2]}, {}};
    nearest.apart = nearest.between(x);
    return nearest;
}

// Where on an edge from a along `edge` the nearest point to p is, 0 … 1.
PURL_HD inline float shareNear(Vec3 p, Vec3 a, Vec3 edge) {
    return clamp(triangle::safeRatio(dot(p - a, edge), lengthSquared(edge)), 0, 1);
}

// The lines' nearest points, if they are on the edges; else, and where they are all but parallel, an end of one and
// what is nearest to it on the other.
PURL_HD inline Nearest edgeEdge(const Vec3* x) {
    const Vec3 e = x[1] - x[0], f = x[3] - x[2], r = x[0] - x[2];
    Nearest best;
    float best2 = 1e30f;
    const auto consider = [&](float s, float t) {
        const Nearest one{{1 - s, s, t - 1, -t}, {}};
        const Vec3 apart = one.between(x);
        const float d2 = lengthSquared(apart);
        if (!(d2 < best2)) return;
        best2 = d2;
        best = one;
        best.apart = apart;
    };
    const float a = dot(e, e), b = dot(e, f), c = dot(f, f), d = dot(e, r), g = dot(f, r), area2 = a * c - b * b;
    if (area2 > 1e-7f * a * c) {
        const float s = (b * g - c * d) / area2, t = (a * g - b * d) / area2;
        if (s >= 0 && s <= 1 && t >= 0 && t <= 1) consider(s, t);
    }
    consider(0, shareNear(x[0], x[2], f));
    consider(1, shareNear(x[1], x[2], f));
    consider(shareNear(x[2], x[0], e), 0);
    consider(shareNear(x[3], x[0], e), 1);
    return best;
}

}  // namespace approach

PURL_HD inline Nearest nearestOf(Passing passing, const Vec3* x) {
    return passing == Passing::pointTriangle ? approach::pointTriangle(x) : approach::edgeEdge(x);
}

// m, how far they are apart, good to a hundredth of their edges.
PURL_HD inline float roughDistance(Passing passing, const Vec3* x) {
    if (passing == Passing::pointTriangle) {
        int feature = 0;
        return length(x[0] - triangle::closest(x[0], x[1], x[2], x[3], feature));
    }
    // Ericson 2005, §5.1.9
    const Vec3 e = x[1] - x[0], f = x[3] - x[2], r = x[0] - x[2];
    const float a = dot(e, e), b = dot(e, f), c = dot(f, f), d = dot(e, r), g = dot(f, r), area2 = a * c - b * b;
    float s = area2 > 1e-6f * a * c ? clamp((b * g - c * d) / area2, 0, 1) : 0;
    float t = triangle::safeRatio(b * s + g, c);
    if (t < 0 || t > 1) {
        t = clamp(t, 0, 1);
        s = clamp(triangle::safeRatio(t * b - d, a), 0, 1);
    }
    return length(r + s * e - t * f);
}

// m, at least as much as any point of the one can come nearer to any of the other on ways `way` from where they are.
PURL_HD inline float mostApproach(Passing passing, const Vec3* way) {
    const Vec3 mean = 0.25f * (way[0] + way[1] + way[2] + way[3]);
    float l[4];
    for (int k = 0; k < 4; ++k) l[k] = length(way[k] - mean);
    const auto larger = [](float p, float q) { return p > q ? p : q; };
    if (passing == Passing::pointTriangle) return l[0] + larger(l[1], larger(l[2], l[3]));
    return larger(l[0], l[1]) + larger(l[2], l[3]);
}

// They never come nearer than this share of their distance.
constexpr float kKeptShare = 0.1f;

// The corners that are least apart along a direction, from the second thing to the first.
PURL_HD inline Nearest outermost(Passing passing, const Vec3* x, Vec3 n) {
    float l[4] = {};
    for (int k = 1; k < 4; ++k) l[k] = dot(x[k] - x[0], n);
    const int low = passing == Passing::edgeEdge && l[1] < 0 ? 1 : 0;
    int high = passing == Passing::edgeEdge ? 2 : 1;
    for (int k = high + 1; k < 4; ++k) high = l[k] > l[high] ? k : high;
    Nearest corners;
    corners.w[low] = 1;
    corners.w[high] = -1;
    corners.apart = x[low] - x[high];
    return corners;
}

// How far the two are apart along a direction, times its length: on straight ways never less than at the worse of their
// ends. Negative: they may not be.
PURL_HD inline float apartAlong(Passing passing, const Vec3* x, Vec3 n) {
    return dot(outermost(passing, x, n).apart, n);
}

// Whether two things on straight ways, that are apart as they begin, are nearer than `kept`, m, at any time that their
// four points lie in a plane: without such a time none goes through the other. With relative places `at` and `way`.
//     det(x₁ − x₀, x₂ − x₀, x₃ − x₀) = 0, a cubic of time   (Provot 1997)
PURL_HD inline bool meetsInPlane(Passing passing, const Vec3* at, const Vec3* way, float kept) {
    struct Wide {
        double x, y, z;
    };
    const auto wide = [](Vec3 p, Vec3 q) {
        return Wide{double(p.x) - double(q.x), double(p.y) - double(q.y), double(p.z) - double(q.z)};
    };
    const auto det = [](const Wide& a, const Wide& b, const Wide& c) {
        return a.x * (b.y * c.z - b.z * c.y) + a.y * (b.z * c.x - b.x * c.z) + a.z * (b.x * c.y - b.y * c.x);
    };
    Wide p[3], v[3];
    double size = 0, speed = 0;
    for (int k = 0; k < 3; ++k) {
        p[k] = wide(at[k + 1], at[0]);
        v[k] = wide(way[k + 1], way[0]);
        size += std::fabs(p[k].x) + std::fabs(p[k].y) + std::fabs(p[k].z);
        speed += std::fabs(v[k].x) + std::fabs(v[k].y) + std::fabs(v[k].z);
    }
    const double c0 = det(p[0], p[1], p[2]), c3 = det(v[0], v[1], v[2]);
    const double c1 = det(v[0], p[1], p[2]) + det(p[0], v[1], p[2]) + det(p[0], p[1], v[2]);
    const double c2 = det(p[0], v[1], v[2]) + det(v[0], p[1], v[2]) + det(v[0], v[1], p[2]);
    // What is less than this is as good as nothing.
    const double least = 1e-13 * (size + speed) * (size + speed) * (size + speed);
    const auto f = [&](double t) { return c0 + t * (c1 + t * (c2 + t * c3)); };
    const auto meets = [&](double t) {
        Vec3 there[4];
        for (int k = 0; k < 4; ++k) there[k] = (at[k] - at[0]) + static_cast<float>(t) * (way[k] - way[0]);
        return length(nearestOf(passing, there).apart) < kept;
    };
    // Between its turning points it rises or falls: there is one root, or none.
    double ends[4] = {0, 1, 1, 1};
    int count = 1;
    const double root2 = c2 * c2 - 3 * c3 * c1;
    if (root2 > 0) {
        const double q = -(c2 + (c2 < 0 ? -1 : 1) * std::sqrt(root2));
        double one = q / (3 * c3), other = c1 / q;
        if (other < one) {
            const double swap = one;
            one = other;
            other = swap;
        }
        if (one > 0 && one < 1) ends[count++] = one;
        if (other > 0 && other < 1) ends[count++] = other;
    }
    ends[count] = 1;
    for (int k = 0; k < count; ++k) {
        double a = ends[k], b = ends[k + 1];
        const double fa = f(a), fb = f(b);
        if ((std::fabs(fa) <= least && meets(a)) || (std::fabs(fb) <= least && meets(b))) return true;
        if ((fa < 0) == (fb < 0)) continue;
        constexpr int kHalvings = 40;
        for (int pass = 0; pass < kHalvings; ++pass) {
            const double middle = 0.5 * (a + b);
            ((f(middle) < 0) == (fa < 0) ? a : b) = middle;
        }
        if (meets(0.5 * (a + b))) return true;
    }
    return false;
}

// The share of the ways up to which they are safe from touching; 1: all of it. Goes ahead by what cannot close the
// distance, again and again (additive advancement: Li et al. 2021, Codimensional Incremental Potential Contact, §5),
// until they stay on two sides of a plane for the rest, as what slides along each other does. Those that lie so near
// that this takes long are looked at when they are in a plane. What touches already is let go: it cannot be told on
// which side it was.
PURL_HD inline float safeShare(Passing passing, const Vec3* x, const Vec3* way) {
    const float closing = mostApproach(passing, way);
    if (!(closing > 0)) return 1;
    Vec3 at[4], last[4];
    for (int k = 0; k < 4; ++k) {
        at[k] = x[k] - x[0];
        last[k] = at[k] + (way[k] - way[0]);
    }
    Vec3 apart = nearestOf(passing, at).apart;
    float distance = length(apart);
    const float kept = kKeptShare * distance;
    if (!(distance > 1e-7f * (length(at[1]) + length(at[3] - at[2])))) return 1;
    float share = 0;
    constexpr int kMost = 16;
    for (int pass = 0; pass < kMost; ++pass) {
        if (apartAlong(passing, last, apart) >= 1.5f * kept * distance) return 1;
        // Less than all of it, or the last bit of rounding would decide.
        share += 0.9f * (distance - kept) / closing;
        if (share >= 1) return 1;
        for (int k = 0; k < 4; ++k) at[k] = (x[k] - x[0]) + share * (way[k] - way[0]);
        apart = nearestOf(passing, at).apart;
        distance = length(apart);
        if (distance < 1.5f * kept) return share;
    }
    return meetsInPlane(passing, x, way, 1.5f * kept) || length(nearestOf(passing, last).apart) < 1.5f * kept ? share
                                                                                                              : 1;
}

}  // namespace purl
