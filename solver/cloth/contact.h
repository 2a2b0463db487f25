// Cloth against colliders: no point comes nearer than half the cloth's thickness, and Coulomb's friction holds it.
#pragma once
#include "solver/contact/touch.h"
#include "solver/core/forEach.h"

namespace purl {

struct TouchColliders {
    Span<const PlacedCollider> colliders;  // with the cloth's half thickness in their gaps
    Span<const float> inverseMass;
    float friction;
    const float* grip;  // factor of it, of each point; null: 1
    float dt;
    const Vec3* xBefore;
    Vec3 *x, *v;

    PURL_HD void operator()(int i) const {
        if (inverseMass[i] > 0)
            touchColliders(colliders, grip ? grip[i] * friction : friction, dt, xBefore[i], x[i], v[i]);
    }
};

// m: what is wet and comes this near sticks.
constexpr float kClingReach = 0.002f;

// Water between a wet point and a collider holds it back from leaving, and from sliding, by up to its force in a step.
struct ClingToColliders {
    Span<const PlacedCollider> colliders;  // as far as wet points feel them
    Span<const float> inverseMass;
    const float* cling;  // N, of each point
    float dt;
    const Vec3* xBefore;
    Vec3 *x, *v;

    PURL_HD void operator()(int i) const {
        const float most = dt * cling[i] * inverseMass[i];  // m/s
        if (!(most > 0) || !isFinite(x[i])) return;
        const WayOut way = wayOut(colliders, xBefore[i], x[i]);
        if (way.collider < 0) return;
        const Vec3 n = way.deepest.normal;
        const Vec3 relative = v[i] - surfaceVelocity(colliders[way.collider], way.deepest, dt);
        const float leaving = dot(relative, n);
        const Vec3 held = limited(relative - (leaving < 0 ? leaving : 0) * n, most);
        v[i] -= held;
        x[i] -= dt * held;
    }
};

}  // namespace purl
