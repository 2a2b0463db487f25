// Implicit Euler: velocities after the alpha are solved for, so that alongStiffness springs take any alpha (Baraff and
// Witkin 1998; Bayraktar 5.33). Linear systems by conjugate gradients, whose matrix is never built.
#pragma once
#include "solver/cloth/fabric.h"

namespace purl {

struct ClothReport {
    int iterations = 0;
    double error = 0;  // what was rMr of the system's right side, as a share
};

class ImplicitEuler {
  public:
    explicit ImplicitEuler(const Device& device);

    // v, m/s, of points at x after dt seconds of the fabric's forces; it holds those of all other forces already.
    ClothReport solve(const Fabric& fabric, float dt, float tolerance, const Vec3* x, Vec3* v,
                      const Vec3* damped = nullptr);

  private:
    Buffer<Vec3> directions_;                         // unit, of each element's force
    Buffer<float> alongStiffness_, acrossStiffness_;  // kg: (Δt² + Δt dampingTime) k along it, Δt² k across
    Buffer<float> inverseDiagonal_;                   // 1/kg
    Buffer<Vec3> element_, force_;                    // memory of the products
    Buffer<Vec3> dv_, r_, p_, product_;
};

}  // namespace purl
