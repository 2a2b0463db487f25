#include "solver/surface/foam.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/solver/surface/surfaces.h"

namespace purl {
namespace {

// Two blocks of water, side by side, that collide at `speed` each.
Frame clash(float speed, double time) {
    const auto t = static_cast<float>(time);
    Frame frame = frameOf(0.05f, 0.1f, {});
    for (const Vec3 p : latticeBlock(24, 8, 8)) {
        const float side = p.x < 12 ? 1.0f : -1.0f;
        frame.points.positions.edit().push_back(0.05f * p + Vec3{side * speed * t, 0, 0});
        frame.points.velocities.edit().push_back({side * speed, 0, 0});
        frame.points.ids.edit().push_back(static_cast<int64_t>(frame.points.ids.size()));
        frame.points.bodies.edit().push_back(0);
    }
    frame.time = time;
    return frame;
}

// Water with a uniform velocity.
Frame uniform(Vec3 velocity, double time) {
    Frame frame = frameOf(0.05f, 0.1f, {});
    for (const Vec3 p : latticeBlock(16, 16, 16)) {
        frame.points.positions.edit().push_back(0.05f * p + static_cast<float>(time) * velocity);
        frame.points.velocities.edit().push_back(velocity);
        frame.points.ids.edit().push_back(static_cast<int64_t>(frame.points.ids.size()));
        frame.points.bodies.edit().push_back(0);
    }
    frame.time = time;
    return frame;
}

TEST(Foam, comesWhereWaterClashesAndNotWhereItMovesAsOne) {
    FoamParams params;
    const FoamPotentials calm = foamPotentials(Device::cpu(), uniform({3, 0, 0}, 0), 0, params);
    for (const float air : calm.air) EXPECT_EQ(air, 0);
    const Frame frame = clash(3, 0);
    const FoamPotentials wild = foamPotentials(Device::cpu(), frame, 0, params);
    for (size_t i = 0; i < frame.points.count(); ++i) {
        const float away = std::abs(frame.points.positions[i].x - 0.6f);
        if (away < 0.05f) { EXPECT_GT(wild.air[i], 0.5f); }
        if (away > 0.13f) { EXPECT_EQ(wild.air[i], 0); }
        EXPECT_NEAR(wild.energy[i], (4.5f - 0.5f) / (12.5f - 0.5f), 1e-5f);
    }
    Foam foam("water");
    foam.advance(uniform({0.5f, 0, 0}, 0), params);
    foam.advance(uniform({0.5f, 0, 0}, 0.04), params);
    EXPECT_EQ(foam.points().count(), 0u);
}

// A crest: an edge of a block that moves along its outward normal. Flat tops, and edges that move inwards, do not
// break.
TEST(Foam, comesFromCrests) {
    FoamParams params;
    const Frame up = uniform(normalized({1, 1, 0}) * 4, 0);
    const FoamPotentials potentials = foamPotentials(Device::cpu(), up, 0, params);
    for (size_t i = 0; i < up.points.count(); ++i) {
        const Vec3 p = up.points.positions[i] / 0.05f;
        const bool edge = p.x > 15 && p.y > 15 && p.z > 4 && p.z < 12;
        const bool flat = p.y > 15 && p.x > 4 && p.x < 11 && p.z > 4 && p.z < 12;
        if (edge) { EXPECT_GT(potentials.crest[i], 0.1f); }
        if (flat) { EXPECT_EQ(potentials.crest[i], 0); }
        if (p.x < 1 && p.y < 1) { EXPECT_EQ(potentials.crest[i], 0); }
    }
}

TEST(Foam, isTheSameForAnyNumberOfThreads) {
    FoamParams params;
    std::vector<Points> made;
    for (const int threads : {1, 2, 5}) {
        Foam foam("water", Device::cpu(threads));
        for (int frame = 0; frame <= 6; ++frame) foam.advance(clash(3, frame / 24.0), params);
        made.push_back(foam.points());
    }
    EXPECT_GT(made[0].count(), 200u);
    for (const Points& other : made)
        forEachChannel(made[0], other, [&](const auto& a, const auto& b) { EXPECT_EQ(a, b); });
}

// Spray is ballistic: x = x₀ + v t + ½ g t², up to the error of as many Euler steps.
TEST(Foam, asSprayFallsAsideAndAges) {
    FoamParams params;
    params.lifetime = 0.5f;
    Foam foam("water");
    for (int frame = 0; frame <= 2; ++frame) foam.advance(clash(3, frame / 24.0), params);
    params.airRate = params.crestRate = 0;
    // The water vanishes at once; what it emitted is spray.
    const auto empty = [](int frame) {
        Frame far = clash(0, frame / 24.0);
        for (Vec3& p : far.points.positions.edit()) p += Vec3{1000, 0, 0};
        return far;
    };
    foam.advance(empty(3), params);
    const Points before = foam.points();
    ASSERT_GT(before.count(), 50u);
    for (int frame = 4; frame <= 8; ++frame) foam.advance(empty(frame), params);
    const Points& after = foam.points();
    // The shortest lifetime is 0.6 s, and spray ages at a quarter of the rate.
    ASSERT_EQ(after.count(), before.count());
    const float t = 5 / 24.0f;
    for (size_t i = 0; i < after.count(); ++i) {
        EXPECT_EQ(after.ids[i], before.ids[i]);
        EXPECT_EQ(after.sources[i], static_cast<int>(FoamClass::spray));
        EXPECT_NEAR(after.ages[i] - before.ages[i], t, 1e-5f);
        const Vec3 wanted = before.positions[i] + t * before.velocities[i] + Vec3{0, -0.5f * 9.81f * t * t, 0};
        EXPECT_LT(length(after.positions[i] - wanted), 0.05f);
        EXPECT_NEAR(after.velocities[i].y - before.velocities[i].y, -9.81f * t, 1e-3f);
    }
    for (int frame = 9; frame <= 24 * 2 + 4; ++frame) foam.advance(empty(frame), params);
    EXPECT_EQ(foam.points().count(), 0u);  // spray ages too, a quarter as fast
}

// Bubbles rise inside the water; foam is advected on it.
TEST(Foam, asBubblesRisesAndAsFoamGoesAlong) {
    FoamParams params;
    Foam foam("water");
    for (int frame = 0; frame <= 2; ++frame) foam.advance(clash(3, frame / 24.0), params);
    params.airRate = params.crestRate = 0;
    // A large pool around them that drifts along z.
    const auto pool = [](int frame) {
        Frame around = frameOf(0.05f, 0.1f, {});
        const Vec3 drift{0, 0, 0.5f};
        for (const Vec3 p : latticeBlock(40, 28, 28)) {
            around.points.positions.edit().push_back(0.05f * (p - Vec3{8, 10, 10}) +
                                                     static_cast<float>(frame - 3) / 24 * drift);
            around.points.velocities.edit().push_back(drift);
            around.points.ids.edit().push_back(static_cast<int64_t>(around.points.ids.size()));
            around.points.bodies.edit().push_back(0);
        }
        around.time = frame / 24.0;
        return around;
    };
    foam.advance(pool(3), params);
    foam.advance(pool(4), params);
    const Points before = foam.points();
    foam.advance(pool(5), params);
    const Points& after = foam.points();
    ASSERT_EQ(after.count(), before.count());
    int bubbles = 0;
    for (size_t i = 0; i < after.count(); ++i) {
        if (after.sources[i] != static_cast<int>(FoamClass::bubble)) continue;
        ++bubbles;
        EXPECT_GT(after.positions[i].y, before.positions[i].y);
        EXPECT_NEAR(after.velocities[i].z, 0.5f, 0.1f);
    }
    EXPECT_GT(bubbles, 50);
}

TEST(Foam, isStoppedByWalls) {
    FoamParams params;
    params.lifetime = 100;
    Foam foam("water");
    for (int frame = 0; frame <= 2; ++frame) foam.advance(clash(3, frame / 24.0), params);
    params.airRate = params.crestRate = 0;
    float lowest = 1e9f;
    for (const Vec3 p : foam.points().positions) lowest = std::min(lowest, p.y);
    const float y = lowest - 0.1f;
    const FoamCollider floor{{{-50, y, -50}, {-50, y, 50}, {50, y, 50}, {50, y, -50}}, {0, 1, 2, 0, 2, 3}};
    for (int frame = 3; frame <= 30; ++frame) {
        Frame far = clash(0, frame / 24.0);
        for (Vec3& p : far.points.positions.edit()) p += Vec3{1000, 0, 0};
        foam.advance(far, params, {floor});
    }
    ASSERT_GT(foam.points().count(), 50u);
    for (const Vec3 p : foam.points().positions) {
        EXPECT_GE(p.y, y);
        EXPECT_LT(p.y, y + 0.1f);
    }
}

// Water that has bounced off a wall extrapolates backwards into the wall: no foam is created behind it.
TEST(Foam, isMadeOnItsLiquidsSideOfAWall) {
    FoamParams params;
    const auto bounced = [](double time) {
        Frame frame = clash(3, time);
        for (size_t i = 0; i < frame.points.count(); ++i)
            frame.points.velocities.edit()[i] += Vec3{0, 3, 0};  // upwards, off a floor just below
        return frame;
    };
    const float y = -0.001f;
    const FoamCollider floor{{{-50, y, -50}, {-50, y, 50}, {50, y, 50}, {50, y, -50}}, {0, 1, 2, 0, 2, 3}};
    Foam foam("water");
    foam.advance(bounced(0), params, {floor});
    foam.advance(bounced(1 / 24.0), params, {floor});
    ASSERT_GT(foam.points().count(), 50u);
    for (const Vec3 p : foam.points().positions) EXPECT_GE(p.y, y);
}

// A separate body, in the frame's unit, with unique ids.
TEST(Foam, isABodyOfTheFrame) {
    FoamParams params;
    Foam foam("water");
    for (int frame = 0; frame <= 2; ++frame) foam.advance(clash(3, frame / 24.0), params);
    Frame frame = clash(3, 2 / 24.0);
    const size_t water = frame.points.count();
    foam.addTo(frame, params);
    ASSERT_EQ(frame.bodies.size(), 2u);
    EXPECT_EQ(frame.bodies[1].name, "waterFoam");
    EXPECT_EQ(frame.bodies[1].kind, BodyKind::foam);
    ASSERT_EQ(frame.points.count(), water + foam.points().count());
    EXPECT_TRUE(std::is_sorted(frame.points.ids.begin(), frame.points.ids.end()));
    for (size_t i = water; i < frame.points.count(); ++i) {
        EXPECT_EQ(frame.points.bodies[i], 1);
        EXPECT_GT(frame.points.radii[i], 0);
        EXPECT_LT(frame.points.radii[i], 0.05f);
        EXPECT_TRUE(isFinite(frame.points.positions[i]));
    }
    EXPECT_EQ(pointsOf(frame, 1).positions, foam.points().positions);
    // In centimetres it is the same foam, with lengths a hundred times as large.
    Foam scaled("water");
    for (int k = 0; k <= 2; ++k) scaled.advance(inUnits(clash(3, k / 24.0), 0.01), params);
    EXPECT_NEAR(double(scaled.points().count()), double(foam.points().count()), 0.1 * double(foam.points().count()));
}

TEST(Foam, beginsAnewAfterAJump) {
    FoamParams params;
    Foam foam("water");
    for (int frame = 0; frame <= 4; ++frame) foam.advance(clash(3, frame / 24.0), params);
    EXPECT_GT(foam.points().count(), 0u);
    foam.advance(clash(3, 1 / 24.0), params);
    EXPECT_EQ(foam.points().count(), 0u);
    EXPECT_THROW(foam.advance(frameOf(0, 0, {{0, 0, 0}}), params), Error);
    Foam other("milk");
    EXPECT_THROW(other.advance(clash(3, 0), params), Error);
}

}  // namespace
}  // namespace purl
