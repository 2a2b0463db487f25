// Double-density relaxation and springs, for pastes and for what hardens under impact: forces change velocities, then
// relaxation and springs move positions, then contacts, and velocities follow (Özgen 2013, algorithm 2).
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
