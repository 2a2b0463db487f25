// Points of different soft bodies against each other: balls that may not overlap, tested along their way (Lup §5).
#pragma once
#include "solver/colliders/touch.h"
#include "solver/search/neighbors.h"

namespace purl {

// The point nearest to d on the way from a to b.
PURL_HD inline Vec3 closestOnPath(Vec3 a, Vec3 b, Vec3 d) {
    const Vec3 way = b - a;
    const float l2 = lengthSquared(way);
    return l2 > 0 ? a + clamp(dot(d - a, way) / l2, 0, 1) * way : a;
}

// How deep two balls whose centres may not come nearer than `distance` are in each other, and the direction that the
// first has to go; depth 0: they do not touch. from, to: the way of the first, seen from the second.
struct BallsTouch {
    float depth = 0;
    Vec3 normal;
};
PURL_HD inline BallsTouch ballsTouch(Vec3 from, Vec3 to, float distance) {
    const float end = length(to), d2 = square(distance);
    const bool through = dot(from, to) < 0 || end >= distance;
    if (lengthSquared(from) >= d2 && through) {
        const Vec3 nearest = closestOnPath(from, to, {});
        if (lengthSquared(nearest) >= d2) return {};
        // Where it came in: |from + s (to − from)| = distance, the first such s.
        const Vec3 way = to - from;
        const float a = lengthSquared(way), b = dot(from, way), c = lengthSquared(from) - d2;
        const float root = b * b - a * c, s = root > 0 ? clamp((-b - std::sqrt(root)) / a, 0, 1) : clamp(-b / a, 0, 1);
        const Vec3 normal = normalized(from + s * way);
        const float depth = distance - dot(to, normal);
        return depth > 0 ? BallsTouch{depth, normal} : BallsTouch{};
    }
    if (end >= distance) return {};
    return {distance - end, end > 0 ? to / end : normalized(from)};
}

// The points that may touch another body's, and what they need to know.
struct NearPoint {
    int point, body;
    float radius;       // m
    float inverseMass;  // 1/kg
    float friction;
};

// Of each point's neighbours those of other bodies: most are of its own. A list begins where the neighbours' does.
struct ListOthers {
    Neighbors::View neighbors;
    Span<const NearPoint> near;
    Span<int> others, counts;

    PURL_HD void operator()(int k) const {
        int count = 0;
        int* const list = others.data + neighbors.starts[k];
        for (const int* j = neighbors.begin(k); j != neighbors.end(k); ++j)
            if (near[*j].body != near[k].body) list[count++] = *j;
        counts[k] = count;
    }
};

// Of these the ones that touch.
struct ListTouching {
    const int* starts;
    Span<const int> others, counts;
    Span<const NearPoint> near;
    Span<const Vec3> xBefore, x;
    Span<int> touchingOnes, touching;

    PURL_HD void operator()(int k) const {
        const NearPoint& own = near[k];
        int count = 0;
        const int* const list = others.data + starts[k];
        int* const ones = touchingOnes.data + starts[k];
        for (int n = 0; n < counts[k]; ++n) {
            const NearPoint& other = near[list[n]];
            const Vec3 from = xBefore[own.point] - xBefore[other.point], to = x[own.point] - x[other.point];
            if (ballsTouch(from, to, own.radius + other.radius).depth > 0) ones[count++] = list[n];
        }
        touching[k] = count;
    }
};

// Δp₁ = w₁/(w₁+w₂) (d − |p₁−p₂|) n, and what slid meanwhile is taken back by up to μ times the depth. Each contact is
// worth one part of as many as the busier of the two has, so that what one gets the other loses.
struct PushBodiesApart {
    const int* starts;
    Span<const int> touchingOnes, touching;
    Span<const NearPoint> near;
    Span<const Vec3> xBefore, x;
    Span<Vec3> moved;

    PURL_HD void operator()(int k) const {
        const NearPoint& own = near[k];
        Vec3 move;
        const int* const ones = touchingOnes.data + starts[k];
        for (int n = 0; n < touching[k]; ++n) {
            const int j = ones[n];
            const NearPoint& other = near[j];
            if (!(own.inverseMass + other.inverseMass > 0)) continue;
            const Vec3 from = xBefore[own.point] - xBefore[other.point], to = x[own.point] - x[other.point];
            const BallsTouch contact = ballsTouch(from, to, own.radius + other.radius);
            const int busier = touching[k] > touching[j] ? touching[k] : touching[j];
            const float share = own.inverseMass / (own.inverseMass + other.inverseMass) / static_cast<float>(busier);
            const float mu = own.friction > other.friction ? own.friction : other.friction;
            const Vec3 way = to - from, slid = way - dot(way, contact.normal) * contact.normal;
            move += share * (contact.depth * contact.normal - limited(slid, mu * contact.depth));
        }
        moved[k] = move;
    }
};

struct ApplyMoves {
    Span<const NearPoint> near;
    Span<const Vec3> moved;
    float inverseStep;  // 1/s
    Span<Vec3> x, v;
    PURL_HD void operator()(int k) const {
        x[near[k].point] += moved[k];
        v[near[k].point] += inverseStep * moved[k];
    }
};

}  // namespace purl
