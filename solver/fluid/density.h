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

// Particles whose fluid has the smoothing kernel W.
// ρᵢ = ρ₀ᵢ Σⱼ mⱼ/ρ₀ⱼ W(xᵢ − xⱼ), i included: Kelager 4.6 with volumes in place of masses, so that neighbours with
// another rest density do not distort the density (Solenthaler and Pajarola 2008)
template <class W>
struct DensitySweep {
    Span<const int> body;
    Span<const FluidConstants> fluids;
    const Float4* points;  // x, m/ρ₀
    Span<float> density, pressure, volume;

    template <class F>
    struct Own {
        VecOf<F> x;
        W w;
    };
    template <class F>
    struct Sums {
        F shape{0.0f};
    };
    PURL_HD bool includes(int i) const { return fluids[body[i]].template weightsDensityWith<W>(); }
    template <class F>
    PURL_HD Own<F> own(int i) const {
        return {broadcast<F>(Vec3(points[i])), fluids[body[i]].template smoothing<W>()};
    }
    template <class F>
    PURL_HD void pair(const Own<F>& own, const Neighbor<F>& j, Sums<F>& sums) const {
        const Row<F> other = j.row(points);
        const VecOf<F> d = own.x - other.xyz();
        sums.shape = fma(own.w.shapeAt(dot(d, d)), other.w, sums.shape);
    }
    PURL_HD void finish(int i, const Sums<float>& sums) const {
        const FluidConstants& fluid = fluids[body[i]];
        const W& w = fluid.template smoothing<W>();
        const float factor = fluid.latticeShare * w.value;
        const float sum = factor * (fluid.restDensity * sums.shape + fluid.mass * w.shapeAt(0.0f));
        density[i] = sum;
        pressure[i] = pressureAt(sum, fluid);
        volume[i] = fluid.mass / sum;
    }
};

// Writes density and pressure, and m/ρ (m³) to `volume`.
void computeDensity(Particles& particles, const Neighbors& neighbors, const Materials& materials, Buffer<float>& volume,
                    LaneMemory& memory);
inline void computeDensity(Particles& particles, const Neighbors& neighbors, const Materials& materials,
                           Buffer<float>& volume) {
    LaneMemory memory(volume.device());
    computeDensity(particles, neighbors, materials, volume, memory);
}

}  // namespace purl
