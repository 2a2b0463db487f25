#include "solver/fluid/emission.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "solver/core/error.h"
#include "solver/fluid/nozzle.h"
#include "tests/solver/meshes.h"
#include "tests/solver/testScenes.h"

namespace purl {
namespace {

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

// Emits, and advects the jet in a straight line.
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
        // One particle, the last, may be still to come.
        EXPECT_NEAR(state.particles.count(), flow / particle, 1) << c.rate << " l/s";
        EXPECT_NEAR(state.emitted[0], flow, 1e-9);  // m³, summed in doubles
    }
}

TEST(Emission, jetHasNoGapsAndNoNearlyCoincidentParticles) {
    // At the nozzle's capacity the jet has the rest density, for any radius and step.
    for (const float radius : {0.003f, 0.0057f, 0.0062f, 0.01f, 0.0173f, 0.03f, 0.05f})
        for (const double dt : {0.002, 0.0071, 0.04}) {
            const float spacing = 0.01f, speed = 1.5f;
            const Scene scene = discScene(1e3f, speed, radius, spacing);
            State state;
            run(state, scene, std::ceil(0.4 / dt) * dt, dt);
            // 0.84 measured; half a spacing is not yet coincident.
            EXPECT_GT(nearestPair(state), 0.5 * spacing) << radius << " " << dt;

            std::vector<float> along;
            for (const Vec3 x : state.particles.x) along.push_back(scene.fluids[0].emitters[0].pose.toLocal(x).y);
            std::sort(along.begin(), along.end());
            const double advance = std::pow(spacing, 3) / (kPi * radius * radius);  // of the jet, per particle
            for (size_t i = 1; i < along.size(); ++i)
                // At most one step of the jet, and rounding.
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
        if (slice >= 0 && slice < 20) ++slices[slice];
    }
    const double expected = kPi * 0.05 * 0.05 * 0.02 / 1e-6;
    // 0.9 of 157: one particle on either side of the slice.
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
        EXPECT_LE(std::hypot(local.x, local.z), 0.04f + 1e-6f);  // the radius of the disc, and rounding
        EXPECT_GE(local.y, -1e-6f);
        EXPECT_LE(local.y, 0.02f + 1e-6f);  // no farther than the step moves it
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
        EXPECT_NEAR(length(v), 2, 1e-5f);  // rounding
        widest = std::min(widest, dot(v, tap.pose.axes.y) / 2);
    }
    EXPECT_GE(widest, std::cos(kPi / 4) - 1e-5);
    // 0.001: a thousand directions come this near to the edge of the cone.
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
    EXPECT_NEAR(timed.particles.count(), 300, 1);  // the last one may be still to come
    for (const float birth : timed.particles.birth) EXPECT_TRUE(birth >= 0.2f && birth <= 0.5f);

    scene = discScene(1, 1, 0.05f, 0.01f);
    scene.fluids[0].emitters[0].params.maxVolume = 0.25f;
    State limited;
    run(limited, scene, 1, 0.007);
    EXPECT_NEAR(limited.particles.count(), 250, 1);  // the last one may be still to come

    scene = discScene(1, 1, 0.05f, 0.01f);
    scene.solver.maxParticles = 123;
    State full;
    run(full, scene, 1, 0.007);
    EXPECT_EQ(full.particles.count(), 123);
    full.particles.resize(100);  // some are deleted: the particles held back before are not owed
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
    for (int i = 0; i < copy.particles.count(); ++i) EXPECT_EQ(copy.particles.x[i], whole.particles.x[i]);
}

// L-76
TEST(Emission, volumeFillsFreeSitesAtItsRateAndThenStops) {
    Scene scene = discScene(0.5f, 0, 0, 0.01f);
    Emitter& spring = scene.fluids[0].emitters[0];
    spring.params.shape = EmitterShape::volume;
    spring.mesh = boxMesh({0, 0, 0}, {0.1f, 0.1f, 0.1f});
    State state;
    run(state, scene, 0.4, 0.01);
    EXPECT_NEAR(state.particles.count(), 200, 1);
    EXPECT_GT(nearestPair(state), 0.0099);  // a spacing of 0.01, less rounding
    run(state, scene, 5, 0.01);
    EXPECT_EQ(state.particles.count(), 1000);        // full
    EXPECT_NEAR(state.emitted[0], 1e-3, 1e-6);       // m³, the volume of the mesh; one particle
    for (Vec3& x : state.particles.x) x.y += 0.05f;  // half of the sites become free: no gush
    emit(state, scene, 0.01);
    EXPECT_LE(state.particles.count(), 1006);
}

