#include "solver/reference/boundaryForces.h"

#include <gtest/gtest.h>

#include "solver/fluid/boundaryPressure.h"
#include "tests/solver/meshes.h"
#include "tests/solver/testScenes.h"

namespace purl {
namespace {

// B-62
TEST(LennardJones, hasTheDocumentsValuesAndNeverPulls) {
    EXPECT_EQ(lennardJones(1, 1, 1), 0);
    EXPECT_NEAR(lennardJones(0.9f, 1, 1), 1.843366, 2e-5);
    EXPECT_NEAR(lennardJones(0.8f, 1, 1), 13.421522, 2e-4);
    EXPECT_NEAR(lennardJones(0.5f, 1, 1), 8064, 0.1);
    EXPECT_EQ(lennardJones(2, 1, 1), 0);
    for (int i = 1; i <= 100; ++i) EXPECT_GE(lennardJones(0.02f * float(i), 1, 1), 0);
    EXPECT_EQ(SolverParams().reference.wallRange, 1) << "as far as the kernel, by default";
}

// B-45 G-22
TEST(BallContact, pushesWhatOverlapsAndTakesTheBounce) {
    const BallContact contact{1, 100, 3};
    EXPECT_EQ(contact.normal({0, 1.01f, 0}, {0, -5, 0}), Vec3{});
    EXPECT_NEAR(length(contact.normal({0, 0.9f, 0}, {}) - Vec3{0, 10, 0}), 0, 1e-4f) << "k u at zero velocity";
    // Thrown at a wall it comes back slower, the more so the more damping.
    const auto rebound = [](float damping) {
        const BallContact wall{1, 100, damping};
        float x = 1, v = -1;
        for (int i = 0; i < 100000 && (x < 1 || v < 0); ++i) {
            v += 1e-4f * wall.normal({0, x, 0}, {0, v, 0}).y;
            x += 1e-4f * v;
        }
        return v;
    };
    EXPECT_NEAR(rebound(0), 1, 1e-3);
    EXPECT_LT(rebound(5), 0.6);
    EXPECT_GT(rebound(5), 0.1);
}

// B-46 G-23
TEST(BallContact, rubsAgainstTheSlidingWithinCoulombsBound) {
    const BallContact contact{1, 100, 3};
    const Vec3 f = contact.friction({0, 0.9f, 0}, {2, -7, 0}, 0.5f);
    EXPECT_NEAR(length(f - Vec3{-5, 0, 0}), 0, 1e-4f) << "mu k u, against the sliding, whatever its speed";
    EXPECT_EQ(contact.friction({0, 0.9f, 0}, {2, 0, 0}, 0), Vec3{});
    EXPECT_EQ(contact.friction({0, 1.1f, 0}, {2, 0, 0}, 0.5f), Vec3{});
    EXPECT_EQ(contact.friction({0, 0.9f, 0}, {0, -1, 0}, 0.5f), Vec3{}) << "nothing slides";
}

// A sheet of fluid on the floor of a box.
Scene sheetOnFloor(ReferenceBoundary model, float friction, Vec3 velocity, WallModel standard = WallModel::contact) {
    Scene scene = test::wcsphScene();
    Fluid water = test::dampedWater("water");
    water.params.startVelocity = velocity;
    water.volumes = {boxMesh({-0.1f, 0.01f, -0.1f}, {0.1f, 0.07f, 0.1f})};
    scene.fluids = {water};
    Collider box = test::boxCollider({-0.5f, 0, -0.5f}, {0.5f, 1, 0.5f});
    box.params.boundary = standard;
    box.params.reference.boundary = model;
    box.params.friction = friction;
    scene.colliders = {box};
    scene.solver.maxTimeStep = 0.001f;
    return scene;
}

double lowestMean(const Frame& frame) {
    double lowest = 1e9;
    for (const Vec3 x : frame.points.positions) lowest = std::min(lowest, double(x.y));
    return lowest;
}

// B-57 B-62 B-63. Both laws hold the fluid off the floor by their reach, where contact alone lets it lie on it, and
// none of it gets out.
TEST(WallForces, holdTheFluidOffTheWall) {
    for (const ReferenceBoundary model :
         {ReferenceBoundary::none, ReferenceBoundary::lennardJones, ReferenceBoundary::dem}) {
        const Scene scene = sheetOnFloor(model, 0, {0.5f, 0, 0});
        Simulator simulator(test::oneThread());
        const Frame& frame = test::run(simulator, scene, 0.25, 0.05);
        for (const Vec3 x : frame.points.positions)
            EXPECT_TRUE(std::fabs(x.x) <= 0.5f && std::fabs(x.z) <= 0.5f && x.y >= 0);
        EXPECT_LT(frame.stats.maxSpeed, 5);
        if (model == ReferenceBoundary::none) {
            EXPECT_LT(lowestMean(frame), 0.001);
        } else {
            EXPECT_GT(lowestMean(frame), 0.0015) << choicesOf(model)[static_cast<size_t>(model)];
        }
    }
}

// B-63. dem's friction slows the sheet; without it the sheet slides on, but for the bumps of a wall of balls.
TEST(WallForces, demRubsByItsFrictionAlone) {
    const auto momentumKept = [](float friction, float stiffness) {
        Scene scene = sheetOnFloor(ReferenceBoundary::dem, friction, {0.5f, 0, 0});
        scene.solver.reference.wallStiffness = stiffness;
        Simulator simulator(test::oneThread());
        const Frame& frame = test::run(simulator, scene, 0.2, 0.05);
        double sum = 0;
        for (const Vec3 v : frame.points.velocities) sum += v.x;
        return sum / double(frame.points.count()) / 0.5;
    };
    for (const float stiffness : {1e5f, 3e4f}) {
        EXPECT_GT(momentumKept(0, stiffness), 0.5);
        EXPECT_LT(momentumKept(0.5f, stiffness), 0.7 * momentumKept(0, stiffness));
    }
}

// The wall that a fluid sees, as wcsph's particles measure it: a floor at 0 under a block of 6 × 3 × 6 particles that
// is dense enough to press, `gap` above it.
struct OnFloor {
    float density = 0, pressure = 0, push = 0;  // kg/m³, Pa and m/s² upward, of a particle in the middle of the floor

