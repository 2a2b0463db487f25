// Cloth against colliders: no point comes nearer than half the cloth's thickness, and Coulomb's friction holds it.
#pragma once
#include "solver/contact/contacts.h"
#include "solver/core/forEach.h"

namespace purl {

struct TouchColliders {
    Span<const PlacedCollider> colliders;  // with the cloth's half thickness in their gaps
    Span<const float> inverseMass;
    float friction;
    float dt;
    const Vec3* xBefore;
    Vec3 *x, *v;

    PURL_HD void operator()(int i) const {
        if (inverseMass[i] == 0 || !isFinite(x[i])) return;
        const WayOut way = wayOut(colliders, xBefore[i], x[i]);
        if (way.collider < 0) return;
        const PlacedCollider& collider = colliders[way.collider];
        const Vec3 n = way.deepest.normal, surface = surfaceVelocity(collider, way.deepest, dt);
        const float mu = collider.friction > friction ? collider.friction : friction;
        // What slid along the surface is taken back by up to μ times the depth that was pushed out: a step's weight on
        // a slope of angle θ goes m g Δt² sin θ along and m g Δt² cos θ in, so that it rests up to tan θ = μ.
        const Vec3 way3 = way.place - xBefore[i] - dt * surface, slid = way3 - dot(way3, n) * n;
        x[i] = way.place - limited(slid, mu * way.deepest.depth);
        const Vec3 relative = v[i] - surface;
        const float approach = dot(relative, n);
        if (approach >= 0) return;
        const Vec3 sliding = relative - approach * n;
        v[i] = surface + sliding - limited(sliding, -mu * approach);
    }

    // The vector, no longer than that.
    PURL_HD static Vec3 limited(Vec3 a, float most) {
        const float l = length(a);
        return l > most ? (most / l) * a : a;
    }
};

}  // namespace purl
