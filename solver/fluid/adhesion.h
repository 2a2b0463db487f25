// Adhesion: colliders attract nearby fluid. Independent of the boundary model by which they enter the density.
#pragma once
#include "solver/colliders/nearestCollider.h"
#include "solver/fluid/material.h"
#include "solver/particles.h"

namespace purl {

// f = 30 z (h − z)² / h⁵, 1/m²: force per volume of fluid at distance z from a surface, divided by the adhesion
// coefficient (J/m²). Zero at the surface, peaks at h/3 and falls to zero at h, like the spline of Akinci et al. 2013
// (eq. 6) integrated over a plane. Normalized to ∫ z f dz = 1: the work to detach fluid from a unit area is the
// adhesion coefficient.
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
