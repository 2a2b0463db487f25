// Implicit Euler: solves for the velocities at the end of the step, so that stiff springs are stable at any step
// (Baraff and Witkin 1998; Bayraktar 5.33). Linear systems by matrix-free conjugate gradients with a Jacobi
// preconditioner.
#pragma once
#include "solver/cloth/fabric.h"

namespace purl {

struct ClothReport {
    int iterations = 0;
    double error = 0;  // final residual relative to the initial one
};

class ImplicitEuler {
  public:
    explicit ImplicitEuler(const Device& device);

    // Advances v, m/s, of points at x by dt seconds of internal forces; all other forces are already in v.
    ClothReport solve(const Fabric& fabric, float dt, float tolerance, const Vec3* x, Vec3* v,
                      const Vec3* damped = nullptr);

  private:
    Buffer<Vec3> directions_;                         // unit direction of each element
    Buffer<float> alongStiffness_, acrossStiffness_;  // kg: (Δt² + Δt dampingTime) k along it, Δt² k across it
    Buffer<float> inverseDiagonal_;                   // 1/kg
    Buffer<Vec3> element_, force_;                    // element and point vectors
    Buffer<Vec3> dv_, r_, p_, ap_;
};

}  // namespace purl
