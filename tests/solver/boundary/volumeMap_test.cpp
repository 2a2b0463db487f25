#include "solver/boundary/volumeMap.h"

#include <gtest/gtest.h>

#include <cmath>

#include "solver/core/error.h"
#include "tests/solver/meshes.h"

namespace purl {
namespace {

constexpr float kRadius = 0.1f;

SolidDistance primitive(ColliderShape shape, bool container) {
    SolidDistance solid;
    solid.shape = shape;
    solid.container = container;
    solid.radius = 0.5f;
    solid.halfLength = 0.4f;
    solid.halfSize = {0.5f, 0.4f, 0.3f};
    return solid;
}

// ∫_solid W dx′ by brute force.
float shareByQuadrature(const SolidDistance& solid, const BoundaryKernel& W, Vec3 x) {
    constexpr int kSteps = 24;
    double inside = 0, all = 0;
    for (int k = -kSteps; k < kSteps; ++k)
        for (int j = -kSteps; j < kSteps; ++j)
            for (int i = -kSteps; i < kSteps; ++i) {
                const Vec3 d = (W.radius / kSteps) * Vec3{static_cast<float>(i) + 0.5f, static_cast<float>(j) + 0.5f,
                                                          static_cast<float>(k) + 0.5f};
                const double w = W(length(d));
                if (!(w > 0)) continue;
                all += w;
                inside += w * clamp(0.5f - solid(x + d) * kSteps / W.radius, 0, 1);  // a cell may be solid in part
            }
    return static_cast<float>(inside / all);
}

// Tolerance: the sagitta of the mesh's faces is 0.7 mm.
TEST(SolidDistance, signsTellTheSolidSideOfMeshAndContainer) {
    const TriangleMesh mesh = sphereMesh({1, 0, 0}, 0.5f, 4);
    TriangleTree tree;
    tree.build(mesh.vertices, mesh.triangles);
    SolidDistance solid = primitive(ColliderShape::mesh, false);
    solid.mesh = tree.view();
    EXPECT_NEAR(solid({1, 0.2f, 0}), -0.3f, 0.01f);
    EXPECT_NEAR(solid({1, 0.9f, 0}), 0.4f, 0.01f);
    solid.container = true;
    EXPECT_NEAR(solid({1, 0.2f, 0}), 0.3f, 0.01f);
    EXPECT_NEAR(solid({1, 0.9f, 0}), -0.4f, 0.01f);
    solid.grow = 0.1f;
    EXPECT_NEAR(solid({1, 0.2f, 0}), 0.2f, 0.01f);
}

TEST(SolidDistance, anOpenMeshIsASheetOfItsThickness) {
    const TriangleMesh mesh = sheetMesh({}, 1);
    TriangleTree tree;
    tree.build(mesh.vertices, mesh.triangles);
    SolidDistance solid = primitive(ColliderShape::mesh, false);
    solid.mesh = tree.view();
    solid.sheet = 0.1f;
    EXPECT_NEAR(solid({0.2f, 0.3f, 0.1f}), 0.25f, 1e-6f);
    EXPECT_NEAR(solid({0.2f, -0.3f, 0.1f}), 0.25f, 1e-6f);
    EXPECT_NEAR(solid({0.2f, 0.01f, 0.1f}), -0.04f, 1e-6f);
}

TEST(VolumeMap, equalsTheIntegralAtFacesEdgesAndCorners) {
    const BoundaryKernel W = BoundaryKernel::cubicSpline(kRadius);
    for (const ColliderShape shape : {ColliderShape::box, ColliderShape::sphere, ColliderShape::capsule})
        for (const bool container : {false, true}) {
            const SolidDistance solid = primitive(shape, container);
            VolumeMap map;
            map.build("solid", solid, W);
            int looked = 0;
            for (uint64_t i = 0; i < 4000 && looked < 60; ++i) {
                const Vec3 r = randomPoint(11, i), x = 0.6f * Vec3{r.x, 1.7f * r.y, r.z};
                if (std::fabs(solid(x)) > 0.9f * kRadius) continue;
                ++looked;
                Vec3 gradient;
                EXPECT_TRUE(map.view().isNear(x) || shareByQuadrature(solid, W, x) < 1e-3f);
                // 0.024 along a box's edges, which its distance rounds off; 0.01 is the grid's interpolation elsewhere.
                const float tolerance = shape == ColliderShape::box ? 0.025f : 0.01f;
                EXPECT_NEAR(map.view().share(x, gradient), shareByQuadrature(solid, W, x), tolerance)
                    << int(shape) << container << " " << x.x << " " << x.y << " " << x.z;
            }
            EXPECT_EQ(looked, 60);
        }
}

TEST(VolumeMap, gradientIsThatOfTheValue) {
    const SolidDistance solid = primitive(ColliderShape::box, true);
    VolumeMap map;
    map.build("box", solid, BoundaryKernel::cubicSpline(kRadius));
    const VolumeMapView view = map.view();
    for (uint64_t i = 0; i < 200; ++i) {
        const Vec3 r = randomPoint(12, i);
        const Vec3 x{0.45f + 0.05f * r.x, 0.35f + 0.05f * r.y, 0.3f * r.z};
        Vec3 gradient, ignored;
        view.share(x, gradient);
        for (int k = 0; k < 3; ++k) {
            Vec3 low = x, high = x;
            low[k] -= 1e-3f;
            high[k] += 1e-3f;
            const float slope = (view.share(high, ignored) - view.share(low, ignored)) / (high[k] - low[k]);
            EXPECT_NEAR(gradient[k], slope, 0.05f) << k;  // 1/m, of up to 14: differences of floats over 2 mm
        }
    }
}

TEST(VolumeMap, ofAMeshEqualsThatOfThePrimitive) {
    const TriangleMesh mesh = boxMesh({-0.5f, -0.4f, -0.3f}, {0.5f, 0.4f, 0.3f});
    TriangleTree tree;
    tree.build(mesh.vertices, mesh.triangles);
    SolidDistance ofMesh = primitive(ColliderShape::mesh, true);
    ofMesh.mesh = tree.view();
    const BoundaryKernel W = BoundaryKernel::cubicSpline(kRadius);
    VolumeMap a, b;
    a.build("mesh", ofMesh, W);
    b.build("box", primitive(ColliderShape::box, true), W);
    for (uint64_t i = 0; i < 500; ++i) {
        const Vec3 r = randomPoint(13, i), x{0.6f * r.x, 0.5f * r.y, 0.4f * r.z};
        Vec3 ga, gb;
        EXPECT_NEAR(a.view().share(x, ga), b.view().share(x, gb), 1e-5f);  // rounding of distances
    }
}

// However long a box or a capsule, its map is as small as one of a few support radii, and gives the same shares.
TEST(VolumeMap, straightPartsAreFoldedAway) {
    const BoundaryKernel W = BoundaryKernel::cubicSpline(kRadius);
    for (const ColliderShape shape : {ColliderShape::box, ColliderShape::capsule})
        for (const bool container : {false, true}) {
            SolidDistance shortOne = primitive(shape, container), longOne = shortOne;
            shortOne.halfSize = {0.5f, 0.5f, 0.5f};
            longOne.halfSize = {40, 0.5f, 3};
            shortOne.halfLength = 0.5f;
            longOne.halfLength = 40;
            VolumeMap a, b;
            a.build("short", shortOne, W);
            b.build("long", longOne, W);
            EXPECT_LE(b.brickCount(), a.brickCount() + 200);  // unfolded, the long one would have 80 times as many
            const bool isBox = shape == ColliderShape::box;
            int near = 0;
            for (uint64_t i = 0; i < 2000; ++i) {
                const Vec3 x = 0.8f * randomPoint(5, i);
                Vec3 along;  // from the short one's end to the long one's
                if (isBox) along.x = x.x < 0 ? -39.5f : 39.5f, along.z = x.z < 0 ? -2.5f : 2.5f;
                if (!isBox) along.y = x.y < 0 ? -39.5f : 39.5f;
                Vec3 ga, gb;
                const float share = a.view().share(x, ga);
                near += share > 0.01f && share < 0.99f;
                EXPECT_NEAR(share, b.view().share(x + along, gb), 1e-4f);  // rounding at 40 m: 2.5e-5 of the radius
                EXPECT_NEAR(length(ga - gb), 0, 1e-3f / kRadius);          // the same, as a slope
            }
            EXPECT_GT(near, 200);  // 314 and more: enough of the points are where shares vary
        }
}

TEST(VolumeMap, holdsBricksOnlyNearTheSurface) {
    SolidDistance room;  // of a mesh: no part of it is folded away
    const TriangleMesh walls = boxMesh({-1, -1, -1}, {1, 1, 1});
    TriangleTree tree;
    tree.build(walls.vertices, walls.triangles);
    room.shape = ColliderShape::mesh;
    room.container = true;
    room.mesh = tree.view();
    VolumeMap map;
    map.build("room", room, BoundaryKernel::cubicSpline(kRadius));
    const VolumeMapView view = map.view();
    EXPECT_FALSE(view.isNear({}));
    EXPECT_FALSE(view.isNear({0.6f, 0, 0}));
    EXPECT_FALSE(view.isNear({0.84f, 0, 0}));  // a support radius and some cells off
    EXPECT_FALSE(view.isNear({1000, 0, 0}));
    EXPECT_FALSE(view.isNear({std::nanf(""), 0, 0}));
    EXPECT_TRUE(view.isNear({0.95f, 0.3f, 0.5f}));
    EXPECT_LT(map.brickCount(), view.bricksX * view.bricksY * view.bricksZ / 3);  // a fifth: six faces of 18³ bricks
}

TEST(VolumeMap, refusesASolidTooLargeForItsBricks) {
    SolidDistance room = primitive(ColliderShape::sphere, true);
    room.radius = 4000;
    VolumeMap map;
    try {
        map.build("hall", room, BoundaryKernel::cubicSpline(kRadius));
        FAIL();
    } catch (const Error& error) { EXPECT_EQ(std::string(error.what()).find("hall: too large for a volume map"), 0u); }
}

}  // namespace
}  // namespace purl
