// ★ What happens in a time step, in order. Each line is one function and one entry of the profile.
#include "solver/step.h"

#include "solver/fluid/density.h"
#include "solver/fluid/emission.h"
#include "solver/fluid/forces.h"
#include "solver/fluid/integrate.h"
#include "solver/fluid/separate.h"
#include "solver/profile.h"

namespace purl {
namespace {

void sortParticles(Particles& particles, Workspace& work) {
    work.cells.sort(particles.x, Neighbors::cellSize(work.materials.searchRadius));
    if (!work.cells.wasSorted()) particles.reorder(work.cells.order());
}

}  // namespace

void step(State& state, Workspace& work, const Scene& scene, const StepSpan& span) {
    Particles& particles = state.particles;
    const Integrator integrator = scene.solver.integrator;
    const Timing timing{static_cast<float>(span.dt), static_cast<float>(state.lastStep), state.nextId};
    const Profile phase{work.device, work.phases};

    phase("emit", [&] { emit(state, scene, span.dt); });
    phase("moveColliders",
          [&] { work.colliders.moveTo(scene, state.colliders, span.shareBefore, span.shareAfter, timing.dt); });
    phase("sortParticles", [&] { sortParticles(particles, work); });
    phase("findNeighbors", [&] { work.neighbors.build(particles.x, work.materials.searchRadius); });
    if (state.nextId > timing.firstNewId)
        phase("separateNew", [&] { separateCoincident(particles, work.neighbors, work.materials, timing.firstNewId); });
    phase("computeDensity", [&] { computeDensity(particles, work.neighbors, work.materials, work.volume); });
    phase("applyForces", [&] { applyForces(particles, work.neighbors, work.materials, work.volume); });
    phase("integrate", [&] { integrate(particles, integrator, timing, work.xBefore, work.vNew); });
    phase("resolveContacts",
          [&] { resolveContacts(particles, work.xBefore, work.colliders, scene, work.vNew, timing.dt); });
    phase("finishVelocity", [&] { finishVelocity(particles, integrator, timing, work.xBefore, work.vNew); });

    state.time = span.timeAfter;
    state.lastStep = span.dt;
}

void measure(State& state, Workspace& work) {
    Particles& particles = state.particles;
    const Profile phase{work.device, work.phases};

    phase("sortParticles", [&] { sortParticles(particles, work); });
    phase("findNeighbors", [&] { work.neighbors.build(particles.x, work.materials.searchRadius); });
    phase("computeDensity", [&] { computeDensity(particles, work.neighbors, work.materials, work.volume); });
    phase("applyForces", [&] { applyForces(particles, work.neighbors, work.materials, work.volume); });
}

Workspace::Workspace(const Device& where)
    : device(where),
      materials(where),
      colliders(where),
      cells(where),
      neighbors(where),
      volume(where),
      xBefore(where),
      vNew(where) {}

}  // namespace purl
