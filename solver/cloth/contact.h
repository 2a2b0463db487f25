// Cloth against colliders: no point comes nearer than half the cloth's thickness, and Coulomb's friction holds it.
#pragma once
#include "solver/contact/touch.h"
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
        if (inverseMass[i] > 0) touchColliders(colliders, friction, dt, xBefore[i], x[i], v[i]);
    }
};

}  // namespace purl
