// Viscosity diffuses velocity between neighbours and provides most of the damping. Müller's force is part of the common
// pass of all forces; the other models have separate passes, declared here and in implicitViscosity.h.
#pragma once
#include "solver/boundary/boundary.h"
#include "solver/fluid/lanes.h"
#include "solver/fluid/material.h"
#include "solver/particles.h"
#include "solver/search/neighbors.h"

namespace purl {

// Viscosity of a pair in the common pass: the harmonic mean 2 μᵢ μⱼ/(μᵢ + μⱼ), because shear stress is continuous
// across an interface. Forces are equal and opposite (Bayraktar 3.22, with both viscosities), and a thick fluid does
// not limit the steps of a thin one. The force of the pass, f = Σ μᵢⱼ (uⱼ − uᵢ) mⱼ/ρⱼ ∇²W (Kelager 4.17), is a sum of
// viscosityShare times frictionFactor; zero if i's model has a separate pass.
PURL_HD inline float viscosityBeside(const FluidConstants& fluid) {
    return fluid.sweptViscosity > 0 ? fluid.sweptViscosity : fluid.viscosity;
}
template <class F>
PURL_HD F viscosityShare(const F& own, const F& other) {
    return other / max(own + other, F(1e-30f));
}
PURL_HD inline float frictionFactor(const FluidConstants& fluid, bool several) {
    return several ? 2 * fluid.sweptViscosity : fluid.sweptViscosity;
}

// Between two fractional fluids Müller's force acts on their fractional derivatives instead of their velocities.
PURL_HD inline bool isFractional(const FluidConstants& fluid) {
    return fluid.viscosityModel == ViscosityModel::fractional;
}

// Rate c/Δt of the xsph blend, 1/s. Σ V W (vⱼ − vᵢ) ≈ ∇²v ⟨r²⟩/2D with ⟨r²⟩ = 0.225 h² for the cubic spline, 0.158 h²
// in 2D; so c = 2D μ Δt/(ρ ⟨r²⟩) gives the viscosity μ. Limited to c = 1, a complete blend.
PURL_HD inline float blendRate(const FluidConstants& fluid, const CubicSpline& W, float dt) {
    const float spread = fluid.dimensions == 3 ? 0.225f : 0.15816f;
    const float rate =
        2 * static_cast<float>(fluid.dimensions) * fluid.viscosity / (fluid.restDensity * spread * W.h * W.h);
    return dt * rate > 1 ? 1 / dt : rate;
}

// Adds the accelerations of the morris and xsph models to fluids that use them. Boundaries act in proportion to their
// friction; 1 is no-slip. xsph blends at most completely within dt, see blendRate.
void addExplicitViscosity(Particles& particles, const Neighbors& neighbors, const Boundary* boundary,
                          const Materials& materials, float dt, const Buffer<Vec3>& v, const Buffer<float>& volume,
                          LaneMemory& memory);

}  // namespace purl
