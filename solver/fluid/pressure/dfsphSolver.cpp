#include "solver/fluid/pressure/dfsphSolver.h"

#include "solver/core/copy.h"
#include "solver/fluid/pressure/settle.h"

namespace purl {

void DfsphSolver::advance(const FluidStep& s) {
    Particles& particles = s.particles();
    FluidMemory& memory = s.memory;
    Buffer<Vec3>& v = memory.vNew;
    const float dt = s.timing.dt;

    s.begin();
    s.phase("computeDensity",
            [&] { dfsph_.measure(particles, memory.neighbors, s.boundary(), s.materials, memory.volume); });
    s.phase("solveDivergence", [&] {
        copyTo(v, particles.v);
        s.report.divergence = dfsph_.solveDivergence(particles, memory.neighbors, s.materials, s.params(), dt, v);
    });
    dfsph_.lendTo(memory.lanes);
    s.applyNonPressureForces(Gravity::include, v, s.lastInterval());
    dfsph_.lendTo(memory.lanes);
    s.phase("accelerate", [&] { accelerate(particles, dt, v); });
    s.phase("solveDensity", [&] {
        s.report.density = dfsph_.solveDensity(particles, memory.neighbors, s.materials, s.params(), dt, v);
    });
    // After the pressure solve: before it, viscosity would not act on the flow that pressure causes.
    if (s.materials.implicitViscosity) s.phase("solveViscosity", [&] { s.solveImplicitViscosity(v); });
    s.addPressureReaction();
    s.applyBoundaryFriction();
    s.phase("moveParticles", [&] { move(particles, dt, v, memory.xBefore); });
    s.phase("resolveContacts", [&] { s.resolveContacts(); });
    s.phase("finishVelocity", [&] { storeVelocityAndAcceleration(particles, dt, v); });
    s.kill();
}

void DfsphSolver::settle(const FluidStep& step, double maxStep) { purl::settle(step, dfsph_, maxStep); }

}  // namespace purl
