// Cloth against colliders: no point comes nearer than half the cloth's thickness, and Coulomb's friction holds it.
#pragma once
#include "solver/colliders/touch.h"
#include "solver/core/forEach.h"

namespace purl {

// What cloth gives to what it touches.
struct ClothPush {
    int collider = -1;  // among those the step placed; −1: none
    int triangle = -1;  // of a mesh
    Vec3 point;         // m
    Vec3 impulse;       // N s
};

struct TouchColliders {
    Span<const PlacedCollider> colliders;  // with the cloth's half thickness in their gaps
    Span<const float> inverseMass;
    float friction;
    const float* grip;  // factor of it, of each point; null: 1
    float dt;
    const Vec3* xBefore;
    Vec3 *x, *v;
    ClothPush* pushes;  // or null: nobody asks

    PURL_HD void operator()(int i) const {
        const Vec3 before = v[i];
        ResolvedContact way;
        if (inverseMass[i] > 0)
            way = touchColliders(colliders, grip ? grip[i] * friction : friction, dt, xBefore[i], x[i], v[i]);
        if (!pushes) return;
        pushes[i] = {};
        if (way.collider >= 0)
            pushes[i] = {way.collider, way.deepest.triangle, way.deepest.point, (before - v[i]) / inverseMass[i]};
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
    ClothPush* pushes;  // or null: nobody asks

    PURL_HD void operator()(int i) const {
        if (pushes) pushes[i] = {};
        const float most = dt * cling[i] * inverseMass[i];  // m/s
        if (!(most > 0) || !isFinite(x[i])) return;
        const ResolvedContact way = resolveContact(colliders, xBefore[i], x[i]);
        if (way.collider < 0) return;
        const Vec3 n = way.deepest.normal;
        const Vec3 relative = v[i] - surfaceVelocity(colliders[way.collider], way.deepest, dt);
        const float leaving = dot(relative, n);
        const Vec3 held = limited(relative - (leaving < 0 ? leaving : 0) * n, most);
        v[i] -= held;
        x[i] -= dt * held;
        if (pushes) pushes[i] = {way.collider, way.deepest.triangle, way.deepest.point, held / inverseMass[i]};
    }
};

}  // namespace purl
