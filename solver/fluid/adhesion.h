// Adhesion: colliders attract fluid near them, by whichever model they enter its density.
#pragma once
#include "solver/colliders/nearestCollider.h"
#include "solver/fluid/material.h"
#include "solver/particles.h"

namespace purl {

// f = 30 z (h − z)² / h⁵: force on a volume of fluid z from a surface, over its adhesion, 1/m². Nothing at the
// surface, strongest near it, fading out at h, as the spline of Akinci et al. 2013 (eq. 6) summed over a plane does;
// and ∫ z f dz = 1, so that it costs the adhesion, in J/m², to take fluid off.
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
            const Vec3 toWall = directionToCollider(collider, x[i], h, distance);
            sum += (collider.adhesion * adhesionAt(distance, h)) * toWall;
        }
        a[i] += fluid.inverseRestDensity * sum;
    }
};

// Adds to accelerations.
void applyAdhesion(Particles& particles, const Colliders& colliders, const Materials& materials);

}  // namespace purl
