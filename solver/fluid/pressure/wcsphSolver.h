// Weakly compressible SPH: pressures follow from densities by an equation of state (Kelager 2006).
#pragma once
#include "solver/fluid/pressure/fluidSolver.h"
#include "solver/reference/integrators.h"

namespace purl {

class WcsphSolver final : public FluidSolver {
  public:
    explicit WcsphSolver(const Device& device) : rungeKutta_(device) {}

    void advance(const FluidStep& step) override;

  private:
    void measureAtRest(const FluidStep& step) override;
    static void stepOnce(const FluidStep& step);

    RungeKutta rungeKutta_;
};

}  // namespace purl