    OnFloor(float gap, bool seen) {
        constexpr float kSpacing = 0.018f;
        Scene scene = sheetOnFloor(ReferenceBoundary::none, 0, {}, WallModel::particles);
        test::Measured measured(scene, test::lattice(6, 3, 6, kSpacing, {0, gap - 0.5f * kSpacing, 0}));
        const Poly6 poly6(measured.materials.searchRadius);
        Boundary walls(test::oneThread());
        walls.prepare(StepColliders(scene), measured.materials.spacing,
                      BoundaryKernel(measured.materials.searchRadius,
                                     [&](double r) { return poly6(static_cast<float>(r * r)); }));
        walls.moveTo(StepColliders(scene), 1, 1, 0);
        walls.findNeighbors(measured.particles.x);
        const int middle = 2 + 6 * (0 + 3 * 2);
        if (seen) addBoundaryDensity(measured.particles, walls, measured.materials, measured.volume);
        const float before = measured.a(middle).y;
        if (seen) addBoundaryPressure(measured.particles, walls, measured.materials);
        density = measured.particles.density[middle];
        pressure = measured.particles.pressure[middle];
        push = measured.a(middle).y - before;
    }
};

// B-59 B-60. The nearer, the denser, the harder it presses and the harder the wall pushes back, up to where it is out
// of reach; not seen by the density it would press the same at any distance.
TEST(WallForces, seenWallsPressTheMoreTheNearer) {
    const float h = static_cast<float>(
        supportRadius(sheetOnFloor(ReferenceBoundary::none, 0, {}, WallModel::particles).fluids[0].params));
    OnFloor last(0.1f * h, true);
    EXPECT_GT(last.push, 0);
    for (const float gap : {0.2f, 0.3f, 0.4f, 0.5f, 0.6f}) {
        const OnFloor now(gap * h, true), blind(gap * h, false);
        EXPECT_LT(now.density, last.density) << gap;
        EXPECT_LT(now.pressure, last.pressure) << gap;
        if (now.pressure > 0) {
            EXPECT_GT(now.push, 0) << gap;
            EXPECT_LT(now.push, last.push) << gap;
        }
        EXPECT_NEAR(blind.density, OnFloor(0.1f * h, false).density, 1e-5f * blind.density) << gap;
        last = now;
    }
    EXPECT_EQ(OnFloor(1.01f * h, true).push, 0);
    EXPECT_EQ(OnFloor(1.01f * h, true).density, OnFloor(1.01f * h, false).density);
}

// B-64. Walls by forces walk the wall's points once a step; those that a fluid sees twice, once for its density and
// once for its pressure. How long that takes is told in docs/performance.md.
TEST(WallForces, ofDistanceAloneNeedOnePass) {
    const auto passes = [](ReferenceBoundary model) {
        const Scene scene = sheetOnFloor(model, 0, {}, WallModel::particles);
        Simulator simulator(test::oneThread());
        simulator.reset(scene);
        simulator.clearTimings();
        simulator.advanceTo(scene, 0.001);
        std::vector<std::string> names;
        for (const PhaseTime& phase : simulator.timings())
            for (const char* wall : {"addWallDensity", "addWallPressure", "repelFromWalls", "touchWalls"})
                if (phase.phase == std::string(wall)) names.push_back(wall);
        return names;
    };
    EXPECT_EQ(passes(ReferenceBoundary::none), (std::vector<std::string>{"addWallDensity", "addWallPressure"}));
    EXPECT_EQ(passes(ReferenceBoundary::lennardJones), std::vector<std::string>{"repelFromWalls"});
    EXPECT_EQ(passes(ReferenceBoundary::dem), std::vector<std::string>{"touchWalls"});
}

// B-65's law: pulled as strongly as the wall's pressure pushes, a particle feels nothing of the wall.
TEST(WallForces, fullAdhesionCancelsTheWallsPressure) {
    Scene scene = sheetOnFloor(ReferenceBoundary::none, 0, {}, WallModel::particles);
    scene.fluids[0].params.restDensity = 900;
    const std::vector<Vec3> points = test::lattice(6, 3, 6, 0.018f);
    test::Measured measured(scene, points);
    Boundary walls(test::oneThread());
    const Poly6 poly6(measured.materials.searchRadius);
    const BoundaryKernel kernel(measured.materials.searchRadius,
                                [&](double r) { return poly6(static_cast<float>(r * r)); });
    walls.prepare(StepColliders(scene), measured.materials.spacing, kernel);
    walls.moveTo(StepColliders(scene), 1, 1, 0);
    walls.findNeighbors(measured.particles.x);
    addBoundaryDensity(measured.particles, walls, measured.materials, measured.volume);
    const Buffer<Vec3> before = measured.particles.a;
    addBoundaryPressure(measured.particles, walls, measured.materials);
    float pushed = 0, left = 0;
    for (int i = 0; i < measured.count(); ++i) pushed = std::max(pushed, length(measured.a(i) - before[i]));
    addBoundaryAdhesion(measured.particles, walls, measured.materials, 1);
    for (int i = 0; i < measured.count(); ++i) left = std::max(left, length(measured.a(i) - before[i]));
    EXPECT_GT(pushed, 1);
    EXPECT_LT(left, 1e-4f * pushed);
}

}  // namespace
}  // namespace purl
