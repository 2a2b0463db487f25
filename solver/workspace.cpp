#include "solver/workspace.h"

#include "solver/coupling/deformingColliders.h"

namespace purl {

Workspace::Workspace(const Device& where)
    : device(where),
      materials(where),
      softBodies(where),
      cloths(where),
      wet(where),
      colliders(where),
      boundaries(where),
      binding(where),
      addedMass(where),
      reaction(where),
      acceleration(where),
      clothAddedMass(where),
      fluid(where) {}

void Workspace::set(const Scene& scene, const State& state) {
    materials.set(scene);
    list = StepColliders(scene, state.colliders, state.shapes);
    rigids.set(scene, state, list);
    wet.set(scene, state);
    cloths.set(scene, state, wet.saturation());
    softBodies.set(scene, state);
    addDeformingColliders(scene, state, list);
    // Trees of deforming colliders are built on the shapes at the start, so that they do not depend on when a
    // simulation was resumed.
    if (!list.deforming.empty()) {
        StepColliders atStart = list;
        for (const DeformingCollider& one : list.deforming)
            atStart[one.collider].before = atStart[one.collider].after = list[one.collider].start;
        colliders.moveTo(atStart, list.forFluids, 1, 1, 0);
    }
    if (!fluidSolver || solverKind_ != scene.solver.pressureSolver) {
        solverKind_ = scene.solver.pressureSolver;
        fluidSolver = makeFluidSolver(solverKind_, device);
    }
    fluidSolver->set(scene, materials);
    boundaries.set(scene, list, materials);
}

FluidStep Workspace::fluidStep(State& state, const Scene& scene, const Profile& phase, const Timing& timing) {
    return {state,
            scene,
            materials,
            list,
            colliders,
            boundaries,
            reacts() ? &reaction : nullptr,
            fluid,
            report,
            wet.empty() ? nullptr : &WetFabrics::liquidMass,
            timing,
            phase};
}

}  // namespace purl
