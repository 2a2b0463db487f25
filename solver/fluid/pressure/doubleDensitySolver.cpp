#include "solver/fluid/pressure/doubleDensitySolver.h"

namespace purl {

void DoubleDensitySolver::advance(const FluidStep& s) {
    Particles& particles = s.particles();
    FluidMemory& memory = s.memory;
    Buffer<Vec3>& v = memory.vNew;
    const float dt = s.timing.dt;
    const auto searchUnsorted = [&] {
        memory.cells.build(particles.x, Neighbors::cellSize(s.materials.searchRadius));
        memory.neighbors.build(particles.x, s.materials.searchRadius, memory.cells);
    };

    // The velocity history is larger than all other channels: particles are sorted only after a new sample.
    if (s.state.history.waited == 0) {
        s.sortAndSearch();
    } else {
        s.phase("findNeighbors", searchUnsorted);
        s.mixColors();
    }
    s.separateNew();
    s.phase("applyForces", [&] { method_.accelerate(particles, s.materials, dt, v); });
    s.phase("dampApproach", [&] { method_.damp(particles, memory.neighbors, dt, v); });
    s.phase("moveParticles", [&] { move(particles, dt, v, memory.xBefore); });
    s.phase("findNeighbors", searchUnsorted);
    s.phase("adjustSprings", [&] { method_.adjustSprings(s.state, memory.neighbors, dt); });
    s.phase("pullSprings", [&] { method_.pullSprings(s.state, memory.neighbors, dt); });
    s.phase("relaxDensity", [&] { method_.relax(particles, memory.neighbors, dt); });
    s.phase("resolveContacts", [&] {
        method_.storeBeforeContact(particles, memory.xBefore, dt, v);
        s.resolveContacts(method_.grip().span());
        method_.applyContactFriction(particles, v, dt);
    });
    s.phase("finishVelocity", [&] { storeVelocityAndAcceleration(particles, dt, v); });
    s.phase("rememberVelocity", [&] { method_.rememberVelocity(s.state, s.scene, double(dt)); });
    s.kill();
}

}  // namespace purl
