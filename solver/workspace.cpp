#include "solver/workspace.h"

#include <algorithm>

#include "solver/core/error.h"

namespace purl {
namespace {

// Not for rigid bodies: they would not be pushed back.
bool pushes(const ColliderParams& params, WallModel model) {
    return params.boundary == model && params.effect == ColliderEffect::collide &&
           params.motion == ColliderMotion::keyed;
}

// Which of the boundary's models a collider wants, or none.
bool sees(const Collider& collider, const SolverParams& solver, BoundaryModel& model) {
    const ColliderParams& params = collider.params;
    const bool plane = solver.dimensions == 2, weakly = solver.pressureSolver == PressureSolver::wcsph;
    if (plane && isRigid(collider))
        throw Error(collider.name + ": rigid bodies are of three dimensions; make it a collider that is moved");
    if (params.effect == ColliderEffect::kill) return false;
    WallModel wanted = params.boundary;
    const bool forces = wanted == WallModel::lennardJones || wanted == WallModel::dem;
    if (pushes(params, wanted) && forces && weakly) return false;
    if (wanted == WallModel::automatic || forces)
        wanted = !solvesPressure(solver.pressureSolver)         ? WallModel::contact
                 : params.shape == ColliderShape::mesh || plane ? WallModel::particles
                                                                : WallModel::volumeMap;
    if (wanted == WallModel::volumeMap && plane && params.shape != ColliderShape::plane)
        throw Error(collider.name + ": volume maps are of three dimensions; use boundary particles in two");
    model = wanted == WallModel::volumeMap ? BoundaryModel::volumeMap : BoundaryModel::particles;
    return wanted != WallModel::contact;
}

// wcsph's colliders that push by this model.
void setPushing(Walls& walls, WallModel model, const Scene& scene, const State& state, const Materials& materials) {
    walls.scene.colliders.clear();
    walls.from.clear();
    std::vector<ColliderPlace> shapes;
    for (size_t i = 0; i < scene.colliders.size() && !scene.fluids.empty(); ++i) {
        if (!pushes(scene.colliders[i].params, model)) continue;
        if (scene.solver.pressureSolver != PressureSolver::wcsph) continue;
        walls.scene.colliders.push_back(scene.colliders[i]);
        walls.from.push_back(i < state.colliders.size() ? state.colliders[i] : ColliderPlace{});
        shapes.push_back(i < state.shapes.size() ? state.shapes[i] : ColliderPlace{});
    }
    walls.any = !shapes.empty();
    if (!walls.any) return;
    const Poly6 poly6(materials.searchRadius, materials.dimensions);
    walls.kernel = WallKernel(
        materials.searchRadius, [&](double r) { return poly6(static_cast<float>(r * r)); }, materials.dimensions);
    walls.boundary.prepare(walls.scene, shapes, materials.spacing, walls.kernel);
}

}  // namespace

Placed Workspace::placed(const State& state, const Scene& scene) const {
    if (rigids.empty()) return {&scene, &state.colliders};
    return {&rigids.scene(), &rigids.from()};
}

Workspace::Workspace(const Device& where)
    : device(where),
      materials(where),
      colliders(where),
      cloths(where),
      softBodies(where),
      pull(where),
      rides(where),
      nearFluid(where),
      burden(where),
      wet(where),
      walls(where),
      repelling(where),
      touching(where),
      cells(where),
      neighbors(where),
      dfsph(where),
      pbf(where),
      implicitViscosity(where),
      rungeKutta(where),
      fractional(where),
      doubleDensity(where),
      volume(where),
      xBefore(where),
      vNew(where),
      omega(where),
      spareIds(where),
      lanes(where),
      reaction(where),
      touched(where) {}

void Workspace::set(const Scene& scene, const State& state) {
    materials.set(scene);
    rigids.set(scene, state);
    wet.set(scene, state);
    cloths.set(scene, state, wet.saturation());
    softBodies.set(scene, state);
    const Placed now = placed(state, scene);
    skins.set(scene, *now.scene, *now.from, state);
    softSkins.setForCloths(scene, *now.scene, *now.from, state);
    // Their trees are made on the shapes at the start, so that they do not depend on when a simulation was resumed.
    if (!skins.empty()) {
        Scene start = skins.scene();
        for (size_t s = 0; s < skins.all().size(); ++s)
            if (const int c = skins.all()[s].collider; c >= 0)
                start.colliders[static_cast<size_t>(c)].mesh.vertices = skins.shapes()[s].vertices;
        colliders.moveTo(start, {}, 1, 1, 0);
    }
    setPushing(repelling, WallModel::lennardJones, scene, state, materials);
    setPushing(touching, WallModel::dem, scene, state, materials);
    if (scene.solver.pressureSolver == PressureSolver::doubleDensity) doubleDensity.set(scene, materials);
    walls.scene.colliders.clear();
    walls.members.clear();
    walls.from.clear();
    std::vector<ColliderPlace> shapes;
    std::vector<BoundaryModel> models;
    for (size_t i = 0; i < scene.colliders.size() && !scene.fluids.empty(); ++i) {
        BoundaryModel model;
        if (!sees(scene.colliders[i], scene.solver, model)) continue;
        walls.scene.colliders.push_back(isRigid(scene.colliders[i]) ? rigids.scene().colliders[i] : scene.colliders[i]);
        walls.members.push_back(static_cast<int>(i));
        walls.from.push_back(i < state.colliders.size() ? state.colliders[i] : ColliderPlace{});
        shapes.push_back(i < state.shapes.size() ? state.shapes[i] : ColliderPlace{});
        models.push_back(model);
    }
    const auto seen = models.size();
    walls.firstSkin = static_cast<int>(seen);
    for (size_t s = 0; s < skins.all().size() && scene.solver.pressureSolver != PressureSolver::doubleDensity; ++s) {
        const DeformingCollider& skin = skins.all()[s];
        walls.scene.colliders.push_back(skin.shape);
        walls.members.push_back(-1);
        walls.from.push_back(skin.from);
        shapes.push_back(skins.shapes()[s]);
        models.push_back(skin.contact == FluidContact::surface ? BoundaryModel::particles : BoundaryModel::vertices);
    }
    walls.any = !models.empty();
    const auto solid = std::count_if(scene.colliders.begin(), scene.colliders.end(), [](const Collider& collider) {
        return collider.params.effect == ColliderEffect::collide;
    });
    walls.all = seen == static_cast<size_t>(solid);
    if (!walls.any) return;
    const PressureSolver solver = scene.solver.pressureSolver;
    const bool points = std::any_of(models.begin(), models.end(),
                                    [](BoundaryModel model) { return model != BoundaryModel::volumeMap; });
    if (solver == PressureSolver::wcsph) {
        const double steepness = wallSteepness(double(materials.searchRadius) / materials.spacing);
        materials.wallSpline = steepWallSpline(materials.fluids[0], steepness);
        materials.wallPush = static_cast<float>(2 / steepness);
        materials.wallShare = static_cast<float>(1 / steepness);
    } else {
        materials.wallSpline = steepWallSpline(materials.spline, materials.spacing, wallSteepness(solver, points));
        materials.wallShare = 0.5f;
    }
    walls.kernel = WallKernel::cubicSpline(materials.wallSpline.h, materials.dimensions);
    walls.boundary.prepare(walls.scene, shapes, materials.spacing, walls.kernel, models);
}

}  // namespace purl
