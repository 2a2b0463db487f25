// Density of each fluid particle, and the pressure and volume that follow from it.
#pragma once
#include "solver/fluid/lanes.h"
#include "solver/fluid/material.h"
#include "solver/particles.h"
#include "solver/search/neighbors.h"

namespace purl {

// Equation of state p = k (ρ − ρ₀)   Kelager 4.12, with a separate stiffness below rest density (§5.2), where pressure
// is negative and attracts: a stiff liquid need not be a cohesive one. Above rest density optionally Tait's equation.
PURL_HD inline float pressureAt(float density, const FluidConstants& fluid) {
    const float excess = density - fluid.restDensity;
    if (excess > 0 && fluid.stateEquation == StateEquation::tait) {
        // p = k ρ₀/γ ((ρ/ρ₀)^γ − 1), γ = 7   Becker and Teschner 2007; dp/dρ at rest is k
        const float ratio = density / fluid.restDensity, cube = ratio * ratio * ratio;
        return fluid.stiffness * fluid.restDensity / 7 * (cube * cube * ratio - 1);
    }
    return (excess > 0 ? fluid.stiffness : fluid.attraction) * excess;
}

struct Density {
    Neighbors::View neighbors;
    Span<const int> body;
    Span<const FluidConstants> fluids;
    Span<float> density, pressure, volume;

    // ρᵢ = ρ₀ᵢ Σⱼ mⱼ/ρ₀ⱼ W(xᵢ − xⱼ), i included: Kelager 4.6 with volumes in place of masses, so that neighbours with
    // another rest density do not distort the density (Solenthaler and Pajarola 2008)
    PURL_HD void operator()(int i) const {
        const FluidConstants& fluid = fluids[body[i]];
        float sum = fluid.mass * fluid.densityWeight(0);
        neighbors.forEach(i, [&](int j, Vec3, float r2) {
            const FluidConstants& other = fluids[body[j]];
            const float mass =
                body[j] == body[i] ? fluid.mass : other.mass * other.inverseRestDensity * fluid.restDensity;
            sum += mass * fluid.densityWeight(r2);
        });
        density[i] = sum;
        pressure[i] = pressureAt(sum, fluid);
        volume[i] = fluid.mass / sum;
    }
};

// Writes density and pressure, and m/ρ (m³) to `volume`. One fluid with Müller's kernels on a CPU uses a vectorized
// loop, which sums in a different order.
void computeDensity(Particles& particles, const Neighbors& neighbors, const Materials& materials, Buffer<float>& volume,
                    LaneMemory& memory);
inline void computeDensity(Particles& particles, const Neighbors& neighbors, const Materials& materials,
                           Buffer<float>& volume) {
    LaneMemory memory(volume.device());
    computeDensity(particles, neighbors, materials, volume, memory);
}
// The scalar loop: for several fluids and for GPUs, and the reference that tests compare the vectorized loop with.
void computeDensityPlain(Particles& particles, const Neighbors& neighbors, const Materials& materials,
                         Buffer<float>& volume);

}  // namespace purl
