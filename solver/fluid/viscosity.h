// Viscosity diffuses velocity among neighbours, and is most of the damping there is. Müller's force is part of the one
// sweep of all forces; the other models have separate passes, here.
#pragma once
#include "solver/boundary/boundary.h"
#include "solver/fluid/lanes.h"
#include "solver/fluid/material.h"
#include "solver/particles.h"
#include "solver/search/neighbors.h"

namespace purl {

// What the sweep rubs i with against j: the harmonic mean of both, 2 μᵢ μⱼ/(μᵢ + μⱼ), for shear stress is the same on
// both sides of an interface. Forces are equal and opposite (Bayraktar 3.22, with both), and the thin fluid's steps
// are not held up by the thick one. Nothing where i's model has a pass of its own.
PURL_HD inline float pairViscosity(const FluidConstants& i, const FluidConstants& j) {
    const float other = j.sweptViscosity > 0 ? j.sweptViscosity : j.viscosity;
    return i.sweptViscosity > 0 ? 2 * i.sweptViscosity * (other / (i.sweptViscosity + other)) : 0;
}

// f = μ Σ (uⱼ − uᵢ) mⱼ/ρⱼ ∇²W   Kelager 4.17: one j's share without μ
PURL_HD inline Vec3 viscosityTerm(Vec3 vi, Vec3 vj, float volume, float laplacian) {
    return (volume * laplacian) * (vj - vi);
}

// Between two fractional fluids Müller's force is on what they remember instead of velocities.
PURL_HD inline bool isFractional(const FluidConstants& fluid) {
    return fluid.viscosityModel == ViscosityModel::fractional;
}

// c/Δt of xsph's blend, 1/s. Σ V W (vⱼ − vᵢ) is ∇²v ⟨r²⟩/2D with ⟨r²⟩ = 0.225 h² of the cubic spline, 0.158 h² in the
// plane; so c = 2D μ Δt/(ρ ⟨r²⟩) is the viscosity asked for, as long as c < 1. Beyond, all is blended.
PURL_HD inline float blendRate(const FluidConstants& fluid, const CubicSpline& W, float dt) {
    const float spread = fluid.dimensions == 3 ? 0.225f : 0.15816f;
    const float rate =
        2 * static_cast<float>(fluid.dimensions) * fluid.viscosity / (fluid.restDensity * spread * W.h * W.h);
    return dt * rate > 1 ? 1 / dt : rate;
}

// Adds to the accelerations what morris and xsph do to fluids of those models. Walls rub by their friction: at 1
// nothing slips. In dt xsph blends all there is to blend, if its viscosity asks for so much or more.
// One fluid on a CPU takes a tuned loop, which sums in another order.
void addExplicitViscosity(Particles& particles, const Neighbors& neighbors, const Boundary* boundary,
                          const Materials& materials, float dt, const Buffer<Vec3>& v, const Buffer<float>& volume,
                          LaneMemory& memory);
// The scalar loop: for several fluids and GPUs, and the oracle of the vectorised one.
void addExplicitViscosityPlain(Particles& particles, const Neighbors& neighbors, const Boundary* boundary,
                               const Materials& materials, float dt, const Buffer<Vec3>& v,
                               const Buffer<float>& volume);

// How implicit viscosity fared.
struct ViscosityReport {
    int iterations = 0;
    double error = 0;  // %, of the viscous impulse that is left over
};

// Implicit viscosity (Weiler et al. 2018): solves for the velocities that have shed in a step what their own shear
// rubs off,   (M + Δt K) v' = M v,   by conjugate gradients without a matrix. K is symmetric and shear costs energy, so
// any step and any viscosity go; pairs act along the line between them, so that momentum and spin are kept.
class ImplicitViscosity {
  public:
    // On a CPU a tuned loop takes the plain kernel's place, unless not wanted.
    explicit ImplicitViscosity(const Device& device = Device::cpu(), bool tuned = true);

    // Edits v, m/s, of fluids of that model, and leaves the change with the particles: the next step's first guess.
    ViscosityReport solve(Particles& particles, const Neighbors& neighbors, const Boundary* boundary,
                          const Materials& materials, const SolverParams& params, float dt, const Buffer<float>& volume,
                          Buffer<Vec3>& v);

  private:
    Device device_;
    [[maybe_unused]] bool tuned_;
    Buffer<float> pairs_;        // kg/(m² ·1): how a pair resists, as neighbours are listed
    Buffer<float> wall_;         // kg: how walls hold a particle
    Buffer<float> inverse_;      // 1/kg: six of each particle's own inverse block
    Buffer<Float4> points_, p_;  // x; the direction of search, m/s
    Buffer<Vec3> b_, r_, z_, q_, change_;
};

}  // namespace purl
