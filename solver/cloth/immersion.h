// Cloth as if under water, without any (Özgen 2013, chapter 3): buoyancy and added mass, drag along its way and across
// its faces, and damping of its springs by a derivative of half order, which remembers how points moved before. One
// dial leads there from air: the order falls from 1, a dashpot, to ½.
#pragma once
#include "solver/cloth/air.h"
#include "solver/cloth/fabric.h"
#include "solver/colliders/colliders.h"
#include "solver/fractional/history.h"

namespace purl {

inline bool isImmersed(const ClothParams& params) { return params.immersion > 0; }

// Of the derivative that damps; 1 in air.
inline double dampingOrder(const ClothParams& params) { return 1 - 0.5 * double(params.immersion); }

// What its mass is multiplied by as fluid moves along:   1 + C ρ_f/ρ_c
inline float heavierBy(const ClothParams& params) {
    return 1 + params.immersion * params.addedMass * params.fluidDensity / params.wetDensity;
}
// What gravity is multiplied by:   (ρ_c − ρ_f) V g = m (1 − ρ_f/ρ_c) g   Özgen 3.1, with V = m/ρ_c
inline float weightLeft(const ClothParams& params) {
    return (1 - params.immersion * params.fluidDensity / params.wetDensity) / heavierBy(params);
}

// The derivative D^q x ≈ now · (v + Σ (a_k/a_0) v_(n+1−k)): what the coming step's own velocity counts, and what
// the past, which is known, adds to it.
struct Memory {
    double now = 1;     // s^(1−q)
    double steady = 1;  // s^(1−q), D^q x over a constant v
    PastWeights past;   // of samples, newest first
    // s, the dashpot that stands for lag^q D^q.
    float lag(float of, double order) const;
};
// With so many samples of the past, `steps` after the first, dt seconds apart.
Memory memoryOf(double order, int samples, int64_t steps, double dt);

// How many past velocities a cloth asks for.
int samplesOf(const ClothParams& params, double dt);

// Of dt seconds in the fluid; u is the velocity against it.
//     m dv/dt = −½ ρ C A |n·u| (n·u) n − k A u − k τ^(q−1) A (D^q(x − U t)·û) û,  k = 2 μ/δ,  τ = ρ δ²/μ
// The first two decay exactly, the last takes the newest velocity at the step's end. After a turn it may push along:
// the fluid is still under way.
struct DragInFluid {
    Span<const int> fanStarts, fans;
    Span<const float> inverseMass, area;
    Vec3 current;
    float normal;       // ½ ρ C, kg/m³
    float viscous;      // k, Pa·s/m
    float history;      // k τ^(q−1)
    float now, steady;  // see Memory
    float dt;
    const Vec3* memory;  // m/s, what the past adds to v
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
        u *= std::exp(-rate * viscous);
        const float speed = length(u);
        if (history > 0 && speed > 1e-9f) {
            const Vec3 along = u / speed;
            const float r = rate * history * now;
            const Vec3 before = memory[i] + (1 - steady / now) * current;
            u += ((speed - r * dot(before, along)) / (1 + r) - speed) * along;
        }
        v[i] = current + u;
    }
};
DragInFluid dragOn(const Fabric& fabric, const Memory& memory, float dt, const Vec3* remembered, const Vec3* x,
                   Vec3* v);

// Draws points to where their mesh has them, which moves: a critically damped spring of that rate, at the step's end.
struct FollowMesh {
    Span<const float> inverseMass;
    const Vec3 *from, *to;
    Shares shares;
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
