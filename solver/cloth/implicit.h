// Implicit Euler: velocities after the step are solved for, so that stiff springs take any step (Baraff and Witkin
// 1998; Bayraktar 5.33). Linear systems by conjugate gradients, whose matrix is never built.
#pragma once
#include "solver/cloth/fabric.h"

namespace purl {

struct ClothReport {
    int iterations = 0;
    double error = 0;  // what was left of the system's right side, as a share
};

class ImplicitEuler {
  public:
    explicit ImplicitEuler(const Device& device);

    // v, m/s, of points at x after dt seconds of the fabric's forces; it holds those of all other forces already.
    ClothReport solve(const Fabric& fabric, float dt, float tolerance, const Vec3* x, Vec3* v,
                      const Vec3* damped = nullptr);

  private:
    Buffer<Vec3> along_;             // unit, of each element's force
    Buffer<float> stiff_, turn_;     // kg: (Δt² + Δt lag) k along it, Δt² k across
    Buffer<float> inverseDiagonal_;  // 1/kg
    Buffer<Vec3> element_, sum_;     // memory of the products
    Buffer<Vec3> change_, rest_, way_, product_;
};

}  // namespace purl
