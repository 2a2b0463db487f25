// Position-based fluids: particles move as if nothing held them, are moved to where the density is right, and get the
// velocity of that displacement (Macklin and Müller 2013).
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
