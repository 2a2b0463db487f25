#include "solver/colliders/primitives.h"

#include <gtest/gtest.h>

#include <cmath>

#include "solver/colliders/contacts.h"
#include "tests/solver/meshes.h"

namespace purl {
namespace {

void expectNear(Vec3 a, Vec3 b, float tolerance = 1e-6f) {
    EXPECT_NEAR(a.x, b.x, tolerance);
    EXPECT_NEAR(a.y, b.y, tolerance);
    EXPECT_NEAR(a.z, b.z, tolerance);
}

void expectContact(const Contact& contact, Vec3 point, float depth, Vec3 normal) {
    expectNear(contact.point, point);
    EXPECT_NEAR(contact.depth, depth, 1e-6f);
    expectNear(contact.normal, normal);
}

// The capsule from (0,0,0) to (0,0,1) with radius ½ of the document's table: its y axis lies along the world's z.
PlacedCollider tableCapsule(bool container) {
    PlacedCollider capsule;
    capsule.shape = ColliderShape::capsule;
    capsule.container = container;
    capsule.halfLength = 0.5f;
    capsule.radius = 0.5f;
    capsule.after.position = {0, 0, 0.5f};
    capsule.after.axes = {{0, 1, 0}, {0, 0, 1}, {1, 0, 0}};
    return capsule;
}

// K-36
TEST(Primitives, sphereRowsOfTheTable) {
    EXPECT_FLOAT_EQ(sphereField({1.5f, 0, 0}, 1), 1.25f);
    EXPECT_FLOAT_EQ(sphereField({0.5f, 0, 0}, 1), -0.75f);
    expectContact(sphereContact({1.5f, 0, 0}, 1, true), {1, 0, 0}, 0.5f, {-1, 0, 0});
    expectContact(sphereContact({0.5f, 0, 0}, 1, false), {1, 0, 0}, 0.5f, {1, 0, 0});
    for (const bool container : {false, true}) EXPECT_FALSE(sphereContact({0, 1, 0}, 1, container));  // on the surface
    EXPECT_FALSE(sphereContact({0.5f, 0, 0}, 1, true));
    EXPECT_FALSE(sphereContact({1.5f, 0, 0}, 1, false));
    const Contact centre = sphereContact({0, 0, 0}, 1, false);
    EXPECT_FLOAT_EQ(length(centre.normal), 1);
    EXPECT_FLOAT_EQ(length(centre.point), 1);
}

// K-37
TEST(Primitives, capsuleRowsOfTheTable) {
    EXPECT_FLOAT_EQ(capsuleField(tableCapsule(true).after.toLocal({1, 0, 0.5f}), 0.5f, 0.5f), 0.5f);
    EXPECT_FLOAT_EQ(capsuleField(tableCapsule(true).after.toLocal({0, 0, 2}), 0.5f, 0.5f), 0.5f);
    EXPECT_FLOAT_EQ(capsuleField(tableCapsule(true).after.toLocal({0.2f, 0, 0.5f}), 0.5f, 0.5f), -0.3f);
    expectContact(primitiveContact(tableCapsule(true), {1, 0, 0.5f}), {0.5f, 0, 0.5f}, 0.5f, {-1, 0, 0});
    expectContact(primitiveContact(tableCapsule(true), {0, 0, 2}), {0, 0, 1.5f}, 0.5f, {0, 0, -1});
    expectContact(primitiveContact(tableCapsule(false), {0.2f, 0, 0.5f}), {0.5f, 0, 0.5f}, 0.3f, {1, 0, 0});
    for (const bool container : {false, true}) EXPECT_FALSE(primitiveContact(tableCapsule(container), {0.5f, 0, 0.5f}));
    const Contact onAxis = primitiveContact(tableCapsule(false), {0, 0, 0.5f});
    EXPECT_FLOAT_EQ(onAxis.depth, 0.5f);
    EXPECT_NEAR(onAxis.normal.z, 0, 1e-6f);  // out across the axis, not along it
}

// K-37
TEST(Primitives, capsuleWithoutLengthIsASphere) {
    for (int i = 0; i < 1000; ++i) {
        const Vec3 x = 2.0f * randomPoint(1, i);
        for (const bool container : {false, true}) {
            const Contact a = capsuleContact(x, 0, 1, container), b = sphereContact(x, 1, container);
            EXPECT_EQ(a.depth, b.depth);
            if (b) expectContact(a, b.point, b.depth, b.normal);
        }
    }
}

// K-37: F = min(F_sphere1, F_cylinder, F_sphere2), the cylinder cut at its ends
TEST(Primitives, capsuleIsTheUnionOfTwoSpheresAndACylinder) {
    for (int i = 0; i < 100000; ++i) {
        const Vec3 x = 2.0f * randomPoint(2, i);
        const float cylinder = std::max(std::hypot(x.x, x.z) - 0.5f, std::fabs(x.y) - 1);
        const float ends = std::min(length(x - Vec3{0, 1, 0}) - 0.5f, length(x + Vec3{0, 1, 0}) - 0.5f);
        const float field = capsuleField(x, 1, 0.5f), csg = std::min(cylinder, ends);
        if (std::fabs(field) < 1e-5f) continue;
        ASSERT_EQ(field < 0, csg < 0) << x.x << " " << x.y << " " << x.z;
    }
}

// K-38
TEST(Primitives, boxContainerRowsOfTheTable) {
    const Vec3 ext{1, 1, 1};
    EXPECT_NEAR(boxField({1.2f, 0, 0}, ext), 0.2f, 1e-6f);
    EXPECT_NEAR(boxField({1.2f, 1.1f, 0}, ext), 0.2f, 1e-6f);
    expectContact(boxContact({1.2f, 0, 0}, ext, true), {1, 0, 0}, 0.2f, {-1, 0, 0});
    expectContact(boxContact({1.2f, 1.1f, 0}, ext, true), {1, 1, 0}, 0.2236068f, {-0.7071068f, -0.7071068f, 0});
    EXPECT_FALSE(boxContact({1, 1, 1}, ext, true));
    EXPECT_FALSE(boxContact({0, 0.3f, -0.9f}, ext, true));
}

// K-38
TEST(Primitives, turnedBoxEqualsTheTurnedResult) {
    for (int i = 0; i < 1000; ++i) {
        PlacedCollider box;
        box.shape = ColliderShape::box;
        box.container = i % 2;
        box.halfSize = {0.3f, 0.7f, 0.5f};
        box.after.position = randomPoint(3, 4 * i);
        box.after.axes = turned(randomPoint(3, 4 * i + 1), 3 * randomUnit(3, 4 * i + 2));
        const Vec3 local = randomPoint(3, 4 * i + 3);
        const Contact straight = boxContact(local, box.halfSize, box.container);
        const Contact turnedContact = primitiveContact(box, box.after.toWorld(local));
        if (straight.depth < 1e-5f) continue;
        // Near a face rounding may decide between two sides; the depth is then that of either.
        EXPECT_NEAR(turnedContact.depth, straight.depth, 2e-6f);
        expectNear(turnedContact.point, box.after.toWorld(straight.point), 4e-6f);
        expectNear(turnedContact.normal, box.after.axes * straight.normal, 2e-6f);
    }
}

// K-39
TEST(Primitives, boxObstacleLeavesThroughTheNearestFace) {
    const Vec3 ext{0.3f, 0.7f, 0.5f};
    for (int i = 0; i < 100000; ++i) {
        const Vec3 r = randomPoint(4, i), x{ext.x * r.x, ext.y * r.y, ext.z * r.z};
        if (boxField(x, ext) >= 0) continue;
        const Contact contact = boxContact(x, ext, false);
        float nearest = 1e30f;
        for (int k = 0; k < 3; ++k) nearest = std::min({nearest, ext[k] - x[k], ext[k] + x[k]});
        ASSERT_FLOAT_EQ(contact.depth, nearest);
        ASSERT_EQ(boxField(contact.point, ext), 0);
        ASSERT_FLOAT_EQ(length(contact.normal), 1);
        ASSERT_NEAR(length(contact.point - (x + contact.depth * contact.normal)), 0, 1e-7f);
        ASSERT_EQ(std::fabs(contact.normal.x) + std::fabs(contact.normal.y) + std::fabs(contact.normal.z), 1);
        ASSERT_GT(dot(contact.point, contact.normal), 0);
    }
    EXPECT_FALSE(boxContact({0.3f, 0, 0}, ext, false));
    EXPECT_EQ(boxContact({0, 0, 0}, ext, false).normal.x, 1);
}

// K-40
TEST(Primitives, containerPointsAreInsideAlsoAtEdgesAndCorners) {
    for (int i = 0; i < 100000; ++i) {
        const Vec3 x = 3.0f * randomPoint(5, i);
        if (const Contact box = boxContact(x, {0.3f, 0.7f, 0.5f}, true)) {
            ASSERT_LE(boxField(box.point, {0.3f, 0.7f, 0.5f}), 1e-9f);
        }
        if (const Contact sphere = sphereContact(x, 0.8f, true)) { ASSERT_NEAR(length(sphere.point), 0.8f, 2e-7f); }
        if (const Contact capsule = capsuleContact(x, 0.4f, 0.8f, true)) {
            ASSERT_NEAR(capsuleField(capsule.point, 0.4f, 0.8f), 0, 2e-7f);
        }
    }
}

TEST(Primitives, planeIsSolidBelowAndAContainersAbove) {
    expectContact(planeContact({3, -0.2f, 4}, 0, false), {3, 0, 4}, 0.2f, {0, 1, 0});
    expectContact(planeContact({3, 0.2f, 4}, 0, true), {3, 0, 4}, 0.2f, {0, -1, 0});
    EXPECT_FALSE(planeContact({3, 0, 4}, 0, false));
    EXPECT_FALSE(planeContact({3, 0, 4}, 0, true));
    EXPECT_FALSE(planeContact({3, 1, 4}, 0, false));
    EXPECT_FALSE(planeContact({3, -1, 4}, 0, true));
}

TEST(Primitives, thicknessGrowsObstaclesAndShrinksContainers) {
    PlacedCollider c;
    c.radius = 1;
    c.halfLength = 1;
    c.halfSize = {1, 1, 1};
    c.gap = 0.1f;
    for (const ColliderShape shape : {ColliderShape::sphere, ColliderShape::box, ColliderShape::capsule}) {
        c.shape = shape;
        c.container = false;
        expectContact(primitiveContact(c, {1.05f, 0, 0}), {1.1f, 0, 0}, 0.05f, {1, 0, 0});
        EXPECT_FALSE(primitiveContact(c, {1.15f, 0, 0}));
        c.container = true;
        expectContact(primitiveContact(c, {0.95f, 0, 0}), {0.9f, 0, 0}, 0.05f, {-1, 0, 0});
        EXPECT_FALSE(primitiveContact(c, {0.85f, 0, 0}));
    }
    c.shape = ColliderShape::plane;
    c.container = false;
    expectContact(primitiveContact(c, {5, 0.05f, 0}), {5, 0.1f, 0}, 0.05f, {0, 1, 0});
}

// K-41
TEST(Response, exampleOfTheDocument) {
    const Contact contact{0.2f, {}, {-1, 0, 0}};
    expectNear(respond({2, 1, 0}, {}, contact, 0, 0, 0.2f), {0, 1, 0});
    expectNear(respond({2, 1, 0}, {}, contact, 0.5f, 0, 0.2f), {-0.4472136f, 1, 0});
    expectNear(respond({2, 1, 0}, {}, contact, 1, 0, 0.2f), {-0.8944272f, 1, 0});
}

// K-41 K-42
TEST(Response, neverAddsEnergyAndLeavesSlidingAlone) {
    for (int i = 0; i < 100000; ++i) {
        const Vec3 u = 5.0f * randomPoint(6, 2 * i), n = normalized(randomPoint(6, 2 * i + 1));
        if (dot(u, n) >= 0) continue;
        const float dt = 0.01f, restitution = randomUnit(7, i);
        const Contact contact{randomUnit(8, i) * dt * length(u), {}, n};
        const Vec3 after = respond(u, {}, contact, restitution, 0, dt);
        ASSERT_LE(lengthSquared(after), lengthSquared(u) * 1.000002f);
        ASSERT_GE(dot(after, n), -1e-5f);
        ASSERT_NEAR(length((after - dot(after, n) * n) - (u - dot(u, n) * n)), 0, 1e-5f);
    }
}

// K-43
TEST(Response, guards) {
    const Contact contact{0.1f, {}, {0, 1, 0}};
    expectNear(respond({0, 0, 0}, {}, contact, 1, 0, 0.01f), {0, 0, 0});
    expectNear(respond({1, -1, 0}, {}, contact, 1, 0, 0), {1, -1, 0});     // paused
    expectNear(respond({1, 2, 0}, {}, contact, 1, 1, 0.01f), {1, 2, 0});   // leaving already
    expectNear(respond({0, -1, 0}, {}, contact, 1, 0, 0.01f), {0, 1, 0});  // ten times deeper than one step leads
    const Contact none{0, {}, {0, 1, 0}};
    EXPECT_TRUE(isFinite(respond({0, -1, 0}, {}, none, 1, 0.5f, 0.01f)));
}

// K-46
TEST(Response, isSeenFromTheMovingSurface) {
    const Contact contact{0.01f, {}, {0, 1, 0}};
    expectNear(respond({0, 0, 0}, {0, 2, 0}, contact, 0, 0, 0.01f), {0, 2, 0});      // a rising floor lifts
    expectNear(respond({1, 0, 0}, {3, 2, 0}, contact, 0, 0, 0.01f), {1, 2, 0});      // and slides below
    expectNear(respond({1, 0, 0}, {3, 2, 0}, contact, 0, 1, 0.01f), {3, 2, 0});      // or takes along
    expectNear(respond({0, 0, 0}, {0, -2, 0}, contact, 0.5f, 1, 0.01f), {0, 0, 0});  // a sinking one lets go
}

TEST(Response, frictionDoesNotDependOnTheStep) {
    const Contact contact{0, {}, {0, 1, 0}};
    Vec3 coarse{1, 0, 0}, fine{1, 0, 0};
    for (int i = 0; i < 5; ++i) coarse = respond(coarse - Vec3{0, 1, 0}, {}, contact, 0, 0.3f, 0.004f);
    for (int i = 0; i < 20; ++i) fine = respond(fine - Vec3{0, 1, 0}, {}, contact, 0, 0.3f, 0.001f);
    EXPECT_NEAR(coarse.x, 0.7f * 0.7f, 1e-5f);  // two hundredths of a second
    EXPECT_NEAR(fine.x, coarse.x, 1e-5f);
}

}  // namespace
}  // namespace purl
