#include "solver/boundary/samples.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/solver/meshes.h"

namespace purl {
namespace {

std::vector<Vec3> pointsOn(const TriangleMesh& mesh, float spacing) {
    std::vector<Vec3> points;
    for (const SurfaceSample& s : sampleTriangles(mesh.vertices, mesh.triangles, spacing)) {
        const Vec3 a = mesh.vertices[mesh.triangles[3 * s.triangle]];
        const Vec3 b = mesh.vertices[mesh.triangles[3 * s.triangle + 1]];
        const Vec3 c = mesh.vertices[mesh.triangles[3 * s.triangle + 2]];
        EXPECT_TRUE(s.u >= 0 && s.v >= 0 && s.u + s.v <= 1.00001f);
        points.push_back(a + s.u * (b - a) + s.v * (c - a));
    }
    return points;
}

float nearest(const std::vector<Vec3>& points, Vec3 x, size_t except = ~size_t(0)) {
    float best = 1e30f;
    for (size_t i = 0; i < points.size(); ++i)
        if (i != except) best = std::min(best, length(points[i] - x));
    return best;
}

// No two points nearer than half a spacing, and nothing of the surface farther than 1.1 spacings from one: 0.57 and
// 0.88 measured.
void expectEven(const std::vector<Vec3>& points, float spacing, const std::vector<Vec3>& surface) {
    for (size_t i = 0; i < points.size(); ++i) ASSERT_GT(nearest(points, points[i], i), 0.5f * spacing) << i;
    for (const Vec3 x : surface) ASSERT_LT(nearest(points, x), 1.1f * spacing) << x.x << " " << x.y << " " << x.z;
}

// Random points of a mesh.
std::vector<Vec3> scattered(const TriangleMesh& mesh, int count) {
    std::vector<Vec3> points;
    const int triangles = static_cast<int>(mesh.triangles.size()) / 3;
    for (int i = 0; i < count; ++i) {
        const int t = i % triangles;
        float u = randomUnit(5, 2 * i), v = randomUnit(5, 2 * i + 1);
        if (u + v > 1) u = 1 - u, v = 1 - v;
        const Vec3 a = mesh.vertices[mesh.triangles[3 * t]], b = mesh.vertices[mesh.triangles[3 * t + 1]],
                   c = mesh.vertices[mesh.triangles[3 * t + 2]];
        points.push_back(a + u * (b - a) + v * (c - a));
    }
    return points;
}

// B-56. One layer: its points' volumes stand for all that is behind it, see BoundaryKernel.
TEST(Samples, meshesAreCoveredEvenly) {
    const TriangleMesh box = boxMesh({0, 0, 0}, {1, 0.37f, 0.61f}), fine = sphereMesh({1, 2, 3}, 0.4f, 6),
                       coarse = sphereMesh({}, 1, 1), sheet = sheetMesh({}, 0.5f);
    TriangleMesh sliver;
    sliver.vertices = {{0, 0, 0}, {2, 0.001f, 0}, {1, 0.01f, 0}};
    sliver.triangles = {0, 1, 2};
    for (const TriangleMesh& mesh : {box, fine, coarse, sheet, sliver}) {
        const std::vector<Vec3> points = pointsOn(mesh, 0.07f);
        expectEven(points, 0.07f, scattered(mesh, 3000));
    }
}

TEST(Samples, aSheetOfWholeSpacingsIsALattice) {
    EXPECT_EQ(pointsOn(sheetMesh({}, 1), 0.05f).size(), 41u * 41u);  // 40 spacings along a side, both ends sampled
}

TEST(Samples, boxesAndCapsulesAreCoveredEvenly) {
    const float spacing = 0.05f;
    for (const Vec3 half : {Vec3{0.5f, 0.33f, 0.2f}, Vec3{0.4f, 0.001f, 0.3f}, Vec3{0.03f, 0.03f, 0.03f}}) {
        std::vector<Vec3> surface;
        for (Vec3 p : scattered(boxMesh(-half, half), 2000)) surface.push_back(p);
        expectEven(sampleBox(half, spacing), spacing, surface);
    }
    for (const float halfLength : {0.0f, 0.3f})
        for (const float radius : {0.0f, 0.02f, 0.07f, 0.31f}) {
            std::vector<Vec3> surface;
            for (uint64_t i = 0; i < 2000; ++i) {
                const Vec3 n = normalized(randomPoint(3, i));
                surface.push_back(radius * n + Vec3{0, n.y < 0 ? -halfLength : halfLength, 0});
                const Vec3 side = normalized({n.x, 0, n.z});
                surface.push_back(radius * side + Vec3{0, halfLength * randomSigned(4, i), 0});
            }
            const std::vector<Vec3> points = sampleCapsule(halfLength, radius, spacing);
            expectEven(points, spacing, surface);
        }
}

TEST(Samples, aBoxOfWholeSpacingsIsALattice) {
    // 5 × 4 × 3 points less the 3 × 2 × 1 within
    EXPECT_EQ(sampleBox({2, 1.5f, 1}, 1).size(), 60u - 6u);
    for (const Vec3 p : sampleBox({2, 1.5f, 1}, 1))
        EXPECT_TRUE(std::fabs(p.x) == 2 || std::fabs(p.y) == 1.5f || std::fabs(p.z) == 1);
}

TEST(Samples, setBackMovesEveryFaceByTheSameDistance) {
    const TriangleMesh mesh = boxMesh({0, 0, 0}, {4, 3, 2});
    TriangleTree tree;
    tree.build(mesh.vertices, mesh.triangles);
    for (const float distance : {0.25f, -0.5f}) {
        OffsetSurface offsetSurface;
        offsetSurface.prepare(tree, distance);
        std::vector<Vec3> moved;
        offsetSurface.apply(mesh.vertices, moved);
        for (size_t i = 0; i < moved.size(); ++i)
            for (int k = 0; k < 3; ++k) {
                const float before = mesh.vertices[i][k];
                EXPECT_NEAR(moved[i][k], before == 0 ? distance : before - distance, 1e-5f);  // rounding
            }
    }
}

// B-06. In two dimensions: a circle where a sphere is cut, its points a spacing apart, and at the plane wherever the
// sphere stands.
TEST(Samples, sectionOfASphereIsACircle) {
    Pose pose;
    pose.position = {1, 2, 0.3f};
    pose.axes = turned({1, 2, 3}, 0.7f);
    const float spacing = 0.05f, radius = std::sqrt(0.25f - 0.09f);
    std::vector<Vec3> points = sectionOfCapsule(0, 0.5f, pose, spacing);
    // 50 points on 50.3 spacings: one more or fewer closes the circle.
    EXPECT_NEAR(double(points.size()), 2 * 3.14159 * double(radius / spacing), 1);
    for (Vec3& p : points) p = pose.toWorld(p);
    for (size_t i = 0; i < points.size(); ++i) {
        EXPECT_NEAR(points[i].z, 0, 1e-5f);  // rounding of the turned points
        // The section is a polygon: the sagitta of a chord of one spacing is 0.016 spacings.
        EXPECT_NEAR(length(points[i] - Vec3{1, 2, 0}), radius, 0.02f * spacing);
        EXPECT_GE(nearest(points, points[i], i), kMinSampleDistance * spacing - 1e-5f);
        EXPECT_LE(nearest(points, points[i], i), 1.5f * spacing);  // 1.28: no hole that a particle passes
    }
}

TEST(Samples, sectionOfABoxIsItsOutline) {
    const float spacing = 0.1f;
    const std::vector<Vec3> points = sectionOfBox({0.5f, 0.3f, 0.01f}, Pose(), spacing);
    EXPECT_EQ(points.size(), 32u);  // 10 + 6 spacings along each of two sides
    for (const Vec3 p : points) {
        EXPECT_NEAR(p.z, 0, 1e-6f);
        EXPECT_TRUE(std::fabs(std::fabs(p.x) - 0.5f) < 1e-5f || std::fabs(std::fabs(p.y) - 0.3f) < 1e-5f);
    }
    Pose away;
    away.position.z = 1;
    EXPECT_TRUE(sectionOfBox({0.5f, 0.3f, 0.01f}, away, spacing).empty());
}

TEST(Samples, setBackOfAThinPlateEndsInItsMiddle) {
    const TriangleMesh mesh = boxMesh({0, 0, 0}, {4, 0.1f, 4});
    TriangleTree tree;
    tree.build(mesh.vertices, mesh.triangles);
    OffsetSurface offsetSurface;
    offsetSurface.prepare(tree, 0.5f);
    std::vector<Vec3> moved;
    offsetSurface.apply(mesh.vertices, moved);
    for (const Vec3 p : moved) EXPECT_NEAR(p.y, 0.05f, 1e-6f);  // rounding
}

TEST(Samples, setBackLeavesAnOpenMeshAlone) {
    const TriangleMesh mesh = sheetMesh({}, 1);
    TriangleTree tree;
    tree.build(mesh.vertices, mesh.triangles);
    OffsetSurface offsetSurface;
    offsetSurface.prepare(tree, 0.5f);
    std::vector<Vec3> moved;
    offsetSurface.apply(mesh.vertices, moved);
    EXPECT_EQ(moved, mesh.vertices);
}

}  // namespace
}  // namespace purl
