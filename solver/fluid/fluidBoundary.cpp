#include "solver/fluid/fluidBoundary.h"

#include <algorithm>

#include "solver/core/error.h"

namespace purl {
namespace {

// Whether a collider acts by the forces of this model. Rigid bodies do not, because these forces have no reaction.
bool actsByForces(const ColliderParams& params, ReferenceBoundary model) {
    return params.reference.boundary == model && params.effect == ColliderEffect::collide &&
           params.motion == ColliderMotion::keyed;
}

// Selects the boundary model by which a collider enters the density. False if it does not.
bool chooseModel(const StepCollider& collider, const SolverParams& solver, BoundaryModel& model) {
    const ColliderParams& params = collider.params;
    const bool plane = solver.dimensions == 2, isWcsph = solver.pressureSolver == PressureSolver::wcsph;
    if (plane && collider.movesByStep())
        throw Error(collider.name + ": rigid bodies need three dimensions; set its motion to keyed");
    if (params.effect == ColliderEffect::kill) return false;
    const ReferenceBoundary reference = params.reference.boundary;
    if (reference != ReferenceBoundary::none && actsByForces(params, reference) && isWcsph) return false;
    WallModel wanted = params.boundary;
    if (wanted == WallModel::automatic)
        wanted = !solvesPressure(solver.pressureSolver)         ? WallModel::contact
                 : params.shape == ColliderShape::mesh || plane ? WallModel::particles
                                                                : WallModel::volumeMap;
    if (wanted == WallModel::volumeMap && plane && params.shape != ColliderShape::plane)
        throw Error(collider.name + ": volume maps need three dimensions; set its boundary to particles");
    model = wanted == WallModel::volumeMap ? BoundaryModel::volumeMap : BoundaryModel::particles;
    return wanted != WallModel::contact;
}

void setByForces(FluidBoundary& one, ReferenceBoundary model, const Scene& scene, const StepColliders& colliders,
                 const Materials& materials) {
    std::vector<int> members;
    const bool isWcsph = scene.solver.pressureSolver == PressureSolver::wcsph;
    for (const int c : colliders.ofScene)
        if (isWcsph && !scene.fluids.empty() && actsByForces(colliders[c].params, model)) members.push_back(c);
    one.any = !members.empty();
    if (!one.any) return;
    const Poly6 poly6(materials.searchRadius, materials.dimensions);
    const BoundaryKernel kernel(
        materials.searchRadius, [&](double r) { return poly6(static_cast<float>(r * r)); }, materials.dimensions);
    one.boundary.prepare(colliders, members, materials.spacing, kernel);
}

// Sets the kernel for boundaries in the density. `samples`: whether any collider is sampled.
void calibrateWallSpline(PressureSolver solver, bool samples, Materials& materials) {
    if (solver == PressureSolver::wcsph) {
        const double steepness = wallSteepness(double(materials.searchRadius) / materials.spacing);
        materials.wallSpline = steepWallSpline(materials.fluids[0], steepness);
        materials.wallPush = static_cast<float>(2 / steepness);
        materials.wallShare = static_cast<float>(1 / steepness);
    } else {
        materials.wallSpline = steepWallSpline(materials.spline, materials.spacing, wallSteepness(solver, samples));
        materials.wallShare = 0.5f;
    }
}

}  // namespace

void FluidBoundaries::set(const Scene& scene, const StepColliders& colliders, Materials& materials) {
    setByForces(lennardJones, ReferenceBoundary::lennardJones, scene, colliders, materials);
    setByForces(dem, ReferenceBoundary::dem, scene, colliders, materials);
    const PressureSolver solver = scene.solver.pressureSolver;
    std::vector<int> members;
    std::vector<BoundaryModel> models;
    int solids = 0;
    for (const int c : colliders.ofScene) {
        BoundaryModel model;
        if (colliders[c].params.effect == ColliderEffect::collide) ++solids;
        if (scene.fluids.empty() || !chooseModel(colliders[c], scene.solver, model)) continue;
        members.push_back(c);
        models.push_back(model);
    }
    density.firstDeforming = static_cast<int>(members.size());
    density.all = density.firstDeforming == solids;
    if (solver != PressureSolver::doubleDensity)
        for (const DeformingCollider& one : colliders.deforming) {
            members.push_back(one.collider);
            models.push_back(one.contact == FluidContact::surface ? BoundaryModel::particles : BoundaryModel::vertices);
        }
    density.any = !members.empty();
    if (!density.any) return;
    const bool samples = std::any_of(models.begin(), models.end(),
                                     [](BoundaryModel model) { return model != BoundaryModel::volumeMap; });
    calibrateWallSpline(solver, samples, materials);
    density.boundary.prepare(colliders, members, materials.spacing,
                             BoundaryKernel::cubicSpline(materials.wallSpline.h, materials.dimensions), models);
}

}  // namespace purl
