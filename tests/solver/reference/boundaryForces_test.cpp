#include "solver/reference/boundaryForces.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace purl
