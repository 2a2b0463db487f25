// Fluids that mix: colour spreads from particle to particle (Bayraktar §5.4, after Zhu and Fox 2001). Fluids without
// dispersion keep theirs, and take none on.
#pragma once
#include "solver/fluid/material.h"
#include "solver/particles.h"
#include "solver/search/neighbors.h"

namespace purl {

// dCᵢ/dt = Σⱼ (Dᵢ nᵢ + Dⱼ nⱼ)(Cᵢ − Cⱼ)/(nᵢ nⱼ r²) r·∇W   5.15, with rest volumes for 1/n: what one particle gives the
// other takes, Σ V C stays as it is.
struct Disperse {
    Neighbors::View neighbors;
    CubicSpline W;  // one for all, so that what i gives is what j takes
    Span<const FluidConstants> fluids;
    Span<const int> body;
    float dt;
    Span<const float> from;  // three a particle
    Span<float> to;

    PURL_HD Vec3 colorOf(int i) const { return {from[3 * i], from[3 * i + 1], from[3 * i + 2]}; }
    PURL_HD void operator()(int i) const {
        const FluidConstants& fluid = fluids[body[i]];
        const Vec3 own = colorOf(i);
        Vec3 rate;
        if (fluid.params.dispersion > 0)
            neighbors.forEach(i, [&](int j, Vec3, float r2) {
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

// Gives every particle its fluid's colour, if they are to have some of their own and have none yet; takes colours away
// if not.
void takeUpColors(Particles& particles, const Materials& materials);
// Lets colours spread for dt seconds, in as many steps as dispersion asks for.
void disperse(Particles& particles, const Neighbors& neighbors, const Materials& materials, float dt);

}  // namespace purl
