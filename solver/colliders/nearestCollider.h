// Closest collider to a particle, for adhesion and for the contact line of a liquid surface.
#pragma once
#include "solver/colliders/contacts.h"

namespace purl {

// Unit vector from p towards the collider's surface, offset by its gap, if it is closer than `reach`; otherwise zero.
// `distance` (m) is set only if it is found.
PURL_HD inline Vec3 directionToCollider(const PlacedCollider& collider, Vec3 p, float reach, float& distance) {
    if (collider.shape == ColliderShape::mesh) {
        const ClosestPoint nearest = collider.mesh.closest(p, reach + collider.gap);
        if (!nearest) return {};
        distance = nearest.distance - collider.gap;
        return normalized(nearest.point - p);
    }
    // p penetrates the collider enlarged by `reach` to a depth of reach − distance.
    PlacedCollider grown = collider;
    grown.gap += reach;
    const Contact contact = primitiveContact(grown, p);
    if (!contact) return {};
    distance = reach - contact.depth;
    return normalized(p - contact.point);
}

// Vectors (m) from points to the closest collider within reach[i]; zero if there is none. For a point on or inside a
// collider the vector has a small minimum length, so that its direction remains defined.
std::vector<Vec3> wallOffsets(const Device& device, const std::vector<Vec3>& points, const std::vector<float>& reach,
                              Span<const PlacedCollider> colliders);

}  // namespace purl