// ---- surfaces and curves --------------------------------------------------------------------------------------

Scene shapeScene(EmitterShape shape, float rate, float speed, float spacing) {
    Scene scene = discScene(rate, speed, 0.03f, spacing);
    Emitter& emitter = scene.fluids[0].emitters[0];
    emitter.params.shape = shape;
    emitter.mesh = sheetMesh({0, 0, 0}, 0.1f);
    for (int i = 0; i <= 20; ++i) emitter.curve.push_back({0.02f * float(i), 0, 0});
    return scene;
}

TEST(Emission, surfaceGivesItsLitresEvenlyAlongTheNormals) {
    // A box: every face emits in proportion to its area, along its normal.
    Scene scene = shapeScene(EmitterShape::surface, 2, 1, 0.01f);
    scene.fluids[0].emitters[0].mesh = boxMesh({0, 0, 0}, {0.1f, 0.2f, 0.3f});
    State state;
    run(state, scene, 1, 0.0031);
    const int count = state.particles.count();
    EXPECT_NEAR(count, 2000, 1);
    int alongX = 0, alongY = 0;
    for (int i = 0; i < count; ++i) {
        const Vec3 v = state.particles.v[i];
        EXPECT_NEAR(length(v), 1, 1e-5f);
        EXPECT_NEAR(std::max({std::fabs(v.x), std::fabs(v.y), std::fabs(v.z)}), 1, 1e-5f);
        alongX += std::fabs(v.x) > 0.5f;
        alongY += std::fabs(v.y) > 0.5f;
        // Trace it back to its face.
        const Vec3 from = state.particles.x[i] - (1.0031f - state.particles.birth[i]) * v;
        EXPECT_GT(from.x, -1e-2f);
        EXPECT_LT(from.x, 0.1f + 1e-2f);
    }
    const double area = 2 * (0.02 + 0.03 + 0.06);
    EXPECT_NEAR(alongX, 2000 * 2 * 0.06 / area, 3);  // 1 of 1091
    EXPECT_NEAR(alongY, 2000 * 2 * 0.03 / area, 3);
}

TEST(Emission, surfaceAtItsCapacityIsAsDenseAsTheFluidWithoutCoincidence) {
    const Scene scene = shapeScene(EmitterShape::surface, 1e4f, 1, 0.01f);
    for (const double dt : {0.002, 0.01, 0.04}) {
        State state;
        run(state, scene, 0.4, dt);
        EXPECT_NEAR(state.particles.count(), 0.04 * 0.4 / 1e-6, 1) << "area x speed";
        EXPECT_GT(nearestPair(state), 0.3 * 0.01) << dt;  // 0.5 of a spacing measured
        // Cells of 5 spacings hold 125 particles, whatever the step.
        std::vector<int> cells(4 * 4 * 6);
        for (const Vec3 x : state.particles.x) {
            const int a = static_cast<int>((x.x + 0.1f) / 0.05f), b = static_cast<int>((x.z + 0.1f) / 0.05f);
            const int c = static_cast<int>(std::floor((x.y - 0.05f) / 0.05f));
            if (c >= 0 && c < 6) ++cells[(c * 4 + std::min(b, 3)) * 4 + std::min(a, 3)];
        }
        // 14 measured; a layer of a cell is 25.
        for (const int cell : cells) EXPECT_NEAR(cell, 125, 25) << dt;
    }
}

