// FluidSolver: one method to keep a fluid's volume, and the order of its phases within a step.
#pragma once
#include <memory>

#include "solver/fluid/pressure/fluidStep.h"

namespace purl {

class FluidSolver {
  public:
    virtual ~FluidSolver() = default;

    // Takes up the constants of the scene's fluids.
    virtual void set(const Scene&, const Materials&) {}
    // Moves the particles over a step.
    virtual void advance(const FluidStep& step) = 0;
    // At the start: brings fluid that stands against colliders to rest. No step is longer than maxStep, s.
    virtual void settle(const FluidStep&, double /*maxStep*/) {}
    // At the start: sorts the particles and measures densities, pressures, normals and accelerations at rest, which a
    // first frame shows.
    void measure(const FluidStep& step);

  private:
    virtual void measureAtRest(const FluidStep& step);
};

std::unique_ptr<FluidSolver> makeFluidSolver(PressureSolver solver, const Device& device);

// Which of the particles' channels a solver carries from step to step.
Method methodOf(const SolverParams& params);

}  // namespace purl
