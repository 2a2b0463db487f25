// Double-density relaxation with springs, for pastes and fluids that harden under impact: forces change velocities,
// relaxation and springs move positions, contacts are resolved, and velocities follow from the displacements (Özgen
// 2013, algorithm 2).
#pragma once
#include "solver/fluid/pressure/doubleDensity.h"
#include "solver/fluid/pressure/fluidSolver.h"

namespace purl {

class DoubleDensitySolver final : public FluidSolver {
  public:
    explicit DoubleDensitySolver(const Device& device) : method_(device) {}

    void set(const Scene& scene, const Materials& materials) override { method_.set(scene, materials); }
    void advance(const FluidStep& step) override;

  private:
    DoubleDensity method_;
};

}  // namespace purl
