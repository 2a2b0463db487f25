#include "solver/search/triangleTree.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "solver/core/hostView.h"
#include "tests/solver/meshes.h"

namespace purl {
namespace {

TriangleTree treeOf(const TriangleMesh& mesh) {
    TriangleTree tree;
    tree.build(mesh.vertices, mesh.triangles);
    return tree;
}

TriangleMesh soup(int count, uint64_t seed) {
    TriangleMesh mesh;
    for (int t = 0; t < count; ++t) {
        const Vec3 center = randomPoint(seed, 4 * t);
        for (int k = 1; k <= 3; ++k) {
            mesh.vertices.edit().push_back(center + 0.2f * randomPoint(seed, 4 * t + k));
            mesh.triangles.edit().push_back(3 * t + k - 1);
        }
    }
    return mesh;
}

Vec3 at(const TriangleMesh& mesh, int t, int k) { return mesh.vertices[mesh.triangles[3 * t + k]]; }

TEST(TriangleTree, closestEqualsBruteForceOnRandomTriangles) {
    const TriangleMesh mesh = soup(300, 7);
    const TriangleTree tree = treeOf(mesh);
    for (int i = 0; i < 1000; ++i) {
        const Vec3 x = 1.5f * randomPoint(8, i);
        float nearest = 1e30f;
        int feature = 0;
        for (int t = 0; t < 300; ++t)
            nearest = std::min(
                nearest, length(x - triangle::closest(x, at(mesh, t, 0), at(mesh, t, 1), at(mesh, t, 2), feature)));
        const ClosestPoint found = tree.closest(x);
        ASSERT_TRUE(found);
        EXPECT_NEAR(found.distance, nearest, 1e-6f);
        EXPECT_NEAR(length(x - found.point), nearest, 1e-6f);
        EXPECT_FALSE(tree.closest(x, 0.99f * nearest));
        EXPECT_TRUE(tree.closest(x, 1.01f * nearest));
    }
}

// No random sample of a triangle is closer than the closest point.
// L-51
// Where several triangles are equally near, the first one counts: their order must not depend on how a standard library
// partitions.
TEST(TriangleTree, leavesListTheirTrianglesInOrder) {
    const TriangleTree tree = treeOf(soup(300, 7));
    const TriangleTreeView view = tree.view();
    int leaves = 0;
    for (const TreeNode& node : view.nodes) {
        if (node.count == 0) continue;
        ++leaves;
        const int* first = view.order.begin() + node.first;
        EXPECT_TRUE(std::is_sorted(first, first + node.count)) << "leaf " << leaves;
    }
    EXPECT_GT(leaves, 10);
}

TEST(TriangleTree, closestOnTriangleBeatsEverySample) {
    for (int i = 0; i < 200; ++i) {
        const Vec3 a = randomPoint(1, 4 * i), b = randomPoint(1, 4 * i + 1), c = randomPoint(1, 4 * i + 2);
        const Vec3 x = 2.0f * randomPoint(1, 4 * i + 3);
        int feature = 0;
        const float found = length(x - triangle::closest(x, a, b, c, feature));
        float sampled = 1e30f;
        for (int u = 0; u <= 40; ++u)
            for (int v = 0; u + v <= 40; ++v)
                sampled = std::min(sampled, length(x - (a + (float(u) / 40) * (b - a) + (float(v) / 40) * (c - a))));
        EXPECT_LE(found, sampled + 1e-6f);
        EXPECT_GE(found, sampled - 0.1f);
    }
}

TEST(TriangleTree, crossesEqualsBruteForceOnRandomTriangles) {
    const TriangleMesh mesh = soup(300, 9);
    const TriangleTree tree = treeOf(mesh);
    int hits = 0;
    for (int i = 0; i < 2000; ++i) {
        const Vec3 a = randomPoint(10, 2 * i), b = randomPoint(10, 2 * i + 1);
        // Möller, Trumbore 1997, in double; hits within rounding of an edge are not compared.
        double first = 2;
        int by = -1;
        bool close = false;
        for (int t = 0; t < 300; ++t) {
            const Vec3 e1 = at(mesh, t, 1) - at(mesh, t, 0), e2 = at(mesh, t, 2) - at(mesh, t, 0), d = b - a;
            const Vec3 p = cross(d, e2), s = a - at(mesh, t, 0), q = cross(s, e1);
            const double det = dot(e1, p);
            if (std::abs(det) < 1e-9) continue;
            const double u = dot(s, p) / det, v = dot(d, q) / det, share = dot(e2, q) / det;
            if (share < 0 || share > 1 || u < -0.01 || v < -0.01 || u + v > 1.01) continue;
            if (u < 0.01 || v < 0.01 || u + v > 0.99) close = true;
            if (u < 0 || v < 0 || u + v > 1 || share >= first) continue;
            first = share;
            by = t;
        }
        if (close) continue;
        const Crossing found = tree.crosses(a, b);
        ASSERT_EQ(found.triangle, by) << i;
        if (by < 0) continue;
        ++hits;
        EXPECT_NEAR(found.share, first, 1e-4);
        EXPECT_EQ(found.outward, dot(b - a, found.normal) > 0);
    }
    EXPECT_GT(hits, 500);
}

TEST(TriangleTree, insideOfASphereByWindingAndByPseudoNormal) {
    const TriangleTree tree = treeOf(sphereMesh({0.3f, -2, 5}, 0.7f, 4));
    ASSERT_TRUE(tree.isClosed());
    EXPECT_NEAR(tree.volume(), 4.0 / 3 * 3.14159265 * 0.343, 0.01);
    for (int i = 0; i < 5000; ++i) {
        const Vec3 d = 1.2f * randomPoint(11, i), x = Vec3{0.3f, -2, 5} + d;
        if (std::abs(length(d) - 0.7f) < 0.005f) continue;  // flat faces are this far inside the sphere
        const bool inside = length(d) < 0.7f;
        EXPECT_EQ(tree.isInside(x), inside);
        EXPECT_EQ(tree.view().isInsideByRay(x), inside);
        const ClosestPoint nearest = tree.closest(x);
        EXPECT_EQ(dot(x - nearest.point, nearest.normal) < 0, inside);
    }
}

// Where the closest point is on an edge or a corner, the face normal alone does not give the side (Bærentzen, Aanæs
// 2005).
// L-50
TEST(TriangleTree, pseudoNormalsTellTheSideAtSharpCorners) {
    TriangleMesh spike;  // a very sharp tetrahedron
    spike.vertices = {{0, 0, 0}, {0.1f, 0, 0}, {0, 0, 0.1f}, {0.03f, 2, 0.03f}};
    spike.triangles = {0, 1, 2, 0, 3, 1, 1, 3, 2, 2, 3, 0};
    const TriangleTree tree = treeOf(spike);
    ASSERT_TRUE(tree.isClosed());
    int inside = 0;
    for (int i = 0; i < 20000; ++i) {
        const Vec3 r = randomPoint(12, i), x{0.15f * r.x + 0.03f, 1.3f * r.y + 1, 0.15f * r.z + 0.03f};
        const ClosestPoint nearest = tree.closest(x);
        if (nearest.distance < 1e-4f) continue;
        const bool within = tree.isInside(x);
        EXPECT_EQ(dot(x - nearest.point, nearest.normal) < 0, within);
        inside += within;
    }
    EXPECT_GT(inside, 100);
}

TEST(TriangleTree, meshTurnedInsideOutIsTurnedBack) {
    TriangleMesh mesh = boxMesh({-1, -1, -1}, {1, 1, 1});
    std::vector<int>& triangles = mesh.triangles.edit();
    for (size_t t = 0; t < triangles.size(); t += 3) std::swap(triangles[t], triangles[t + 1]);
    const TriangleTree tree = treeOf(mesh);
    EXPECT_NEAR(tree.volume(), 8, 1e-5);
    EXPECT_TRUE(tree.isInside({0, 0, 0}));
    for (int i = 0; i < 1000; ++i) {
        const Vec3 x = 2.0f * randomPoint(13, i);
        const ClosestPoint nearest = tree.closest(x);
        const bool inside = std::abs(x.x) < 1 && std::abs(x.y) < 1 && std::abs(x.z) < 1;
        EXPECT_EQ(dot(x - nearest.point, nearest.normal) < 0, inside);
    }
}

TEST(TriangleTree, seamsOfVerticesAtOnePlaceAreClosed) {
    const TriangleMesh box = boxMesh({0, 0, 0}, {1, 1, 1});
    TriangleMesh split;  // every triangle with its own vertices
    for (const int v : box.triangles) {
        split.triangles.edit().push_back(static_cast<int>(split.vertices.size()));
        split.vertices.edit().push_back(box.vertices[v]);
    }
    EXPECT_TRUE(treeOf(split).isClosed());
    split.triangles.edit().resize(split.triangles.size() - 3);
    EXPECT_EQ(treeOf(split).openEdges(), 3);
    EXPECT_FALSE(treeOf(sheetMesh({}, 1)).isClosed());
}

TEST(TriangleTree, refitEqualsRebuild) {
    TriangleMesh mesh = sphereMesh({}, 1, 3);
    TriangleTree refitted = treeOf(mesh);
    for (Vec3& v : mesh.vertices.edit()) v = Vec3{2 * v.x + 1, 0.5f * v.y, v.z - 3 + 0.2f * v.x};
    refitted.refit(mesh.vertices);
    const TriangleTree rebuilt = treeOf(mesh);
    for (int i = 0; i < 1000; ++i) {
        const Vec3 x = Vec3{1, 0, -3} + 3.0f * randomPoint(14, i), y = Vec3{1, 0, -3} + 3.0f * randomPoint(15, i);
        EXPECT_EQ(refitted.closest(x).distance, rebuilt.closest(x).distance);
        EXPECT_EQ(refitted.isInside(x), rebuilt.isInside(x));
        EXPECT_EQ(refitted.crosses(x, y).triangle, rebuilt.crosses(x, y).triangle);
    }
}

// K-47
// The normals at the start of a motion are those at the end of the previous one.
TEST(TriangleTree, movingOnFromWhereItCameToEqualsBeingPutThere) {
    const TriangleMesh mesh = sphereMesh({}, 1, 3);
    TriangleTree onward = treeOf(mesh), put = treeOf(mesh);
    std::vector<Vec3> places[3];
    for (size_t s = 0; s < 3; ++s)
        for (const Vec3 p : mesh.vertices) places[s].push_back({(1 + 0.3f * float(s)) * p.x, p.y, p.z + 0.1f * p.x});
    onward.refit(places[1], places[0]);
    onward.refit(places[2], places[1]);
    put.refit(places[2], places[1]);
    const TriangleTreeView a = onward.view(), b = put.view();
    for (int i = 0; i < a.vertices.count; ++i) {
        EXPECT_EQ(a.verticesBefore[i], b.verticesBefore[i]);
        EXPECT_EQ(a.cornerNormals[i], b.cornerNormals[i]);
        EXPECT_EQ(a.cornerNormalsBefore[i], b.cornerNormalsBefore[i]);
    }
    for (int t = 0; t < a.faceNormals.count; ++t) EXPECT_EQ(a.faceNormalsBefore[t], b.faceNormalsBefore[t]);
    EXPECT_EQ(a.maxDisplacement, b.maxDisplacement);
}

template <class T>
void expectSame(const Device& device, Span<const T> copy, Span<const T> host) {
    const HostReader<T> values = readOnHost(device, copy);
    ASSERT_EQ(values.size(), host.count);
    for (int i = 0; i < host.count; ++i) EXPECT_EQ(values[i], host[i]) << i;
}

// Motions that continue, a jump, and rest; the copy is fitted on its device, from the vertices alone.
TEST(TriangleTree, copyOnAnotherDeviceFollowsBitByBit) {
    const Device device = Device::rehearsal(1);
    TriangleMesh mesh = sphereMesh({}, 1, 3);
    TriangleTree tree, copy(device);
    tree.build(mesh.vertices, mesh.triangles);
    copy.follow(tree);
    const auto movedBy = [](std::vector<Vec3> vertices, float t) {
        for (Vec3& v : vertices) v = {v.x + t * v.y * v.y, v.y + t, v.z * (1 + 0.3f * t)};
        return vertices;
    };
    const std::pair<float, float> motions[] = {{0, 0.1f}, {0.1f, 0.25f}, {0.5f, 0.6f}, {0.6f, 0.6f}, {0.6f, 0.7f}};
    const int64_t whole = device.counts().uploadedBytes;
    for (const auto& [from, to] : motions) {
        const int64_t before = device.counts().uploadedBytes;
        tree.refit(movedBy(mesh.vertices, to), movedBy(mesh.vertices, from));
        copy.follow(tree);
        // Twice the vertices after a jump.
        EXPECT_LT(device.counts().uploadedBytes - before, whole / 4);
        const TriangleTreeView now = copy.view(), wanted = tree.view();
        EXPECT_EQ(now.moves, wanted.moves);
        EXPECT_EQ(now.maxDisplacement, wanted.maxDisplacement);
        expectSame(device, now.vertices, wanted.vertices);
        expectSame(device, now.faceNormals, wanted.faceNormals);
        expectSame(device, now.cornerNormals, wanted.cornerNormals);
        expectSame(device, now.verticesBefore, wanted.verticesBefore);
        expectSame(device, now.faceNormalsBefore, wanted.faceNormalsBefore);
        expectSame(device, now.cornerNormalsBefore, wanted.cornerNormalsBefore);
        const HostReader<TreeNode> nodes = readOnHost(device, now.nodes);
        ASSERT_EQ(nodes.size(), wanted.nodes.count);
        for (int n = 0; n < nodes.size(); ++n) {
            EXPECT_EQ(nodes[n].box.low, wanted.nodes[n].box.low) << n;
            EXPECT_EQ(nodes[n].box.high, wanted.nodes[n].box.high) << n;
            EXPECT_EQ(nodes[n].center, wanted.nodes[n].center) << n;
            EXPECT_EQ(nodes[n].areaNormal, wanted.nodes[n].areaNormal) << n;
            EXPECT_EQ(nodes[n].radius, wanted.nodes[n].radius) << n;
        }
    }
}

TEST(TriangleTree, segmentThroughThinShellsMeetsTheFirstWall) {
    // Two tetrahedra, a hundredth thick, one behind the other: the first one hit counts.
    TriangleMesh mesh;
    for (const float y : {0.5f, 0.52f}) {
        const int first = static_cast<int>(mesh.vertices.size());
        for (const Vec3 v : {Vec3{-1, y, -1}, Vec3{-1, y, 2}, Vec3{2, y, -1}, Vec3{0, y - 0.01f, 0}})
            mesh.vertices.edit().push_back(v);
        for (const int v : {0, 1, 2, 0, 2, 3, 2, 1, 3, 1, 0, 3}) mesh.triangles.edit().push_back(first + v);
    }
    const TriangleTree tree = treeOf(mesh);
    ASSERT_TRUE(tree.isClosed());
    const Crossing up = tree.crosses({0.1f, 0, 0.1f}, {0.1f, 1, 0.1f}),
                   down = tree.crosses({0.1f, 1, 0.1f}, {0.1f, 0, 0.1f});
    EXPECT_LT(up.point.y, 0.5f);
    EXPECT_GT(up.point.y, 0.489f);
    EXPECT_NEAR(down.point.y, 0.52f, 1e-6f);
    EXPECT_FALSE(up.outward);
    EXPECT_FALSE(down.outward);
}

TEST(TriangleTree, movingWallCrossesAPointThatRests) {
    const TriangleMesh before = sheetMesh({0, 1, 0}, 1), after = sheetMesh({0, -1, 0}, 1);
    TriangleTree tree = treeOf(after);
    tree.refit(after.vertices, before.vertices);
    const Crossing crossing = tree.view().crossesInMotion({0.2f, 0, 0.1f}, {0.2f, 0, 0.1f});
    ASSERT_TRUE(crossing);
    EXPECT_TRUE(crossing.outward);
    EXPECT_NEAR(crossing.start.y, -2, 1e-6f);
    EXPECT_NEAR(tree.view().displacement(crossing.triangle, {0, 0, 0}).y, -2, 1e-6f);
    EXPECT_FALSE(tree.view().crossesInMotion({0.2f, 0, 0.1f}, {0.2f, -2, 0.1f}));  // moves together with the triangle
}

TEST(TriangleTree, faultsAreNamed) {
    EXPECT_EQ(meshFault({}, {}), "mesh has no faces");
    EXPECT_EQ(meshFault({{}, {}, {}}, {0, 1, 3}), "mesh face 0 names vertex 3 of 3");
    EXPECT_EQ(meshFault({{}, {0, std::nanf(""), 0}, {}}, {0, 1, 2}), "mesh vertex 1 is not finite");
    EXPECT_EQ(meshFault({{}, {1, 0, 0}, {0, 1, 0}}, {0, 1, 2}), "");
}

TEST(TriangleTree, lineAndPointTrianglesBoundNothing) {
    const TriangleTree tree = treeOf({{{0, 0, 0}, {1, 0, 0}}, {0, 1, 1, 0, 0, 0}});
    EXPECT_FALSE(tree.isClosed());
    EXPECT_FALSE(tree.closest({0, 1, 0}));
    EXPECT_FALSE(tree.crosses({0, 1, 0}, {0, -1, 0}));
}

}  // namespace
}  // namespace purl
