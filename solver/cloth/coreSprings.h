// Core springs: from every point of a cloth to the centre of mass; they keep a closed mesh from collapsing (Bayraktar,
// fig. 7.12b). The centre has no mass: the reaction is distributed over all free points, so momentum is conserved.
#pragma once
#include "solver/cloth/fabric.h"

namespace purl {

// Mass and its first moments, for a reduction.
struct CoreSum {
    Vec3 moment, momentum;  // kg m, kg m/s
    float mass = 0;         // kg

    Vec3 center() const { return mass > 0 ? moment / mass : Vec3{}; }
    Vec3 centerVelocity() const { return mass > 0 ? momentum / mass : Vec3{}; }
};
struct AddCoreSums {
    PURL_HD CoreSum operator()(CoreSum a, const CoreSum& b) const {
        a.moment += b.moment;
        a.momentum += b.momentum;
        a.mass += b.mass;
        return a;
    }
};

struct PointMoments {
    Span<const float> mass;
    const Vec3 *x, *v;
    PURL_HD CoreSum operator()(int i) const { return {mass[i] * x[i], mass[i] * v[i], mass[i]}; }
};

struct CoreSprings {
    Span<const float> area, inverseMass, rest;  // rest: m, rest lengths
    float stiffness;                            // N/m³
    Vec3 center, centerVelocity;                // m, m/s
    float dt;
    const Vec3* x;

    // Impulse along the spring, N s; implicit in the point's position, so any step is stable:
    //     Δp = −Δt k (|d| + Δt ḋ − L) / (1 + Δt² k/m)
    PURL_HD Vec3 impulse(int i, Vec3 v) const {
        const Vec3 d = x[i] - center;
        const float distance = length(d), k = stiffness * area[i];
        if (!(distance > 0) || !(inverseMass[i] > 0)) return {};
        const Vec3 outward = d / distance;
        const float stretch = distance - rest[i] + dt * dot(v - centerVelocity, outward);
        return (-dt * k * stretch / (1 + dt * dt * k * inverseMass[i])) * outward;
    }
};

struct CoreImpulse {
    CoreSprings springs;
    const Vec3* v;
    PURL_HD Vec3 operator()(int i) const { return springs.impulse(i, v[i]); }
};

struct ApplyCoreSprings {
    CoreSprings springs;
    Vec3 recoil;  // m/s, reaction of the centre on every free point
    Vec3* v;
    PURL_HD void operator()(int i) const {
        if (!(springs.inverseMass[i] > 0)) return;
        v[i] += springs.inverseMass[i] * springs.impulse(i, v[i]) - recoil;
    }
};

// Mass of free points, including added mass.
struct FreeMass {
    Span<const float> inverseMass;
    PURL_HD float operator()(int i) const { return inverseMass[i] > 0 ? 1 / inverseMass[i] : 0; }
};

}  // namespace purl
