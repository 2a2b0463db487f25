#include "solver/fluid/emission.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "solver/core/error.h"
#include "tests/solver/meshes.h"

namespace purl {
namespace {

constexpr double kPi = 3.14159265358979;

Scene discScene(float rate, float speed, float radius, float spacing) {
    Scene scene;
    Fluid water;
    water.name = "water";
    water.params.particleSpacing = spacing;
    Emitter tap;
    tap.name = "tap";
    tap.params.rate = rate;
    tap.params.speed = speed;
    tap.params.radius = radius;
    tap.pose.position = {1, 2, 3};
    tap.pose.axes = turned({1, 0, 1}, 0.7f);
    water.emitters.push_back(tap);
    scene.fluids.push_back(water);
    return scene;
}

// Emits and lets the jet fly straight on.
void run(State& state, const Scene& scene, double until, double dt) {
    while (state.time < until - 1e-9) {
        const double step = std::min(dt, until - state.time);
        emit(state, scene, step);
        for (int i = 0; i < state.particles.count(); ++i)
            state.particles.x[i] += static_cast<float>(step) * state.particles.v[i];
        state.time += step;
    }
}

double nearestPair(const State& state) {
    std::vector<Vec3> x(state.particles.x.begin(), state.particles.x.end());
    std::sort(x.begin(), x.end(), [](Vec3 a, Vec3 b) { return a.y < b.y; });
    double nearest = 1e30;
    for (size_t i = 0; i < x.size(); ++i)
        for (size_t j = i + 1; j < x.size() && x[j].y - x[i].y < nearest; ++j)
            nearest = std::min(nearest, double(length(x[i] - x[j])));
    return nearest;
}

TEST(Emission, discGivesItsLitresToOneParticle) {
    struct Case {
        float rate, speed, radius, spacing;
    };
    for (const Case c : {Case{1, 1, 0.05f, 0.01f},
                         {20, 1, 0.05f, 0.01f},
                         {0.05f, 2, 0.05f, 0.01f},
                         {3, 2, 0.02f, 0.013f},
                         {0.2f, 3, 0.004f, 0.01f}}) {
        const Scene scene = discScene(c.rate, c.speed, c.radius, c.spacing);
        State state;
        run(state, scene, 1, 0.0031);
        const double flow = std::min(c.rate * 1e-3, kPi * c.radius * c.radius * c.speed);
        const double particle = std::pow(double(c.spacing), 3);
        EXPECT_NEAR(state.particles.count(), flow / particle, 1) << c.rate << " l/s";
        EXPECT_NEAR(state.emitted[0], flow, 1e-9);
    }
}

TEST(Emission, jetHasNoGapsAndNoNearlyCoincidentParticles) {
    // At the nozzle's capacity the jet is as dense as the fluid at rest, whatever the radius and the step.
    for (const float radius : {0.003f, 0.0057f, 0.0062f, 0.01f, 0.0173f, 0.03f, 0.05f})
        for (const double dt : {0.002, 0.0071, 0.04}) {
            const float spacing = 0.01f, speed = 1.5f;
            const Scene scene = discScene(1e3f, speed, radius, spacing);
            State state;
            run(state, scene, std::ceil(0.4 / dt) * dt, dt);
            EXPECT_GT(nearestPair(state), 0.5 * spacing) << radius << " " << dt;

            std::vector<float> along;
            for (const Vec3 x : state.particles.x) along.push_back(scene.fluids[0].emitters[0].pose.toLocal(x).y);
            std::sort(along.begin(), along.end());
            const double advance = std::pow(spacing, 3) / (kPi * radius * radius);  // of the jet, from one to the next
            for (size_t i = 1; i < along.size(); ++i)
                EXPECT_LT(along[i] - along[i - 1], 1.1 * advance) << radius << " " << dt;
        }
}

TEST(Emission, densityAlongTheJetIsEven) {
    const Scene scene = discScene(1e3f, 1, 0.05f, 0.01f);
    State state;
    run(state, scene, 0.5, 0.003);
    std::vector<int> slices(20);  // of two spacings each
    for (const Vec3 x : state.particles.x) {
        const int slice = static_cast<int>(std::floor((scene.fluids[0].emitters[0].pose.toLocal(x).y - 0.05f) / 0.02f));
        if (slice >= 0 && slice < 20) ++slices[static_cast<size_t>(slice)];
    }
    const double expected = kPi * 0.05 * 0.05 * 0.02 / 1e-6;
    for (const int count : slices) EXPECT_NEAR(count, expected, 0.03 * expected);
}

TEST(Emission, particlesLeaveTheDiscAlongItsAxis) {
    Scene scene = discScene(2, 2, 0.04f, 0.01f);
    State state;
    emit(state, scene, 0.01);
    ASSERT_GT(state.particles.count(), 5);
    const Emitter& tap = scene.fluids[0].emitters[0];
    std::set<int64_t> ids;
    for (int i = 0; i < state.particles.count(); ++i) {
        const Vec3 local = tap.pose.toLocal(state.particles.x[i]);
        EXPECT_LE(std::hypot(local.x, local.z), 0.04f + 1e-6f);
        EXPECT_GE(local.y, -1e-6f);
        EXPECT_LE(local.y, 0.02f + 1e-6f);  // no further than the step takes it
        EXPECT_NEAR(length(state.particles.v[i] - 2.0f * tap.pose.axes.y), 0, 1e-5f);
        EXPECT_EQ(state.particles.v[i], state.particles.vHalf[i]);
        EXPECT_EQ(state.particles.density[i], scene.fluids[0].params.restDensity);
        ids.insert(state.particles.id[i]);
    }
    EXPECT_EQ(ids.size(), static_cast<size_t>(state.particles.count()));
    EXPECT_EQ(state.nextId, state.particles.count());

    scene.fluids[0].emitters[0].params.spread = 0.5f;
    State sprayed;
    run(sprayed, scene, 0.5, 0.01);
    float widest = 1;
    for (const Vec3 v : sprayed.particles.v) {
        EXPECT_NEAR(length(v), 2, 1e-5f);
        widest = std::min(widest, dot(v, tap.pose.axes.y) / 2);
    }
    EXPECT_GE(widest, std::cos(kPi / 4) - 1e-5);
    EXPECT_LT(widest, std::cos(kPi / 4) + 0.02);
}

TEST(Emission, keepsToItsTimesAndLimits) {
    Scene scene = discScene(1, 1, 0.05f, 0.01f);
    scene.fluids[0].emitters[0].params.startTime = 0.2f;
    scene.fluids[0].emitters[0].params.endTime = 0.5f;
    State timed;
    run(timed, scene, 0.2, 0.007);
    EXPECT_EQ(timed.particles.count(), 0);
    run(timed, scene, 1, 0.007);
    EXPECT_NEAR(timed.particles.count(), 300, 1);
    for (const float birth : timed.particles.birth) EXPECT_TRUE(birth >= 0.2f && birth <= 0.5f);

    scene = discScene(1, 1, 0.05f, 0.01f);
    scene.fluids[0].emitters[0].params.maxVolume = 0.25f;
    State limited;
    run(limited, scene, 1, 0.007);
    EXPECT_NEAR(limited.particles.count(), 250, 1);

    scene = discScene(1, 1, 0.05f, 0.01f);
    scene.solver.maxParticles = 123;
    State full;
    run(full, scene, 1, 0.007);
    EXPECT_EQ(full.particles.count(), 123);
    full.particles.resize(100);  // some are deleted: what was held back is not owed
    emit(full, scene, 0.007);
    EXPECT_LE(full.particles.count(), 108);
    EXPECT_GE(full.particles.count(), 106);

    scene.fluids[0].emitters[0].params.speed = 0;
    State still;
    run(still, scene, 1, 0.01);
    EXPECT_EQ(still.particles.count(), 0);
    emit(still, scene, 0);
    EXPECT_EQ(still.particles.count(), 0);
}

TEST(Emission, resumedStateEmitsTheSame) {
    const Scene scene = discScene(1, 1, 0.05f, 0.01f);
    State whole, resumed;
    run(whole, scene, 0.5, 0.01);
    run(resumed, scene, 0.25, 0.01);
    State copy = resumed;
    run(copy, scene, 0.5, 0.01);
    ASSERT_EQ(copy.particles.count(), whole.particles.count());
    for (int i = 0; i < copy.particles.count(); ++i)
        EXPECT_NEAR(length(copy.particles.x[i] - whole.particles.x[i]), 0, 1e-5f);
}

TEST(Emission, volumeFillsFreeSitesAtItsRateAndThenStops) {
    Scene scene = discScene(0.5f, 0, 0, 0.01f);
    Emitter& spring = scene.fluids[0].emitters[0];
    spring.params.shape = EmitterShape::volume;
    spring.mesh = boxMesh({0, 0, 0}, {0.1f, 0.1f, 0.1f});
    State state;
    run(state, scene, 0.4, 0.01);
    EXPECT_NEAR(state.particles.count(), 200, 1);
    EXPECT_GT(nearestPair(state), 0.0099);
    run(state, scene, 5, 0.01);
    EXPECT_EQ(state.particles.count(), 1000);  // full
    EXPECT_NEAR(state.emitted[0], 1e-3, 1e-6);
    for (Vec3& x : state.particles.x) x.y += 0.05f;  // half of the sites come free: no gush
    emit(state, scene, 0.01);
    EXPECT_LE(state.particles.count(), 1006);
}

TEST(Emission, volumesAreFilledInOrderWithoutOverlap) {
    Scene scene;
    for (const char* name : {"water", "oil"}) {
        Fluid fluid;
        fluid.name = name;
        fluid.params.particleSpacing = 0.1f;
        fluid.params.startVelocity = {1, 0, 0};
        scene.fluids.push_back(fluid);
    }
    scene.fluids[0].volumes = {boxMesh({0, 0, 0}, {1, 1, 1}), boxMesh({1, 0, 0}, {2, 1, 1})};
    scene.fluids[1].volumes = {boxMesh({1.5f, 0, 0}, {2.5f, 1, 1})};  // half of it is taken
    State state;
    fillVolumes(state, scene);
    ASSERT_EQ(state.particles.count(), 2500);
    for (int i = 0; i < 2500; ++i) {
        EXPECT_EQ(state.particles.id[i], i);
        EXPECT_EQ(state.particles.body[i], i < 2000 ? 0 : 1);
        EXPECT_EQ(state.particles.v[i].x, 1);
    }
    EXPECT_GT(nearestPair(state), 0.099);
}

TEST(Emission, fillErrorsNameTheFluid) {
    Scene scene;
    Fluid water;
    water.name = "water";
    water.volumes = {boxMesh({0, 0, 0}, {1, 1, 1})};
    scene.fluids = {water};
    const auto errorOf = [](const Scene& s) -> std::string {
        State state;
        try {
            fillVolumes(state, s);
        } catch (const Error& error) { return error.what(); }
        return "";
    };
    // A wedge whose only lattice site, the middle of its box, is outside.
    scene.fluids[0].volumes[0] = {{{0, 0, 0}, {0.02f, 0, 0}, {0, 0.02f, 0}, {0, 0, 0.02f}},
                                  {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3}};
    EXPECT_EQ(errorOf(scene), "water: volume mesh holds no particle at spacing 0.02 m; use a smaller spacing");
    scene.fluids[0].volumes[0] = sheetMesh({}, 1);
    EXPECT_EQ(errorOf(scene), "water: volume mesh is open (4 edges have one face); close its holes");
    scene.fluids[0].volumes[0] = {};
    EXPECT_EQ(errorOf(scene), "water: volume mesh has no faces; connect a closed mesh");
}

}  // namespace
}  // namespace purl
