// Two approximations of implicit Euler in which springs are isotropic, so that the system matrix M + Σ (Δt² + Δt
// dampingTime) k c cᵀ is the same for all three axes and for every step. They also damp rotation, which Bayraktar
// (5.38) calls artificial viscosity.
#pragma once
#include <vector>

#include "solver/cloth/fabric.h"

namespace purl {

// Both solvers add the effect of the internal forces over dt seconds to v, m/s, of points at x. `damped`: the velocity
// that damping acts on; null: v.

// Factors the matrix once, and again when masses, stiffness or the step change (Desbrun 1999; Bayraktar 5.39).
class PrecomputedFilter {
  public:
    explicit PrecomputedFilter(const Device& device) : element_(device), rightSide_(device) {}

    // Throws Error with the cloth's name if the banded factor would take too much memory.
    void solve(const Fabric& fabric, float dt, const Vec3* x, Vec3* v, const Vec3* damped = nullptr);
    int factored() const { return factored_; }

  private:
    void factor(const Fabric& fabric, float dt);

    int bandwidth_ = 0;           // largest index distance of linked points
    std::vector<double> band_;    // Cholesky factor: bandwidth_ + 1 numbers per row, diagonal last
    std::vector<double> matrix_;  // the matrix that band_ factors
    std::vector<double> solution_;
    int factored_ = 0;
    Buffer<Vec3> element_, rightSide_;
};

// Estimates the motion of neighbours from the forces on them, a truncated Jacobi iteration (Kang 2000; Bayraktar 5.45).
class NeighborEstimate {
  public:
    explicit NeighborEstimate(const Device& device) : element_(device), rightSide_(device), estimate_(device) {}

    void solve(const Fabric& fabric, float dt, const Vec3* x, Vec3* v, const Vec3* damped = nullptr);

  private:
    Buffer<Vec3> element_, rightSide_, estimate_;
};

}  // namespace purl
