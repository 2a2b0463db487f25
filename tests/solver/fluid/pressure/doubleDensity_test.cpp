#include "solver/fluid/pressure/doubleDensity.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <set>

#include "solver/cache/stateFile.h"
#include "solver/colliders/contacts.h"
#include "solver/step.h"
#include "tests/solver/meshes.h"
#include "tests/solver/testScenes.h"

namespace purl {
namespace {

using namespace test;

constexpr float kSpacing = 0.02f, kRadius = 0.04f, kStep = 0.004f;

Scene paste() {
    Scene scene;
    scene.solver.gravity = 0;
    scene.solver.pressureSolver = PressureSolver::doubleDensity;
    scene.fluids.push_back(dampedWater("paste"));
    FluidParams& params = scene.fluids[0].params;
    params.particleSpacing = kSpacing;
    params.stiffness = 8;
    params.doubleDensity.nearStiffness = 8;
    return scene;
}

// Particles whose stages are called one at a time.
struct Stages {
    Scene scene;
    State state;
    Neighbors neighbors{oneThread()};
    Materials materials{oneThread()};
    DoubleDensity paste;

    Stages(const Scene& of, const std::vector<Vec3>& points, bool tuned = true)
        : scene(of), state(stateOf(points)), paste(oneThread(), tuned) {
        materials.set(scene);
        paste.set(scene, materials);
        search();
    }
    Particles& particles() { return state.particles; }
    void search() { neighbors.build(state.particles.x, materials.searchRadius); }
    void adjust() {
        search();
        paste.adjustSprings(state, neighbors, kStep);
    }
    Vec3 center() const {
        double sum[3] = {};
        for (const Vec3& x : state.particles.x)
            for (int axis = 0; axis < 3; ++axis) sum[axis] += double(x[axis]);
        const double n = state.particles.count();
        return {float(sum[0] / n), float(sum[1] / n), float(sum[2] / n)};
    }
};

std::vector<Vec3> pairAt(float r) { return {{0, 0, 0}, {r, 0, 0}}; }

// O-64. Each is pushed by both pressures, half as far as Clavet's displacement says for either.
TEST(DoubleDensity, movesAPairByTheFormula) {
    Stages pair(paste(), pairAt(0.5f * kRadius));
    const DoubleDensityConstants c = doubleDensityConstants(pair.scene.fluids[0].params, kRadius);
    pair.paste.relax(pair.particles(), pair.neighbors, kStep);
    const double u = 0.5, p = double(c.k) * (u * u - double(c.restDensity)), near = double(c.kNear) * u * u * u;
    const double expected = double(kStep) * double(kStep) * (p * u + near * u * u);  // ½ of two equal ones
    EXPECT_NEAR(pair.particles().x[0].x, -expected, 1e-5 * std::fabs(expected) + 1e-9);
    EXPECT_NEAR(pair.particles().x[1].x, 0.5 * double(kRadius) + expected, 1e-5 * std::fabs(expected) + 3e-9);
}

// O-64. A lattice stays, a squeezed block goes back to its density, and momentum is kept.
TEST(DoubleDensity, bringsABlockBackToItsDensity) {
    Stages block(paste(), jittered(lattice(8, 8, 8, 0.93f * kSpacing), 0.05f * kSpacing));
    const Vec3 center = block.center();
    const auto inner = [&] {
        double sum = 0;
        int count = 0;
        for (int i = 0; i < 512; ++i)
            if (block.neighbors.view().count(i) > 26) sum += double(block.particles().density[i]), ++count;
        return sum / count / double(block.scene.fluids[0].params.restDensity);
    };
    block.paste.relax(block.particles(), block.neighbors, 0);
    EXPECT_GT(inner(), 1.1);
    for (int n = 0; n < 60; ++n) {
        block.search();
        block.paste.relax(block.particles(), block.neighbors, kStep);
    }
    EXPECT_NEAR(inner(), 1, 0.06);
    EXPECT_LT(length(block.center() - center), 1e-6f);
}

// O-65
TEST(DoubleDensity, nearPressureKeepsParticlesApart) {
    const auto nearest = [](float nearStiffness) {
        Scene scene = paste();
        Stages block(scene, jittered(lattice(6, 6, 6, kSpacing), 0.45f * kSpacing, 5));
        block.scene.fluids[0].params.doubleDensity.nearStiffness = nearStiffness;
        block.materials.set(block.scene);
        block.paste.set(block.scene, block.materials);
        for (int n = 0; n < 40; ++n) {
            block.search();
            block.paste.relax(block.particles(), block.neighbors, kStep);
        }
        float least = 1;
        for (int i = 0; i < 216; ++i)
            for (int j = 0; j < i; ++j)
                least = std::min(least, length(block.particles().x[i] - block.particles().x[j]));
        return least;
    };
    EXPECT_GT(nearest(8), 1.2f * nearest(0));
}

// O-66
TEST(DoubleDensity, dampsWhatApproaches) {
    Scene scene = paste();
    scene.fluids[0].params.doubleDensity.approachDamping = 20;
    scene.fluids[0].params.doubleDensity.impactDamping = 10;
    Stages pair(scene, pairAt(0.25f * kRadius));
    Buffer<Vec3> v(oneThread(), 2);
    v[0] = {0.5f, 1, 0}, v[1] = {-0.3f, 0, 0};
    pair.paste.damp(pair.particles(), pair.neighbors, kStep, v);
    const float u = 0.8f, impulse = kStep * 0.75f * (20 * u + 10 * u * u);
    EXPECT_NEAR(v[0].x, 0.5f - 0.5f * impulse, 1e-6f);
    EXPECT_NEAR(v[1].x, -0.3f + 0.5f * impulse, 1e-6f);
    EXPECT_EQ(v[0].y, 1);
    v[0] = {-0.5f, 0, 0}, v[1] = {0.3f, 0, 0};
    pair.paste.damp(pair.particles(), pair.neighbors, kStep, v);
    EXPECT_EQ(v[0].x, -0.5f);
}

// What the state keeps of springs is to the last bit what plain loops leave: old ones flow, new ones come, those out of
// reach go, and ids that do not ascend with the particles' places make no difference.
TEST(DoubleDensity, tunedLoopsLeaveThePlainOnesSprings) {
    std::vector<Vec3> points = jittered(lattice(7, 7, 7, 0.9f * kSpacing), 0.3f * kSpacing);
    points.push_back(points[100]);
    const int count = static_cast<int>(points.size());
    Stages tuned(paste(), points, true), plain(paste(), points, false);
    int first = 0;
    for (int round = 0; round < 4; ++round) {
        for (Stages* each : {&tuned, &plain}) {
            if (round == 2) {
                Buffer<int> order(oneThread(), count);
                for (int i = 0; i < count; ++i) order[i] = i * 5 % count;  // 5 does not divide 344
                each->particles().reorder(order);
            }
            each->adjust();
        }
        const Springs &a = tuned.state.springs, &b = plain.state.springs;
        ASSERT_EQ(a.count(), b.count());
        for (int s = 0; s < a.count(); ++s) {
            ASSERT_EQ(a.a[s], b.a[s]) << s;
            ASSERT_EQ(a.b[s], b.b[s]) << s;
            ASSERT_EQ(a.rest[s], b.rest[s]) << s;
            ASSERT_EQ(a.shear[s], b.shear[s]) << s;
        }
        if (round == 0) first = a.count();
        for (int i = 0; i < count; ++i) {
            const Vec3 push = 0.1f * kSpacing * Vec3{std::sin(7.0f * float(i)), std::cos(5.0f * float(i)), 0};
            tuned.particles().x[i] += push;
            plain.particles().x[i] += push;
        }
    }
    EXPECT_GT(first, 1000);
    EXPECT_NE(tuned.state.springs.count(), first);  // some came or went
}

// One fluid, eight neighbours at a time, as one at a time; coincident particles too.
TEST(DoubleDensity, tunedLoopsGiveTheBitsOfThePlainOnes) {
    std::vector<Vec3> points = jittered(lattice(7, 7, 7, 0.9f * kSpacing), 0.3f * kSpacing);
    points.push_back(points[100]);
    const int count = static_cast<int>(points.size());
    Stages tuned(paste(), points, true), plain(paste(), points, false);
    Buffer<Vec3> vTuned(oneThread(), count), vPlain(oneThread(), count);
    for (int i = 0; i < count; ++i)
        vTuned[i] = vPlain[i] = {std::sin(3.0f * float(i)), std::cos(2.0f * float(i)), 0.5f * std::sin(float(i))};
    tuned.paste.damp(tuned.particles(), tuned.neighbors, kStep, vTuned);
    plain.paste.damp(plain.particles(), plain.neighbors, kStep, vPlain);
    for (Stages* each : {&tuned, &plain}) {
        each->adjust();
        for (Vec3& x : each->particles().x) x *= 1.02f;
        each->paste.pullSprings(each->state, each->neighbors, 0.1f);
    }
    for (int i = 0; i < count; ++i) {
        EXPECT_EQ(tuned.particles().x[i], plain.particles().x[i]) << i;
        EXPECT_EQ(tuned.paste.springs().hardness()[i], plain.paste.springs().hardness()[i]) << i;
        EXPECT_EQ(tuned.paste.springs().grip()[i], plain.paste.springs().grip()[i]) << i;
    }
    tuned.paste.relax(tuned.particles(), tuned.neighbors, kStep);
    plain.paste.relax(plain.particles(), plain.neighbors, kStep);
    float damped = 0, moved = 0;
    for (int i = 0; i < count; ++i) {
        EXPECT_EQ(vTuned[i], vPlain[i]) << i;
        EXPECT_EQ(tuned.particles().x[i], plain.particles().x[i]) << i;
        EXPECT_EQ(tuned.particles().density[i], plain.particles().density[i]) << i;
        EXPECT_EQ(tuned.particles().pressure[i], plain.particles().pressure[i]) << i;
        damped = std::max(damped, length(vPlain[i] - Vec3{std::sin(3.0f * float(i)), std::cos(2.0f * float(i)),
                                                          0.5f * std::sin(float(i))}));
        moved = std::max(moved, length(plain.particles().x[i] - points[static_cast<size_t>(i)]));
    }
    EXPECT_GT(damped, 0.1f);
    EXPECT_GT(moved, 0.01f * kSpacing);
}

// O-67 O-85. Springs are all pairs within the radius, each once, whatever the particles' order.
TEST(Springs, joinAllThatAreNearOnce) {
    Stages cloud(paste(), jittered(lattice(5, 5, 5, kSpacing), 0.3f * kSpacing));
    for (int n = 0; n < 3; ++n) {
        cloud.adjust();
        const Springs& springs = cloud.state.springs;
        int pairs = 0;
        for (int i = 0; i < 125; ++i)
            for (int j = 0; j < i; ++j)
                pairs +=
                    length(cloud.particles().x[i] - cloud.particles().x[j]) <= cloud.materials.searchRadius ? 1 : 0;
        EXPECT_EQ(springs.count(), pairs);
        std::set<std::pair<int64_t, int64_t>> joined;
        std::set<int64_t> holders;
        for (int s = 0; s < springs.count(); ++s) {
            EXPECT_LT(springs.a[s], springs.b[s]);
            EXPECT_TRUE(joined.emplace(springs.a[s], springs.b[s]).second) << s;
            const bool another = s == 0 || springs.a[s - 1] != springs.a[s];
            EXPECT_EQ(holders.insert(springs.a[s]).second, another) << s;
        }
        Buffer<int> order(oneThread(), 125);
        for (int i = 0; i < 125; ++i) order[i] = (i * 57 + 3) % 125;
        cloud.particles().reorder(order);
        for (int i = 0; i < 125; ++i) cloud.particles().x[i] += 0.1f * kSpacing * Vec3{std::sin(float(i)), 0, 0};
    }
    Stages pair(paste(), pairAt(0.5f * kRadius));
    pair.adjust();
    EXPECT_EQ(pair.state.springs.count(), 1);
    pair.particles().x[1].x = 1.01f * kRadius;
    pair.adjust();
    EXPECT_EQ(pair.state.springs.count(), 0);
}

// O-68
TEST(Springs, flowBeyondTheirYieldOnly) {
    Scene scene = paste();
    scene.fluids[0].params.doubleDensity.yieldRatio = 0.1f;
    scene.fluids[0].params.doubleDensity.plasticity = 5;
    for (const float strain : {0.05f, -0.05f, 0.3f, -0.3f}) {
        Stages pair(scene, pairAt(kSpacing));
        pair.adjust();
        EXPECT_EQ(pair.state.springs.rest[0], kSpacing);
        const float r = kSpacing * (1 + strain);
        pair.particles().x[1].x = r;
        pair.adjust();
        const float beyond = std::max(0.0f, std::fabs(strain) - 0.1f) * kSpacing;
        EXPECT_NEAR(pair.state.springs.rest[0], kSpacing + 5 * kStep * std::copysign(beyond, strain), 1e-8f) << strain;
    }
    scene.fluids[0].params.doubleDensity.springRest = SpringRest::radius;
    Stages pair(scene, pairAt(kSpacing));
    pair.adjust();
    EXPECT_EQ(pair.state.springs.rest[0], pair.materials.searchRadius);
}

// O-69 O-86. A spring that has just come about knows its ends' past.
TEST(Springs, hardenByTheirEndsPast) {
    for (const bool tuned : {true, false}) {
        Scene scene = paste();
        scene.fluids[0].params.doubleDensity.hardeningMemory = 30 * kStep;
        Stages pair(scene, pairAt(kSpacing), tuned);
        std::vector<Vec3> apart;
        for (int n = 0; n < 40; ++n) {
            pair.particles().v[0] = {std::sin(0.3f * float(n)), 0.1f, 0};
            pair.particles().v[1] = {0, 0, 0.05f * float(n)};
            apart.push_back(pair.particles().v[0] - pair.particles().v[1]);
            pair.paste.rememberVelocity(pair.state, scene, double(kStep));
        }
        pair.adjust();
        const FluidParams& params = scene.fluids[0].params;
        const HistoryWeights weights = trapezoidWeights(0.5, hardeningSamples(params, double(kStep), 1));
        EXPECT_EQ(weights.perLag.size(), 31u);
        double sum = 0;
        for (size_t k = 0; k < weights.perLag.size(); ++k) sum += weights.perLag[k] * double(length(apart[39 - k]));
        const double expected = double(params.doubleDensity.springStiffness) +
                                historyStiffness(params) * weights.scale(double(kStep)) * sum;
        EXPECT_NEAR(double(pair.paste.springs().stiffness()[0]) / expected, 1, 1e-5);
        EXPECT_GT(pair.paste.springs().stiffness()[0], 1.5f * params.doubleDensity.springStiffness);
    }
}

// O-76
TEST(Springs, hardenTenfoldAtTheReferenceSpeed) {
    Scene scene = paste();
    scene.fluids[0].params.doubleDensity.hardeningSpeed = 0.7f;
    Stages pair(scene, pairAt(kSpacing));
    pair.particles().v[0] = {0.7f, 0, 0};
    for (int n = 0; n < 300; ++n) pair.paste.rememberVelocity(pair.state, scene, double(kStep));
    pair.adjust();
    EXPECT_NEAR(pair.paste.springs().stiffness()[0] / scene.fluids[0].params.doubleDensity.springStiffness - 1, 10,
                0.5);
    pair.paste.pullSprings(pair.state, pair.neighbors, kStep);
    EXPECT_NEAR(pair.paste.springs().hardness()[0], 1, 0.05f);
    EXPECT_NEAR(pair.paste.grip()[0], 1, 0.05f);
}

// O-72
TEST(Springs, doNotHardenInAFluidThatMovesAsOne) {
    Stages block(paste(), lattice(4, 4, 4, kSpacing));
    for (Vec3& v : block.particles().v) v = {30, -20, 10};
    for (int n = 0; n < 50; ++n) block.paste.rememberVelocity(block.state, block.scene, double(kStep));
    block.adjust();
    for (const float k : block.paste.springs().stiffness())
        EXPECT_EQ(k, block.scene.fluids[0].params.doubleDensity.springStiffness);
}

// O-77
TEST(Springs, rememberASecondWhateverTheStep) {
    const FluidParams params;
    EXPECT_EQ(hardeningSamples(params, 1 / 60.0, 1), 61);
    EXPECT_EQ(hardeningSamples(params, 0.01, 1), 101);
    const auto halfLife = [&](double dt) {
        const HistoryWeights weights = trapezoidWeights(0.5, hardeningSamples(params, dt, 1));
        const auto after = [&](int steps) {
            double sum = 0;
            for (size_t k = static_cast<size_t>(steps); k < weights.perLag.size(); ++k) sum += weights.perLag[k];
            return sum;
        };
        int steps = 0;
        while (after(steps) > 0.5 * after(0)) ++steps;
        return dt * steps;
    };
    EXPECT_NEAR(halfLife(1 / 60.0) / halfLife(0.01), 1, 0.1);
}

// Left to itself a fluid remembers a hundred velocities or somewhat more, at any step.
TEST(Springs, rememberAHundredVelocities) {
    FluidParams params;
    for (const double dt : {0.0005, 0.001, 0.0022, 0.004, 0.01}) {
        const int samples = hardeningSamples(params, dt, hardeningStride(params, dt));
        EXPECT_GE(samples, 101) << dt;
        EXPECT_LE(samples, 151) << dt;
    }
    EXPECT_EQ(hardeningStride(params, 0.01), 1);
    EXPECT_EQ(hardeningStride(params, 1 / 60.0), 1) << "no oftener than there are steps";
    params.doubleDensity.hardeningStride = 3;
    EXPECT_EQ(hardeningStride(params, 0.001), 3);
}

// Between two samples springs keep the sum of the last one, and new ones take theirs: what comes out is what summing up
// all of them anew would give.
TEST(Springs, keepTheirPastFromSampleToSample) {
    for (const bool tuned : {true, false}) {
        Stages cloud(paste(), jittered(lattice(5, 5, 5, kSpacing), 0.3f * kSpacing), tuned);
        const auto stir = [&](int n) {
            for (int i = 0; i < 125; ++i)
                cloud.particles().v[i] = {std::sin(float(i + n)), std::cos(float(i * n)), 0.1f * float(n)};
        };
        for (int n = 0; n < 30; ++n) {
            stir(n);
            cloud.paste.rememberVelocity(cloud.state, cloud.scene, double(kStep));
        }
        cloud.adjust();
        const int before = cloud.state.springs.count();
        EXPECT_EQ(cloud.state.springs.outdated, 0);
        for (int i = 0; i < 125; ++i) cloud.particles().x[i] += 0.3f * kSpacing * Vec3{std::sin(float(i)), 0, 0};
        cloud.adjust();
        EXPECT_NE(cloud.state.springs.count(), before) << "some are new";
        const std::vector<float> kept(cloud.paste.springs().stiffness().begin(),
                                      cloud.paste.springs().stiffness().end());
        cloud.state.springs.outdated = 1;
        cloud.adjust();
        const std::vector<float> anew(cloud.paste.springs().stiffness().begin(),
                                      cloud.paste.springs().stiffness().end());
        EXPECT_EQ(kept, anew);
        EXPECT_GT(*std::max_element(anew.begin(), anew.end()),
                  2 * cloud.scene.fluids[0].params.doubleDensity.springStiffness);
    }
}

Scene blockOnFloor(float lift) {
    Scene scene = paste();
    scene.solver.gravity = 9.81f;
    scene.fluids[0].volumes.push_back(boxMesh({0, lift, 0}, {5 * kSpacing, 5 * kSpacing + lift, 5 * kSpacing}));
    scene.colliders.resize(1);
    scene.colliders[0].name = "floor";
    scene.colliders[0].params.shape = ColliderShape::plane;
    return scene;
}

// O-78
TEST(DoubleDensityStep, goesThroughItsStagesInOrderAndFallsFreely) {
    Scene scene = blockOnFloor(10);
    Simulator simulator(oneThread());
    simulator.reset(scene);
    simulator.clearTimings();
    const double start = simulator.frame().points.positions[0].y;
    run(simulator, scene, 0.1, 0.02);
    std::vector<std::string> names;
    for (const PhaseTime& phase : simulator.timings()) names.push_back(phase.phase);
    const std::vector<std::string> expected = {"sortParticles",   "findNeighbors",  "applyForces",     "dampApproach",
                                               "moveParticles",   "adjustSprings",  "pullSprings",     "relaxDensity",
                                               "resolveContacts", "finishVelocity", "rememberVelocity"};
    size_t next = 0;
    for (const std::string& name : names)
        if (next < expected.size() && name == expected[next]) ++next;
    EXPECT_EQ(next, expected.size());
    double speed = 0, height = 0;
    for (const Vec3& v : simulator.frame().points.velocities) speed += double(v.y) / 125;
    for (const Vec3& x : simulator.frame().points.positions) height += double(x.y) / 125;
    EXPECT_NEAR(speed, -0.981, 2e-3);
    EXPECT_NEAR(height, start + 2 * double(kSpacing) - 0.5 * 0.0981, 0.005);
}

// O-71. Without hardening nothing is remembered, and the springs are those of the base.
TEST(DoubleDensityStep, withoutHardeningIsTheViscoelasticBase) {
    Scene scene = blockOnFloor(0.02f);
    scene.fluids[0].params.doubleDensity.hardening = 0;
    Simulator simulator(oneThread());
    run(simulator, scene, 0.1, 0.02);
    EXPECT_TRUE(simulator.state().particles.history.values.empty());
    Scene other = scene;
    other.fluids[0].params.fractional.order = 0.2f;
    other.fluids[0].params.doubleDensity.hardeningSpeed = 3;
    Simulator second(oneThread());
    EXPECT_EQ(run(second, other, 0.1, 0.02).stateHash, simulator.frame().stateHash);
}

// O-79. What hits the floor is on it, and moves into it no more.
TEST(DoubleDensityStep, endsOnTheFloorWithoutNormalVelocity) {
    Scene scene = blockOnFloor(0.001f);
    scene.fluids[0].params.startVelocity = {0, -1, 0};
    Simulator simulator(oneThread());
    const Frame& frame = run(simulator, scene, 0.02, 0.02);
    int touching = 0;
    for (size_t i = 0; i < frame.points.count(); ++i) {
        EXPECT_GE(frame.points.positions[i].y, 0);
        if (frame.points.positions[i].y > 0) continue;
        ++touching;
        EXPECT_GE(frame.points.velocities[i].y, -1e-6f);
    }
    EXPECT_GT(touching, 0);
}

// O-80. Walls grip what has hardened, and let go what has not.
TEST(DoubleDensityStep, wallsGripWhatHasHardened) {
    const Contact contact{0.001f, {0, 0, 0}, {0, 1, 0}, -1};
    const auto slip = [&](float grip) { return respond({1, -1, 0}, {}, contact, 0, 0, kStep, grip).x; };
    EXPECT_EQ(slip(0), 1);
    EXPECT_FLOAT_EQ(slip(0.4f), 0.6f);
    EXPECT_EQ(slip(1), 0);
    const auto slid = [](float grip) {
        Scene scene = blockOnFloor(0);
        scene.fluids[0].params.startVelocity = {1, 0, 0};
        scene.fluids[0].params.doubleDensity.wallGrip = grip;
        scene.fluids[0].params.doubleDensity.hardeningSpeed = 0.02f;
        scene.fluids[0].params.doubleDensity.springStiffness = 100;
        Simulator simulator(oneThread());
        double mean = 0;
        for (const Vec3& v : run(simulator, scene, 0.2, 0.02).points.velocities) mean += double(v.x) / 125;
        return mean;
    };
    EXPECT_LT(slid(1), 0.9 * slid(0));
}

// O-12. Springs and past velocities are part of the state.
TEST(DoubleDensityStep, resumesToTheSameBitsWithAnyNumberOfThreads) {
    const Scene scene = blockOnFloor(0.05f);
    Simulator whole(oneThread());
    run(whole, scene, 0.12, 0.02);
    const std::string path = testing::TempDir() + "paste.state";
    saveState(whole.state(), path);
    Simulator resumed(Device::cpu(2));
    resumed.restore(loadState(path, Device::cpu(2)), scene);
    std::remove(path.c_str());
    State forgetful = whole.state();
    forgetful.springs = Springs(oneThread());
    Simulator other(oneThread());
    other.restore(std::move(forgetful), scene);
    const uint64_t hash = run(whole, scene, 0.2, 0.02).stateHash;
    EXPECT_EQ(run(resumed, scene, 0.2, 0.02).stateHash, hash);
    EXPECT_NE(run(other, scene, 0.2, 0.02).stateHash, hash);
}

// A block that is shaken hardens, O-109, and one at rest is soft again a second later.
TEST(DoubleDensityStep, staysWholeAtRest) {
    Scene scene = blockOnFloor(0);
    for (const float jitter : {0.0f, 0.1f, 0.3f}) {
        scene.fluids[0].params.jitter = jitter;
        Simulator simulator(oneThread());
        const Frame& frame = run(simulator, scene, 1.0, 0.05);
        EXPECT_LT(frame.stats.maxSpeed, 0.1) << jitter;  // it fell by its own height with a metre a second
        EXPECT_NEAR(frame.stats.meanCompression, 1, 0.25);
    }
}

}  // namespace
}  // namespace purl
