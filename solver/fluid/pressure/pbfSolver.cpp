#include "solver/fluid/pressure/pbfSolver.h"

namespace purl {

void PbfSolver::advance(const FluidStep& s) {
    Particles& particles = s.particles();
    FluidMemory& memory = s.memory;
    Buffer<Vec3>& v = memory.vNew;
    const float dt = s.timing.dt;
    // If the density does not include all colliders, contacts are resolved in every iteration.
    std::function<void()> hold;
    if (!s.boundaries.density.all) hold = [&] { s.resolveContacts(); };

    // Sorted by predicted position; predicting again after the sort is cheaper than sorting the prediction.
    const auto predictMove = [&] { predict(particles, s.materials, dt, memory.xBefore, v); };
    s.phase("predict", predictMove);
    s.phase("sortParticles", [&] {
        if (s.sortParticles(memory.xBefore)) predictMove();
        particles.x.swap(memory.xBefore);
    });
    s.phase("findNeighbors", [&] { s.findNeighbors(); });
    s.mixColors();
    s.separateNew();
    s.phase("solveDensity", [&] {
        s.report.density =
            pbf_.solve(particles, memory.neighbors, s.boundary(), s.materials, s.params(), dt, hold, v, memory.volume);
    });
    s.addPressureReaction();
    s.phase("resolveContacts", [&] { s.resolveContacts(); });
    pbf_.lendTo(memory.lanes);
    s.applyNonPressureForces(Gravity::alreadyApplied, v, double(dt));
    pbf_.lendTo(memory.lanes);
    s.phase("accelerate", [&] { accelerate(particles, dt, v); });
    if (s.materials.implicitViscosity) s.phase("solveViscosity", [&] { s.solveImplicitViscosity(v); });
    s.applyBoundaryFriction();
    s.phase("finishVelocity", [&] { storeVelocityAndAcceleration(particles, dt, v); });
    s.kill();
}

}  // namespace purl
