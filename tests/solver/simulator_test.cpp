#include "solver/simulator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <tuple>

#include "solver/cache/stateFile.h"
#include "tests/solver/meshes.h"
#include "tests/solver/messageOf.h"
#include "tests/solver/testScenes.h"

namespace purl {
namespace {

using namespace test;

// A block of water about to collapse in a box, filled from a mesh.
Scene pool(int side = 8) {
    Scene scene = sceneOf("water");
    const float s = scene.fluids[0].params.particleSpacing, edge = s * float(side);
    scene.fluids[0].volumes.push_back(boxMesh({0, 0, 0}, {edge, edge, edge}));
    scene.colliders.push_back(boxCollider({0, 0, 0}, {2 * edge, edge, 3 * edge}));
    return scene;
}

Scene loneParticle(Vec3 velocity = {}) {
    Scene scene = sceneOf("water");
    const float s = scene.fluids[0].params.particleSpacing;
    scene.fluids[0].volumes.push_back(boxMesh({-s / 2, -s / 2, -s / 2}, {s / 2, s / 2, s / 2}));
    scene.fluids[0].params.startVelocity = velocity;
    return scene;
}

TEST(Simulator, startsWithTheFilledVolume) {
    Simulator simulator(oneThread());
    const Frame& frame = simulator.reset(pool());
    EXPECT_EQ(frame.time, 0);
    EXPECT_EQ(frame.points.count(), 512u);
    EXPECT_EQ(frame.stateHash, hashOf(simulator.state()));
    ASSERT_EQ(frame.bodies.size(), 1u);
    EXPECT_EQ(frame.bodies[0].name, "water");
    EXPECT_EQ(frame.bodies[0].kind, BodyKind::liquid);
    EXPECT_NEAR(frame.bodies[0].supportRadius, 0.045734, 1e-6);
}

// K-15. A second of free fall in hundredths, through the whole machine. Float positions round once a step.
TEST(Simulator, dropsALoneParticleAsFarAsItShould) {
    Simulator simulator(oneThread());
    const Scene scene = loneParticle();
    simulator.reset(scene);
    EXPECT_NEAR(run(simulator, scene, 1, 0.01).points.positions[0].z, -4.91, 1e-5);
}

// K-35
TEST(Simulator, leavesALoneParticleItsSpeed) {
    Scene scene = loneParticle({1, 0, 0});
    scene.solver.gravity = 0;
    scene.solver.subSteps = 100;
    Simulator simulator(oneThread());
    simulator.reset(scene);
    EXPECT_EQ(run(simulator, scene, 100, 1).points.velocities[0], (Vec3{1, 0, 0}));
}

// K-23 K-75
TEST(Simulator, framesShowAllThatThereIsToSee) {
    Simulator simulator(oneThread());
    Scene scene = pool();
    scene.solver.origins = true;
    const std::vector<Vec3> start = simulator.reset(scene).points.positions;
    EXPECT_EQ(simulator.frame().points.restPositions, start);
    const Frame& frame = run(simulator, scene, 0.1, 0.01);
    const Points& points = frame.points;
    EXPECT_EQ(points.restPositions, start);
    EXPECT_EQ(points.sources, std::vector<int>(points.count(), 0));
    int surface = 0;
    for (size_t i = 0; i < points.count(); ++i) {
        EXPECT_EQ(points.ids[i], static_cast<int64_t>(i));
        EXPECT_GT(points.densities[i], 0);
        EXPECT_NEAR(points.pressures[i], 3 * (points.densities[i] - 998.29f), 0.01f);
        EXPECT_NEAR(points.ages[i], 0.1f, 1e-6f);
        surface += points.normals[i] != Vec3{} ? 1 : 0;
    }
    EXPECT_GT(surface, 100);
    EXPECT_LT(surface, 512);
    EXPECT_EQ(points.velocities.size(), points.count());
    EXPECT_EQ(points.accelerations.size(), points.count());
    EXPECT_EQ(frame.stats.steps, 1);
    EXPECT_NEAR(frame.stats.stepLength, 0.01, 1e-12);
    // Only who wants origins pays for them.
    scene.solver.origins = false;
    EXPECT_TRUE(simulator.reset(scene).points.restPositions.empty());
}

// K-61. ∛(3 m / (4π ρ)): a lone water particle has 0.328125 ρ₀, at rest density it would be 0.016849 m.
TEST(Simulator, radiiHoldTheMassAtTheDensity) {
    Simulator simulator(oneThread());
    const Frame& frame = simulator.reset(loneParticle());
    EXPECT_NEAR(frame.points.radii[0] * std::cbrt(0.328125), 0.016849, 1e-6);
}

// K-58
TEST(Simulator, statsTellOfCompression) {
    Simulator simulator(oneThread());
    const Scene scene = pool();
    simulator.reset(scene);
    const Frame& frame = run(simulator, scene, 0.3, 0.01);
    double mean = 0, most = 0, above = 0, fastest = 0, energy = 0;
    for (size_t i = 0; i < frame.points.count(); ++i) {
        const double ratio = double(frame.points.densities[i]) / double(998.29f);
        const double speed = length(frame.points.velocities[i]);
        mean += ratio / 512;
        most = std::max(most, ratio);
        above += ratio > 1.01 ? 1.0 / 512 : 0;
        fastest = std::max(fastest, speed);
        energy += 0.5 * 0.02 * speed * speed;
    }
    EXPECT_NEAR(frame.stats.meanCompression, mean, 1e-9);
    EXPECT_NEAR(frame.stats.maxCompression, most, 1e-9);
    EXPECT_NEAR(frame.stats.compressedShare, above, 1e-9);
    EXPECT_NEAR(frame.stats.maxSpeed, fastest, 1e-9);
    EXPECT_NEAR(frame.stats.kineticEnergy, energy, 1e-5 * energy);
    EXPECT_GT(above, 0);
}

// B-129. Against all pairs there are; and of a dam break of 240 thousand, of which the thesis tells six million.
TEST(Simulator, statsCountThePairsThatInteract) {
    Simulator simulator(oneThread());
    Scene scene = pool();
    const Frame& frame = simulator.reset(scene);
    const std::vector<Vec3>& x = frame.points.positions;
    const auto radius = static_cast<float>(supportRadius(scene.fluids[0].params));
    int64_t pairs = 0;
    for (size_t i = 0; i < x.size(); ++i)
        for (size_t j = i + 1; j < x.size(); ++j) pairs += lengthSquared(x[i] - x[j]) <= radius * radius;
    EXPECT_EQ(frame.stats.pairs, pairs);
    EXPECT_GT(run(simulator, scene, 0.1, 0.01).stats.pairs, pairs) << "squeezed, more are near";

    const float s = scene.fluids[0].params.particleSpacing;
    scene.fluids[0].volumes = {boxMesh({}, s * Vec3{80, 60, 50})};
    scene.fluids[0].params.wcsph.kernelParticles = 50;  // the thesis has 25 pairs a particle
    scene.colliders.clear();
    const Frame& dam = simulator.reset(scene);
    EXPECT_EQ(dam.points.count(), 240000u);
    EXPECT_GT(dam.stats.pairs, 3000000);
    EXPECT_LT(dam.stats.pairs, 12000000);
}

// K-78 B-102 L-58 L-64. With contacts, sorting and a moving box: the same bits from any number of threads, and again.
TEST(Simulator, givesTheSameBitsForAnyNumberOfThreads) {
    std::vector<uint64_t> hashes;
    for (const int threads : {1, 1, 2, 3, 6, 24}) {
        Simulator simulator(Device::cpu(threads));
        Scene scene = pool(12);
        simulator.reset(scene);
        for (int i = 1; i <= 50; ++i) {
            scene.colliders[0].pose.position.x += 0.001f;
            simulator.advanceTo(scene, 0.01 * i);
        }
        hashes.push_back(simulator.frame().stateHash);
    }
    for (const uint64_t hash : hashes) EXPECT_EQ(hash, hashes[0]);
}

TEST(Simulator, twoOfThemDoNotMeddle) {
    const Scene scene = pool();
    Simulator alone(oneThread()), a(oneThread()), b(oneThread());
    alone.reset(scene);
    run(alone, scene, 0.2, 0.01);
    a.reset(scene);
    b.reset(loneParticle());
    for (int i = 1; i <= 20; ++i) {
        a.advanceTo(scene, 0.2 * i / 20);
        b.advanceTo(loneParticle(), 0.2 * i / 20);
    }
    EXPECT_EQ(a.frame().stateHash, alone.frame().stateHash);
}

// K-33
TEST(Simulator, resumesToTheBit) {
    const std::string path = testing::TempDir() + "purlResume.state";
    const Scene scene = pool();
    Simulator unbroken(oneThread());
    unbroken.reset(scene);
    run(unbroken, scene, 0.2, 0.01);
    saveState(unbroken.state(), path);
    const uint64_t atSave = unbroken.frame().stateHash;

    Simulator resumed(Device::cpu(1));
    EXPECT_EQ(resumed.restore(loadState(path), scene).stateHash, atSave);
    for (int i = 1; i <= 20; ++i) {
        const double time = 0.2 + 0.01 * i;
        EXPECT_EQ(resumed.advanceTo(scene, time).stateHash, unbroken.advanceTo(scene, time).stateHash);
    }
    std::remove(path.c_str());
}

TEST(Simulator, refusesAStateOfAnotherScene) {
    Simulator simulator(oneThread());
    State state = stateOf({{}});
    state.particles.body[0] = 3;
    EXPECT_EQ(messageOf([&] { simulator.restore(state, loneParticle()); }),
              "solver: the state holds particles of fluid 3, the scene has only 1 fluids; restore the state with the "
              "scene it was saved from");
}

TEST(Simulator, jumpsAheadBySimulatingUpToIt) {
    const Scene scene = pool();
    Simulator stepwise(oneThread()), jumping(oneThread());
    stepwise.reset(scene);
    run(stepwise, scene, 0.32, 0.01);
    jumping.reset(scene);
    // As many steps in one call: the automatic length is a little over 0.01 s, so ask for it.
    Scene fine = scene;
    fine.solver.maxTimeStep = 0.01f;
    const Frame& frame = jumping.advanceTo(fine, 0.32);
    EXPECT_EQ(frame.stats.steps, 32);
    EXPECT_EQ(frame.time, 0.32);
    double apart = 0;
    for (size_t i = 0; i < frame.points.count(); ++i)
        apart = std::max<double>(apart, length(frame.points.positions[i] - stepwise.frame().points.positions[i]));
    // The same steps but for the last bit of Δt, which a splash blows up.
    EXPECT_LT(apart, 0.01);
}

TEST(Simulator, goesBackOnlyToTheStart) {
    const Scene scene = pool();
    Simulator simulator(oneThread());
    const uint64_t first = simulator.reset(scene).stateHash;
    const uint64_t later = run(simulator, scene, 0.1, 0.01).stateHash;
    EXPECT_EQ(simulator.advanceTo(scene, 0.05).stateHash, later);  // already reached
    EXPECT_EQ(simulator.advanceTo(scene, 0).stateHash, first);
    EXPECT_EQ(simulator.state().time, 0);
}

// ---- step length --------------------------------------------------------------------------------------------------

// K-29
TEST(Simulator, choosesStepsByStiffnessViscosityAndSubSteps) {
    Scene scene = loneParticle();
    const auto steps = [&] {
        Simulator simulator(oneThread());
        simulator.reset(scene);
        const int count = simulator.advanceTo(scene, 1.0 / 24).stats.steps;
        EXPECT_TRUE(simulator.warnings().empty());
        return count;
    };
    EXPECT_EQ(steps(), 4);  // 41.7 ms at 10.6 ms
    scene.fluids[0].params.stiffness = 100;
    EXPECT_EQ(steps(), 23);  // at 1.83 ms
    scene.fluids[0].params.viscosity = 200;
    EXPECT_EQ(steps(), 40);  // at 1.04 ms
    scene.solver.subSteps = 50;
    EXPECT_EQ(steps(), 50);
    scene.solver.maxTimeStep = 0.0005f;
    EXPECT_EQ(steps(), 84);
}

// K-29
TEST(Simulator, warnsOfStepsTooLong) {
    Scene scene = loneParticle();
    scene.solver.maxTimeStep = 0.02f;
    Simulator simulator(oneThread());
    simulator.reset(scene);
    run(simulator, scene, 0.1, 0.02);
    ASSERT_EQ(simulator.warnings().size(), 1u);
    EXPECT_EQ(simulator.warnings()[0],
              "water: steps of 0.02 s are longer than the 0.01056 s its stiffness allows; a smaller maxTimeStep (0: "
              "automatic), more subSteps or less stiffness helps");
    scene.fluids[0].params.viscosity = 30;
    simulator.advanceTo(scene, 0.12);
    ASSERT_EQ(simulator.warnings().size(), 2u);
    EXPECT_NE(simulator.warnings()[1].find("its viscosity allows"), std::string::npos);
    simulator.reset(scene);
    EXPECT_TRUE(simulator.warnings().empty());
}

// Two of 4000 particles that are far faster than the rest move a spacing a step instead of shortening it to two fifths
// of that, and a warning says so. Without them steps are longer still.
TEST(Simulator, aFewFastParticlesDoNotSetTheStepOfAll) {
    const auto stepsWith = [](Vec3 velocity, std::vector<std::string>& warnings) {
        Scene scene;
        scene.solver.gravity = 0;
        scene.fluids.push_back(fluidOf("purlWater"));
        const float spacing = scene.fluids[0].params.particleSpacing;
        std::vector<Vec3> points = lattice(20, 20, 10, spacing);
        points.resize(points.size() - 2);
        for (const float x : {-1.0f, -1.0f + spacing}) points.push_back({x, -1, -1});
        State state = stateOf(points);
        for (int i = 0; i < state.particles.count(); ++i) {
            state.particles.density[i] = scene.fluids[0].params.restDensity;
            if (i >= 3998) state.particles.v[i] = velocity;
        }
        Simulator simulator(oneThread());
        simulator.restore(std::move(state), scene);
        const int steps = simulator.advanceTo(scene, 1 / 24.0).stats.steps;
        warnings = simulator.warnings();
        return steps;
    };
    std::vector<std::string> warnings;
    EXPECT_EQ(stepsWith({}, warnings), 1);
    EXPECT_TRUE(warnings.empty());
    // 20 m/s in 1/24 s are 0.83 m: 42 steps of 0.5 h, h = 4 cm, instead of 105 of 0.2 h.
    EXPECT_NEAR(stepsWith({0, -20, 0}, warnings), 42, 1);
    ASSERT_EQ(warnings.size(), 1u);
    EXPECT_NE(warnings[0].find("2 of 4000 particles move at up to 20 m/s"), std::string::npos) << warnings[0];
}

// K-34
TEST(Simulator, standsStillAtTimeScaleZero) {
    Scene scene = pool();
    Simulator simulator(oneThread());
    simulator.reset(scene);
    run(simulator, scene, 0.1, 0.01);
    const Points before = simulator.frame().points;
    scene.solver.timeScale = 0;
    const Frame& paused = run(simulator, scene, 1.1, 0.01);
    EXPECT_EQ(paused.points.positions, before.positions);
    EXPECT_EQ(paused.points.velocities, before.velocities);
    EXPECT_EQ(paused.stats.steps, 0);
    EXPECT_NEAR(paused.time, 1.1, 1e-12);
}

TEST(Simulator, runsSlowerAtASmallerTimeScale) {
    Scene scene = loneParticle();
    scene.solver.timeScale = 0.5f;
    Simulator simulator(oneThread());
    simulator.reset(scene);
    EXPECT_NEAR(run(simulator, scene, 2, 0.02).points.positions[0].z, -4.91, 1e-5);
}

// ---- edits while time runs ------------------------------------------------------------------------------------------

// K-76 L-79
TEST(Simulator, takesEditsFromTheNextStepOn) {
    Scene scene = sceneOf("water");
    scene.fluids[0].params.surfaceTension = 0;
    const float h = static_cast<float>(supportRadius(scene.fluids[0].params));
    const auto accelerationAfter = [&](auto edit) {
        Scene edited = scene;
        Simulator simulator(oneThread());
        State pair = stateOf({{0, 0, 0}, {0.5f * h, 0, 0}});
        pair.particles.v[1] = pair.particles.vHalf[1] = {0, 1, 0};
        simulator.restore(pair, scene);
        simulator.advanceTo(scene, 0.001);
        edit(edited);
        simulator.advanceTo(edited, 0.002);
        return simulator.frame().points.accelerations[0];
    };
    const Vec3 plain = accelerationAfter([](Scene&) {});
    EXPECT_NEAR(accelerationAfter([](Scene& s) { s.solver.gravity = 1; }).z, -1, 1e-5f);
    const Vec3 stiff = accelerationAfter([](Scene& s) { s.fluids[0].params.stiffness *= 2; });
    EXPECT_NEAR(stiff.x / plain.x, 2, 0.01f);
    const Vec3 smooth = accelerationAfter([](Scene& s) { s.fluids[0].params.viscosity = 0; });
    const Vec3 viscous = accelerationAfter([](Scene& s) { s.fluids[0].params.viscosity *= 2; });
    EXPECT_NEAR((viscous - smooth).y / (plain - smooth).y, 2, 0.01f);
    // Twice the rest density is twice the mass: ρ and ρ₀ both double, p/ρ² m stays, μ/ρ halves.
    const Vec3 dense = accelerationAfter([](Scene& s) { s.fluids[0].params.restDensity *= 2; });
    EXPECT_NEAR((dense - smooth).y / (plain - smooth).y, 0.5f, 0.01f);
    // A narrower kernel no longer reaches across.
    const Vec3 narrow = accelerationAfter([](Scene& s) { s.fluids[0].params.wcsph.kernelParticles = 8; });
    EXPECT_NE(narrow.x, plain.x);
}

TEST(Simulator, refusesANewSpacingAfterTheStart) {
    Scene scene = pool();
    Simulator simulator(oneThread());
    simulator.reset(scene);
    const uint64_t hash = simulator.advanceTo(scene, 0.01).stateHash;
    scene.fluids[0].params.particleSpacing = 0.05f;
    EXPECT_EQ(messageOf([&] { simulator.advanceTo(scene, 0.02); }),
              "water: particleSpacing changed from 0.02716 to 0.05 m after the start; go back to the start frame, or "
              "back to the old spacing");
    EXPECT_EQ(hashOf(simulator.state()), hash);
    EXPECT_NO_THROW(simulator.advanceTo(scene, 0));
}

TEST(Simulator, refusesASceneOutOfLimits) {
    Scene scene = pool();
    scene.fluids[0].params.viscosity = -1;
    Simulator simulator(oneThread());
    EXPECT_EQ(messageOf([&] { simulator.reset(scene); }).substr(0, 5), "water");
    EXPECT_EQ(messageOf([&] { simulator.advanceTo(pool(), std::nan("")); }), "solver: time is not a finite number");
}

// ---- when things go wrong -------------------------------------------------------------------------------------------

TEST(Simulator, rollsBackWhenCancelled) {
    const Scene scene = pool();
    Simulator simulator(oneThread());
    simulator.reset(scene);
    const uint64_t hash = run(simulator, scene, 0.05, 0.01).stateHash;
    int asked = 0;
    simulator.onCancel([&] { return ++asked > 100; });
    EXPECT_THROW(simulator.advanceTo(scene, 5), Cancelled);
    EXPECT_EQ(hashOf(simulator.state()), hash);
    EXPECT_EQ(simulator.frame().stateHash, hash);
    simulator.onCancel({});
    EXPECT_NO_THROW(simulator.advanceTo(scene, 0.06));
}

// The frame's points are out of memory while steps are made, and are made again when these come to nothing.
TEST(Simulator, showsTheLastFrameAfterAFailure) {
    for (const PressureSolver solver : {PressureSolver::wcsph, PressureSolver::pbf, PressureSolver::dfsph}) {
        Scene scene = pool();
        scene.solver.pressureSolver = solver;
        Simulator simulator(oneThread());
        simulator.reset(scene);
        const Frame before = run(simulator, scene, 0.02, 0.01);
        const auto expectAsBefore = [&] {
            const Frame& after = simulator.frame();
            EXPECT_EQ(after.time, before.time);
            EXPECT_EQ(after.stateHash, before.stateHash);
            EXPECT_EQ(after.stats.steps, before.stats.steps);
            Points::channels(before.points, [&](const char* name, const auto& channel, bool) {
                Points::channels(after.points, [&](const char* other, const auto& same, bool) {
                    if constexpr (std::is_same_v<decltype(channel), decltype(same)>) {
                        if (name != std::string(other)) return;
                        EXPECT_TRUE(channel == same) << name;
                    }
                });
            });
        };
        int asked = 0;
        simulator.onCancel([&] { return ++asked > 20; });
        Scene edited = scene;
        edited.fluids[0].params.restDensity = 700;  // would show in the radii
        EXPECT_THROW(simulator.advanceTo(edited, 0.5), Cancelled);
        expectAsBefore();
        asked = 0;
        EXPECT_THROW(simulator.reset(edited), Cancelled);
        expectAsBefore();
    }
}

TEST(Simulator, tellsOfItsProgress) {
    Scene scene = pool();
    scene.solver.subSteps = 8;
    Simulator simulator(oneThread());
    simulator.reset(scene);
    std::vector<double> times;
    simulator.onProgress([&](const Progress& progress) {
        times.push_back(progress.time);
        EXPECT_EQ(progress.until, 0.01);
        EXPECT_EQ(progress.particles, 512);
    });
    simulator.advanceTo(scene, 0.01);
    ASSERT_EQ(times.size(), 8u);
    for (size_t i = 0; i < 8; ++i) EXPECT_NEAR(times[i], 0.01 * double(i + 1) / 8, 1e-12);
}

TEST(Simulator, saysWhoBlewUpAndRollsBack) {
    const Scene scene = loneParticle();
    State state = stateOf({{}, {1, 0, 0}, {2, 0, 0}});
    state.particles.v[2].x = state.particles.vHalf[2].x = 5e4f;
    // As far as floats go: it has left them after a step.
    state.particles.x[1].y = std::numeric_limits<float>::max();
    state.particles.v[1].y = state.particles.vHalf[1].y = std::numeric_limits<float>::max();
    Simulator simulator(oneThread());
    const uint64_t hash = simulator.restore(state, scene).stateHash;
    EXPECT_EQ(messageOf([&] { simulator.advanceTo(scene, 0.01); }),
              "water: blew up at 0.01 s: particle 1's velocity is not finite; a smaller maxTimeStep or stiffness, or "
              "more viscosity helps");
    EXPECT_EQ(hashOf(simulator.state()), hash);

    state.particles.x[1] = state.particles.v[1] = state.particles.vHalf[1] = {};
    simulator.restore(state, scene);
    EXPECT_NE(messageOf([&] { simulator.advanceTo(scene, 0.01); }).find("particle 2's speed is 5e+04 m/s"),
              std::string::npos);
}

TEST(Simulator, refusesAStateThatIsNotFinite) {
    State state = stateOf({{}});
    state.particles.v[0].y = std::numeric_limits<float>::infinity();
    Simulator simulator(oneThread());
    EXPECT_EQ(messageOf([&] { simulator.restore(state, loneParticle()); }),
              "solver: the state is damaged: it holds numbers that are not finite; resume from an earlier frame");
}

// A real explosion, not a staged one: default water at twenty times its longest step.
TEST(Simulator, catchesARunaway) {
    Scene scene = pool();
    scene.fluids[0].params.stiffness = 1e5f;
    scene.solver.maxTimeStep = 0.05f;
    Simulator simulator(oneThread());
    simulator.reset(scene);
    EXPECT_NE(messageOf([&] { run(simulator, scene, 20, 0.05); }).find("blew up at"), std::string::npos);
    for (const Vec3 x : simulator.state().particles.x) EXPECT_TRUE(isFinite(x));
}

// K-56. Two fluids given the same volume: the first one's particles fill it.
TEST(Simulator, fillsAPlaceOnce) {
    Scene scene = pool();
    scene.fluids.push_back(scene.fluids[0]);
    scene.fluids[1].name = "more";
    scene.fluids[1].volumes.push_back(boxMesh({1, 0, 0}, {1.1f, 0.1f, 0.1f}));
    Simulator simulator(oneThread());
    std::vector<Vec3> positions = simulator.reset(scene).points.positions;
    EXPECT_EQ(pointsOf(simulator.frame(), 0).count(), 512u);
    std::sort(positions.begin(), positions.end(),
              [](Vec3 a, Vec3 b) { return std::tie(a.x, a.y, a.z) < std::tie(b.x, b.y, b.z); });
    EXPECT_EQ(std::adjacent_find(positions.begin(), positions.end()), positions.end());
}

TEST(Simulator, liesQuietWithNothingToDo) {
    Simulator simulator(oneThread());
    EXPECT_EQ(simulator.reset({}).points.count(), 0u);
    EXPECT_EQ(simulator.advanceTo({}, 1).time, 1);

    Scene empty = sceneOf("water");  // a fluid with neither volumes nor emitters
    simulator.reset(empty);
    EXPECT_EQ(run(simulator, empty, 0.1, 0.05).points.count(), 0u);
}

TEST(Simulator, startsEmptyAndFillsFromAnEmitter) {
    Scene scene = sceneOf("water");
    scene.fluids[0].emitters.resize(1);
    Emitter& emitter = scene.fluids[0].emitters[0];
    emitter.name = "tap";
    emitter.params.rate = 10;
    emitter.params.radius = 0.1f;
    Simulator simulator(oneThread());
    EXPECT_EQ(simulator.reset(scene).points.count(), 0u);
    const Frame& frame = run(simulator, scene, 0.5, 0.02);
    // 5 litres of 0.02 litres a particle.
    EXPECT_NEAR(double(frame.points.count()), 5 / (0.02 / 0.99829), 25);
    EXPECT_GT(frame.points.ages.front(), 0.4f);
    EXPECT_LT(frame.points.ages.back(), 0.1f);
}

// The farm's way: 1, 2 and 3 threads, an emitter running, saved and resumed in between.
TEST(Simulator, emitsTheSameBitsAfterResuming) {
    Scene scene = pool();
    scene.fluids[0].emitters.resize(1);
    Emitter& emitter = scene.fluids[0].emitters[0];
    emitter.name = "tap";
    emitter.params.rate = 5;
    emitter.params.spread = 0.3f;
    emitter.pose.position = {0.1f, 0.1f, 0.5f};
    emitter.pose.axes = {{1, 0, 0}, {0, 0, -1}, {0, 1, 0}};
    std::vector<uint64_t> hashes;
    for (const int threads : {1, 2, 3}) {
        Simulator first(Device::cpu(threads)), second(Device::cpu(threads));
        first.reset(scene);
        run(first, scene, 0.1, 0.01);
        second.restore(first.state(), scene);
        first.advanceTo(scene, 0.15);
        EXPECT_EQ(second.advanceTo(scene, 0.15).stateHash, first.frame().stateHash);
        hashes.push_back(first.frame().stateHash);
    }
    EXPECT_EQ(hashes[0], hashes[1]);
    EXPECT_EQ(hashes[0], hashes[2]);
}

}  // namespace
}  // namespace purl
