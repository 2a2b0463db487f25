// What the doctor measures of meshes.
#include "nodes/doctorGeometry.h"

#include <gtest/gtest.h>

namespace purl {
namespace {

// A strip of quads through pairs of points, given by their lower edge; each goes up by `height`.
TriangleMesh strip(const std::vector<Vec3>& lower, float height, bool closed) {
    TriangleMesh mesh;
    for (const Vec3 p : lower) {
        mesh.vertices.edit().push_back(p);
        mesh.vertices.edit().push_back(p + Vec3{0, height, 0});
    }
    const auto count = static_cast<int>(lower.size());
    for (int i = 0; i + (closed ? 0 : 1) < count; ++i) {
        const int a = 2 * i, b = 2 * ((i + 1) % count);
        for (const int v : {a, b, a + 1, b, b + 1, a + 1}) mesh.triangles.edit().push_back(v);
    }
    return mesh;
}

TEST(DoctorGeometry, aSheetThatPassesThroughItselfIsFound) {
    // Seen from above a path that crosses itself, and the same pulled apart.
    EXPECT_TRUE(crossesItself(strip({{0, 0, 0}, {4, 0, 0}, {4, 0, 4}, {2, 0, 4}, {2, 0, -2}}, 1, false)));
    EXPECT_FALSE(crossesItself(strip({{0, 0, 0}, {4, 0, 0}, {4, 0, 4}, {2, 0, 4}, {2, 0, 1}}, 1, false)));
}

TEST(DoctorGeometry, touchingAtACornerOrLyingFlatIsNoCrossing) {
    EXPECT_FALSE(crossesItself(strip({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}}, 1, false)));
    EXPECT_FALSE(crossesItself(strip({{0, 0, 0}, {2, 0, 0}, {2, 0, 2}, {0, 0, 2}}, 1, true)));
}

TEST(DoctorGeometry, tubesAndStripsFoldOntoThemselvesAndSquaresNeedNot) {
    EXPECT_FALSE(foldsOntoItself(strip({{0, 0, 0}, {1, 0, 0}}, 1, false)));
    EXPECT_FALSE(foldsOntoItself(strip({{0, 0, 0}, {2, 0, 0}}, 1, false)));
    EXPECT_TRUE(foldsOntoItself(strip({{0, 0, 0}, {4, 0, 0}}, 1, false)));
    EXPECT_TRUE(foldsOntoItself(strip({{0, 0, 0}, {2, 0, 0}, {2, 0, 2}, {0, 0, 2}}, 1, true)));
    // A bag: the tube with a bottom. It has one rim, as a sheet has, but too short a one.
    TriangleMesh bag = strip({{0, 0, 0}, {2, 0, 0}, {2, 0, 2}, {0, 0, 2}}, 4, true);
    for (const int v : {0, 2, 4, 0, 4, 6}) bag.triangles.edit().push_back(v);
    EXPECT_EQ(openEdges(bag), 4);
    EXPECT_TRUE(foldsOntoItself(bag));
}

TEST(DoctorGeometry, whatIsInsideAColliderIsKnown) {
    Collider capsule;
    capsule.params.shape = ColliderShape::capsule;
    capsule.params.radius = 1;
    capsule.params.halfLength = 2;
    EXPECT_TRUE(isInside(capsule, {0, 2.9f, 0}));
    EXPECT_FALSE(isInside(capsule, {0, 3.1f, 0}));
    EXPECT_FALSE(isInside(capsule, {1.1f, 0, 0}));
    Collider open;
    open.mesh = strip({{0, 0, 0}, {2, 0, 0}, {2, 0, 2}, {0, 0, 2}}, 4, true);
    EXPECT_FALSE(isInside(open, {1, 2, 1})) << "a tube has no inside";
}

}  // namespace
}  // namespace purl
