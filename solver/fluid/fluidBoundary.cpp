#include "solver/fluid/fluidBoundary.h"

#include <algorithm>

#include "solver/colliders/rigid.h"
#include "solver/core/error.h"

namespace purl {
namespace {

// Whether a collider acts by the forces of this model. Rigid bodies do not: these forces have no reaction.
bool actsByForces(const ColliderParams& params, WallModel model) {
    return params.boundary == model && params.effect == ColliderEffect::collide &&
           params.motion == ColliderMotion::keyed;
}

// Chooses the model by which the density sees a collider. False: not at all.
bool chooseModel(const Collider& collider, const SolverParams& solver, BoundaryModel& model) {
    const ColliderParams& params = collider.params;
    const bool plane = solver.dimensions == 2, weakly = solver.pressureSolver == PressureSolver::wcsph;
    if (plane && isRigid(collider))
        throw Error(collider.name + ": rigid bodies are of three dimensions; make it a collider that is moved");
    if (params.effect == ColliderEffect::kill) return false;
    WallModel wanted = params.boundary;
    const bool forces = wanted == WallModel::lennardJones || wanted == WallModel::dem;
    if (actsByForces(params, wanted) && forces && weakly) return false;
    if (wanted == WallModel::automatic || forces)
        wanted = !solvesPressure(solver.pressureSolver)         ? WallModel::contact
                 : params.shape == ColliderShape::mesh || plane ? WallModel::particles
                                                                : WallModel::volumeMap;
    if (wanted == WallModel::volumeMap && plane && params.shape != ColliderShape::plane)
        throw Error(collider.name + ": volume maps are of three dimensions; use boundary particles in two");
    model = wanted == WallModel::volumeMap ? BoundaryModel::volumeMap : BoundaryModel::particles;
    return wanted != WallModel::contact;
}

void setByForces(FluidBoundary& one, WallModel model, const Scene& scene, const State& state,
                 const Materials& materials) {
    one.scene.colliders.clear();
    one.from.clear();
    std::vector<ColliderPlace> shapes;
    for (size_t i = 0; i < scene.colliders.size() && !scene.fluids.empty(); ++i) {
        if (!actsByForces(scene.colliders[i].params, model)) continue;
        if (scene.solver.pressureSolver != PressureSolver::wcsph) continue;
        one.scene.colliders.push_back(scene.colliders[i]);
        one.from.push_back(i < state.colliders.size() ? state.colliders[i] : ColliderPlace{});
        shapes.push_back(i < state.shapes.size() ? state.shapes[i] : ColliderPlace{});
    }
    one.any = !shapes.empty();
    if (!one.any) return;
    const Poly6 poly6(materials.searchRadius, materials.dimensions);
    one.kernel = WallKernel(
        materials.searchRadius, [&](double r) { return poly6(static_cast<float>(r * r)); }, materials.dimensions);
    one.boundary.prepare(one.scene, shapes, materials.spacing, one.kernel);
}

}  // namespace

void FluidBoundaries::set(const Scene& scene, const State& state, const std::vector<Collider>& placed,
                          const std::vector<DeformingBoundary>& deforming, Materials& materials) {
    setByForces(lennardJones, WallModel::lennardJones, scene, state, materials);
    setByForces(dem, WallModel::dem, scene, state, materials);
    density.scene.colliders.clear();
    density.members.clear();
    density.from.clear();
    std::vector<ColliderPlace> shapes;
    std::vector<BoundaryModel> models;
    for (size_t i = 0; i < scene.colliders.size() && !scene.fluids.empty(); ++i) {
        BoundaryModel model;
        if (!chooseModel(scene.colliders[i], scene.solver, model)) continue;
        density.scene.colliders.push_back(placed[i]);
        density.members.push_back(static_cast<int>(i));
        density.from.push_back(i < state.colliders.size() ? state.colliders[i] : ColliderPlace{});
        shapes.push_back(i < state.shapes.size() ? state.shapes[i] : ColliderPlace{});
        models.push_back(model);
    }
    const auto seen = models.size();
    density.firstDeforming = static_cast<int>(seen);
    const PressureSolver solver = scene.solver.pressureSolver;
    if (solver != PressureSolver::doubleDensity)
        for (const DeformingBoundary& one : deforming) {
            density.scene.colliders.push_back(*one.shape);
            density.members.push_back(-1);
            density.from.push_back(*one.from);
            shapes.push_back(*one.start);
            models.push_back(one.model);
        }
    density.any = !models.empty();
    const auto solid = std::count_if(scene.colliders.begin(), scene.colliders.end(), [](const Collider& collider) {
        return collider.params.effect == ColliderEffect::collide;
    });
    density.all = seen == static_cast<size_t>(solid);
    if (!density.any) return;
    const bool samples = std::any_of(models.begin(), models.end(),
                                     [](BoundaryModel model) { return model != BoundaryModel::volumeMap; });
    if (solver == PressureSolver::wcsph) {
        const double steepness = wallSteepness(double(materials.searchRadius) / materials.spacing);
        materials.wallSpline = steepWallSpline(materials.fluids[0], steepness);
        materials.wallPush = static_cast<float>(2 / steepness);
        materials.wallShare = static_cast<float>(1 / steepness);
    } else {
        materials.wallSpline = steepWallSpline(materials.spline, materials.spacing, wallSteepness(solver, samples));
        materials.wallShare = 0.5f;
    }
    density.kernel = WallKernel::cubicSpline(materials.wallSpline.h, materials.dimensions);
    density.boundary.prepare(density.scene, shapes, materials.spacing, density.kernel, models);
}

}  // namespace purl
