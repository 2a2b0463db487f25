// Cloth against colliders: no point comes nearer than half the cloth's thickness, and Coulomb's friction holds it.
#pragma once
#include "solver/contact/touch.h"
#include "solver/core/forEach.h"

namespace purl {

// What cloth gives to what it touches.
struct ClothImpulse {
    int collider = -1;  // among those the step placed; −1: none
    int triangle = -1;  // of a mesh
    Vec3 point;         // m
    Vec3 impulse;       // N s
};

struct ResolveColliderContacts {
    Span<const PlacedCollider> colliders;  // with the cloth's half thickness in their gaps
    Span<const float> inverseMass;
    float friction;
    const float* frictionFactor;  // factor of it, of each point; null: 1
    float dt;
    const Vec3* xBefore;
    Vec3 *x, *v;
    ClothImpulse* impulses;  // or null: nobody asks

    PURL_HD void operator()(int i) const {
        const Vec3 before = v[i];
        WayOut contact;
        if (inverseMass[i] > 0)
            contact = touchColliders(colliders, frictionFactor ? frictionFactor[i] * friction : friction, dt,
                                     xBefore[i], x[i], v[i]);
        if (!impulses) return;
        impulses[i] = {};
        if (contact.collider >= 0)
            impulses[i] = {contact.collider, contact.deepest.triangle, contact.deepest.point,
                           (before - v[i]) / inverseMass[i]};
    }
};

// m: what is wet and comes this near sticks.
constexpr float kAdhesionRange = 0.002f;

// Water between a wet point and a collider holds it back from leaving, and from sliding, by up to its force in a step.
struct AdhereToColliders {
    Span<const PlacedCollider> colliders;  // as far as wet points feel them
    Span<const float> inverseMass;
    const float* adhesion;  // N, of each point
    float dt;
    const Vec3* xBefore;
    Vec3 *x, *v;
    ClothImpulse* impulses;  // or null: nobody asks

    PURL_HD void operator()(int i) const {
        if (impulses) impulses[i] = {};
        const float most = dt * adhesion[i] * inverseMass[i];  // m/s
        if (!(most > 0) || !isFinite(x[i])) return;
        const WayOut contact = wayOut(colliders, xBefore[i], x[i]);
        if (contact.collider < 0) return;
        const Vec3 n = contact.deepest.normal;
        const Vec3 relative = v[i] - surfaceVelocity(colliders[contact.collider], contact.deepest, dt);
        const float leaving = dot(relative, n);
        const Vec3 held = limited(relative - (leaving < 0 ? leaving : 0) * n, most);
        v[i] -= held;
        x[i] -= dt * held;
        if (impulses)
            impulses[i] = {contact.collider, contact.deepest.triangle, contact.deepest.point, held / inverseMass[i]};
    }
};

}  // namespace purl
