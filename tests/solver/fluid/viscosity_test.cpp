#include "solver/fluid/viscosity.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <string>

#include "solver/cache/stateFile.h"
#include "solver/fluid/implicitViscosity.h"
#include "tests/solver/meshes.h"
#include "tests/solver/testScenes.h"

namespace purl {
namespace {

using namespace test;

constexpr float kSpacing = 0.02f;
constexpr PressureSolver kSolvers[] = {PressureSolver::wcsph, PressureSolver::pbf, PressureSolver::dfsph};

Scene syrup(ViscosityModel model, float viscosity, PressureSolver solver = PressureSolver::dfsph) {
    Scene scene;
    scene.solver.gravity = 0;
    scene.solver.pressureSolver = solver;
    scene.fluids.push_back(dampedWater("syrup"));
    FluidParams& params = scene.fluids[0].params;
    params.viscosityModel = model;
    params.viscosity = viscosity;
    params.surfaceTension = 0;
    return scene;
}

// Particles that stay where they are while viscosity acts on their velocities.
struct Frozen {
    Scene scene;
    Particles particles;
    Neighbors neighbors{oneThread()};
    Materials materials{oneThread()};
    Boundary boundary{oneThread()};
    Buffer<float> volume{oneThread()};
    ImplicitViscosity implicit{oneThread()};
    ViscosityReport report;

