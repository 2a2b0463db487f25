#include "solver/cloth/cloth.h"

#include <gtest/gtest.h>

#include <cmath>

#include "solver/cache/stateFile.h"
#include "solver/cloth/forces.h"
#include "solver/core/describe.h"
#include "solver/core/error.h"
#include "tests/solver/cloth/cloths.h"
#include "tests/solver/testScenes.h"

namespace purl {
namespace {

using test::oneThread;

std::string nameOf(const testing::TestParamInfo<test::SolverChoice>& info) { return info.param.name(); }
class EveryClothSolver : public testing::TestWithParam<test::SolverChoice> {};
INSTANTIATE_TEST_SUITE_P(Cloth, EveryClothSolver, testing::ValuesIn(test::kEverySolver), nameOf);
// Without the approximate solvers, which damp rotation.
class ExactClothSolver : public EveryClothSolver {};
INSTANTIATE_TEST_SUITE_P(Cloth, ExactClothSolver,
                         testing::Values(ClothSolver::xpbd, ClothSolver::implicitEuler, ClothSolver::velocityVerlet),
                         nameOf);

Vec3 meanOf(const Buffer<Vec3>& values) {
    double x = 0, y = 0, z = 0;
    for (const Vec3& value : values) {
        x += double(value.x);
        y += double(value.y);
        z += double(value.z);
    }
    const double n = values.size();
    return {float(x / n), float(y / n), float(z / n)};
}

// B-33
TEST_P(EveryClothSolver, freeClothFallsUndeformed) {
    Cloth cloth = test::levelCloth(8, 0.5f);
    GetParam().applyTo(test::inVacuum(cloth).params);
    const Scene scene = test::sceneOf(cloth);
    Simulator simulator(oneThread());
    test::play(simulator, scene, 0.5);
    const Buffer<Vec3>& x = simulator.state().cloth.x;
    const double fall = 0.5 * double(scene.solver.gravity) * 0.25;
    for (int i = 0; i < x.size(); ++i) {
        const Vec3 start = cloth.points[i];
        // Semi-implicit Euler with step h falls g t h / 2 too far: 1 % at the longest step allowed here.
        EXPECT_NEAR(start.y - x[i].y, fall,
                    GetParam().solver == ClothSolver::velocityVerlet ? 1e-3 * fall : 0.01 * fall);
        EXPECT_NEAR(x[i].x, start.x, 1e-7);  // exactly, without forces across
        EXPECT_NEAR(x[i].z, start.z, 1e-7);
    }
}

// B-34
TEST_P(EveryClothSolver, airDragMakesVelocityDecay) {
    Cloth cloth = test::levelCloth(4, 0.3f);
    GetParam().applyTo(test::inVacuum(cloth).params);
    cloth.params.airDrag = 0.3f;
    cloth.params.density = 0.2f;
    cloth.params.startVelocity = {2, 0, 0};
    Scene scene = test::sceneOf(cloth);
    scene.solver.gravity = 0;
    Simulator simulator(oneThread());
    test::play(simulator, scene, 1);
    // c A / (ρ A) = 1.5 1/s
    EXPECT_NEAR(meanOf(simulator.state().cloth.v).x, 2 * std::exp(-1.5), 0.01 * 2 * std::exp(-1.5));
}

// B-35
TEST_P(EveryClothSolver, windPushesAlongTheNormalOnly) {
    Cloth cloth = test::levelCloth(6, 0.5f);
    GetParam().applyTo(test::inVacuum(cloth).params);
    cloth.params.windDrag = 0.1f;
    cloth.params.density = 0.2f;
    const auto speedAfter = [&](Vec3 wind, Vec3 start) {
        cloth.params.wind = wind;
        cloth.params.startVelocity = start;
        Scene scene = test::sceneOf(cloth);
        scene.solver.gravity = 0;
        Simulator simulator(oneThread());
        simulator.advanceTo(scene, 0.01);
        return meanOf(simulator.state().cloth.v);
    };
    // Wind along the cloth has no part along its normal; rounding.
    EXPECT_NEAR(length(speedAfter({5, 0, 3}, {})), 0, 1e-6);
    // f = c A v: 0.1 · 4 / 0.2 m/s² for a hundredth of a second; 0.25 % less as the cloth accelerates.
    EXPECT_NEAR(speedAfter({1, 4, 0}, {}).y, 0.02, 1e-4);
    EXPECT_NEAR(length(speedAfter({0, 4, 0}, {0, 4, 0}) - Vec3{0, 4, 0}), 0, 1e-5);
}

// B-37
TEST_P(EveryClothSolver, pinnedPointsStayBitwise) {
    Cloth cloth = test::levelCloth(7, 0.4f, {0.1f, 1.3f, 0.7f});
    test::pin(cloth, [&](Vec3 p) { return p.x < -0.09f; });
    GetParam().applyTo(cloth.params);
    cloth.params.damping = 1e-4f;
    const Scene scene = test::sceneOf(cloth);
    Simulator simulator(oneThread());
    for (int frame = 1; frame <= 100; ++frame) simulator.advanceTo(scene, frame / 24.0);
    int pinned = 0;
    for (size_t i = 0; i < cloth.points.size(); ++i)
        if (cloth.pins[i] == 1) {
            EXPECT_EQ(simulator.state().cloth.x[static_cast<int>(i)], cloth.points[i]);
            ++pinned;
        }
    EXPECT_EQ(pinned, 7);
    EXPECT_LT(meanOf(simulator.state().cloth.x).y, 1.3f - 0.02f);  // it sags by 0.12 m and more between its pins
}

// B-36: a pinned point follows its target and pulls the cloth with it.
TEST_P(EveryClothSolver, pinsFollowTheMesh) {
    Cloth cloth = test::levelCloth(6, 0.3f);
    cloth.pins.assign(cloth.points.size(), 0);
    cloth.pins[0] = 1;
    GetParam().applyTo(cloth.params);
    cloth.params.damping = 1e-4f;
    Scene scene = test::sceneOf(cloth);
    scene.solver.gravity = 0;
    Simulator simulator(oneThread());
    simulator.reset(scene);
    for (int frame = 1; frame <= 24; ++frame) {
        scene.cloths[0].points[0] = cloth.points[0] - Vec3{0, 0, 1} * (float(frame) / 24);
        simulator.advanceTo(scene, frame / 24.0);
        EXPECT_EQ(simulator.state().cloth.x[0], scene.cloths[0].points[0]);
    }
    EXPECT_LT(meanOf(simulator.state().cloth.x).z, -0.5f);
}

// B-31 G-03
TEST(Cloth, twoMassesOscillateWithTheSpringPeriod) {
    // A quad with springs along its four edges: stretched along x it oscillates as two masses on two parallel springs.
    Cloth cloth = test::gridCloth(2, 2, {}, {0.1f, 0, 0}, {0, 0.1f, 0});
    test::inVacuum(cloth).params.solver = ClothSolver::velocityVerlet;
    cloth.params.shearStiffness = cloth.params.bendStiffness = 0;
    cloth.params.stretchStiffness = 100;
    cloth.params.maxTimeStep = 1e-4f;
    Scene scene = test::sceneOf(cloth);
    scene.solver.gravity = 0;
    Simulator simulator(oneThread());
    simulator.reset(scene);
    State state = simulator.state();
    for (const int i : {1, 3}) state.cloth.x[i].x *= 1.05f;
    simulator.restore(state, scene);
    // Each edge along x carries half the width of the quad: k = 50 N/m between masses of a quarter each.
    const double mass = double(cloth.params.density) * 0.01 / 4, period = 2 * kPi * std::sqrt(0.5 * mass / 50);
    std::vector<double> crossings;
    double before = 1;
    for (int step = 1; step <= 4000 && crossings.size() < 4; ++step) {
        simulator.advanceTo(scene, step * 1e-4);
        const Buffer<Vec3>& x = simulator.state().cloth.x;
        const double beyond = double(x[1].x - x[0].x) - 0.1;
        if (beyond * before < 0) crossings.push_back((step - beyond / (beyond - before)) * 1e-4);
        before = beyond;
    }
    ASSERT_EQ(crossings.size(), 4u);
    // 1e-4: crossings are interpolated between steps.
    EXPECT_NEAR(crossings[2] - crossings[0], period, 0.001 * period);
}

// B-31 G-03
TEST(Cloth, actionEqualsReactionBitwise) {
    const Cloth cloth = test::gridCloth(2, 2, {}, {0.1f, 0, 0}, {0, 0.13f, 0});
    Fabric fabric(oneThread());
    fabric.set(cloth, {cloth.points.data(), 4});
    const Vec3 x[] = {{0.01f, 0.02f, 0}, {0.13f, -0.03f, 0.07f}, {0.02f, 0.15f, 0.01f}, {0.17f, 0.1f, -0.02f}};
    const Vec3 v[] = {{0.3f, -1, 2}, {0.1f, 0.7f, 0.3f}, {-1, 0.2f, 1.1f}, {0.5f, 0.9f, -0.4f}};
    Buffer<Vec3> element(oneThread(), fabric.elementCount()), one(oneThread(), 4);
    for (int s = 0; s < fabric.springs.size(); ++s) {
        SpringForces{fabric.springs.span(), x, v, element.data()}(s);
        const Spring& spring = fabric.springs[s];
        // With its ends swapped, the spring has the opposite force.
        Buffer<Spring> turned(oneThread(), 1);
        turned[0] = {spring.b, spring.a, spring.rest, spring.stiffness, spring.dampingTime};
        SpringForces{turned.span(), x, v, one.data()}(0);
        EXPECT_EQ(one[0], -element[s]);
    }
}

// B-31, G-03: with damping and without external forces, energy never rises.
TEST(Cloth, dampingNeverAddsEnergy) {
    Cloth cloth = test::levelCloth(5, 0.2f);
    test::inVacuum(cloth).params.solver = ClothSolver::velocityVerlet;
    cloth.params.damping = cloth.params.bendDamping = 5e-4f;
    cloth.params.maxTimeStep = 2e-5f;
    Scene scene = test::sceneOf(cloth);
    scene.solver.gravity = 0;
    Simulator simulator(oneThread());
    simulator.reset(scene);
    State state = simulator.state();
    for (int i = 0; i < state.cloth.count(); ++i)
        for (int k = 0; k < 3; ++k) state.cloth.v[i][k] = 2 * randomUnit(7, static_cast<uint64_t>(3 * i + k)) - 1;
    simulator.restore(state, scene);
    Fabric fabric(oneThread());
    fabric.set(cloth, state.cloth.rest.span());
    const auto energyOf = [&](const State& at) {
        double energy = 0;
        for (int i = 0; i < at.cloth.count(); ++i)
            energy += 0.5 / double(fabric.inverseMass[i]) * double(lengthSquared(at.cloth.v[i]));
        for (const Spring& spring : fabric.springs)
            energy += 0.5 * double(spring.stiffness) *
                      square(length(at.cloth.x[spring.a] - at.cloth.x[spring.b]) - spring.rest);
        for (const Bend& bend : fabric.bends) {
            Vec3 d;
            for (int k = 0; k < 4; ++k) d += bend.c[k] * at.cloth.x[bend.v[k]];
            energy += 0.5 * double(bend.stiffness) * square(length(d) - bend.rest);
        }
        return energy;
    };
    const double start = energyOf(simulator.state());
    double before = start;
    for (int step = 1; step <= 200; ++step) {
        simulator.advanceTo(scene, step * 2e-4);
        const double now = energyOf(simulator.state());
        EXPECT_LE(now, before + 1e-5 * start) << step;  // rounding of the energy
        before = now;
    }
    EXPECT_LT(before, 0.9 * start);  // a third is left
}

// B-32
TEST_P(ExactClothSolver, springFamiliesAreIndependent) {
    const auto displacementUnder = [&](float shear, Vec3 direction) {
        Cloth cloth = test::levelCloth(7, 0.3f);
        GetParam().applyTo(cloth.params);
        cloth.params.maxTimeStep = 0.002f;
        cloth.params.iterations = 30;
        cloth.params.damping = 2e-4f;
        cloth.params.airDrag = 3;
        cloth.params.stretchStiffness = 30;
        cloth.params.shearStiffness = shear;
        test::pin(cloth, [](Vec3 p) { return p.x < -0.14f; });
        Scene scene = test::sceneOf(cloth);
        scene.solver.gravityDirection = direction;
        Simulator simulator(oneThread());
        test::play(simulator, scene, 2);
        return meanOf(simulator.state().cloth.x) - meanOf(simulator.state().cloth.rest);
    };
    // Under tension along the threads the diagonals hardly matter; across them they carry everything.
    const float axial = length(displacementUnder(0.01f, {1, 0, 0})),
                axialStiff = length(displacementUnder(3, {1, 0, 0}));
    const float across = length(displacementUnder(0.01f, {0, 0, 1})),
                acrossStiff = length(displacementUnder(3, {0, 0, 1}));
    // 0.91 and 0.09, for 300 times the shear stiffness.
    EXPECT_NEAR(axialStiff / axial, 1, 0.15);
    EXPECT_LT(acrossStiff / across, 0.5);
}

// A horizontal cantilever sags by w L⁴ / (8 B), with w its weight per area: less than a tenth of its length, so that
// the formula holds; tolerance 2 % for the coarse strip, 0.8 % measured. It is clamped half an edge before its last
// pinned points, where their fold ends. For xpbd only in the limit of many iterations.
TEST(Cloth, cantileverSagMatchesBendingStiffness) {
    Cloth cloth = test::gridCloth(3, 17, {}, {0, 0, 0.03f}, {0.25f, 0, 0});
    cloth.params.solver = ClothSolver::velocityVerlet;
    cloth.params.bendStiffness = 0.03f;
    cloth.params.damping = 1e-5f;
    cloth.params.bendDamping = 1e-4f;
    cloth.params.airDrag = 3;
    test::pin(cloth, [](Vec3 p) { return p.x < 0.017f; });
    Simulator simulator(oneThread());
    test::play(simulator, test::sceneOf(cloth), 1);
    const double held = 0.25 * 15.5 / 16, weight = 0.15 * 9.81, sag = weight * std::pow(held, 4) / (8 * 0.03);
    EXPECT_NEAR(-simulator.state().cloth.x[simulator.state().cloth.count() - 2].y, sag, 0.02 * sag);
}

// B-32
TEST_P(ExactClothSolver, withoutBendingACantileverFoldsFurther) {
    const auto sag = [&](float bend, float spring) {
        Cloth cloth = test::gridCloth(3, 12, {}, {0, 0, 0.05f}, {0.3f, 0, 0});
        GetParam().applyTo(cloth.params);
        cloth.params.bendStiffness = bend;
        cloth.params.bendSpring = spring;
        cloth.params.damping = 1e-4f;
        cloth.params.bendDamping = 1e-3f;
        cloth.params.airDrag = 2;
        cloth.params.maxTimeStep = 0.001f;
        cloth.params.iterations = 20;
        test::pin(cloth, [](Vec3 p) { return p.x < 0.03f; });
        Simulator simulator(oneThread());
        const Scene scene = test::sceneOf(cloth);
        test::play(simulator, scene, 2);
        return -simulator.state().cloth.x[simulator.state().cloth.count() - 1].y;
    };
    EXPECT_LT(sag(1e-2f, 0), 0.5f * sag(0, 0));  // 0.40
    EXPECT_LT(sag(0, 3000), 0.98f * sag(0, 0));  // 0.84
}

TEST(Cloth, sameBitsForAnyNumberOfThreads) {
    for (const test::SolverChoice& solver : test::kEverySolver) {
        uint64_t hashes[2] = {};
        for (const int threads : {1, 2}) {
            Cloth cloth = test::levelCloth(48, 1, {0, 0.35f, 0});
            solver.applyTo(cloth.params);
            cloth.params.damping = 1e-5f;
            cloth.params.wind = {1, 0, 2};
            Scene scene = test::sceneOf(cloth);
            Collider ball;
            ball.name = "ball";
            ball.params.shape = ColliderShape::sphere;
            ball.params.radius = 0.3f;
            scene.colliders.push_back(ball);
            Simulator simulator(Device::cpu(threads));
            hashes[threads - 1] = simulator.advanceTo(scene, 0.002).stateHash;
        }
        EXPECT_EQ(hashes[0], hashes[1]);
    }
}

TEST(Cloth, resumesFromASavedState) {
    Cloth cloth = test::levelCloth(12, 0.5f, {0, 0.5f, 0});
    test::pin(cloth, [](Vec3 p) { return p.x < -0.24f; });
    const Scene scene = test::sceneOf(cloth);
    Simulator whole(oneThread()), part(oneThread()), rest(oneThread());
    const uint64_t expected = test::play(whole, scene, 1).stateHash;
    test::play(part, scene, 0.5);
    const std::string path = testing::TempDir() + "cloth.purl";
    saveState(part.state(), path);
    rest.restore(loadState(path, oneThread()), scene);
    EXPECT_EQ(test::play(rest, scene, 1).stateHash, expected);
}

TEST(Cloth, frameKeepsFacesAndTextureCoordinates) {
    Cloth cloth = test::levelCloth(4, 1);
    for (const Vec3& p : cloth.points) {
        cloth.faces.u.push_back(p.x);
        cloth.faces.v.push_back(p.z);
    }
    cloth.faces.cornerUvs = cloth.faces.corners;
    Simulator simulator(oneThread());
    const Frame& frame = simulator.advanceTo(test::sceneOf(cloth), 1 / 24.0);
    ASSERT_EQ(frame.meshes.size(), 1u);
    EXPECT_EQ(frame.meshes[0].name, "cloth");
    EXPECT_EQ(frame.meshes[0].kind, MeshKind::cloth);
    EXPECT_EQ(frame.meshes[0].faces, cloth.faces);
    EXPECT_EQ(frame.meshes[0].triangles.size(), 2 * 3 * cloth.faces.counts.size());
    EXPECT_EQ(frame.meshes[0].velocities.size(), cloth.points.size());
}

// B-112, with fewer points: a sheet at rest on a ball has no point inside.
TEST_P(ExactClothSolver, drapesOnABallAndComesToRest) {
    Cloth cloth = test::levelCloth(21, 0.6f, {0, 0.26f, 0});
    GetParam().applyTo(cloth.params);
    if (GetParam().solver == ClothSolver::implicitEuler) cloth.params.maxTimeStep = 0.011f;
    cloth.params.tolerance = 1e-3f;
    cloth.params.damping = 2e-4f;
    cloth.params.airDrag = 0.5f;
    Scene scene = test::sceneOf(cloth);
    Collider ball;
    ball.name = "ball";
    ball.params.shape = ColliderShape::sphere;
    ball.params.radius = 0.2f;
    ball.params.friction = 0.8f;
    scene.colliders.push_back(ball);
    Simulator simulator(oneThread());
    double peak = 0, energy = 0;
    for (int frame = 1; frame <= 72; ++frame) {
        simulator.advanceTo(scene, frame / 24.0);
        energy = 0;
        for (const Vec3& v : simulator.state().cloth.v) energy += double(lengthSquared(v));
        peak = std::max(peak, energy);
        // Half of its thickness off the ball, less rounding.
        for (const Vec3& x : simulator.state().cloth.x) EXPECT_GE(length(x), 0.2f + 0.5f * 0.004f - 1e-5f);
    }
    EXPECT_LT(energy, 1e-3 * peak);
    const Vec3 middle = simulator.state().cloth.x[10 * 21 + 10];
    EXPECT_NEAR(length(middle), 0.202, 1e-5);      // on the ball; rounding
    EXPECT_LT(simulator.state().cloth.x[0].y, 0);  // the corners hang down
}

// B-47, B-48, O-35: a folded sheet comes to rest with its two halves apart. A flat one, with linked points closer than
// the contact distance, does not move at all.
TEST(Cloth, foldedClothKeepsItsDistance) {
    const int n = 17;
    Cloth cloth = test::levelCloth(n, 0.32f, {0, 0.2f, 0});
    cloth.params.selfCollision = SelfCollision::points;
    cloth.params.airDrag = 0.3f;
    Scene scene = test::sceneOf(cloth);
    Collider floor;
    floor.name = "floor";
    floor.params.shape = ColliderShape::plane;
    floor.params.friction = 0.5f;
    scene.colliders.push_back(floor);
    Simulator simulator(oneThread());
    simulator.reset(scene);
    // Fold the half x > 0 over the other, 4 cm above it.
    State state = simulator.state();
    for (int i = 0; i < state.cloth.count(); ++i) {
        Vec3& x = state.cloth.x[i];
        if (x.x > 0.02f) x = {0.04f - x.x, x.y + 0.04f, x.z};
    }
    simulator.restore(state, scene);
    test::play(simulator, scene, 3);
    const Buffer<Vec3>& x = simulator.state().cloth.x;
    const float distance = 0.8f * 0.02f;
    for (int i = 0; i < x.size(); ++i)
        for (int j = 0; j < i; ++j) {
            const int di = std::abs(i % n - j % n), dj = std::abs(i / n - j / n);
            const bool linked = (di <= 1 && dj <= 1) || (di == 2 && dj == 0) || (di == 0 && dj == 2);
            EXPECT_TRUE(linked || length(x[i] - x[j]) > 0.5f * distance) << i << " " << j;
        }
}

// B-48
TEST(Cloth, linkedPointsDoNotRepelEachOther) {
    Cloth cloth = test::levelCloth(9, 0.16f);
    test::inVacuum(cloth).params.selfCollision = SelfCollision::points;
    cloth.params.selfDistance = 0.03f;  // 1.5 quad edges
    Scene scene = test::sceneOf(cloth);
    scene.solver.gravity = 0;
    Simulator simulator(oneThread());
    test::play(simulator, scene, 0.5);
    // In vacuum it drifts as a whole, by rounding over 125 steps of five iterations; repulsion would move it by
    // millimetres.
    for (int i = 0; i < simulator.state().cloth.count(); ++i) {
        EXPECT_NEAR(length(simulator.state().cloth.x[i] - cloth.points[i]), 0, 1e-5);
        EXPECT_NEAR(length(simulator.state().cloth.v[i]), 0, 5e-5);
    }
}

TEST_P(EveryClothSolver, strainLimitHoldsAndIsReported) {
    Cloth cloth = test::gridCloth(5, 13, {}, {0.1f, 0, 0}, {0, -0.3f, 0});
    GetParam().applyTo(cloth.params);
    cloth.params.stretchStiffness = cloth.params.shearStiffness = 5;
    cloth.params.damping = 1e-3f;
    cloth.params.airDrag = 1;
    test::pin(cloth, [](Vec3 p) { return p.y > -0.01f; });
    const auto stretchWith = [&](float limit) {
        cloth.params.strainLimit = limit;
        Simulator simulator(oneThread());
        double largestStretch = 0;
        for (int frame = 1; frame <= 24; ++frame)
            largestStretch =
                std::max(largestStretch, simulator.advanceTo(test::sceneOf(cloth), frame / 24.0).stats.maxStretch);
        EXPECT_TRUE(simulator.warnings().empty());
        return largestStretch;
    };
    // Its own weight of 0.44 N/m stretches the topmost threads by 9 %.
    if (GetParam().solver != ClothSolver::directional) { EXPECT_GT(stretchWith(0), 0.07); }
    EXPECT_LT(stretchWith(0.02f), 0.022);  // 0.0204 at most measured
}

TEST(Cloth, presetsAreFabrics) {
    ClothParams own;
    own.color = {1, 0, 1};
    own.wind = {3, 0, 0};
    for (const FabricTable::Row& fabric : fabrics().rows) {
        const ClothParams params = fabrics().with(fabric.name, own);
        checkParams(fabric.name, params);
        EXPECT_EQ(params.density, fabric.values[0]);
        EXPECT_EQ(params.friction, fabric.values[5]);
        EXPECT_EQ(params.color, own.color);
        EXPECT_EQ(params.wind, own.wind);
    }
    EXPECT_LT(fabrics().with("silk", own).bendStiffness, fabrics().with("denim", own).bendStiffness);
    try {
        fabrics().with("tweed", own);
        FAIL();
    } catch (const Error& error) { EXPECT_NE(std::string(error.what()).find("silk, cotton"), std::string::npos); }
}

// Friction holds a cloth on a slope up to tan θ = μ, and no further.
TEST(Cloth, restsOnASlopeUpToItsFriction) {
    const auto slide = [](float angle) {
        Cloth cloth = test::levelCloth(6, 0.2f, {0, 0.0021f, 0});
        test::inVacuum(cloth);
        cloth.params.friction = 0.5f;
        Scene scene = test::sceneOf(cloth);
        Collider floor;
        floor.name = "floor";
        floor.params.shape = ColliderShape::plane;
        scene.colliders.push_back(floor);
        scene.solver.gravityDirection = {std::sin(angle), -std::cos(angle), 0};
        Simulator simulator(oneThread());
        test::play(simulator, scene, 1);
        return meanOf(simulator.state().cloth.x).x;
    };
    const float limit = std::atan(0.5f);
    EXPECT_LT(slide(limit - 0.02f), 1e-3f);  // slides a little before it has settled on the slope
    EXPECT_GT(slide(limit + 0.05f), 0.1f);   // 0.27 m; it holds where the friction is larger than the slope
}

TEST(Cloth, badInputGivesAOneLineErrorNamingTheCloth) {
    const auto message = [](const std::function<void(Cloth&)>& spoil) -> std::string {
        Cloth cloth = test::levelCloth(4, 1);
        cloth.name = "curtain";
        spoil(cloth);
        Simulator simulator(oneThread());
        try {
            simulator.reset(test::sceneOf(cloth));
        } catch (const Error& error) { return error.what(); }
        return "";
    };
    EXPECT_EQ(message([](Cloth&) {}), "");
    EXPECT_EQ(message([](Cloth& c) { c.faces = {}; }), "curtain: mesh has no faces; connect one to inMesh");
    EXPECT_EQ(message([](Cloth& c) { c.faces.corners[2] = 99; }),
              "curtain: a face refers to vertex 99, but the mesh has 16 vertices");
    EXPECT_EQ(message([](Cloth& c) { c.points[3].y = NAN; }), "curtain: mesh has a vertex position that is not finite");
    EXPECT_EQ(message([](Cloth& c) { c.pins = {1, 1}; }), "curtain: pins has 2 values for 16 points");
    EXPECT_EQ(message([](Cloth& c) { c.points[1] = c.points[2]; }),
              "curtain: mesh points 1 and 2 coincide; merge them");
    EXPECT_NE(message([](Cloth& c) { c.params.density = -1; }).find("curtain: density is -1"), std::string::npos);
    EXPECT_NE(message([](Cloth& c) { c.faces.counts[0] = 2; }), "");
}

TEST(Cloth, pointCountMayNotChangeAfterTheStart) {
    Scene scene = test::sceneOf(test::levelCloth(4, 1));
    Simulator simulator(oneThread());
    simulator.reset(scene);
    scene.cloths[0] = test::levelCloth(5, 1);
    EXPECT_THROW(simulator.advanceTo(scene, 1), Error);
    EXPECT_THROW(simulator.restore(simulator.state(), scene), Error);
}

}  // namespace
}  // namespace purl
