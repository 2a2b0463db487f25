// Small scenes and particle sets that several tests share.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "solver/boundary/boundary.h"
#include "solver/core/random.h"
#include "solver/fluid/density.h"
#include "solver/fluid/forces.h"
#include "solver/fluid/material.h"
#include "solver/simulator.h"

namespace purl::test {

// Kelager's constant; the solver's own default is 9.81.
constexpr float kGravity = 9.82f;

// Tests run side by side: one thread each, but where threads are the point.
inline Device oneThread() { return Device::cpu(1); }

inline Fluid fluidOf(const std::string& preset, const std::string& name = "") {
    Fluid fluid;
    fluid.name = name.empty() ? preset : name;
    fluid.params = fluidPreset(preset);
    return fluid;
}

// Water with the strong numerical damping that Kelager's and Müller's schemes need, and their surface tension.
inline Fluid dampedWater(const std::string& name) {
    Fluid fluid = fluidOf("purlWater", name);
    fluid.params.viscosity = 2;
    fluid.params.tensionModel = TensionModel::colorField;
    return fluid;
}

// An empty scene for the weakly compressible solver.
inline Scene wcsphScene() {
    Scene scene;
    scene.solver.pressureSolver = PressureSolver::wcsph;
    return scene;
}

// One fluid of a preset, by wcsph, z up as in Kelager's report.
inline Scene sceneOf(const std::string& preset) {
    Scene scene = wcsphScene();
    scene.solver.gravity = kGravity;
    scene.solver.gravityDirection = {0, 0, -1};
    scene.fluids.push_back(fluidOf(preset));
    return scene;
}

// A collider that everything slides on freely.
inline Collider smoothCollider(const std::string& name = "") {
    Collider collider;
    collider.name = name;
    collider.params.friction = 0;
    return collider;
}

inline Collider boxCollider(Vec3 low, Vec3 high, bool container = true) {
    Collider box = smoothCollider("box");
    box.params.shape = ColliderShape::box;
    box.params.container = container;
    box.params.halfSize = 0.5f * (high - low);
    box.pose.position = 0.5f * (low + high);
    return box;
}

// nx × ny × nz points, `spacing` apart, the first half a spacing inside the corner `low`.
inline std::vector<Vec3> lattice(int nx, int ny, int nz, float spacing, Vec3 low = {}) {
    std::vector<Vec3> points;
    for (int z = 0; z < nz; ++z)
        for (int y = 0; y < ny; ++y)
            for (int x = 0; x < nx; ++x)
                points.push_back(low + spacing * Vec3{float(x) + 0.5f, float(y) + 0.5f, float(z) + 0.5f});
    return points;
}

// Each point moved by up to `amount` along each axis.
inline std::vector<Vec3> jittered(std::vector<Vec3> points, float amount, uint64_t seed = 1) {
    for (size_t i = 0; i < points.size(); ++i)
        for (int axis = 0; axis < 3; ++axis)
            points[i][axis] += amount * (2 * randomUnit(seed, 3 * i + static_cast<uint64_t>(axis)) - 1);
    return points;
}

// Particles of the scene's first fluid at these points, as a simulation would hold them at its start.
inline State stateOf(const std::vector<Vec3>& points, Vec3 velocity = {}) {
    State state(oneThread());
    state.nextId = static_cast<int64_t>(points.size());
    Particles& particles = state.particles;
    particles.resize(static_cast<int>(points.size()));
    for (int i = 0; i < particles.count(); ++i) {
        particles.x[i] = points[static_cast<size_t>(i)];
        particles.v[i] = particles.vHalf[i] = velocity;
        particles.id[i] = i;
    }
    return state;
}

// Neighbours, densities and accelerations of particles that stay where they are and in their order.
struct Measured {
    Particles particles;
    Neighbors neighbors{oneThread()};
    Materials materials{oneThread()};
    Buffer<float> volume{oneThread()};

    Measured(const Scene& scene, const std::vector<Vec3>& points, const std::vector<Vec3>& velocities = {})
        : particles(stateOf(points).particles) {
        for (size_t i = 0; i < velocities.size(); ++i) particles.v[static_cast<int>(i)] = velocities[i];
        materials.set(scene);
        neighbors.build(particles.x, materials.searchRadius);
        computeDensity(particles, neighbors, materials, volume);
        applyForces(particles, neighbors, materials, volume);
    }
    int count() const { return particles.count(); }
    Vec3 a(int i) const { return particles.a[i]; }
    // Force on a particle, N: m a.
    Vec3 force(int i) const { return materials.fluids[particles.body[i]].mass * a(i); }
};

// Every pressure solver with every wall that fluids see, or feel by contact alone.
struct SolverAndWalls {
    PressureSolver solver;
    WallModel walls;
};
inline std::vector<SolverAndWalls> everySolverAndWalls() {
    std::vector<SolverAndWalls> all;
    for (const PressureSolver solver : {PressureSolver::wcsph, PressureSolver::pbf, PressureSolver::dfsph})
        for (const WallModel walls : {WallModel::contact, WallModel::particles, WallModel::volumeMap})
            all.push_back({solver, walls});
    return all;
}
inline std::string nameOf(const testing::TestParamInfo<SolverAndWalls>& info) {
    return std::string(choicesOf(PressureSolver{})[static_cast<size_t>(info.param.solver)]) + "_" +
           choicesOf(WallModel{})[static_cast<size_t>(info.param.walls)];
}

// Takes the particles of `state` to `time` in even steps of `dt`, a call each.
inline const Frame& run(Simulator& simulator, const Scene& scene, double time, double dt) {
    const double start = simulator.state().time;
    const int calls = static_cast<int>((time - start) / dt + 0.5);
    for (int i = 1; i <= calls; ++i) simulator.advanceTo(scene, start + (time - start) * i / calls);
    return simulator.frame();
}

// What water in a box with a volume map does to the floor, N/m²: Σ pᵢ Vᵢ B over the particles that see it. Of pbf and
// dfsph.
inline double pressureOnFloor(const Scene& scene, const Frame& frame, double area) {
    Materials materials(oneThread());
    materials.set(scene);
    const CubicSpline W =
        steepWallSpline(materials.spline, materials.spacing, wallSteepness(scene.solver.pressureSolver, false));
    Boundary boundary(oneThread());
    boundary.prepare(StepColliders(scene), materials.spacing, BoundaryKernel::cubicSpline(W.h),
                     {BoundaryModel::volumeMap});
    boundary.moveTo(StepColliders(scene), 1, 1, 0);
    Buffer<Vec3> x(oneThread(), static_cast<int>(frame.points.count()));
    std::copy(frame.points.positions.begin(), frame.points.positions.end(), x.begin());
    boundary.findNeighbors(x);
    double force = 0;
    for (int i = 0; i < x.size(); ++i)
        boundary.view().forEach(i, [&](Vec3 at, float volume, Vec3, float) {
            const Vec3 d = x[i] - at;
            force -= double(frame.points.pressures[static_cast<size_t>(i)]) *
                     double(materials.fluids[0].restVolume * volume * W.gradientFactor(length(d)) * d.y);
        });
    return force / area;
}

}  // namespace purl::test