TEST(Emission, curveFlowsAlongItsTangentOrItsNormals) {
    Scene scene = shapeScene(EmitterShape::curve, 0.5f, 1, 0.01f);
    State along;
    run(along, scene, 1, 0.01);
    EXPECT_NEAR(along.particles.count(), 500, 1);
    for (int i = 0; i < along.particles.count(); ++i) {
        EXPECT_NEAR(length(along.particles.v[i] - Vec3{1, 0, 0}), 0, 1e-5f);
        const Vec3 x = along.particles.x[i];
        EXPECT_LE(std::hypot(x.y, x.z), 0.03f + 1e-6f);
    }
    scene.fluids[0].emitters[0].params.curveFlow = CurveFlow::normal;
    State off;
    run(off, scene, 1, 0.01);
    EXPECT_NEAR(off.particles.count(), 500, 1);
    std::vector<int> tenths(10);
    for (int i = 0; i < off.particles.count(); ++i) {
        const Vec3 v = off.particles.v[i], x = off.particles.x[i];
        EXPECT_NEAR(v.x, 0, 1e-5f);
        EXPECT_NEAR(length(v), 1, 1e-5f);
        // It moves straight away from the axis, starting on the tube's wall.
        EXPECT_NEAR(std::hypot(x.y, x.z), 0.03f + (1.01f - off.particles.birth[i]), 1e-3f);
        EXPECT_NEAR(x.y * v.z - x.z * v.y, 0, 1e-4f);
        ++tenths[static_cast<size_t>(clamp(x.x / 0.04f, 0, 9))];
    }
    for (const int tenth : tenths) EXPECT_NEAR(tenth, 50, 2);  // 1 measured
    // The rate is limited by the tube's cross-section or its wall.
    scene.fluids[0].emitters[0].params.rate = 1e4f;
    State full;
    run(full, scene, 0.1, 0.01);
    EXPECT_NEAR(full.particles.count(), 0.1 * 2 * kPi * 0.03 * 0.4 / 1e-6, 2);  // 0.2: rounding to whole particles
}

// ---- moving emitters ------------------------------------------------------------------------------------------

// Emits over one frame of 1/24 s in `steps` steps while the emitter moves from `from` to the scene's pose; particles
// are not advected.
State frameInSteps(const Scene& scene, const Emitter& from, int steps) {
    Scene before = scene;
    before.fluids[0].emitters[0] = from;
    State state;
    state.emitters = emitterPlaces(before);
    for (int i = 0; i < steps; ++i) {
        const double dt = 1.0 / 24 / steps;
        emit(state, scene, dt, float(i) / float(steps), float(i + 1) / float(steps));
        state.time += dt;
    }
    return state;
}

TEST(Emission, fastEmitterLeavesAnEvenTrail) {
    // A metre per frame, 24 m/s: with one step per frame or many, every tenth of the path gets a tenth.
    for (const EmitterShape shape : {EmitterShape::disc, EmitterShape::surface, EmitterShape::curve})
        for (const int steps : {1, 4, 20}) {
            Scene scene = shapeScene(shape, 5, 1, 0.01f);
            Emitter& to = scene.fluids[0].emitters[0];
            const Emitter from = to;
            to.pose.position += Vec3{0, 0, 1};
            for (Vec3& vertex : to.mesh.vertices) vertex += Vec3{0, 0, 1};
            for (Vec3& point : to.curve) point += Vec3{0, 0, 1};
            const State state = frameInSteps(scene, from, steps);
            EXPECT_GT(state.particles.count(), 90);
            std::vector<double> path;
            for (int i = 0; i < state.particles.count(); ++i) {
                const double passed = 24 * double(state.particles.birth[i]);
                const double start = shape == EmitterShape::disc ? 3 : 0;
                EXPECT_NEAR(state.particles.x[i].z, start + passed, 0.15) << "leaves where the emitter is at its birth";
                path.push_back(passed);
            }
            std::sort(path.begin(), path.end());
            for (size_t i = 1; i < path.size(); ++i)
                // Evenly, within half a distance.
                EXPECT_LT(path[i] - path[i - 1], 1.5 / double(path.size())) << steps << " steps";
        }
}

