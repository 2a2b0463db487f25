// What walls do to fluid that is shaken, pushed and rubbed by them, for each pressure solver and each wall model.
#include "solver/fluid/boundaryPressure.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/solver/meshes.h"
#include "tests/solver/testScenes.h"

namespace purl {
namespace {

using namespace test;

constexpr float kSpacing = 0.02f;

class FluidAndWalls : public testing::TestWithParam<SolverAndWalls> {};
INSTANTIATE_TEST_SUITE_P(Pressure, FluidAndWalls, testing::ValuesIn(everySolverAndWalls()), nameOf);

Scene sceneFor(const SolverAndWalls& which) {
    Scene scene;
    scene.solver.pressureSolver = which.solver;
    scene.fluids.push_back(dampedWater("water"));
    return scene;
}

// A box, and across its middle a sheet of two triangles that belongs to no inside: water on one side of it only.
struct Shaker {
    static constexpr float kHalf = 6 * kSpacing;
    Scene scene;
    TriangleMesh sheet;
    bool boxOfTriangles;

    Shaker(const SolverAndWalls& which, bool triangles) : scene(sceneFor(which)), boxOfTriangles(triangles) {
        const Vec3 half{kHalf, kHalf, kHalf};
        scene.fluids[0].volumes.push_back(
            boxMesh({-kHalf + 0.5f * kSpacing, -kHalf, -kHalf}, {-1.5f * kSpacing, 2 * kSpacing, kHalf}));
        scene.colliders.push_back(boxCollider(-half, half));
        // A little larger than the box's cross-section.
        sheet = sheetMesh({}, 1.1f * kHalf);
        for (Vec3& x : sheet.vertices) x = {0, x.x, x.z};
        Collider wall;
        wall.name = "sheet";
        scene.colliders.push_back(wall);
        for (Collider& collider : scene.colliders) collider.params.boundary = which.walls;
        if (triangles) scene.colliders[0].params.shape = ColliderShape::mesh;
        place(0);
    }