    Frozen(const Scene& of, const std::vector<Vec3>& points, const std::function<Vec3(Vec3)>& velocity)
        : scene(of), particles(stateOf(points).particles) {
        materials.set(scene);
        neighbors.build(particles.x, materials.searchRadius);
        if (!scene.colliders.empty()) {
            boundary.prepare(StepColliders(scene), materials.spacing,
                             BoundaryKernel::cubicSpline(materials.searchRadius));
            boundary.moveTo(StepColliders(scene), 1, 1, 0);
            boundary.findNeighbors(particles.x);
        }
        volume.resize(particles.count());
        for (int i = 0; i < particles.count(); ++i) {
            const FluidConstants& fluid = materials.fluids[particles.body[i]];
            particles.density[i] = fluid.restDensity;
            volume[i] = fluid.mass / fluid.restDensity;
            particles.v[i] = velocity(particles.x[i]);
        }
    }
    const Boundary* walls() const { return scene.colliders.empty() ? nullptr : &boundary; }
    // One step of viscosity alone.
    void step(float dt) {
        for (Vec3& a : particles.a) a = {};
        LaneMemory memory;
        addExplicitViscosity(particles, neighbors, walls(), materials, dt, particles.v, volume, memory);
        for (int i = 0; i < particles.count(); ++i) particles.v[i] += dt * particles.a[i];
        if (materials.implicitViscosity)
            report = implicit.solve(particles, neighbors, walls(), materials, scene.solver, dt, volume, particles.v);
    }
    double energy() const {
        double sum = 0;
        for (const Vec3& v : particles.v) sum += double(lengthSquared(v));
        return sum;
    }
};

Vec3 wave(Vec3 x) { return {std::sin(17 * x.y), std::cos(11 * x.z), std::sin(13 * x.x)}; }
std::vector<Vec3> cloud() { return jittered(lattice(9, 9, 9, kSpacing), 0.2f * kSpacing); }

// ν ∇²v of v = (y², 0, 0) is 2ν along x. On a lattice the forms see only its few directions, so it is a mean over
// shuffled points; with 33 neighbours it is right to a fifth.
TEST(Viscosity, ofEachModelIsThePhysicalOne) {
    const float mu = 2, rho = FluidParams{}.restDensity, dt = 1e-4f;
    for (const ViscosityModel model : {ViscosityModel::morris, ViscosityModel::xsph, ViscosityModel::implicit}) {
        Frozen fluid(syrup(model, mu), jittered(lattice(16, 16, 16, kSpacing), 0.3f * kSpacing), [](Vec3 x) {
            return Vec3{100 * square(x.y - 0.16f), 0, 0};
        });
        fluid.scene.solver.maxViscosityError = 0.001f;
        const Particles before = fluid.particles;
        fluid.step(dt);
        double sum = 0;
        int inside = 0;
        for (int i = 0; i < before.count(); ++i) {
            const Vec3 x = before.x[i] - Vec3{0.16f, 0.16f, 0.16f};
            if (std::max({std::fabs(x.x), std::fabs(x.y), std::fabs(x.z)}) > 0.1f) continue;
            sum += double(fluid.particles.v[i].x - before.v[i].x) / double(dt);
            ++inside;
        }
        // 18 % at most: sums over a lattice.
        EXPECT_NEAR(sum / inside / (200 * mu / rho), 1, 0.22) << static_cast<int>(model);
    }
}

TEST(Viscosity, leavesAFluidThatMovesAsOneAlone) {
    for (const ViscosityModel model : {ViscosityModel::morris, ViscosityModel::xsph, ViscosityModel::implicit}) {
        Frozen fluid(syrup(model, 50), cloud(), [](Vec3) { return Vec3{3, -2, 1}; });
        fluid.step(1e-3f);
        for (const Vec3& v : fluid.particles.v) EXPECT_EQ(v, (Vec3{3, -2, 1}));
    }
}

TEST(Viscosity, keepsMomentum) {
    for (const ViscosityModel model : {ViscosityModel::morris, ViscosityModel::xsph, ViscosityModel::implicit}) {
        Frozen fluid(syrup(model, 20), cloud(), wave);
        const auto momentum = [&] {
            double sum[3] = {};
            for (const Vec3& v : fluid.particles.v) sum[0] += v.x, sum[1] += v.y, sum[2] += v.z;
            return Vec3{float(sum[0]), float(sum[1]), float(sum[2])};
        };
        const Vec3 before = momentum();
        for (int n = 0; n < 5; ++n) fluid.step(1e-3f);
        // 1.6e-6 per particle measured.
        EXPECT_LT(length(momentum() - before), 2e-5f * float(fluid.particles.count())) << static_cast<int>(model);
    }
}

// Pairs act along the line between them: honey may spin as a whole, which Morris's form forbids at its surface.
TEST(ImplicitViscosity, keepsSpin) {
    const Vec3 center = 4.5f * kSpacing * Vec3{1, 1, 1};
    const auto spin = [&](Vec3 x) { return cross(Vec3{0, 0, 5}, x - center); };
    const auto rest = [&](ViscosityModel model) {
        Frozen fluid(syrup(model, 100), lattice(9, 9, 9, kSpacing), spin);
        const double before = fluid.energy();
        for (int n = 0; n < 10; ++n) fluid.step(model == ViscosityModel::morris ? 1e-4f : 0.04f);
        return fluid.energy() / before;
    };
    EXPECT_NEAR(rest(ViscosityModel::implicit), 1, 1e-6);  // exact: a rigid rotation has no strain
    EXPECT_LT(rest(ViscosityModel::morris), 0.99);         // 0.94
}

// However viscous and however long the step; the explicit force is the negative control.
TEST(ImplicitViscosity, onlyDamps) {
    for (const float viscosity : {1.0f, 100.0f, 10000.0f}) {
        Frozen fluid(syrup(ViscosityModel::implicit, viscosity), cloud(), wave);
        fluid.scene.solver.maxViscosityIterations = 1000;
        double last = fluid.energy();
        for (int n = 0; n < 8; ++n) {
            fluid.step(1 / 24.0f);
            EXPECT_LE(fluid.energy(), last * (1 + 1e-6)) << viscosity;
            EXPECT_LE(fluid.report.error, double(fluid.scene.solver.maxViscosityError)) << viscosity;
            last = fluid.energy();
        }
    }
    Frozen blown(syrup(ViscosityModel::morris, 100), cloud(), wave);
    const double before = blown.energy();
    for (int n = 0; n < 4; ++n) blown.step(1 / 24.0f);
    EXPECT_GT(blown.energy(), before);
}

TEST(ImplicitViscosity, endsAtItsToleranceOrItsCap) {
    Frozen fluid(syrup(ViscosityModel::implicit, 1000), cloud(), wave);
    fluid.scene.solver.maxViscosityIterations = 3;
    fluid.scene.solver.maxViscosityError = 1e-3f;
    fluid.step(0.04f);
    EXPECT_EQ(fluid.report.iterations, 3);
    EXPECT_GT(fluid.report.error, 1e-3);
    fluid.scene.solver.maxViscosityIterations = 1000;
    fluid.step(0.04f);
    EXPECT_LT(fluid.report.iterations, 1000);  // 106: the tolerance ended it
    EXPECT_LE(fluid.report.error, 1e-3);
}

// A wall of friction 1 lets nothing slip, one without friction does not rub. Models that allow it feel the wall itself.
TEST(Viscosity, roughWallsDragTheFluid) {
    for (const ViscosityModel model : {ViscosityModel::morris, ViscosityModel::xsph, ViscosityModel::implicit}) {
        Scene scene = syrup(model, 10);
        const auto speedAtWall = [&](float friction) {
            scene.colliders = {boxCollider({0, 0, 0}, 9 * kSpacing * Vec3{1, 1, 1})};
            scene.colliders[0].params.friction = friction;
            Frozen fluid(scene, lattice(9, 9, 9, kSpacing), [](Vec3) { return Vec3{1, 0, 0}; });
            for (int n = 0; n < 10; ++n) fluid.step(1e-3f);
            return fluid.particles.v[4 + 9 * (0 + 9 * 4)].x;  // in the middle of the floor
        };
        EXPECT_EQ(speedAtWall(0), 1) << static_cast<int>(model);
        EXPECT_LT(speedAtWall(1), 0.7f) << static_cast<int>(model);  // 0.64; free slip keeps 1
        EXPECT_GT(speedAtWall(1), 0) << static_cast<int>(model);
    }
}

Scene slumpingBlock(PressureSolver solver, ViscosityModel model, float viscosity) {
    Scene scene = syrup(model, viscosity, solver);
    scene.solver.gravity = 9.81f;
    scene.fluids[0].volumes.push_back(boxMesh({0, 0, 0}, kSpacing * Vec3{4, 6, 4}));
    scene.colliders.resize(1);
    scene.colliders[0].name = "floor";
    scene.colliders[0].params.shape = ColliderShape::plane;
    return scene;
}

double width(const Frame& frame) {
    Bounds bounds;
    for (const Vec3& x : frame.points.positions) bounds.include(x);
    return double(bounds.size().x);
}

// Each model in each solver; thick is slow.
TEST(Viscosity, ofEachModelSlowsASlumpInEverySolver) {
    for (const PressureSolver solver : kSolvers)
        for (const ViscosityModel model :
             {ViscosityModel::mueller, ViscosityModel::morris, ViscosityModel::xsph, ViscosityModel::implicit}) {
            const auto widthOf = [&](float viscosity) {
                Simulator simulator(oneThread());
                return width(run(simulator, slumpingBlock(solver, model, viscosity), 0.15, 0.03));
            };
            const double thick = widthOf(30), thin = widthOf(0.5f);
            // At least 3 cm less than that.
            EXPECT_LT(thick, 0.95 * thin) << static_cast<int>(solver) << static_cast<int>(model);
        }
}

// Lava at steps that its force would not bear a hundredth of.
TEST(ImplicitViscosity, ofLavaTakesFrameSizedSteps) {
    Scene scene = slumpingBlock(PressureSolver::dfsph, ViscosityModel::implicit, 1000);
    scene.solver.cfl = 1;
    Simulator simulator(oneThread());
    const Frame& frame = run(simulator, scene, 0.25, 1 / 24.0);
    EXPECT_GT(frame.stats.viscosityIterations, 0);
    EXPECT_LE(frame.stats.viscosityError, 0.1);
    EXPECT_LE(frame.stats.steps, 3);                // 2
    EXPECT_LT(width(frame), 5 * double(kSpacing));  // 3.2 spacings
    EXPECT_LT(frame.stats.maxSpeed, 1);             // 0.02 m/s
}

// What implicit viscosity starts from is part of the state.
TEST(ImplicitViscosity, resumesToTheSameBitsWithAnyNumberOfThreads) {
    const Scene scene = slumpingBlock(PressureSolver::dfsph, ViscosityModel::implicit, 50);
    Simulator whole(oneThread());
    run(whole, scene, 0.06, 0.02);
    const std::string path = testing::TempDir() + "syrup.state";
    saveState(whole.state(), path);
    Simulator resumed(Device::cpu(2));
    resumed.restore(loadState(path, Device::cpu(2)), scene);
    std::remove(path.c_str());
    EXPECT_EQ(run(resumed, scene, 0.1, 0.02).stateHash, run(whole, scene, 0.1, 0.02).stateHash);

    State forgetful = whole.state();
    for (float& change : forgetful.particles.viscousChange.values) change = 0;
    resumed.restore(std::move(forgetful), scene);
    EXPECT_NE(run(resumed, scene, 0.14, 0.02).stateHash, run(whole, scene, 0.14, 0.02).stateHash);
}

TEST(Viscosity, onlyForcesLimitTheStep) {
    FluidParams params;
    params.viscosity = 100;
    const double mueller = viscosityStepLimit(params);
    params.viscosityModel = ViscosityModel::morris;
    EXPECT_NEAR(viscosityStepLimit(params) / mueller, 15.0 / 24, 1e-6);
    for (const ViscosityModel model : {ViscosityModel::xsph, ViscosityModel::implicit}) {
        params.viscosityModel = model;
        EXPECT_EQ(viscosityStepLimit(params), kUnbounded);
    }
}

// Plane Couette flow becomes a line from plate to plate: nothing slips at the plates, and not half a spacing before
// them.
TEST(Viscosity, flowBetweenPlatesIsALine) {
    constexpr float kHeight = 0.1f, kCell = 0.01f, kSpeed = 0.1f;
    Scene scene = syrup(ViscosityModel::morris, 10, PressureSolver::wcsph);
    scene.solver.dimensions = 2;
    scene.solver.wcsph.periodicSize = {12 * kCell, 0, 0};
    FluidParams& params = scene.fluids[0].params;
    params.particleSpacing = kCell;
    params.wcsph.kernel = SmoothingKernel::cubicSpline;
    params.stiffness = 4;
    scene.fluids[0].volumes.push_back(boxMesh({-6 * kCell, 0, -1}, {6 * kCell, kHeight, 1}));
    for (const bool moves : {false, true}) {
        Collider plate;
        plate.name = moves ? "upper" : "lower";
        plate.params.shape = ColliderShape::plane;
        plate.params.container = moves;
        plate.params.boundary = WallModel::volumeMap;
        plate.params.friction = 1;
        plate.pose.position.y = moves ? kHeight : 0;
        scene.colliders.push_back(plate);
    }
    Simulator simulator(oneThread());
    simulator.reset(scene);
    for (int frame = 1; frame <= 20; ++frame) {
        scene.colliders[1].pose.position.x = 0.05f * kSpeed * static_cast<float>(frame);
        simulator.advanceTo(scene, 0.05 * frame);
    }
    const Points& points = simulator.frame().points;
    ASSERT_GT(points.count(), 100u);
    for (size_t i = 0; i < points.count(); ++i)
        // 1 %, in the layers at the plates.
        EXPECT_NEAR(points.velocities[i].x, kSpeed * points.positions[i].y / kHeight, 0.02f * kSpeed);
}

}  // namespace
}  // namespace purl
