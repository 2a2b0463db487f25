#include "solver/workspace.h"

namespace purl {

Placed Workspace::placed(const State& state, const Scene& scene) const {
    if (rigids.empty()) return {&scene, &state.colliders};
    return {&rigids.scene(), &rigids.from()};
}

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
    rigids.set(scene, state);
    wet.set(scene, state);
    cloths.set(scene, state, wet.saturation());
    softBodies.set(scene, state);
    const Placed now = placed(state, scene);
    deforming.set(scene, *now.scene, *now.from, state);
    softColliders.setForCloths(scene, *now.scene, *now.from, state);
    // Trees of deforming colliders are built on the shapes at the start, so that they do not depend on when a
    // simulation was resumed.
    if (!deforming.empty()) {
        Scene start = deforming.scene();
        for (size_t s = 0; s < deforming.all().size(); ++s)
            if (const int c = deforming.all()[s].collider; c >= 0)
                start.colliders[c].mesh.vertices = deforming.shapes()[s].vertices;
        colliders.moveTo(start, {}, 1, 1, 0);
    }
    if (!fluidSolver || solverKind_ != scene.solver.pressureSolver) {
        solverKind_ = scene.solver.pressureSolver;
        fluidSolver = makeFluidSolver(solverKind_, device);
    }
    fluidSolver->set(scene, materials);
    std::vector<DeformingBoundary> inDensity;
    for (size_t s = 0; s < deforming.all().size(); ++s) {
        const DeformingCollider& one = deforming.all()[s];
        inDensity.push_back(
            {&one.shape, &one.from, &deforming.shapes()[s],
             one.contact == FluidContact::surface ? BoundaryModel::particles : BoundaryModel::vertices});
    }
    boundaries.set(scene, state, now.scene->colliders, inDensity, materials);
}

FluidStep Workspace::fluidStep(State& state, const Scene& scene, const Profile& phase, const Timing& timing) {
    return {state,     scene,      materials,
            colliders, boundaries, reacts() ? &reaction : nullptr,
            fluid,     report,     wet.empty() ? nullptr : &WetFabrics::liquidMass,
            timing,    phase};
}

}  // namespace purl
