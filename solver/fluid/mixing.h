// Mixing of fluids: colour diffuses between particles (Bayraktar §5.4, after Zhu and Fox 2001). Fluids without
// dispersion neither give nor receive colour.
#pragma once
#include "solver/fluid/material.h"
#include "solver/particles.h"
#include "solver/search/neighbors.h"

namespace purl {

// dCᵢ/dt = Σⱼ (Dᵢ nᵢ + Dⱼ nⱼ)(Cᵢ − Cⱼ)/(nᵢ nⱼ r²) r·∇W   5.15, with rest volumes for 1/n. The exchange is symmetric, so
// Σ V C is conserved.
struct Disperse {
    Neighbors::View neighbors;
    CubicSpline W;  // the same for all fluids, so that the exchange is symmetric
    Span<const FluidConstants> fluids;
    Span<const int> body;
    float dt;
    Span<const float> from;  // three components per particle
    Span<float> to;

    PURL_HD Vec3 colorOf(int i) const { return {from[3 * i], from[3 * i + 1], from[3 * i + 2]}; }
    PURL_HD void operator()(int i) const {
        const FluidConstants& fluid = fluids[body[i]];
        const Vec3 own = colorOf(i);
        Vec3 rate;
        if (fluid.params.dispersion > 0)
            neighbors.forEach(i, [&, this](int j, Vec3, float r2) {
                const FluidConstants& other = fluids[body[j]];
                if (!(other.params.dispersion > 0)) return;
                rate += ((fluid.params.dispersion + other.params.dispersion) * other.mass * other.inverseRestDensity *
                         W.gradientFactor(std::sqrt(r2))) *
                        (own - colorOf(j));
            });
        const Vec3 mixed = own + dt * rate;
        to[3 * i] = mixed.x;
        to[3 * i + 1] = mixed.y;
        to[3 * i + 2] = mixed.z;
    }
};

// Adds or removes per-particle colours as the materials require. New ones start as the fluid's colour.
void takeUpColors(Particles& particles, const Materials& materials);
// Diffuses colours for dt seconds, in as many substeps as stability requires.
void disperse(Particles& particles, const Neighbors& neighbors, const Materials& materials, float dt);

}  // namespace purl
