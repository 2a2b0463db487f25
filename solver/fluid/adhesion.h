// Adhesion: colliders attract fluid near them, whichever way its density sees them.
#pragma once
#include "solver/contact/contacts.h"
#include "solver/fluid/material.h"
#include "solver/particles.h"

namespace purl {

// f = 30 z (h − z)² / h⁵: force on a volume of fluid z from a wall, over the wall's adhesion, 1/m². Nothing at the
// wall, most near by, fading out at h, as the spline of Akinci et al. 2013 (eq. 6) summed over a plane does; and ∫ z f
// dz = 1, so that it costs the adhesion, in J/m², to take fluid off.
PURL_HD inline float adhesionAt(float z, float h) {
    if (!(z > 0 && z < h)) return 0;
    const float q = z / h;
    return 30 * q * (1 - q) * (1 - q) / (h * h);
}

struct Adhesion {
    Span<const PlacedCollider> colliders;
    Span<const FluidConstants> fluids;
    Span<const int> body;
    Span<const Vec3> x;
    Span<Vec3> a;

    PURL_HD void operator()(int i) const {
        const FluidConstants& fluid = fluids[body[i]];
        const float h = fluid.spiky.h;
        Vec3 sum;
        for (const PlacedCollider& collider : colliders) {
            if (!(collider.adhesion > 0)) continue;
            float distance = h;
            const Vec3 toWall = nearestWall(collider, x[i], h, distance);
            sum += (collider.adhesion * adhesionAt(distance, h)) * toWall;
        }
        a[i] += fluid.inverseRestDensity * sum;
    }

    // Unit, towards what a particle at p would touch, if that is nearer than `reach`.
    PURL_HD static Vec3 nearestWall(const PlacedCollider& collider, Vec3 p, float reach, float& distance) {
        if (collider.shape == ColliderShape::mesh) {
            const ClosestPoint nearest = collider.mesh.closest(p, reach + collider.gap);
            if (!nearest) return {};
            distance = nearest.distance - collider.gap;
            return normalized(nearest.point - p);
        }
        // A wall thicker by the reach would be touched, and this much too deep.
        PlacedCollider thicker = collider;
        thicker.gap += reach;
        const Contact contact = primitiveContact(thicker, p);
        if (!contact) return {};
        distance = reach - contact.depth;
        return normalized(p - contact.point);
    }
};

// Adds to accelerations.
void applyAdhesion(Particles& particles, const Colliders& colliders, const Materials& materials);

}  // namespace purl
