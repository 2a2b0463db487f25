#include "solver/knit/yarn.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "solver/core/error.h"
#include "tests/solver/knit/fabrics.h"

namespace purl {
namespace {

using testing::tube;
using testing::unitSheet;
using testing::yarnsOf;
using testing::yarnsOn;

// A sheet that is bent, sheared and uneven.
std::vector<Vec3> deformed(std::vector<Vec3> points) {
    for (Vec3& p : points)
        p = {1.1f * p.x + 0.2f * p.y + 0.1f * std::sin(p.y), 0.9f * p.y + 0.15f * std::cos(2 * p.x),
             0.4f * std::sin(p.x)};
    return points;
}

Vec3 bonded(const KnitLayers& layers, const Courses& courses, int row, int column, const BondingPoint& bond) {
    Vec3 place;
    for (int m = 0; m < 4; ++m) {
        const int corner = courses.corner(row, column, m);
        place += bond.m[m] * ((1 - bond.depth) * layers.front[corner] + bond.depth * layers.back[corner]);
    }
    return place;
}

KnitLayers layersOn(const KnitFabric& fabric, const std::vector<Vec3>& points) {
    const std::vector<Vec3> still(points.size());
    const auto count = static_cast<int>(points.size());
    return fabric.follow({points.data(), count}, {still.data(), count});
}

// G-11 B-42
TEST(Yarn, stitchesTileToTheBitOnADeformedSheet) {
    const Knit knit = unitSheet(5, 5);
    const KnitFabric fabric(Device::cpu(1), knit, knit.points);
    const Courses& courses = fabric.lattices()[0].courses;
    ASSERT_EQ(courses.wales(0), 5);
    ASSERT_EQ(courses.count(), 5);
    const KnitLayers layers = layersOn(fabric, deformed(knit.points));
    const auto& t = stitchOf(StitchKind::knit).t;
    for (int r = 0; r < 4; ++r)
        for (int c = 0; c < 4; ++c) {
            EXPECT_EQ(bonded(layers, courses, r, c, t[7]), bonded(layers, courses, r + 1, c, t[0]));
            EXPECT_EQ(bonded(layers, courses, r, c, t[11]), bonded(layers, courses, r + 1, c, t[3]));
            EXPECT_EQ(bonded(layers, courses, r, c, t[8]), bonded(layers, courses, r, c + 1, t[4]));
        }
}

// G-13 B-43: in every frame the yarn's points are eq. 1 of that frame's mass points, exactly.
TEST(Yarn, everyPointIsBoundToTheCurrentMassPoints) {
    Knit knit = unitSheet(6, 5);
    knit.params.tighten = 0;  // otherwise stretching moves them within their cells
    knit.params.edges = false;
    const KnitFabric fabric(Device::cpu(2), knit, knit.points);
    const std::vector<Vec3> moved = deformed(knit.points);
    const KnitLayers layers = layersOn(fabric, moved);
    const Curves curves = yarnsOn(fabric, moved);
    const Courses& courses = fabric.lattices()[0].courses;
    const std::vector<YarnPath> paths =
        routeYarns(courses, expandPattern(builtInPattern("stockinette", ""), courses), false);
    ASSERT_EQ(paths.size(), 1u);
    ASSERT_EQ(paths[0].points.size(), curves.count());
    for (size_t i = 0; i < curves.count(); ++i) {
        const YarnPoint& point = paths[0].points[i];
        EXPECT_EQ(curves.positions[i], bonded(layers, courses, point.row, point.column, point.bond)) << i;
    }
}

// G-08 B-43: 1e-6 of the sheet's size, six metres.
TEST(Yarn, anAffineMapOfMassPointsMapsBondingPointsTheSame) {
    const Knit knit = unitSheet(5, 5);
    const KnitFabric fabric(Device::cpu(1), knit, knit.points);
    const KnitLayers layers = layersOn(fabric, knit.points);
    const auto map = [](Vec3 p) {
        return Vec3{1.2f * p.x - 0.3f * p.y + 2, 0.1f * p.x + 0.8f * p.y - p.z, 0.5f * p.z + 0.2f * p.x - 1};
    };
    KnitLayers mapped = layers;
    for (Vec3& p : mapped.front) p = map(p);
    for (Vec3& p : mapped.back) p = map(p);
    for (const BondingPoint& bond : stitchOf(StitchKind::knit).t) {
        const Vec3 there = bonded(mapped, fabric.lattices()[0].courses, 2, 2, bond);
        EXPECT_LT(length(there - map(bonded(layers, fabric.lattices()[0].courses, 2, 2, bond))), 6e-6f);
    }
}

// G-41 B-44
TEST(Yarn, curvePassesThroughItsPointsWithoutACorner) {
    const Curves curves = yarnsOf(unitSheet(4, 4));
    const auto count = static_cast<int>(curves.count());
    for (int i = 1; i + 2 < count; ++i) {
        const CurveSpan before(curves.positions.data(), count, i - 1), after(curves.positions.data(), count, i);
        EXPECT_LT(length(before.at(1) - curves.positions[i]), 1e-5f);
        EXPECT_EQ(after.at(0), curves.positions[i]);
        const Vec3 a = normalized(before.tangent(1)), b = normalized(after.tangent(0));
        EXPECT_LT(length(a - b), 0.0017f) << i;  // 0.1 degrees
    }
}

// The document's 4.56 cell widths a stitch at a thickness of 0.3.
TEST(Yarn, aStitchTakesAsMuchYarnAsTheDocumentSays) {
    const Curves curves = yarnsOf(unitSheet(9, 9));
    const auto count = static_cast<int>(curves.count());
    double sum = 0;
    for (int i = 0; i + 1 < count; ++i) {
        const auto at = static_cast<size_t>(i);
        if (curves.courses[at] != 4 || curves.wales[at] < 3 || curves.wales[at] > 5) continue;
        const CurveSpan span(curves.positions.data(), count, i);
        for (int k = 0; k < 16; ++k) sum += double(length(span.at(float(k + 1) / 16) - span.at(float(k) / 16)));
    }
    EXPECT_NEAR(sum / 3, 4.56, 0.01);
}

TEST(Yarn, numberOfStitchesFollowsFromTheirSize) {
    Knit knit = unitSheet(10, 6);
    knit.params.stitchWidth = 0.25f;
    knit.params.stitchHeight = 0.2f;
    const Courses courses = KnitFabric(Device::cpu(1), knit, knit.points).lattices()[0].courses;
    EXPECT_EQ(courses.wales(0), 40);
    EXPECT_EQ(courses.count(), 30);
    EXPECT_FALSE(courses.closed());
}

TEST(Yarn, aFabricOfOneColourIsOneCurve) {
    const Curves curves = yarnsOf(unitSheet(8, 8));
    ASSERT_EQ(curves.counts.size(), 1u);
    EXPECT_EQ(curves.counts[0], static_cast<int>(curves.count()));
    // No step is longer than a stitch: the yarn is continuous.
    for (size_t i = 1; i < curves.count(); ++i)
        EXPECT_LT(length(curves.positions[i] - curves.positions[i - 1]), 1.3f) << i;
}

TEST(Yarn, aTubeIsOneSpiralWithoutASeam) {
    Knit knit = tube(40, 12, 5, 12);
    knit.params.stitchWidth = knit.params.stitchHeight = 0.8f;
    knit.params.thickness = 0.24f;
    const KnitFabric fabric(Device::cpu(2), knit, knit.points);
    EXPECT_TRUE(fabric.lattices()[0].courses.closed());
    EXPECT_EQ(fabric.lattices()[0].courses.wales(0), 39);  // 2π 5 / 0.8, on a polygon
    const Curves curves = yarnsOn(fabric, knit.points);
    ASSERT_EQ(curves.counts.size(), 1u);
    for (size_t i = 1; i < curves.count(); ++i)
        if (curves.courses[i - 1] >= 0) {  // except the step from the cast-on edge to the start of the spiral
            EXPECT_LT(length(curves.positions[i] - curves.positions[i - 1]), 1.1f) << i;
            EXPECT_GT(length(curves.positions[i] - curves.positions[i - 1]), 1e-4f) << i;
        }
    // The front is outside: legs, in layer 1, are farther from the axis than the heads behind them.
    for (const Vec3 p : curves.positions) EXPECT_NEAR(std::hypot(p.x, p.z), 5, 0.3f);
}

// Only the knitted part contributes to the normals.
TEST(Yarn, theCapOfATubeDoesNotTurnItsHemOut) {
    const Knit open = tube(24, 6, 0.05f, 0.06f);
    Knit capped = open;
    capped.faces.counts.edit().push_back(24);
    for (int i = 23; i >= 0; --i) capped.faces.corners.edit().push_back(i);
    EXPECT_EQ(yarnsOf(capped).positions, yarnsOf(open).positions);
}

TEST(Yarn, aTubeUnfoldedInTextureSpaceClosesToo) {
    Knit knit = tube(24, 8, 3, 8);
    for (int j = 0; j <= 8; ++j)
        for (int i = 0; i <= 24; ++i) {
            knit.faces.u.edit().push_back(float(i) / 24);
            knit.faces.v.edit().push_back(float(j) / 8);
        }
    for (int j = 0; j < 8; ++j)
        for (int i = 0; i < 24; ++i) {
            const int a = j * 25 + i;
            knit.faces.cornerUvs.edit().insert(knit.faces.cornerUvs.edit().end(), {a, a + 1, a + 26, a + 25});
        }
    knit.params.stitchWidth = knit.params.stitchHeight = 0.5f;
    const KnitFabric fabric(Device::cpu(2), knit, knit.points);
    EXPECT_TRUE(fabric.lattices()[0].courses.closed());
    for (const Vec3 p : yarnsOn(fabric, knit.points).positions) EXPECT_NEAR(std::hypot(p.x, p.z), 3, 0.1f);
}

// Stretching a sheet by a fifth needs more yarn; tightening loops supply more than a quarter of it. A real fabric would
// also become narrower, which loops do not model.
TEST(Yarn, loopsTightenWhereTheFabricIsStretched) {
    Knit knit = unitSheet(12, 12);
    std::vector<Vec3> wide = knit.points;
    for (Vec3& p : wide) p.x *= 1.2f;
    const auto lengthOf = [](const Curves& curves) {
        double sum = 0;
        const auto count = static_cast<int>(curves.count());
        for (int i = 0; i + 1 < count; ++i) {
            const CurveSpan span(curves.positions.data(), count, i);
            for (int k = 0; k < 8; ++k) sum += double(length(span.at(float(k + 1) / 8) - span.at(float(k) / 8)));
        }
        return sum;
    };
    const KnitFabric tightening(Device::cpu(1), knit, knit.points);
    knit.params.tighten = 0;
    const KnitFabric slack(Device::cpu(1), knit, knit.points);
    const double rest = lengthOf(yarnsOn(slack, knit.points));
    EXPECT_DOUBLE_EQ(lengthOf(yarnsOn(tightening, knit.points)), rest);
    const double loose = lengthOf(yarnsOn(slack, wide)) / rest - 1,
                 tight = lengthOf(yarnsOn(tightening, wide)) / rest - 1;
    EXPECT_GT(loose, 0.05);
    EXPECT_LT(tight, 0.75 * loose);
}

// Points outside their cells, as at the cast-on edge, are not extrapolated.
TEST(Yarn, whatIsOnTheYarnIsBetweenWhatIsAround) {
    const Knit knit = unitSheet(6, 6);
    const KnitFabric fabric(Device::cpu(1), knit, knit.points);
    std::vector<float> wetness(static_cast<size_t>(fabric.massPoints()), 0.0f);
    std::fill_n(wetness.begin(), 7, 1.0f);  // only the hem
    const std::vector<float> onYarn = fabric.onYarn(Span<const float>{wetness.data(), fabric.massPoints()});
    ASSERT_EQ(onYarn.size(), yarnsOf(knit).count());
    EXPECT_GE(*std::min_element(onYarn.begin(), onYarn.end()), 0);
    EXPECT_LE(*std::max_element(onYarn.begin(), onYarn.end()), 1 + 1e-6f);
}

TEST(Yarn, threadsDoNotChangeABit) {
    Knit knit = unitSheet(30, 30);
    knit.params.pattern = "cable";
    const std::vector<Vec3> moved = deformed(knit.points);
    const Curves one = yarnsOn(KnitFabric(Device::cpu(1), knit, knit.points), moved);
    const Curves many = yarnsOn(KnitFabric(Device::cpu(3), knit, knit.points), moved);
    EXPECT_EQ(one.positions, many.positions);
    EXPECT_EQ(one.twists, many.twists);
}

TEST(Yarn, aMeshWithoutRowsOrCoordinatesIsRefused) {
    Knit knit = unitSheet(2, 2);
    knit.faces.counts = {3};
    knit.faces.corners = {0, 1, 4};
    try {
        yarnsOf(knit);
        FAIL();
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(),
                     "swatch: mesh has no regular rows of quads and no texture coordinates for courses to follow; give "
                     "it texture coordinates");
    }
}

}  // namespace
}  // namespace purl
