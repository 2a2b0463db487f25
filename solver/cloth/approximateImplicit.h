// Two cheaper readings of implicit Euler, in which springs pull alike in all directions, so that the system's matrix
// M + Σ (Δt² + Δt dampingTime) k c cᵀ is the same for all three axes and for every step. They damp turning too: what
// Bayraktar (5.38) calls artificial viscosity.
#pragma once
#include <vector>

#include "solver/cloth/fabric.h"

namespace purl {

// Both change v, m/s, of points at x by what the fabric's forces do to it in dt seconds. `damped`: what damping takes
// for v, if not v.

// The matrix is factored once, and again whenever masses, stiffness or the step change (Desbrun 1999; Bayraktar 5.39).
class PrecomputedFilter {
  public:
    explicit PrecomputedFilter(const Device& device) : element_(device), rightSide_(device) {}

    // Throws Error naming the cloth where the factor would not fit: points that are linked lie too far apart in order.
    void solve(const Fabric& fabric, float dt, const Vec3* x, Vec3* v, const Vec3* damped = nullptr);
    int factored() const { return factored_; }

  private:
    void factor(const Fabric& fabric, float dt);

    int bandwidth_ = 0;           // how far apart in order points are that are linked
    std::vector<double> band_;    // the factor: bandwidth_ + 1 numbers a row, its diagonal last
    std::vector<double> matrix_;  // that it was made of
    std::vector<double> solution_;
    int factored_ = 0;
    Buffer<Vec3> element_, rightSide_;
};

// What neighbours will do is guessed from the forces they feel (Kang 2000; Bayraktar 5.45).
class NeighborEstimate {
  public:
    explicit NeighborEstimate(const Device& device) : element_(device), rightSide_(device), estimate_(device) {}

    void solve(const Fabric& fabric, float dt, const Vec3* x, Vec3* v, const Vec3* damped = nullptr);

  private:
    Buffer<Vec3> element_, rightSide_, estimate_;
};

}  // namespace purl