    // To and fro by more than the box is wide, at several metres a second, turning about as it goes.
    Pose poseAt(double time) const {
        const auto t = static_cast<float>(time);
        return {{0.25f * std::sin(17 * t), 0.1f * std::sin(23 * t), 0.1f * std::sin(11 * t)},
                turned({1, 2, 3}, 0.8f * std::sin(7 * t))};
    }
    void place(double time) {
        const Pose pose = poseAt(time);
        scene.colliders[0].pose = boxOfTriangles ? Pose() : pose;
        const Vec3 half{kHalf, kHalf, kHalf};
        if (boxOfTriangles) scene.colliders[0].mesh = boxMesh(-half, half);
        scene.colliders[1].mesh = sheet;
        for (Collider& collider : scene.colliders)
            for (Vec3& x : collider.mesh.vertices) x = pose.toWorld(x);
    }
    int escaped(const Frame& frame, double time) const {
        const Pose pose = poseAt(time);
        int count = 0;
        for (const Vec3& world : frame.points.positions) {
            const Vec3 x = pose.toLocal(world);
            // Between frames the box's corners go straight while the box turns: a few thousandths of a spacing.
            const float most = std::max({-x.x, std::fabs(x.y), std::fabs(x.z)});
            count += !isFinite(world) || most > kHalf + 0.02f * kSpacing || x.x > 0.02f * kSpacing;
        }
        return count;
    }
};

void expectNobodyEscapes(const SolverAndWalls& which, int steps) {
    for (const bool triangles : {false, true}) {
        Shaker shaker(which, triangles);
        Simulator simulator(oneThread());
        const size_t all = simulator.reset(shaker.scene).points.count();
        ASSERT_GT(all, 300u);  // 384
        double taken = 0, time = 0;
        while (taken < steps) {
            time += 1 / 240.0;
            shaker.place(time);
            const Frame& frame = simulator.advanceTo(shaker.scene, time);
            taken += frame.stats.steps;
            ASSERT_EQ(frame.points.count(), all);
            ASSERT_EQ(shaker.escaped(frame, time), 0) << (triangles ? "mesh" : "box") << " after " << taken << " steps";
        }
    }
}

// K-45 K-46 L-26
TEST_P(FluidAndWalls, nothingEscapesAShakenBoxOrPassesAThinSheet) { expectNobodyEscapes(GetParam(), 60); }
TEST_P(FluidAndWalls, nothingEscapesAThousandStepsOfShaking_nightly) { expectNobodyEscapes(GetParam(), 1000); }

// A full box is keyed to go faster and faster: its end wall pushes the water along, which has nowhere to go but with
// it, and must have been given all of the momentum that it then has.
TEST_P(FluidAndWalls, aKeyedWallGivesTheFluidItsMomentum) {
    constexpr float kAcceleration = 5;
    Scene scene = sceneFor(GetParam());
    scene.solver.gravity = 0;
    scene.solver.maxTimeStep = 0.002f;
    const Vec3 size = kSpacing * Vec3{12, 8, 8};
    scene.fluids[0].volumes.push_back(boxMesh({}, size));
    scene.colliders.push_back(boxCollider({}, size + Vec3{0, 0.5f * kSpacing, 0}));
    scene.colliders[0].params.boundary = GetParam().walls;
    const float start = scene.colliders[0].pose.position.x;
    Simulator simulator(oneThread());
    simulator.reset(scene);
    double mean = 0;
    const int frames = 40, averaged = 10;
    for (int frame = 1; frame <= frames; ++frame) {
        const float t = 0.01f * float(frame);
        scene.colliders[0].pose.position.x = start + 0.5f * kAcceleration * t * t;
        const Points& points = simulator.advanceTo(scene, double(t)).points;
        double sum = 0;
        for (const Vec3& v : points.velocities) sum += double(v.x);
        // Over some frames, for a springy fluid sways.
        if (frame > frames - averaged)
            mean += sum / double(points.count()) / (double(kAcceleration) * double(t)) / averaged;
    }
    // 2.3 % at most.
    EXPECT_NEAR(mean, 1, 0.04);
}

// Speed that a floor moving at 1 m/s gives the water next to it in 0.1 s.
double draggedAlong(const SolverAndWalls& which, float friction) {
    Scene scene = sceneFor(which);
    scene.fluids[0].params.viscosity = 0;
    scene.solver.xsph = 0;
    scene.fluids[0].volumes.push_back(boxMesh({0, 0, 0}, kSpacing * Vec3{14, 4, 14}));
    Collider floor;
    floor.name = "floor";
    floor.params.shape = ColliderShape::plane;
    floor.params.friction = friction;
    floor.params.boundary = which.walls;
    scene.colliders.push_back(floor);
    Simulator simulator(oneThread());
    simulator.reset(scene);
    for (int frame = 1; frame <= 5; ++frame) {
        scene.colliders[0].pose.position.x = 0.02f * float(frame);
        simulator.advanceTo(scene, 0.02 * frame);
    }
    double sum = 0;
    int count = 0;
    const Points& points = simulator.frame().points;
    // With contact particles lie on the floor, with a boundary in the density half a spacing above it.
    const float layer = (which.walls == WallModel::contact ? 0.05f : 0.8f) * kSpacing;
    for (size_t i = 0; i < points.count(); ++i)
        if (points.positions[i].y < layer) sum += double(points.velocities[i].x), ++count;
    EXPECT_GT(count, 50);  // 114 and more in the layers compared
    return sum / count;
}

// B-58 B-61. A sheet slides on a wall at rest: without friction it keeps its momentum; with all of it the layer at the
// wall stands, and the rest slides over it. Walls drag by their own velocity: what is interpolated from the fluid
// (Bayraktar 5.2) drags by half of it, or, normalised, not at all.
TEST_P(FluidAndWalls, freeSlipKeepsMomentumAndNoSlipHoldsTheLayer) {
    const auto speedsAfter = [&](float friction) {
        Scene scene = sceneFor(GetParam());
        scene.fluids[0].params.viscosity = 0;
        scene.fluids[0].params.surfaceTension = 0;
        scene.fluids[0].params.startVelocity = {1, 0, 0};
        scene.solver.xsph = 0;
        const bool contact = GetParam().walls == WallModel::contact;
        const float gap = contact ? 0 : 0.5f * kSpacing;  // the lattice lies on the floor, or half a spacing above it
        State state = stateOf(lattice(14, 5, 14, kSpacing, {0, gap - 0.5f * kSpacing, 0}), {1, 0, 0});
        Collider floor;
        floor.name = "floor";
        floor.params.shape = ColliderShape::plane;
        floor.params.friction = friction;
        floor.params.boundary = GetParam().walls;
        scene.colliders.push_back(floor);
        Simulator simulator(oneThread());
        simulator.restore(state, scene);
        simulator.advanceTo(scene, 0.03);
        struct {
            double mean = 0, wall = 0;
        } speeds;
        int atWall = 0;
        const Points& points = simulator.frame().points;
        for (size_t i = 0; i < points.count(); ++i) {
            speeds.mean += double(points.velocities[i].x) / double(points.count());
            if (points.positions[i].y > gap + (contact ? 0.02f : 0.3f) * kSpacing) continue;
            speeds.wall += double(points.velocities[i].x);
            ++atWall;
        }
        EXPECT_GT(atWall, 5);  // 8 and more touch it
        speeds.wall /= atWall;
        return speeds;
    };
    EXPECT_NEAR(speedsAfter(0).mean, 1, 1e-5);  // rounding: nothing else acts along the wall
    const auto rough = speedsAfter(1);
    // wcsph shows the mean of the half steps' velocities, that before the contact and that after it.
    const bool halves = GetParam().solver == PressureSolver::wcsph && GetParam().walls == WallModel::contact;
    EXPECT_LT(std::fabs(rough.wall), (halves ? 0.1 : 0.05) * rough.mean);
}

// Friction 0 slips freely, 1 sticks, and more of it never drags less.
TEST_P(FluidAndWalls, frictionRangesFromFreeSlipToNoSlip) {
    const double free = draggedAlong(GetParam(), 0), little = draggedAlong(GetParam(), 0.05f),
                 half = draggedAlong(GetParam(), 0.3f), all = draggedAlong(GetParam(), 1);
    EXPECT_NEAR(free, 0, 0.002);     // 3e-4 of the speed
    EXPECT_GT(little, free + 0.05);  // 0.17 to 0.35: between free slip and half friction
    EXPECT_LT(little, 0.7);
    EXPECT_GT(half, little);
    EXPECT_NEAR(all, 1, 0.1);  // 0.96 and more: the layer sticks
}

// B-121. Water falls from ball to ball, through none of them, and ends below the last.
TEST(Cascade, fallsFromBallToBallAndThroughNone) {
    for (const PressureSolver solver : {PressureSolver::wcsph, PressureSolver::pbf, PressureSolver::dfsph}) {
        Scene scene = sceneFor({solver, WallModel::automatic});
        scene.fluids[0].volumes.push_back(boxMesh(kSpacing * Vec3{-4, 40, -4}, kSpacing * Vec3{4, 48, 4}));
        for (int k = 0; k < 3; ++k) {
            Collider ball = smoothCollider("ball" + std::to_string(k));
            ball.params.shape = ColliderShape::sphere;
            ball.params.radius = 6 * kSpacing;
            ball.pose.position = kSpacing * Vec3{k % 2 ? 5.0f : -5.0f, 28 - 14.0f * float(k), 1.5f};
            scene.colliders.push_back(ball);
        }
        Simulator simulator(oneThread());
        const size_t all = simulator.reset(scene).points.count();
        for (int frame = 1; frame <= 24; ++frame) {
            const Points& points = simulator.advanceTo(scene, frame / 24.0).points;
            ASSERT_EQ(points.count(), all);
            for (const Vec3 x : points.positions)
                for (const Collider& ball : scene.colliders)
                    ASSERT_GT(length(x - ball.pose.position), (1 - 1e-4f) * ball.params.radius) << int(solver);
        }
        // Some drops cling to the top of a ball for longer than this second.
        int below = 0;
        for (const Vec3 x : simulator.frame().points.positions) below += x.y < -6 * kSpacing;
        EXPECT_GT(below, static_cast<int>(0.9 * double(all))) << int(solver);  // 511 of 512; a drop may stay on a ball
    }
}

// Every wall model bears the water's weight: below the two layers at the top, pressure is ρ g times the depth; that of
// the floor's own layer too, and the water stands as high as it was poured.
void expectHydrostatic(const SolverAndWalls& which, bool triangles, int across, int layers) {
    Scene scene = sceneFor(which);
    scene.fluids[0].params.jitter = 0.3f;  // as after a splash
    const Vec3 size = kSpacing * Vec3{float(across), float(layers), float(across)}, room = size + Vec3{0, 0.2f, 0};
    scene.fluids[0].volumes.push_back(boxMesh({}, size));
    scene.colliders.push_back(boxCollider({}, room));
    if (triangles) {
        scene.colliders[0].params.shape = ColliderShape::mesh;
        scene.colliders[0].mesh = boxMesh({}, room);
    }
    scene.colliders[0].params.boundary = which.walls;
    Simulator simulator(oneThread());
    const size_t all = simulator.reset(scene).points.count();
    const double weight = 9.81 * scene.fluids[0].params.restDensity;
    double inside[2] = {}, floor[2] = {}, height = 0;
    const int frames = 24, counted = 12;
    for (int frame = 1; frame <= frames; ++frame) {
        const Points& points = simulator.advanceTo(scene, frame / 24.0).points;
        ASSERT_EQ(points.count(), all);
        if (frame <= frames - counted) continue;
        double mean = 0;
        for (const Vec3& x : points.positions) mean += double(x.y) / double(all);
        height += mean / counted;
        for (size_t i = 0; i < all; ++i) {
            const Vec3 x = points.positions[i];
            const double depth = 2 * mean - double(x.y);
            const float side = std::min({x.x, x.z, size.x - x.x, size.z - x.z});
            if (side < 3 * kSpacing || depth < 2 * double(kSpacing)) continue;
            auto& sums = x.y < kSpacing ? floor : inside;
            if (x.y > kSpacing && x.y < 2 * kSpacing) continue;
            sums[0] += double(points.pressures[i]);
            sums[1] += weight * depth;
        }
    }
    EXPECT_NEAR(inside[0] / inside[1], 1, 0.03);
    EXPECT_NEAR(floor[0] / floor[1], 1, 0.05);
    EXPECT_NEAR(2 * height / double(size.y), 1, 0.025);
}

TEST(Hydrostatics, pressureIsThatOfTheDepthInMeshesWithParticles_nightly) {
    for (const PressureSolver solver : {PressureSolver::pbf, PressureSolver::dfsph})
        expectHydrostatic({solver, WallModel::particles}, true, 16, 14);
}
TEST(Hydrostatics, pressureIsThatOfTheDepthInVolumeMaps_nightly) {
    for (const PressureSolver solver : {PressureSolver::pbf, PressureSolver::dfsph})
        expectHydrostatic({solver, WallModel::volumeMap}, false, 16, 14);
}

// A wall's push must be the gradient of what it adds to the density: any other stirs wcsph's water for ever. At rest it
// is as calm as the solvers of pressure leave it (they: 0.02 m/s), and stands as high as it was poured.
TEST(Hydrostatics, wcsphComesToRestBetweenBoundaries) {
    for (const WallModel model : {WallModel::particles, WallModel::volumeMap}) {
        Scene scene = sceneFor({PressureSolver::wcsph, model});
        FluidParams& water = scene.fluids[0].params;
        water.stiffness = 200;  // compresses by a hundredth at 0.2 m
        water.wcsph.kernel = SmoothingKernel::cubicSpline;
        water.wcsph.attraction = water.surfaceTension = 0;
        const Vec3 size = kSpacing * Vec3{8, 10, 8};
        scene.fluids[0].volumes.push_back(boxMesh({}, size));
        scene.colliders.push_back(boxCollider({}, size + Vec3{0, 0.2f, 0}));
        scene.colliders[0].params.boundary = model;
        Simulator simulator(oneThread());
        simulator.reset(scene);
        const Points& points = simulator.advanceTo(scene, 1.5).points;
        double energy = 0, height = 0;
        for (size_t i = 0; i < points.count(); ++i) {
            energy += double(lengthSquared(points.velocities[i])) / double(points.count());
            height += double(points.positions[i].y) / double(points.count());
        }
        EXPECT_LT(std::sqrt(energy), 0.05);                 // m/s: 0.006 measured
        EXPECT_NEAR(2 * height / double(size.y), 1, 0.03);  // 1.5 % measured
    }
}

}  // namespace
}  // namespace purl
