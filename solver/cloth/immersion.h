// Cloth under water without a simulated fluid (Özgen 2013, chapter 3): buoyancy, added mass, viscous and normal drag,
// and spring damping by a half-order fractional derivative, which depends on past velocities. The immersion parameter
// blends from air: the order q of the derivative falls from 1, a dashpot, to ½.
#pragma once
#include "solver/cloth/air.h"
#include "solver/cloth/fabric.h"
#include "solver/colliders/colliders.h"
#include "solver/core/math.h"
#include "solver/fractional/history.h"

namespace purl {

inline bool isImmersed(const ClothParams& params) { return params.immersion > 0; }

// Order q of the damping derivative; 1 in air.
inline double dampingOrder(const ClothParams& params) { return 1 - 0.5 * double(params.immersion); }

// Added mass:   1 + C ρ_f/ρ_c
inline float addedMassFactor(const ClothParams& params) {
    return 1 + params.immersion * params.addedMass * params.fluidDensity / params.wetDensity;
}
// Factor of gravity from buoyancy:   (ρ_c − ρ_f) V g = m (1 − ρ_f/ρ_c) g   Özgen 3.1, with V = m/ρ_c
inline float buoyancyFactor(const ClothParams& params) {
    return (1 - params.immersion * params.fluidDensity / params.wetDensity) / addedMassFactor(params);
}

// D^q x ≈ currentWeight · (v + Σ (a_k/a_0) v_(n+1−k)): the weight of the new step's velocity, which is unknown, and
// relative weights of the history window.
struct FractionalDamping {
    double currentWeight = 1;  // s^(1−q)
    double steadyGain = 1;     // s^(1−q), D^q x at constant v = 1
    HistoryWeights past;       // relative weights, newest first
    // s, the equivalent dashpot of time^q D^q.
    float dampingTime(float of, double order) const;
};
// For a history window of `samples` velocities dt seconds apart, `steps` after the first.
FractionalDamping makeFractionalDamping(double order, int samples, int64_t steps, double dt);

// Length of the history window that a cloth needs, in samples.
int historySamples(const ClothParams& params, double dt);

// Applies drag over dt seconds; u is the velocity relative to the fluid.
//     m dv/dt = −½ ρ C A |n·u| (n·u) n − k A u − k τ^(q−1) A (D^q(x − U t)·û) û,  k = 2 μ/δ,  τ = ρ δ²/μ
// The first two terms are integrated exactly, the history term is implicit in the newest velocity. After a reversal the
// history term may accelerate the cloth: the fluid is still moving.
struct FluidDrag {
    Span<const int> fanStarts, fans;
    Span<const float> inverseMass, area;
    Vec3 current;
    float normal;                     // ½ ρ C, kg/m³
    float viscous;                    // k, Pa·s/m
    float history;                    // k τ^(q−1)
    float currentWeight, steadyGain;  // see FractionalDamping
    float dt;
    const Vec3* pastVelocity;  // m/s, weighted past velocities
    const Vec3* x;
    Vec3* v;

    PURL_HD void operator()(int i) const {
        const float rate = dt * area[i] * inverseMass[i];
        if (!(rate > 0)) return;
        Vec3 u = v[i] - current;
        if (normal > 0) {
            const Vec3 n = normalized(areaVector(i, fanStarts.data, fans.data, x), Vec3{});
            const float across = dot(n, u);
            u -= (across - across / (1 + rate * normal * std::fabs(across))) * n;
        }
        u *= exp(-rate * viscous);
        const float speed = length(u);
        if (history > 0 && speed > 1e-9f) {
            const Vec3 along = u / speed;
            const float r = rate * history * currentWeight;
            const Vec3 before = pastVelocity[i] + (1 - steadyGain / currentWeight) * current;
            u += ((speed - r * dot(before, along)) / (1 + r) - speed) * along;
        }
        v[i] = current + u;
    }
};
FluidDrag makeFluidDrag(const Fabric& fabric, const FractionalDamping& memory, float dt, const Vec3* pastVelocity,
                        const Vec3* x, Vec3* v);

// Pulls points to the moving vertices of the scene's mesh with a critically damped spring, implicitly.
struct FollowMesh {
    Span<const float> inverseMass;
    const Vec3 *from, *to;
    TimeInterval shares;
    float rate;  // 1/s
    float dt;
    const Vec3* x;
    Vec3* v;

    PURL_HD void operator()(int i) const {
        if (!(inverseMass[i] > 0)) return;
        const Vec3 before = lerp(from[i], to[i], shares.before), after = lerp(from[i], to[i], shares.after);
        const float r = rate * dt;
        v[i] = (v[i] + (r * rate) * (after - x[i]) + (2 * rate) * (after - before)) / (1 + 2 * r + r * r);
    }
};

}  // namespace purl
