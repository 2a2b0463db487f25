// Divergence-free SPH: pressures are solved for, first for velocities that do not compress the fluid, then for its
// density (Bender and Koschier 2015).
#pragma once
#include "solver/fluid/pressure/fluidSolver.h"

namespace purl {

class DfsphSolver final : public FluidSolver {
  public:
    explicit DfsphSolver(const Device& device) : dfsph_(device) {}

    void advance(const FluidStep& step) override;
    void settle(const FluidStep& step, double maxStep) override;

  private:
    Dfsph dfsph_;
};

}  // namespace purl