TEST(Emission, ownVelocityGoesAlongByTheDial) {
    for (const EmitterShape shape :
         {EmitterShape::disc, EmitterShape::surface, EmitterShape::curve, EmitterShape::volume})
        for (const float dial : {0.0f, 0.5f, 1.0f}) {
            Scene scene = shapeScene(shape, 5, 1, 0.01f);
            Emitter& to = scene.fluids[0].emitters[0];
            if (shape == EmitterShape::volume) to.mesh = boxMesh({0, 0, 0}, {0.1f, 0.1f, 0.1f});
            to.params.inheritVelocity = dial;
            const Emitter from = to;
            const State still = frameInSteps(scene, from, 3);
            to.pose.position += Vec3{0.1f, 0, 0};
            for (Vec3& vertex : to.mesh.vertices) vertex += Vec3{0.1f, 0, 0};
            for (Vec3& point : to.curve) point += Vec3{0.1f, 0, 0};
            const State moving = frameInSteps(scene, from, 3);
            ASSERT_GT(moving.particles.count(), 50);
            ASSERT_EQ(moving.particles.count(), still.particles.count());
            for (int i = 0; i < moving.particles.count(); ++i)
                EXPECT_NEAR(length(moving.particles.v[i] - still.particles.v[i] - dial * Vec3{2.4f, 0, 0}), 0, 1e-3f);
        }
    // A rotating disc adds ω × r to the velocity of its particles.
    Scene scene = shapeScene(EmitterShape::disc, 5, 1, 0.01f);
    Emitter& to = scene.fluids[0].emitters[0];
    to.pose = {};
    to.params.inheritVelocity = 1;
    const Emitter from = to;
    to.pose.axes = turned({0, 1, 0}, 0.2f);
    const State state = frameInSteps(scene, from, 20);
    for (int i = 0; i < state.particles.count(); ++i) {
        const Vec3 v = state.particles.v[i], x = state.particles.x[i];
        EXPECT_NEAR(std::hypot(v.x, v.z), 0.2 * 24 * std::hypot(x.x, x.z), 1e-4);  // v = ω r; rounding
        EXPECT_NEAR(v.y, 1, 1e-4f);                                                // rounding
    }
}

TEST(Emission, jitterMovesEachParticleWithinItsBounds) {
    Scene scene = discScene(2, 2, 0.04f, 0.01f);
    State straight, shaken;
    run(straight, scene, 0.2, 0.01);
    scene.fluids[0].emitters[0].params.jitter = 0.4f;
    run(shaken, scene, 0.2, 0.01);
    ASSERT_EQ(straight.particles.count(), shaken.particles.count());
    float farthest = 0;
    for (int i = 0; i < shaken.particles.count(); ++i) {
        const Vec3 offset = shaken.particles.x[i] - straight.particles.x[i];
        for (int axis = 0; axis < 3; ++axis) {
            EXPECT_LE(std::fabs(offset[axis]), 0.4f * 0.01f + 1e-5f);  // jitter of a spacing of 0.01, and rounding
            farthest = std::max(farthest, std::fabs(offset[axis]));
        }
    }
    EXPECT_GT(farthest, 0.3f * 0.01f);  // of 0.4: 1200 offsets come near to the bound
}

TEST(Emission, shapesWithoutSizeAreErrorsThatNameTheEmitter) {
    const auto errorOf = [](const Scene& scene) -> std::string {
        try {
            State state;
            checkScene(scene);
            emit(state, scene, 0.01);
        } catch (const Error& error) { return error.what(); }
        return "";
    };
    Scene scene = shapeScene(EmitterShape::curve, 1, 1, 0.01f);
    scene.fluids[0].emitters[0].curve = {{1, 1, 1}};
    EXPECT_EQ(errorOf(scene), "tap: curve has fewer than two points; connect one to inCurve or use the disc shape");
    scene.fluids[0].emitters[0].curve = {{1, 1, 1}, {1, 1, 1}};
    EXPECT_EQ(errorOf(scene), "tap: curve has no length; connect another curve");
    scene = shapeScene(EmitterShape::surface, 1, 1, 0.01f);
    scene.fluids[0].emitters[0].mesh = {};
    EXPECT_EQ(errorOf(scene), "tap: mesh has no faces; connect one to inMesh or use the disc shape");
}

TEST(Emission, volumesAreFilledInOrderWithoutOverlap) {
    Scene scene;
    scene.solver.origins = true;
    for (const char* name : {"water", "oil"}) {
        Fluid fluid;
        fluid.name = name;
        fluid.params.particleSpacing = 0.1f;
        fluid.params.startVelocity = {1, 0, 0};
        scene.fluids.push_back(fluid);
    }
    scene.fluids[0].volumes = {boxMesh({0, 0, 0}, {1, 1, 1}), boxMesh({1, 0, 0}, {2, 1, 1})};
    scene.fluids[1].volumes = {boxMesh({1.5f, 0, 0}, {2.5f, 1, 1})};  // half of it is occupied
    State state;
    fillVolumes(state, scene);
    ASSERT_EQ(state.particles.count(), 2500);
    for (int i = 0; i < 2500; ++i) {
        EXPECT_EQ(state.particles.id[i], i);
        EXPECT_EQ(state.particles.body[i], i < 2000 ? 0 : 1);
        EXPECT_EQ(state.particles.v[i].x, 1);
        EXPECT_EQ(state.particles.source[i], i >= 1000 && i < 2000 ? 1 : 0);
        EXPECT_EQ(state.particles.rest[i], state.particles.x[i]);
    }
    EXPECT_GT(nearestPair(state), 0.099);  // a spacing of 0.1, less rounding
}

