// The collider nearest to a particle: the direction of adhesion, and where the surface of a liquid ends.
#pragma once
#include "solver/colliders/contacts.h"

namespace purl {

// Unit vector from p towards the surface that a particle there would touch, if it is nearer than `reach`; otherwise
// zero. `distance` is set where it is found.
PURL_HD inline Vec3 directionToCollider(const PlacedCollider& collider, Vec3 p, float reach, float& distance) {
    if (collider.shape == ColliderShape::mesh) {
        const ClosestPoint nearest = collider.mesh.closest(p, reach + collider.gap);
        if (!nearest) return {};
        distance = nearest.distance - collider.gap;
        return normalized(nearest.point - p);
    }
    // A collider grown by `reach` is penetrated by reach − distance.
    PlacedCollider grown = collider;
    grown.gap += reach;
    const Contact contact = primitiveContact(grown, p);
    if (!contact) return {};
    distance = reach - contact.depth;
    return normalized(p - contact.point);
}

// Vectors from points to the nearest of the colliders within `reach` of each, m; zero where none is that near. A point
// on a collider, or in it, gets a vector just long enough to keep its direction.
std::vector<Vec3> wallOffsets(const Device& device, const std::vector<Vec3>& points, const std::vector<float>& reach,
                              Span<const PlacedCollider> colliders);

}  // namespace purl
