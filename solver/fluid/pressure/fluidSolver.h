// FluidSolver: interface of the pressure solvers. Each defines how volume is conserved and the order of phases in a
// step.
#pragma once
#include <memory>

#include "solver/fluid/pressure/fluidStep.h"

namespace purl {

class FluidSolver {
  public:
    virtual ~FluidSolver() = default;

    // Precomputes the constants of the scene's fluids.
    virtual void set(const Scene&, const Materials&) {}
    // Advances the particles by one step.
    virtual void advance(const FluidStep& step) = 0;
    // At the start: brings fluid next to colliders to rest. `maxStep`, s: longest step for this.
    virtual void settle(const FluidStep&, double /*maxStep*/) {}
    // At the start: sorts the particles and computes densities, pressures, normals and accelerations at rest, for the
    // first frame.
    void measure(const FluidStep& step);

  private:
    virtual void measureAtRest(const FluidStep& step);
};

std::unique_ptr<FluidSolver> makeFluidSolver(PressureSolver solver, const Device& device);

// Selects the particle channels that a solver carries over to the next step.
Method methodOf(const SolverParams& params);

}  // namespace purl
