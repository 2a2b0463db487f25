// ★ What happens in a time step, in order. Each line is one function and one entry of the profile.
#include "solver/step.h"

#include <algorithm>

#include "solver/core/forEach.h"
#include "solver/fluid/density.h"
#include "solver/fluid/emission.h"
#include "solver/fluid/forces.h"
#include "solver/fluid/integrate.h"
#include "solver/fluid/outerForces.h"
#include "solver/fluid/separate.h"
#include "solver/fluid/walls.h"
#include "solver/profile.h"

namespace purl {
namespace {

void sortParticles(Particles& particles, Workspace& work) {
    work.cells.build(particles.x, Neighbors::cellSize(work.materials.searchRadius));
    if (work.cells.wasSorted()) return;
    particles.reorder(work.cells.order(), work.spare);
    work.cells.pointsReordered();
}

void findNeighbors(const Particles& particles, Workspace& work) {
    work.neighbors.build(particles.x, work.materials.searchRadius, work.cells);
    if (work.walls.any) work.walls.boundary.findNeighbors(particles.x);
}

// Everything a step of any kind knows.
struct Context {
    State& state;
    Workspace& work;
    const Scene& scene;
    Timing timing;
    Profile phase;

    Particles& particles() const { return state.particles; }
    void sortAndSearch() const {
        phase("sortParticles", [&] { sortParticles(particles(), work); });
        phase("findNeighbors", [&] { findNeighbors(particles(), work); });
    }
    const Boundary* walls() const { return work.walls.seen(); }
    // v, m/s, as implicit viscosity leaves it.
    void solveViscosity(Buffer<Vec3>& v) const {
        work.viscous = work.implicitViscosity.solve(particles(), work.neighbors, walls(), work.materials, scene.solver,
                                                    timing.dt, work.volume, v);
    }
    void resolve() const { resolveContacts(particles(), work.xBefore, work.colliders, scene, work.vNew, timing.dt); }
};

// Weakly compressible: pressures follow from densities (Kelager 2006).
void stepWcsph(const Context& c) {
    Particles& particles = c.particles();
    Workspace& work = c.work;
    const Integrator integrator = c.scene.solver.integrator;
    const auto& phase = c.phase;

    c.sortAndSearch();
    if (c.state.nextId > c.timing.firstNewId)
        phase("separateNew",
              [&] { separateCoincident(particles, work.neighbors, work.materials, c.timing.firstNewId); });
    phase("computeDensity",
          [&] { computeDensity(particles, work.neighbors, work.materials, work.volume, work.lanes); });
    if (work.walls.any)
        phase("addWallDensity", [&] { addWallDensity(particles, work.walls.boundary, work.materials, work.volume); });
    phase("applyForces", [&] { applyForces(particles, work.neighbors, work.materials, work.volume, work.lanes); });
    if (work.walls.any)
        phase("addWallPressure", [&] { addWallPressure(particles, work.walls.boundary, work.materials); });
    if (work.materials.frictionPass)
        phase("addFriction", [&] {
            addFriction(particles, work.neighbors, c.walls(), work.materials, c.timing.dt, particles.v, work.volume);
        });
    if (work.materials.implicitViscosity)
        phase("solveViscosity", [&] {
            foreseeVelocity(particles, integrator, c.timing, work.vNew);
            c.solveViscosity(work.vNew);
            accelerateTo(particles, integrator, c.timing, work.vNew);
        });
    phase("integrate", [&] { integrate(particles, integrator, c.timing, work.xBefore, work.vNew); });
    if (work.walls.any)
        phase("applyWallFriction", [&] {
            applyWallFriction(particles, work.walls.boundary, work.walls.kernel, work.materials, c.timing.dt,
                              work.vNew);
        });
    phase("resolveContacts", [&] { c.resolve(); });
    phase("finishVelocity", [&] { finishVelocity(particles, integrator, c.timing, work.xBefore, work.vNew); });
}

// Divergence-free: pressures are solved for, first for velocities that do not compress, then for the density.
void stepDfsph(const Context& c) {
    Particles& particles = c.particles();
    Workspace& work = c.work;
    const SolverParams& params = c.scene.solver;
    const Boundary* const walls = work.walls.seen();
    const float dt = c.timing.dt;
    const auto& phase = c.phase;

    c.sortAndSearch();
    if (c.state.nextId > c.timing.firstNewId)
        phase("separateNew",
              [&] { separateCoincident(particles, work.neighbors, work.materials, c.timing.firstNewId); });
    phase("computeDensity", [&] { work.dfsph.measure(particles, work.neighbors, walls, work.materials, work.volume); });
    phase("solveDivergence", [&] {
        work.vNew = particles.v;
        work.divergence = work.dfsph.solveDivergence(particles, work.neighbors, work.materials, params, dt, work.vNew);
    });
    phase("applyForces", [&] {
        applyOuterForces(particles, work.neighbors, walls, work.materials, params, dt, Weight::included, work.vNew,
                         work.volume, work.omega, work.lanes);
        addFriction(particles, work.neighbors, walls, work.materials, dt, work.vNew, work.volume);
        accelerate(particles, dt, work.vNew);
    });
    phase("solveDensity", [&] {
        work.density = work.dfsph.solveDensity(particles, work.neighbors, work.materials, params, dt, work.vNew);
    });
    // After the pressures: before them it would not see the flow that they set going, which moves the particles.
    if (work.materials.implicitViscosity) phase("solveViscosity", [&] { c.solveViscosity(work.vNew); });
    if (walls)
        phase("applyWallFriction",
              [&] { applyWallFriction(particles, *walls, work.walls.kernel, work.materials, dt, work.vNew); });
    phase("moveParticles", [&] { move(particles, dt, work.vNew, work.xBefore); });
    phase("resolveContacts", [&] { c.resolve(); });
    phase("finishVelocity", [&] { takeVelocity(particles, dt, work.vNew); });
}

// Position-based: particles move as if nothing held them, are put where the density is right, and have moved with the
// velocity that took them there.
void stepPbf(const Context& c) {
    Particles& particles = c.particles();
    Workspace& work = c.work;
    const SolverParams& params = c.scene.solver;
    const Boundary* const walls = work.walls.seen();
    const float dt = c.timing.dt;
    const auto& phase = c.phase;
    // Contacts hold what the density does not see.
    const std::function<void()> hold =
        work.walls.all ? std::function<void()>() : std::function<void()>([&] { c.resolve(); });

    phase("predict", [&] { predict(particles, work.materials, dt); });
    c.sortAndSearch();
    if (c.state.nextId > c.timing.firstNewId)
        phase("separateNew",
              [&] { separateCoincident(particles, work.neighbors, work.materials, c.timing.firstNewId); });
    phase("solveDensity", [&] {
        takeUpPrediction(particles, work.xBefore, work.vNew);
        work.density =
            work.pbf.solve(particles, work.neighbors, walls, work.materials, params, dt, hold, work.vNew, work.volume);
    });
    phase("resolveContacts", [&] { c.resolve(); });
    phase("applyForces", [&] {
        applyOuterForces(particles, work.neighbors, walls, work.materials, params, dt, Weight::actedBefore, work.vNew,
                         work.volume, work.omega, work.lanes);
        addFriction(particles, work.neighbors, walls, work.materials, dt, work.vNew, work.volume);
        accelerate(particles, dt, work.vNew);
    });
    if (work.materials.implicitViscosity) phase("solveViscosity", [&] { c.solveViscosity(work.vNew); });
    if (walls)
        phase("applyWallFriction",
              [&] { applyWallFriction(particles, *walls, work.walls.kernel, work.materials, dt, work.vNew); });
    phase("finishVelocity", [&] { takeVelocity(particles, dt, work.vNew); });
}

// Which of the boundary's models a collider wants, or none.
bool sees(const ColliderParams& params, PressureSolver solver, BoundaryModel& model) {
    WallModel wanted = params.boundary;
    if (wanted == WallModel::automatic)
        wanted = solver == PressureSolver::wcsph       ? WallModel::contact
                 : params.shape == ColliderShape::mesh ? WallModel::particles
                                                       : WallModel::volumeMap;
    model = wanted == WallModel::volumeMap ? BoundaryModel::volumeMap : BoundaryModel::particles;
    return wanted != WallModel::contact;
}

}  // namespace

void step(State& state, Workspace& work, const Scene& scene, const StepSpan& span) {
    const Timing timing{static_cast<float>(span.dt), static_cast<float>(state.lastStep), state.nextId};
    const Context context{state, work, scene, timing, Profile{work.device, work.phases}};
    const Profile& phase = context.phase;
    work.density = work.divergence = {};
    work.viscous = {};

    phase("emit", [&] { emit(state, scene, span.dt); });
    phase("moveColliders", [&] {
        work.colliders.moveTo(scene, state.colliders, span.shareBefore, span.shareAfter, timing.dt);
        if (work.walls.any)
            work.walls.boundary.moveTo(work.walls.scene, work.walls.from, span.shareBefore, span.shareAfter, timing.dt);
    });
    switch (scene.solver.pressureSolver) {
        case PressureSolver::wcsph: stepWcsph(context); break;
        case PressureSolver::pbf: stepPbf(context); break;
        case PressureSolver::dfsph: stepDfsph(context); break;
    }
    state.time = span.timeAfter;
    state.lastStep = span.dt;
}

void measure(State& state, Workspace& work, const Scene& scene) {
    Particles& particles = state.particles;
    const Boundary* const walls = work.walls.seen();
    const Context c{state, work, scene, {}, Profile{work.device, work.phases}};

    if (walls) work.walls.boundary.moveTo(work.walls.scene, work.walls.from, 1, 1, 0);
    c.sortAndSearch();
    if (scene.solver.pressureSolver == PressureSolver::wcsph) {
        c.phase("computeDensity",
                [&] { computeDensity(particles, work.neighbors, work.materials, work.volume, work.lanes); });
        if (walls) c.phase("addWallDensity", [&] { addWallDensity(particles, *walls, work.materials, work.volume); });
        c.phase("applyForces",
                [&] { applyForces(particles, work.neighbors, work.materials, work.volume, work.lanes); });
        if (walls) c.phase("addWallPressure", [&] { addWallPressure(particles, *walls, work.materials); });
        return;
    }
    c.phase("computeDensity",
            [&] { work.dfsph.measure(particles, work.neighbors, walls, work.materials, work.volume); });
    c.phase("applyForces", [&] {
        applyOuterForces(particles, work.neighbors, walls, work.materials, scene.solver, 0, Weight::included,
                         particles.v, work.volume, work.omega, work.lanes);
    });
}

Workspace::Workspace(const Device& where)
    : device(where),
      materials(where),
      colliders(where),
      walls(where),
      cells(where),
      neighbors(where),
      dfsph(where),
      pbf(where),
      implicitViscosity(where),
      volume(where),
      xBefore(where),
      vNew(where),
      omega(where),
      spare(where),
      lanes(where) {}

void Workspace::set(const Scene& scene, const State& state) {
    materials.set(scene);
    walls.scene.colliders.clear();
    walls.from.clear();
    std::vector<ColliderPlace> shapes;
    std::vector<BoundaryModel> models;
    for (size_t i = 0; i < scene.colliders.size() && !scene.fluids.empty(); ++i) {
        BoundaryModel model;
        if (!sees(scene.colliders[i].params, scene.solver.pressureSolver, model)) continue;
        walls.scene.colliders.push_back(scene.colliders[i]);
        walls.from.push_back(i < state.colliders.size() ? state.colliders[i] : ColliderPlace{});
        shapes.push_back(i < state.shapes.size() ? state.shapes[i] : ColliderPlace{});
        models.push_back(model);
    }
    walls.any = !models.empty();
    walls.all = models.size() == scene.colliders.size();
    if (!walls.any) return;
    const bool smooth = std::all_of(models.begin(), models.end(),
                                    [](BoundaryModel model) { return model == BoundaryModel::volumeMap; });
    if (scene.solver.pressureSolver == PressureSolver::wcsph) {
        const Poly6 poly6(materials.searchRadius);
        walls.kernel = WallKernel(materials.searchRadius, [&](double r) { return poly6(static_cast<float>(r * r)); });
    } else {
        // Points spread a spacing apart would feel rough through a narrow kernel; volumes do not.
        if (smooth) materials.wallSpline = steepWallSpline(materials.spline, materials.spacing);
        walls.kernel = WallKernel::cubicSpline(materials.wallSpline.h);
    }
    walls.boundary.prepare(walls.scene, shapes, materials.spacing, walls.kernel, models);
}

}  // namespace purl
