// Implicit viscosity: stable for any viscosity and time step.
#pragma once
#include "solver/boundary/boundary.h"
#include "solver/core/lanes.h"
#include "solver/fluid/material.h"
#include "solver/particles.h"
#include "solver/search/neighbors.h"

namespace purl {

// Convergence of the implicit viscosity solve.
struct ViscosityReport {
    int iterations = 0;
    double error = 0;  // %, residual relative to b in the preconditioner's norm
};

// Implicit viscosity (Weiler et al. 2018): solves   (M + Δt K) v' = M v   for the velocities after the step, by
// matrix-free conjugate gradients. K is symmetric positive semidefinite, so any time step and viscosity is stable. Pair
// forces act along the line between particles, which conserves linear and angular momentum.
class ImplicitViscosity {
  public:
    explicit ImplicitViscosity(const Device& device = Device::cpu());

    // Updates v, m/s, of fluids with this model, and stores the change in the particles as the next step's initial
    // guess.
    ViscosityReport solve(Particles& particles, const Neighbors& neighbors, const Boundary* boundary,
                          const Materials& materials, const SolverParams& params, float dt, const Buffer<float>& volume,
                          Buffer<Vec3>& v);

  private:
    Device device_;
    Buffer<float> pairs_;        // kg/m²: resistance of each pair, in the order of the neighbour lists
    Buffer<float> wall_;         // kg: resistance of the boundary to a particle
    Buffer<float> inverse_;      // 1/kg: block Jacobi preconditioner, six entries per particle
    Buffer<Float4> points_, p_;  // x and V; search direction, m/s
    Buffer<Float4> flow_;        // v and μ
    Buffer<Vec3> b_, r_, q_, change_;
};

}  // namespace purl
