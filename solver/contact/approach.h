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
        b[next] = clamp(triangle::shareOf(dot(p - x[1 + k], edge), lengthSquared(edge)), 0, 1);
        b[k] = 1 - b[next];
    }
    Nearest nearest{{1, -b[0], -b[1], -b[2]}, {}};
    nearest.apart = nearest.between(x);
    return nearest;
}

// Where on an edge from a along `edge` the nearest point to p is, 0 … 1.
PURL_HD inline float shareNear(Vec3 p, Vec3 a, Vec3 edge) {
    return clamp(triangle::shareOf(dot(p - a, edge), lengthSquared(edge)), 0, 1);
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

// The share of the ways up to which they are safe from touching; 1: all of it. Goes ahead by what cannot close the
// distance, again and again (additive advancement: Li et al. 2021, Codimensional Incremental Potential Contact, §5). No
// root is sought, so none is missed. What touches already is let go: it cannot be told on which side it was.
PURL_HD inline float safeShare(Passing passing, const Vec3* x, const Vec3* way) {
    const float closing = mostApproach(passing, way);
    if (!(closing > 0)) return 1;
    float distance = length(nearestOf(passing, x).apart);
    const float kept = kKeptShare * distance;
    if (!(distance > 1e-7f * (length(x[1] - x[0]) + length(x[3] - x[2])))) return 1;
    float share = 0;
    constexpr int kMost = 200;  // a way this long along something is cut short
    for (int pass = 0; pass < kMost; ++pass) {
        // Less than all of it, or the last bit of rounding would decide.
        share += 0.9f * (distance - kept) / closing;
        if (share >= 1) return 1;
        Vec3 at[4];
        for (int k = 0; k < 4; ++k) at[k] = (x[k] - x[0]) + share * (way[k] - way[0]);
        distance = length(nearestOf(passing, at).apart);
        if (distance < 1.5f * kept) return share;
    }
    return share;
}

}  // namespace purl