// Sources count volumes first, then emitters.
TEST(Emission, particlesKnowWhatLetThemInAndWhere) {
    Scene scene = discScene(1, 1, 0.05f, 0.01f);
    scene.solver.origins = true;
    scene.fluids[0].emitters.push_back(scene.fluids[0].emitters[0]);
    scene.fluids[0].emitters[1].pose.position = {5, 2, 3};
    scene.fluids[0].volumes = {boxMesh({0, 0, 0}, {0.05f, 0.05f, 0.05f})};
    State state;
    fillVolumes(state, scene);
    run(state, scene, 0.2, 0.01);
    int from[3] = {};
    for (int i = 0; i < state.particles.count(); ++i) {
        const int source = state.particles.source[i];
        ASSERT_TRUE(source >= 0 && source < 3);
        ++from[source];
        const Vec3 there =
            source == 0 ? Vec3{0.025f, 0.025f, 0.025f} : scene.fluids[0].emitters[source == 2].pose.position;
        EXPECT_LT(length(state.particles.rest[i] - there), 0.07f);
    }
    EXPECT_EQ(from[0], 125);
    EXPECT_GT(from[1], 100);
    EXPECT_EQ(from[1], from[2]);
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
    // A wedge: its only lattice site, the centre of its box, is outside.
    scene.fluids[0].volumes[0] = {{{0, 0, 0}, {0.02f, 0, 0}, {0, 0.02f, 0}, {0, 0, 0.02f}},
                                  {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3}};
    EXPECT_EQ(errorOf(scene), "water: volume mesh holds no particle at spacing 0.02 m; use a smaller spacing");
    scene.fluids[0].volumes[0] = sheetMesh({}, 1);
    EXPECT_EQ(errorOf(scene), "water: volume mesh is open (4 edges have one face); close its holes");
    scene.fluids[0].volumes[0] = {};
    EXPECT_EQ(errorOf(scene), "water: volume mesh has no faces; connect a closed mesh");
}

using test::boxCollider, test::oneThread, test::run;

// A disc slightly behind a wall's surface, as if modelled into the wall: its jet leaves the wall as it would in the
// open, for every boundary handling. Deep inside a wall nothing is created.
TEST(Emission, inAWallItComesOutOfItOrNotAtAll) {
    constexpr float kSpeed = 1.5f;
    for (const PressureSolver solver : {PressureSolver::wcsph, PressureSolver::pbf, PressureSolver::dfsph})
        for (const WallModel walls : {WallModel::contact, WallModel::particles, WallModel::volumeMap})
            for (const bool deep : {false, true}) {
                Scene scene;
                scene.solver.pressureSolver = solver;
                scene.solver.gravity = 0;
                scene.fluids.push_back(test::dampedWater("purlWater"));
                Emitter tap;
                tap.params.rate = 100;
                tap.params.speed = kSpeed;
                tap.params.radius = 0.05f;
                tap.pose.position = {0, deep ? -0.3f : -0.01f, 0};
                scene.fluids[0].emitters.push_back(tap);
                scene.colliders.push_back(boxCollider({-0.3f, -0.6f, -0.3f}, {0.3f, 0, 0.3f}, false));
                scene.colliders[0].params.boundary = walls;
                Simulator simulator(oneThread());
                const Frame& frame = run(simulator, scene, 0.1, 0.02);
                SCOPED_TRACE(std::to_string(int(solver)) + " " + std::to_string(int(walls)));
                if (deep) {
                    EXPECT_EQ(frame.points.count(), 0u);
                    continue;
                }
                // Q t / spacing³, with the disc full
                const double due = 3.14159 * 0.05 * 0.05 * double(kSpeed) * 0.1 / std::pow(0.02, 3);
                EXPECT_NEAR(double(frame.points.count()), due, 1);  // 147 of 147.3
                // A compressible jet expands a little, in the open as in front of a wall.
                const double burst = solver == PressureSolver::wcsph ? 3 : 2;
                EXPECT_LT(frame.stats.maxSpeed, burst * double(kSpeed));
                for (const Vec3& x : frame.points.positions) EXPECT_GT(x.y, 0);
            }
}

}  // namespace
}  // namespace purl
