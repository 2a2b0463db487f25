// Position-based fluids: positions are predicted without pressure and corrected until the density constraint holds;
// velocities follow from the displacements (Macklin and Müller 2013).
#pragma once
#include "solver/fluid/pressure/fluidSolver.h"
#include "solver/fluid/pressure/pbf.h"

namespace purl {

class PbfSolver final : public FluidSolver {
  public:
    explicit PbfSolver(const Device& device) : pbf_(device) {}

    void advance(const FluidStep& step) override;

  private:
    Pbf pbf_;
};

}  // namespace purl
