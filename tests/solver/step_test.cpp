#include "solver/step.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "solver/core/threadPool.h"
#include "solver/simulator.h"
#include "tests/solver/testScenes.h"

namespace purl {
namespace {

using namespace test;

struct Stepper {
    Scene scene;
    State state;
    Workspace work{oneThread()};

    Stepper(Scene what, const std::vector<Vec3>& points, Vec3 velocity = {})
        : scene(std::move(what)), state(stateOf(points, velocity)) {
        state.colliders = placesOf(scene);
        work.set(scene, state);
    }
    void take(double dt) {
        StepSpan span;
        span.dt = dt;
        span.timeAfter = state.time + dt;
        step(state, work, scene, span);
    }
    // Of the particle with this id: steps sort.
    int find(int64_t id) const {
        return static_cast<int>(std::find(state.particles.id.begin(), state.particles.id.end(), id) -
                                state.particles.id.begin());
    }
    Vec3 extent() const {
        Bounds bounds;
        for (const Vec3 x : state.particles.x) bounds.include(x);
        return bounds.size();
    }
};

Scene weightless(const std::string& preset) {
    Scene scene = sceneOf(preset);
    scene.solver.gravity = 0;
    return scene;
}

// A gas in the open rises at a speed that a plume may have, whichever solver; dfsph took particles at the edge of a
// cloud, which lack neighbours, for thin gas and shot them up at 110 m/s.
TEST(Step, steamInTheOpenRisesGently) {
    for (const PressureSolver solver : {PressureSolver::pbf, PressureSolver::dfsph}) {
        Scene scene = sceneOf("steam");
        scene.solver.pressureSolver = solver;
        const float s = scene.fluids[0].params.particleSpacing;
        Simulator simulator(oneThread());
        simulator.restore(stateOf(lattice(5, 5, 5, s)), scene);
        for (int frame = 1; frame <= 24; ++frame) simulator.advanceTo(scene, frame / 24.0);
        const Frame& shown = simulator.frame();
        double rise = 0;
        for (const Vec3 v : shown.points.velocities) rise += double(v.z) / double(shown.points.count());
        EXPECT_GT(rise, 0.5) << int(solver);
        // b (1/0.9 − 1) g / 3 s⁻¹ = 1.8 m/s is the most that the lift reaches; the rest is what pushes the cloud apart.
        EXPECT_LT(shown.stats.maxSpeed, 2.5) << int(solver);
        EXPECT_LT(shown.stats.steps, 20) << int(solver);
    }
}

const std::pair<Integrator, ReferenceIntegrator> kSchemes[] = {
    {Integrator::leapFrog, ReferenceIntegrator::none},
    {Integrator::semiImplicitEuler, ReferenceIntegrator::none},
    {Integrator::leapFrog, ReferenceIntegrator::verlet},
};

// What the table of channels says a method does not read of the step before may hold anything.
TEST(Step, readsOnlyTheChannelsItsMethodCarries) {
    for (const PressureSolver solver : {PressureSolver::wcsph, PressureSolver::pbf, PressureSolver::dfsph})
        for (const auto& [integrator, reference] : kSchemes) {
            Scene scene = sceneOf("steam");  // a gas: its density is its weight
            scene.solver.pressureSolver = solver;
            scene.solver.wcsph.integrator = integrator;
            scene.solver.reference.integrator = reference;
            const float spacing = scene.fluids[0].params.particleSpacing;
            const auto points = jittered(lattice(5, 5, 5, 0.9f * spacing), 0.3f * spacing);
            Stepper plain(scene, points, {0, 0, 10}), poisoned(scene, points, {0, 0, 10});
            for (Stepper* stepper : {&plain, &poisoned}) stepper->take(1e-4);
            poisoned.state.particles.channels([&](const char*, auto& channel, unsigned readers) {
                if (readers & methodOf(scene.solver) || channel.empty()) return;
                std::memset(static_cast<void*>(channel.data()), 0xff, sizeof channel[0] * size_t(channel.size()));
            });
            // Far enough for a new order.
            for (Stepper* stepper : {&plain, &poisoned}) stepper->take(0.05 * double(spacing));
            ASSERT_TRUE(isFinite(plain.state.particles.x[0]));
            EXPECT_EQ(hashOf(poisoned.state), hashOf(plain.state));
        }
}

// K-53. Densities are complete before any force, neighbours are searched again after particles have moved.
TEST(Step, goesThroughItsPhasesInOrder) {
    Stepper stepper(sceneOf("water"), {{0, 0, 0}});
    stepper.take(0.01);
    stepper.take(0.01);
    std::vector<std::string> names;
    for (const PhaseTime& phase : stepper.work.phases) {
        names.push_back(phase.phase);
        EXPECT_EQ(phase.calls, 2) << phase.phase;  // K-52: one search a step
    }
    EXPECT_EQ(names,
              (std::vector<std::string>{"moveColliders", "emit", "sortParticles", "findNeighbors", "computeDensity",
                                        "applyForces", "integrate", "resolveContacts", "finishVelocity"}));
}

// K-53. A particle that flies into reach of another is felt in the very next step.
TEST(Step, findsNeighboursWhereParticlesAreNow) {
    Scene scene = weightless("water");
    scene.fluids[0].params.surfaceTension = 0;
    const float h = static_cast<float>(supportRadius(scene.fluids[0].params));
    Stepper stepper(scene, {{0, 0, 0}, {1.05f * h, 0, 0}});
    stepper.state.particles.v[1] = stepper.state.particles.vHalf[1] = {-10 * h, 0, 0};
    stepper.take(0.01);  // too far away still: now it moves to 0.95 h
    EXPECT_EQ(stepper.state.particles.a[stepper.find(0)], Vec3{});
    stepper.take(0.01);
    EXPECT_NE(stepper.state.particles.a[stepper.find(0)], Vec3{});
}

// K-12
TEST(Step, letsACompressedBlockBurstOpen) {
    const Scene scene = weightless("water");
    Stepper stepper(scene, lattice(8, 8, 8, 0.8f * scene.fluids[0].params.particleSpacing));
    const float before = stepper.extent().x;
    float last = before;
    for (int i = 0; i < 5; ++i) {
        stepper.take(0.01);
        EXPECT_GT(stepper.extent().x, last);
        last = stepper.extent().x;
    }
    EXPECT_GT(last, 1.3f * before);
}

// K-12
TEST(Step, drawsAThinPairTogether) {
    const Scene scene = weightless("water");
    const float h = static_cast<float>(supportRadius(scene.fluids[0].params));
    Stepper stepper(scene, {{0, 0, 0}, {0.5f * h, 0, 0}});
    stepper.take(0.001);
    EXPECT_LT(stepper.extent().x, 0.5f * h);
}

// K-55. d = 0 along an axis makes every force zero along it, to the bit.
TEST(Step, keepsAPlaneAPlaneAndALineALine) {
    const Scene scene = weightless("water");
    const float s = scene.fluids[0].params.particleSpacing;
    std::vector<Vec3> points = jittered(lattice(10, 10, 1, s), 0.1f * s);
    for (Vec3& p : points) p.z = 0.25f;
    Stepper plane(scene, points);
    for (Vec3& p : points) p.y = -0.5f;
    Stepper line(scene, {points.begin(), points.begin() + 10});
    for (int i = 0; i < 300; ++i) {
        plane.take(0.01);
        line.take(0.01);
    }
    EXPECT_EQ(plane.extent().z, 0);
    EXPECT_GT(plane.extent().x, 0);
    EXPECT_EQ(line.extent().y, 0);
    EXPECT_EQ(line.extent().z, 0);
}

// K-33. The reported velocity is the mean of the old half velocity and the new one after contacts.
TEST(Step, reportsTheMeanOfHalfVelocities) {
    Scene scene = sceneOf("water");
    const float s = scene.fluids[0].params.particleSpacing;
    scene.colliders.push_back(boxCollider({0, 0, 0}, s * Vec3{6, 6, 12}));
    Stepper stepper(scene, lattice(6, 6, 6, s));
    for (int i = 0; i < 20; ++i) stepper.take(0.01);
    const Particles before = stepper.state.particles;
    stepper.take(0.01);
    const Particles& after = stepper.state.particles;
    int bounced = 0;
    for (int i = 0; i < before.count(); ++i) {
        const int k = stepper.find(before.id[i]);
        EXPECT_EQ(after.v[k], 0.5f * (before.vHalf[i] + after.vHalf[k]));
        bounced += after.vHalf[k] != before.vHalf[i] + 0.01f * after.a[k] ? 1 : 0;
    }
    EXPECT_GT(bounced, 10);  // contacts there were
}

// K-56
TEST(Step, survivesCoincidentParticles) {
    Stepper stepper(sceneOf("water"), {{0, 0, 0}, {0, 0, 0}, {0.01f, 0, 0}});
    for (int i = 0; i < 10; ++i) stepper.take(0.01);
    for (const Vec3 x : stepper.state.particles.x) EXPECT_TRUE(isFinite(x));
}

// K-56. Two taps in one place let out particles on the very same points; a step parts them before it looks at forces.
TEST(Step, partsParticlesThatComeInOnTheSamePoint) {
    Scene scene = weightless("water");
    scene.fluids[0].emitters.resize(2);
    for (Emitter& emitter : scene.fluids[0].emitters) emitter.params.rate = 20;
    scene.fluids[0].emitters[0].name = "tap";
    scene.fluids[0].emitters[1].name = "sameTap";
    Stepper stepper(scene, {});
    for (int i = 0; i < 10; ++i) stepper.take(0.01);
    const Buffer<Vec3>& x = stepper.state.particles.x;
    EXPECT_GT(x.size(), 20);
    for (int i = 0; i < x.size(); ++i)
        for (int j = 0; j < i; ++j) EXPECT_NE(x[i], x[j]);
}

// What a step does whatever the machine: loops over all particles, and pairs of neighbours that its sweeps visit.
struct Work {
    int64_t loops = 0, pairs = 0;
};
Work workOfAStep(const Scene& scene, const std::vector<Vec3>& points) {
    Stepper stepper(scene, points);
    stepper.take(0.001);
    LoopRecord record;
    {
        const ScopedLoopRecord recording(record);
        stepper.take(0.001);
    }
    return {record.loops, stepper.work.fluid.neighbors.pairCount()};
}

// K-51. Eight times the particles at the same density take as many loops, over eight times the particles and their
// neighbours. bench/growth measures the time.
TEST(Step, costsInProportionToItsParticles) {
    const Scene scene = weightless("water");
    const float s = scene.fluids[0].params.particleSpacing;
    const Work small = workOfAStep(scene, lattice(16, 16, 16, s)), large = workOfAStep(scene, lattice(32, 32, 32, s));
    EXPECT_EQ(large.loops, small.loops);
    EXPECT_GT(large.pairs, 8 * small.pairs);
    // A particle at the surface has half the neighbours, and a smaller share of the larger block is at its surface.
    EXPECT_LT(double(large.pairs), 9.5 * double(small.pairs));
}

// B-128. The sweep of the thesis, 20 to 240 thousand particles and all else the same: the work of a step grows with the
// particles, so that the frame rate falls.
TEST(Step, workGrowsWithTheParticles) {
    const Scene scene = weightless("water");
    const float s = scene.fluids[0].params.particleSpacing;
    const Work first = workOfAStep(scene, lattice(40, 25, 20, s));
    int64_t before = 0;
    for (const int height : {20, 60, 120, 240}) {
        const Work work = workOfAStep(scene, lattice(40, 25, height, s));
        EXPECT_EQ(work.loops, first.loops);
        EXPECT_GT(work.pairs, before);
        // The kernel reaches the 6 nearest and 12 diagonal neighbours in the lattice; at the surface some are missing.
        EXPECT_LT(work.pairs, int64_t(18) * 40 * 25 * height);
        before = work.pairs;
    }
}

// The three integrators agree where the flow is smooth and the step short.
TEST(Step, integratorsAgreeOnShortSteps) {
    Scene scene = weightless("water");
    const float s = scene.fluids[0].params.particleSpacing;
    std::vector<Vec3> ends;
    for (const auto& [integrator, reference] : kSchemes) {
        scene.solver.wcsph.integrator = integrator;
        scene.solver.reference.integrator = reference;
        Stepper stepper(scene, lattice(4, 4, 4, s));
        for (int i = 0; i < 200; ++i) stepper.take(0.0001);
        ends.push_back(stepper.state.particles.x[stepper.find(0)]);
    }
    EXPECT_GT(length(ends[0] - Vec3{s / 2, s / 2, s / 2}), 0.02f * s);  // it moved
    EXPECT_LT(length(ends[1] - ends[0]), 0.002f * s);
    EXPECT_LT(length(ends[2] - ends[0]), 0.002f * s);
}

}  // namespace
}  // namespace purl
