// Contact between points of different soft bodies: spheres that may not overlap, with a swept test (Lup §5).
#pragma once
#include "solver/colliders/touch.h"
#include "solver/search/neighbors.h"

namespace purl {

// Point on the segment ab closest to d.
PURL_HD inline Vec3 closestOnPath(Vec3 a, Vec3 b, Vec3 d) {
    const Vec3 displacement = b - a;
    const float l2 = lengthSquared(displacement);
    return l2 > 0 ? a + clamp(dot(d - a, displacement) / l2, 0, 1) * displacement : a;
}

// Penetration depth of two spheres with this minimum centre distance, and the direction that moves the first out; depth
// 0: no contact. from, to: path of the first relative to the second.
struct SphereContact {
    float depth = 0;
    Vec3 normal;
};
PURL_HD inline SphereContact sweptSphereContact(Vec3 from, Vec3 to, float distance) {
    const float end = length(to), d2 = square(distance);
    const bool through = dot(from, to) < 0 || end >= distance;
    if (lengthSquared(from) >= d2 && through) {
        const Vec3 nearest = closestOnPath(from, to, {});
        if (lengthSquared(nearest) >= d2) return {};
        // Entry point: the first s with |from + s (to − from)| = distance.
        const Vec3 displacement = to - from;
        const float a = lengthSquared(displacement), b = dot(from, displacement), c = lengthSquared(from) - d2;
        const float root = b * b - a * c, s = root > 0 ? clamp((-b - std::sqrt(root)) / a, 0, 1) : clamp(-b / a, 0, 1);
        const Vec3 normal = normalized(from + s * displacement);
        const float depth = distance - dot(to, normal);
        return depth > 0 ? SphereContact{depth, normal} : SphereContact{};
    }
    if (end >= distance) return {};
    return {distance - end, end > 0 ? to / end : normalized(from)};
}

// A point that may touch another body.
struct NearPoint {
    int point, body;
    float radius;       // m
    float inverseMass;  // 1/kg
    float friction;
};

// Keeps the neighbours of other bodies. Lists start at the same offsets as the neighbour lists.
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

// Keeps the candidates that touch.
struct ListTouching {
    const int* starts;
    Span<const int> others, counts;
    Span<const NearPoint> near;
    Span<const Vec3> xBefore, x;
    Span<int> contacts, contactCounts;

    PURL_HD void operator()(int k) const {
        const NearPoint& own = near[k];
        int count = 0;
        const int* const list = others.data + starts[k];
        int* const ones = contacts.data + starts[k];
        for (int n = 0; n < counts[k]; ++n) {
            const NearPoint& other = near[list[n]];
            const Vec3 from = xBefore[own.point] - xBefore[other.point], to = x[own.point] - x[other.point];
            if (sweptSphereContact(from, to, own.radius + other.radius).depth > 0) ones[count++] = list[n];
        }
        contactCounts[k] = count;
    }
};

// Δp₁ = w₁/(w₁+w₂) (d − |p₁−p₂|) n; sliding is undone by up to μ times the depth. Each contact is divided by the larger
// contact count of the two points, so that momentum is conserved.
struct SeparateBodies {
    const int* starts;
    Span<const int> contacts, contactCounts;
    Span<const NearPoint> near;
    Span<const Vec3> xBefore, x;
    Span<Vec3> displacements;

    PURL_HD void operator()(int k) const {
        const NearPoint& own = near[k];
        Vec3 move;
        const int* const ones = contacts.data + starts[k];
        for (int n = 0; n < contactCounts[k]; ++n) {
            const int j = ones[n];
            const NearPoint& other = near[j];
            if (!(own.inverseMass + other.inverseMass > 0)) continue;
            const Vec3 from = xBefore[own.point] - xBefore[other.point], to = x[own.point] - x[other.point];
            const SphereContact contact = sweptSphereContact(from, to, own.radius + other.radius);
            const int busier = contactCounts[k] > contactCounts[j] ? contactCounts[k] : contactCounts[j];
            const float share = own.inverseMass / (own.inverseMass + other.inverseMass) / static_cast<float>(busier);
            const float mu = own.friction > other.friction ? own.friction : other.friction;
            const Vec3 displacement = to - from,
                       slid = displacement - dot(displacement, contact.normal) * contact.normal;
            move += share * (contact.depth * contact.normal - clampedLength(slid, mu * contact.depth));
        }
        displacements[k] = move;
    }
};

struct ApplyDisplacements {
    Span<const NearPoint> near;
    Span<const Vec3> displacements;
    float inverseStep;  // 1/s
    Span<Vec3> x, v;
    PURL_HD void operator()(int k) const {
        x[near[k].point] += displacements[k];
        v[near[k].point] += inverseStep * displacements[k];
    }
};

}  // namespace purl
