#include "render/view.h"

#include <gtest/gtest.h>

#include "render/upload.h"
#include "tests/render/shapes.h"

namespace purl {
namespace {

TEST(View, aBoxHasTwelveFeatureEdgesAndEighteenInAll) {
    const Mesh mesh = box({{0, 0, 0}, {1, 2, 3}});
    EXPECT_EQ(featureEdges(mesh).size(), 24u);
    EXPECT_EQ(allEdges(mesh).size(), 36u);
    EXPECT_EQ(boxEdges({{0, 0, 0}, {1, 2, 3}}).size(), 24u);
}

TEST(View, anOpenEdgeIsAFeature) { EXPECT_EQ(featureEdges(card(0, 0, 1, 1, 0)).size(), 8u); }

TEST(View, boundsHoldBallsWithTheirRadii) {
    Points points;
    points.positions = {{1, 1, 1}};
    points.radii = {0.5f};
    PointsLook look;
    look.points = &points;
    View view;
    EXPECT_TRUE(boundsOf(view).empty());
    view.points = {look};
    EXPECT_EQ(boundsOf(view).low, (Vec3{0.5f, 0.5f, 0.5f}));
    EXPECT_EQ(boundsOf(view).high, (Vec3{1.5f, 1.5f, 1.5f}));
}

TEST(View, rampGoesFromLowToHighAndStopsThere) {
    const std::vector<Vec3> colors = rampColors({-5, 0, 0.5f, 1, 7, std::nanf("")}, 0, 1);
    EXPECT_EQ(colors[0], colors[1]);
    EXPECT_EQ(colors[3], colors[4]);
    EXPECT_EQ(colors[5], colors[0]);
    EXPECT_GT(colors[1].z, colors[1].x);  // slow is blue
    EXPECT_GT(colors[3].x, colors[3].z);  // fast is red
    EXPECT_EQ(rampColors({3}, 1, 1)[0], colors[0]);
}

TEST(View, pointsTakeTheColorOfTheirBody) {
    Frame frame;
    frame.bodies.resize(2);
    frame.bodies[1].color = {1, 0, 0};
    frame.points.positions.edit().resize(3);
    frame.points.bodies = {1, 0, 9};
    const std::vector<Vec3> colors = colorsOf(frame, frame.points);
    EXPECT_EQ(colors[0], (Vec3{1, 0, 0}));
    EXPECT_EQ(colors[1], frame.bodies[0].color);
    EXPECT_EQ(colors[2], BodyInfo().color) << "no body known";
}

TEST(Normals, creasesStaySharpAndCurvesSmooth) {
    const Mesh cube = box({{-1, -1, -1}, {1, 1, 1}});
    const std::vector<Vec3> sharp = cornerNormals(cube, 0.7f), smooth = cornerNormals(cube, 3.15f);
    for (size_t c = 0; c < sharp.size(); ++c) {
        const Vec3 n = sharp[c];
        EXPECT_NEAR(std::max({std::abs(n.x), std::abs(n.y), std::abs(n.z)}), 1, 1e-6f);
        const Vec3 p = cube.positions[cube.triangles[c]];
        EXPECT_GT(dot(n, p), 0.9f) << "outward";
        EXPECT_GT(dot(smooth[c], normalized(p)), 0.8f);
    }
    const Mesh round = ball({0, 0, 0}, 1, 32);
    const std::vector<Vec3> normals = cornerNormals(round, 0.7f);
    for (size_t c = 0; c < normals.size(); ++c) {
        const Vec3 p = round.positions[round.triangles[c]];
        EXPECT_TRUE(std::abs(p.y) > 0.99f || dot(normals[c], p) > 0.998f) << c;
    }
}

}  // namespace
}  // namespace purl
