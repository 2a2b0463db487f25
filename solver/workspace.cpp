#include "solver/workspace.h"

#include "solver/coupling/deformingColliders.h"

namespace purl {

Workspace::Workspace(const Device& where)
    : device(where),
      materials(where),
      softBodies(where),
      cloths(where),
      wet(where.host()),
      placed(where),
      boundaries(where),
      binding(where),
      clothNormals(where),
      addedMass(where),
      reaction(where),
      acceleration(where, "acceleration of bodies"),
      clothAddedMass(where, "cloth.movingMass"),
      clothVelocity(where, "cloth.velocityBefore"),
      velocityChange(where, "velocityChange of points"),
      clothLoad(where, "cloth.load"),
      clothSaturation(where, "cloth.saturation"),
      fluid(where) {}

void Workspace::set(const Scene& scene, const State& state) {
    materials.set(scene);
    colliders = StepColliders(scene, state.colliders, state.shapes);
    rigids.set(scene, state, colliders);
    wet.set(scene, state);
    cloths.set(scene, state, wet.saturation());
    softBodies.set(scene, state);
    addDeformingColliders(scene, state, colliders);
    clothNormals.set(colliders);
    // Trees of deforming colliders are built on the shapes at the start, so that they do not depend on when a
    // simulation was resumed.
    if (!colliders.deforming.empty()) {
        StepColliders atStart = colliders;
        for (const DeformingCollider& one : colliders.deforming)
            atStart[one.collider].before = atStart[one.collider].after = colliders[one.collider].start;
        placed.moveTo(atStart, colliders.forFluids, 1, 1, 0);
    }
    if (!fluidSolver || solverKind_ != scene.solver.pressureSolver) {
        solverKind_ = scene.solver.pressureSolver;
        fluidSolver = makeFluidSolver(solverKind_, device);
    }
    fluidSolver->set(scene, materials);
    boundaries.set(scene, colliders, materials);
}

FluidStep Workspace::fluidStep(State& state, const Scene& scene, const Profile& phase, const Timing& timing) {
    return {state,
            scene,
            materials,
            colliders,
            placed,
            boundaries,
            reacts() ? &reaction : nullptr,
            fluid,
            report,
            wet.empty() ? nullptr : &WetFabrics::liquidMass,
            timing,
            phase};
}

}  // namespace purl
