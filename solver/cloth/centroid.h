// Springs from every point of a cloth to the middle of them all: they keep a closed mesh from falling in (Bayraktar,
// fig. 7.12b). The middle weighs nothing: what pulls at it is shared out again among all points, so that momentum is
// kept.
#pragma once
#include "solver/cloth/fabric.h"

namespace purl {

// Mass and its moments, to be summed up.
struct CoreSum {
    Vec3 place, velocity;  // kg m, kg m/s
    float mass = 0;        // kg

    Vec3 middle() const { return mass > 0 ? place / mass : Vec3{}; }
    Vec3 drift() const { return mass > 0 ? velocity / mass : Vec3{}; }
};
struct AddCoreSums {
    PURL_HD CoreSum operator()(CoreSum a, const CoreSum& b) const {
        a.place += b.place;
        a.velocity += b.velocity;
        a.mass += b.mass;
        return a;
    }
};

struct WeighPoint {
    Span<const float> mass;
    const Vec3 *x, *v;
    PURL_HD CoreSum operator()(int i) const { return {mass[i] * x[i], mass[i] * v[i], mass[i]}; }
};

struct CoreSprings {
    Span<const float> area, inverseMass, rest;  // rest: m, lengths
    float stiffness;                            // N/m³
    Vec3 middle, drift;                         // m, m/s
    float dt;
    const Vec3* x;

    // N s, along the spring; as if the point's own place after the step pulled, so that any step is stable:
    // Δp = −Δt k (|d| + Δt ḋ − L) / (1 + Δt² k/m)
    PURL_HD Vec3 impulse(int i, Vec3 v) const {
        const Vec3 d = x[i] - middle;
        const float reach = length(d), k = stiffness * area[i];
        if (!(reach > 0) || !(inverseMass[i] > 0)) return {};
        const Vec3 out = d / reach;
        const float stretch = reach - rest[i] + dt * dot(v - drift, out);
        return (-dt * k * stretch / (1 + dt * dt * k * inverseMass[i])) * out;
    }
};

struct CoreImpulse {
    CoreSprings springs;
    const Vec3* v;
    PURL_HD Vec3 operator()(int i) const { return springs.impulse(i, v[i]); }
};

struct PullToCore {
    CoreSprings springs;
    Vec3 back;  // m/s, what the middle gives back to every point that is free
    Vec3* v;
    PURL_HD void operator()(int i) const {
        if (!(springs.inverseMass[i] > 0)) return;
        v[i] += springs.inverseMass[i] * springs.impulse(i, v[i]) - back;
    }
};

// Of the points that are free, by their masses with what they carry.
struct FreeMass {
    Span<const float> inverseMass;
    PURL_HD float operator()(int i) const { return inverseMass[i] > 0 ? 1 / inverseMass[i] : 0; }
};

}  // namespace purl
