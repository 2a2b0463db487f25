#include "solver/fluid/pressure/fluidStep.h"

#include <algorithm>

#include "solver/fluid/adhesion.h"
#include "solver/fluid/boundaryPressure.h"
#include "solver/fluid/cohesion.h"
#include "solver/fluid/mixing.h"
#include "solver/fluid/pressure/fluidSolver.h"
#include "solver/fluid/separate.h"

namespace purl {

FluidMemory::FluidMemory(const Device& device)
    : cells(device),
      neighbors(device),
      volume(device, "fluid.volume"),
      xBefore(device, "fluid.xBefore"),
      vNew(device, "fluid.vNew"),
      touched(device, "fluid.touched"),
      ids(device, "fluid.ids"),
      lanes(device),
      fractional(device),
      implicitViscosity(device) {}

bool FluidStep::sortParticles(const Buffer<Vec3>& x) const {
    memory.cells.build(x, Neighbors::cellSize(materials.searchRadius));
    if (memory.cells.wasSorted()) return false;
    particles().reorder(memory.cells.order(), memory.spare(), methodOf(params()));
    memory.cells.pointsReordered();
    return true;
}

void FluidStep::findNeighbors() const {
    memory.neighbors.build(particles().x, materials.searchRadius, memory.cells);
    boundaries.findNeighbors(particles().x);
}

void FluidStep::sortAndSearch() const {
    phase("sortParticles", [&] { sortParticles(particles().x); });
    phase("findNeighbors", [&] { findNeighbors(); });
    mixColors();
}

void FluidStep::mixColors() const {
    if (materials.dispersion > 0 && timing.dt > 0)
        phase("disperse", [&] { disperse(particles(), memory.neighbors, materials, timing.dt, memory.lanes); });
}

void FluidStep::separateNew() const {
    if (state.nextId == timing.firstNewId) return;
    phase("separateNew", [&] { separateCoincident(particles(), memory.neighbors, materials, timing.firstNewId); });
}

void FluidStep::applyNonPressureForces(Gravity gravity, const Buffer<Vec3>& v, double interval) const {
    phase("applyForces", [&] {
        const Span<const Vec3> past = rememberVelocity(v, interval);
        purl::applyNonPressureForces(particles(), memory.neighbors, boundary(), materials, params(), timing.dt, gravity,
                                     v, memory.volume, memory.lanes, past);
        addExplicitViscosity(v);
    });
    addCohesionAndAdhesion();
}

void FluidStep::addCohesionAndAdhesion() const {
    if (materials.cohesive)
        phase("applyCohesion", [&] { applyCohesion(particles(), memory.neighbors, materials, memory.lanes); });
    const bool adhesive = std::any_of(scene.colliders.begin(), scene.colliders.end(),
                                      [](const Collider& collider) { return collider.params.adhesion > 0; });
    if (adhesive) phase("applyAdhesion", [&] { applyAdhesion(particles(), placed, materials); });
}

void FluidStep::addExplicitViscosity(const Buffer<Vec3>& v, float share) const {
    purl::addExplicitViscosity(particles(), memory.neighbors, boundary(), materials, timing.dt, v, memory.volume,
                               memory.lanes);
    if (materials.frictionPass) addViscousReaction(Reaction::Viscous::before, v, share);
}

void FluidStep::solveImplicitViscosity(Buffer<Vec3>& v) const {
    report.viscosity = memory.implicitViscosity.solve(particles(), memory.neighbors, boundary(), materials, params(),
                                                      timing.dt, memory.volume, v);
    addViscousReaction(Reaction::Viscous::solved, v, 1);
}

void FluidStep::addViscousReaction(Reaction::Viscous when, const Buffer<Vec3>& v, float share) const {
    if (reaction && boundary())
        reaction->addViscosity(particles(), *boundary(), materials, when, share * timing.dt, memory.volume, v);
}

Span<const Vec3> FluidStep::rememberVelocity(const Buffer<Vec3>& v, double interval) const {
    if (!materials.fractional) {
        if (state.history.sampleCount > 0) clearHistory(state.particles.history, state.history);
        return {};
    }
    memory.fractional.remember(state, scene, interval, v);
    return memory.fractional.past().span();
}

void FluidStep::addPressureReaction() const {
    if (!reaction || !boundary()) return;
    phase("addPressureReaction",
          [&] { reaction->addPressure(particles(), *boundary(), materials, params().pressureSolver, timing.dt); });
}

void FluidStep::applyBoundaryFriction() const {
    if (!boundary()) return;
    phase("applyWallFriction", [&] {
        if (reaction) reaction->remember(memory.vNew);
        purl::applyBoundaryFriction(particles(), *boundary(), materials, timing.dt, memory.vNew);
        if (reaction) reaction->addFriction(particles(), *boundary(), materials, memory.vNew);
    });
}

void FluidStep::resolveContacts(Span<const float> grip) const {
    if (reaction) reaction->remember(memory.vNew);
    purl::resolveContacts(particles(), memory.xBefore, placed, scene, memory.vNew, timing.dt,
                          reaction ? &memory.touched : nullptr, grip);
    if (reaction) reaction->addContact(particles(), memory.touched, placed, materials, memory.vNew);
    if (params().dimensions == 3) return;
    projectToPlane(particles().x);
    projectToPlane(memory.vNew);
}

void FluidStep::kill() const {
    if (!placed.anyKills()) return;
    phase("kill", [&] {
        const double before = liquidMass ? liquidMass(state, scene) : 0;
        state.killed += killInside(particles(), memory.xBefore, placed);
        state.wet.drained += before - (liquidMass ? liquidMass(state, scene) : 0);
    });
}

}  // namespace purl
