// Divergence-free SPH: solves for pressures, first for a divergence-free velocity field, then for the rest density
// (Bender and Koschier 2015).
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
