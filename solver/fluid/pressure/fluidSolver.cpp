#include "solver/fluid/pressure/fluidSolver.h"

#include "solver/core/error.h"
#include "solver/fluid/mixing.h"
#include "solver/fluid/pressure/dfsphSolver.h"
#include "solver/fluid/pressure/doubleDensitySolver.h"
#include "solver/fluid/pressure/pbfSolver.h"
#include "solver/fluid/pressure/wcsphSolver.h"

namespace purl {

std::unique_ptr<FluidSolver> makeFluidSolver(PressureSolver solver, const Device& device) {
    switch (solver) {
        case PressureSolver::wcsph: return std::make_unique<WcsphSolver>(device);
        case PressureSolver::pbf: return std::make_unique<PbfSolver>(device);
        case PressureSolver::dfsph: return std::make_unique<DfsphSolver>(device);
        case PressureSolver::doubleDensity: return std::make_unique<DoubleDensitySolver>(device);
    }
    throw Error("solver: unknown pressureSolver");
}

Method methodOf(const SolverParams& params) {
    if (params.pressureSolver == PressureSolver::dfsph) return kDfsph;
    // doubleDensity reads the same channels as pbf.
    if (params.pressureSolver != PressureSolver::wcsph) return kPbf;
    const ReferenceIntegrator reference = params.reference.integrator;
    const bool half = reference == ReferenceIntegrator::none ? params.wcsph.integrator == Integrator::leapFrog
                                                             : reference == ReferenceIntegrator::verlet;
    return half ? kWcsphHalfStep : kWcsph;
}

void FluidSolver::measure(const FluidStep& step) {
    step.particles().holdFor(methodOf(step.params()));
    takeUpColors(step.particles(), step.materials);
    step.boundaries.moveTo(step.colliders, 1, 1, 0);
    measureAtRest(step);
}

void FluidSolver::measureAtRest(const FluidStep& step) {
    step.sortAndSearch();
    Pbf pbf(step.device());  // local: its memory is needed only here
    step.phase("computeDensity", [&] {
        pbf.measure(step.particles(), step.memory.neighbors, step.boundary(), step.materials, step.memory.volume);
    });
    pbf.lendTo(step.memory.lanes);
    step.phase("applyForces", [&] {
        applyNonPressureForces(step.particles(), step.memory.neighbors, step.boundary(), step.materials, step.params(),
                               0, Gravity::include, step.particles().v, step.memory.volume, step.memory.lanes);
    });
    step.addCohesionAndAdhesion();
    pbf.lendTo(step.memory.lanes);
}

}  // namespace purl
