#include "solver/cache/retime.h"

#include <gtest/gtest.h>

#include <cmath>

#include "solver/cache/cache.h"
#include "tests/solver/cache/testFrames.h"

namespace purl {
namespace {

// Particles on a circle: where they are at any moment is known.
Frame circling(double time) {
    Frame frame;
    frame.time = time;
    frame.metersPerUnit = 0.01;
    frame.bodies.push_back({"water"});
    for (int i = 0; i < 8; ++i) {
        const double angle = 3 * time + i;
        frame.points.ids.edit().push_back(10 * i);
        frame.points.bodies.edit().push_back(0);
        frame.points.positions.edit().push_back({float(5 * std::cos(angle)), float(5 * std::sin(angle)), float(i)});
        frame.points.velocities.edit().push_back({float(-15 * std::sin(angle)), float(15 * std::cos(angle)), 0});
        frame.points.densities.edit().push_back(static_cast<float>(1000 + 240 * time));
    }
    return frame;
}

TEST(Retime, particlesFollowTheirCurvedWay) {
    const Frame a = circling(0), b = circling(1.0 / 24);
    for (const double share : {0.25, 0.5, 0.8}) {
        const Frame frame = between(a, b, share), exact = circling(share / 24);
        EXPECT_DOUBLE_EQ(frame.time, share / 24);
        for (size_t i = 0; i < 8; ++i) {
            // A cubic through both ends errs by h⁴ |x''''| / 384 = (1/24)⁴ 405 / 384 = 3e-6; floats of 5 by 4e-7.
            EXPECT_LT(length(frame.points.positions[i] - exact.points.positions[i]), 5e-6f);
            // Its slope by at most a few times h³ |x''''| / 100 = 3e-4.
            EXPECT_LT(length(frame.points.velocities[i] - exact.points.velocities[i]), 1e-3f);
            EXPECT_NEAR(frame.points.densities[i], exact.points.densities[i], 1e-3f);
            EXPECT_EQ(frame.points.ids[i], a.points.ids[i]);
        }
    }
}

TEST(Retime, endsAreTheFramesThemselves) {
    const Frame a = everything(1), b = everything(2);
    expectSameFrame(between(a, b, 0), a);
    expectSameFrame(between(a, b, 1), b);
}

TEST(Retime, particlesAreMatchedByIdAndComeAndGo) {
    Frame a = circling(0), b = circling(1.0 / 24);
    b.points.ids.edit()[0] = 5;  // particle 0 is gone in b, and 5 is new
    a.points.ages.edit().assign(8, 1);
    b.points.ages.edit().assign(8, 1 + 1.0f / 24);
    b.points.ages.edit()[0] = 0.25f / 24;  // let in at three quarters
    const auto idsAt = [&](double share) { return between(a, b, share).points.ids; };
    EXPECT_EQ(idsAt(0.4), (std::vector<int64_t>{0, 10, 20, 30, 40, 50, 60, 70}));
    EXPECT_EQ(idsAt(0.6), (std::vector<int64_t>{10, 20, 30, 40, 50, 60, 70}));
    EXPECT_EQ(idsAt(0.8), (std::vector<int64_t>{5, 10, 20, 30, 40, 50, 60, 70}));
    const Frame late = between(a, b, 0.8);
    EXPECT_NEAR(late.points.ages[0], 0.05f / 24, 1e-6f);
    EXPECT_LT(length(late.points.positions[0] - (b.points.positions[0] - (0.2f / 24) * b.points.velocities[0])), 1e-5f);
}

TEST(Retime, aMeshThatChangesItsFacesMovesByItsVelocities) {
    Frame a = everything(1), b = everything(2);
    a.time = 0, b.time = 0.04;
    b.meshes[0].triangles.edit().resize(6);
    const Frame early = between(a, b, 0.25), late = between(a, b, 0.75);
    EXPECT_EQ(early.meshes[0].triangles, a.meshes[0].triangles);
    EXPECT_EQ(late.meshes[0].triangles, b.meshes[0].triangles);
    for (size_t i = 0; i < 4; ++i) {
        EXPECT_LT(length(early.meshes[0].positions[i] - (a.meshes[0].positions[i] + 0.01f * a.meshes[0].velocities[i])),
                  1e-6f);
        EXPECT_LT(length(late.meshes[0].positions[i] - (b.meshes[0].positions[i] - 0.01f * b.meshes[0].velocities[i])),
                  1e-6f);
    }
    // The cloth and the yarns keep theirs and are between.
    EXPECT_EQ(early.meshes[1].faces.corners, a.meshes[1].faces.corners);
    EXPECT_EQ(early.curves[0].counts, a.curves[0].counts);
}

TEST(Retime, cachesAreReadAtAnyMoment) {
    Folder folder;
    CacheWriter writer(folder / ".", {});
    for (int n = 1; n <= 3; ++n) writer.write(n, circling((n - 1) / 24.0));
    const CacheReader reader(folder / ".");
    expectSamePoints(reader.at(2).points, circling(1 / 24.0).points);
    const Frame frame = reader.at(1.5), exact = circling(0.5 / 24);
    for (size_t i = 0; i < 8; ++i)
        EXPECT_LT(length(frame.points.positions[i] - exact.points.positions[i]), 5e-6f);  // as above
    EXPECT_NE(errorOf([&] { reader.at(3.5); }).find("has no frame 4"), std::string::npos);
}

}  // namespace
}  // namespace purl
