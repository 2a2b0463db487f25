// Contacts of a point with sphere, capsule, box and plane, each in its local frame and centred at the origin (Kelager
// 2006, §4.4). F < 0 inside, 0 on the surface, > 0 outside. Containers keep points inside, obstacles keep them out.
#pragma once
#include "solver/core/vec.h"

namespace purl {

struct Contact {
    float depth = 0;    // m; 0: no contact. A point exactly on the surface has no contact.
    Vec3 point;         // closest allowed position
    Vec3 normal;        // unit, towards the allowed side
    int triangle = -1;  // for a mesh

    PURL_HD explicit operator bool() const { return depth > 0; }
};

// F = |x|² − R²   (4.35)
PURL_HD inline float sphereField(Vec3 x, float radius) { return lengthSquared(x) - square(radius); }

// F = |q − x| − R, q the nearest point of the axis from (0, −halfLength, 0) to (0, halfLength, 0)   (4.40)
PURL_HD inline Vec3 capsuleAxisPoint(Vec3 x, float halfLength) { return {0, clamp(x.y, -halfLength, halfLength), 0}; }
PURL_HD inline float capsuleField(Vec3 x, float halfLength, float radius) {
    return length(capsuleAxisPoint(x, halfLength) - x) - radius;
}

// F = max(|x| − ext)   (4.48)
PURL_HD inline float boxField(Vec3 x, Vec3 halfSize) {
    const float fx = std::fabs(x.x) - halfSize.x, fy = std::fabs(x.y) - halfSize.y, fz = std::fabs(x.z) - halfSize.z;
    const float fxy = fx > fy ? fx : fy;
    return fxy > fz ? fxy : fz;
}

// cp = c + R (x − c)/|x − c|,  d = ||x − c| − R|,  n = sgn(F) (c − x)/|c − x|   (4.36 … 4.38)
// `fallback` is the outward direction for a point at the centre.
PURL_HD inline Contact sphereContact(Vec3 x, float radius, bool container, Vec3 fallback = {0, 1, 0}) {
    const float beyond = length(x) - radius;
    if (container ? beyond <= 0 : beyond >= 0) return {};
    const Vec3 outward = normalized(x, fallback);
    return {std::fabs(beyond), radius * outward, container ? -outward : outward};
}

// cp = q + R (x − q)/|x − q|,  d = |F|,  n = sgn(F) (q − x)/|q − x|   (4.45 … 4.47): the sphere around the closest
// point of the axis.
PURL_HD inline Contact capsuleContact(Vec3 x, float halfLength, float radius, bool container) {
    const Vec3 q = capsuleAxisPoint(x, halfLength);
    Contact contact = sphereContact(x - q, radius, container, {1, 0, 0});
    contact.point += q;
    return contact;
}

PURL_HD inline float signOf(float s) { return s > 0 ? 1.0f : s < 0 ? -1.0f : 0.0f; }

PURL_HD inline Contact boxContact(Vec3 x, Vec3 halfSize, bool container) {
    if (container) {
        // cp = min(ext, max(−ext, x)),  d = |cp − x|,  n = sgn(cp − x)/|sgn(cp − x)|   (4.49 … 4.53)
        const Vec3 point = min(halfSize, max(-halfSize, x)), d = point - x;
        if (d == Vec3{}) return {};
        return {length(d), point, normalized({signOf(d.x), signOf(d.y), signOf(d.z)})};
    }
    // Kelager does not give this case: an obstacle pushes the point out through the closest face.
    const float field = boxField(x, halfSize);
    if (field >= 0) return {};
    int axis = 0;
    for (int k = 1; k < 3; ++k)
        if (std::fabs(x[k]) - halfSize[k] > std::fabs(x[axis]) - halfSize[axis]) axis = k;
    const float side = x[axis] < 0 ? -1.0f : 1.0f;
    Contact contact{-field, x, {}};
    contact.point[axis] = side * halfSize[axis];
    contact.normal[axis] = side;
    return contact;
}

// The plane y = height: solid below for an obstacle, above for a container.
PURL_HD inline Contact planeContact(Vec3 x, float height, bool container) {
    const float beyond = x.y - height;
    if (container ? beyond <= 0 : beyond >= 0) return {};
    return {std::fabs(beyond), {x.x, height, x.z}, {0, container ? -1.0f : 1.0f, 0}};
}

}  // namespace purl
