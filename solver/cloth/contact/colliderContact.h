// Cloth points against colliders: minimum distance of half the cloth's thickness, Coulomb friction and wet adhesion.
#pragma once
#include "solver/colliders/touch.h"
#include "solver/core/forEach.h"

namespace purl {

// Reaction impulse of the cloth on a collider.
struct ClothImpulse {
    int collider = -1;  // index into the placed colliders of the step; −1: none
    int triangle = -1;  // of a mesh collider
    Vec3 point;         // m
    Vec3 impulse;       // N s
};

struct ResolveColliderContacts {
    Span<const PlacedCollider> colliders;  // gap includes half the cloth's thickness
    Span<const float> inverseMass;
    float friction;
    const float* frictionFactor;  // per point; null: 1
    float dt;
    const Vec3* xBefore;
    Vec3 *x, *v;
    ClothImpulse* impulses;  // reactions; null: not recorded

    PURL_HD void operator()(int i) const {
        const Vec3 before = v[i];
        ResolvedContact contact;
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

// m: wet points closer than this adhere.
constexpr float kAdhesionRange = 0.002f;

// Adhesion of wet points: the water film resists separation and sliding, with at most the adhesion force over the step.
struct AdhereToColliders {
    Span<const PlacedCollider> colliders;  // gap includes kAdhesionRange
    Span<const float> inverseMass;
    const float* adhesion;  // N, per point
    float dt;
    const Vec3* xBefore;
    Vec3 *x, *v;
    ClothImpulse* impulses;  // reactions; null: not recorded

    PURL_HD void operator()(int i) const {
        if (impulses) impulses[i] = {};
        const float maxChange = dt * adhesion[i] * inverseMass[i];  // m/s
        if (!(maxChange > 0) || !isFinite(x[i])) return;
        const ResolvedContact contact = resolveContact(colliders, xBefore[i], x[i]);
        if (contact.collider < 0) return;
        const Vec3 n = contact.deepest.normal;
        const Vec3 relative = v[i] - surfaceVelocity(colliders[contact.collider], contact.deepest, dt);
        const float leaving = dot(relative, n);
        const Vec3 change = clampedLength(relative - (leaving < 0 ? leaving : 0) * n, maxChange);
        v[i] -= change;
        x[i] -= dt * change;
        if (impulses)
            impulses[i] = {contact.collider, contact.deepest.triangle, contact.deepest.point, change / inverseMass[i]};
    }
};

}  // namespace purl
