#include "solver/colliders/colliders.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "solver/colliders/contacts.h"
#include "solver/colliders/motion.h"
#include "solver/core/error.h"
#include "tests/solver/meshes.h"
#include "tests/solver/testScenes.h"

namespace purl {
namespace {

Collider colliderOf(ColliderShape shape, bool container) {
    Collider collider = test::smoothCollider("collider");
    collider.params.shape = shape;
    collider.params.container = container;
    return collider;
}

// Particles that know nothing of each other, falling among colliders: what contacts do, and nothing else.
struct Drops {
    explicit Drops(int count, const Device& where = Device::cpu(1))
        : colliders(where), particles(where), xBefore(where) {
        scene.fluids.resize(1);
        particles.resize(count);
    }

    // The scene's colliders go to their places within `dt`, in `subSteps` steps.
    void step(float dt, int subSteps = 1, Vec3 gravity = {0, -9.81f, 0}) {
        if (places.empty()) places = placesOf(scene);
        const float h = dt / static_cast<float>(subSteps);
        for (int k = 0; k < subSteps; ++k) {
            colliders.moveTo(StepColliders(scene, places), static_cast<float>(k) / static_cast<float>(subSteps),
                             static_cast<float>(k + 1) / static_cast<float>(subSteps), h);
            xBefore = particles.x;
            for (int i = 0; i < particles.count(); ++i) {
                particles.v[i] += h * gravity;
                particles.x[i] += h * particles.v[i];
            }
            resolveContacts(particles, xBefore, colliders, scene, particles.v, h);
        }
        places = placesOf(scene);
    }
    void scatter(Vec3 center, Vec3 half, float speed, uint64_t seed) {
        for (int i = 0; i < particles.count(); ++i) {
            const Vec3 r = randomPoint(seed, i);
            particles.x[i] = center + Vec3{half.x * r.x, half.y * r.y, half.z * r.z};
            particles.v[i] = speed * randomPoint(seed + 1, i);
        }
    }
    int count(const std::function<bool(Vec3)>& where) const {
        int found = 0;
        for (const Vec3 x : particles.x) found += where(x);
        return found;
    }
    float fastest() const {
        float speed = 0;
        for (const Vec3 v : particles.v) speed = std::max(speed, length(v));
        return speed;
    }

    Scene scene;
    std::vector<ColliderPlace> places;
    Colliders colliders;
    Particles particles;
    Buffer<Vec3> xBefore;
};

// K-44
TEST(Contacts, overlappingObstaclesAreBothLeftAndTheDeepestTurnsTheVelocity) {
    Drops drops(1);
    Collider left = colliderOf(ColliderShape::sphere, false), right = left;
    left.params.radius = right.params.radius = 1;
    left.pose.position = {-0.6f, 0, 0};
    right.pose.position = {0.6f, 0, 0};
    drops.scene.colliders = {left, right};
    drops.scene.fluids[0].params.restitution = 0;
    drops.colliders.moveTo(StepColliders(drops.scene), 0, 1, 0.1f);
    drops.particles.x[0] = {0.2f, 0.6f, 0};  // deeper in the right one
    drops.xBefore = drops.particles.x;
    drops.particles.v[0] = {0, -1, 0};
    resolveContacts(drops.particles, drops.xBefore, drops.colliders, drops.scene, drops.particles.v, 0.1f);
    for (const Collider& c : drops.scene.colliders)
        EXPECT_GE(length(drops.particles.x[0] - c.pose.position), 1 - 1e-6f);
    const Vec3 n = normalized(Vec3{0.2f, 0.6f, 0} - right.pose.position);
    const Vec3 once = Vec3{0, -1, 0} - dot(Vec3{0, -1, 0}, n) * n;
    EXPECT_NEAR(length(drops.particles.v[0] - once), 0, 1e-6f);
}

// K-44: an obstacle that fills its container leaves no place; passes end, and the container wins
TEST(Contacts, contradictionsEndInsideTheContainer) {
    Drops drops(1000);
    Collider box = colliderOf(ColliderShape::box, true), stuffing = colliderOf(ColliderShape::sphere, false);
    box.params.halfSize = {0.5f, 0.5f, 0.5f};
    stuffing.params.radius = 2;
    drops.scene.colliders = {box, stuffing};
    drops.scatter({}, {0.5f, 0.5f, 0.5f}, 1, 3);
    for (int k = 0; k < 10; ++k) drops.step(0.01f);
    EXPECT_EQ(drops.count([](Vec3 x) { return boxField(x, {0.5f, 0.5f, 0.5f}) > 1e-6f; }), 0);
    EXPECT_EQ(drops.count([](Vec3 x) { return !isFinite(x); }), 0);

    Collider sphere = colliderOf(ColliderShape::sphere, true);  // two containers: what both hold
    sphere.params.radius = 0.6f;
    sphere.pose.position = {0.4f, 0.4f, 0};
    drops.scene.colliders = {box, sphere};
    for (int k = 0; k < 50; ++k) drops.step(0.01f);
    EXPECT_EQ(drops.count([](Vec3 x) { return boxField(x, {0.5f, 0.5f, 0.5f}) > 1e-6f; }), 0);
    EXPECT_EQ(drops.count([](Vec3 x) { return length(x - Vec3{0.4f, 0.4f, 0}) > 0.6f + 1e-6f; }), 0);
}

// Shakes and turns a container for a thousand steps.
void shake(Drops& drops, const std::function<bool(Vec3 local)>& escaped, float restitution) {
    drops.scene.fluids[0].params.restitution = restitution;
    for (int k = 1; k <= 1000; ++k) {
        const float t = 0.005f * static_cast<float>(k);
        Pose& pose = drops.scene.colliders[0].pose;
        pose.position = {0.3f * std::sin(12 * t), 0.1f * std::sin(31 * t), 0.2f * std::sin(7 * t)};
        pose.axes = turned({1, 2, 3}, 3 * t) * turned({-1, 0, 1}, std::sin(5 * t));
        drops.step(0.005f);
        ASSERT_EQ(drops.count([&](Vec3 x) { return !isFinite(x) || escaped(pose.toLocal(x)); }), 0) << "step " << k;
    }
    EXPECT_LT(drops.fastest(), 30);
}

// K-45 K-46
TEST(Contacts, nothingEscapesAShakenBox) {
    Drops drops(500);
    drops.scene.colliders = {colliderOf(ColliderShape::box, true)};
    drops.scene.colliders[0].params.halfSize = {0.5f, 0.4f, 0.3f};
    drops.scatter({}, {0.5f, 0.4f, 0.3f}, 5, 4);
    shake(
        drops,
        [](Vec3 x) {
            return boxField(x, {0.5f, 0.4f, 0.3f}) > 1e-6f;
        },
        0.5f);
}

// K-45 K-46
TEST(Contacts, nothingEscapesAShakenSphereOrCapsule) {
    Drops sphere(500), capsule(500);
    sphere.scene.colliders = {colliderOf(ColliderShape::sphere, true)};
    sphere.scatter({}, {0.2f, 0.2f, 0.2f}, 5, 5);
    shake(
        sphere, [](Vec3 x) { return length(x) > 0.5f + 1e-6f; }, 0.5f);
    capsule.scene.colliders = {colliderOf(ColliderShape::capsule, true)};
    capsule.scene.colliders[0].params.friction = 0.2f;
    capsule.scatter({}, {0.2f, 0.6f, 0.2f}, 5, 6);
    shake(
        capsule, [](Vec3 x) { return capsuleField(x, 0.5f, 0.5f) > 1e-6f; }, 0);
}

// K-46
TEST(Contacts, boxMovedTurnedAndShrunkKeepsAll) {
    Drops drops(2000);
    drops.scene.colliders = {colliderOf(ColliderShape::box, true)};
    ColliderParams& params = drops.scene.colliders[0].params;
    Pose& pose = drops.scene.colliders[0].pose;
    drops.scatter({}, {0.5f, 0.5f, 0.5f}, 0, 7);
    for (int k = 1; k <= 50; ++k) {
        pose.position.x = 0.01f * static_cast<float>(k);  // half a metre in half a second
        pose.axes = turned({0, 0, 1}, 0.03f * static_cast<float>(k));
        if (k == 25) params.halfSize *= 0.8f;
        drops.step(0.01f, 4);
        ASSERT_EQ(drops.count([&](Vec3 x) { return boxField(pose.toLocal(x), params.halfSize) > 1e-6f; }), 0) << k;
    }
    EXPECT_LT(drops.fastest(), 10);
}

// K-46: one wall of the tank goes to and fro as |sin t|
TEST(Contacts, waveFaceIsObeyed) {
    Drops drops(1000);
    Collider box = colliderOf(ColliderShape::box, true), face = colliderOf(ColliderShape::plane, false);
    box.params.halfSize = {1, 1, 1};
    face.pose.axes = {{0, -1, 0}, {1, 0, 0}, {0, 0, 1}};  // solid towards −x
    face.pose.position = {-1, 0, 0};
    drops.scene.colliders = {box, face};
    drops.scatter({}, {1, 1, 1}, 0, 8);
    for (int k = 1; k <= 400; ++k) {
        const float wall = -1 + 0.5f * std::fabs(std::sin(0.01f * static_cast<float>(k)));
        drops.scene.colliders[1].pose.position.x = wall;
        drops.step(0.01f, 2);
        ASSERT_EQ(drops.count([&](Vec3 x) { return x.x < wall - 1e-6f || boxField(x, {1, 1, 1}) > 1e-6f; }), 0) << k;
    }
    EXPECT_LT(drops.fastest(), 10);
}

// K-45
TEST(Contacts, nothingEscapesAShakenBoxOfTriangles) {
    Drops drops(500);
    const TriangleMesh box = boxMesh({-0.5f, -0.4f, -0.3f}, {0.5f, 0.4f, 0.3f});
    drops.scene.colliders = {colliderOf(ColliderShape::mesh, true)};
    drops.scene.colliders[0].mesh = box;
    drops.scatter({}, {0.49f, 0.39f, 0.29f}, 5, 9);
    drops.scene.fluids[0].params.restitution = 0.3f;
    for (int k = 1; k <= 1000; ++k) {
        const float t = 0.005f * static_cast<float>(k);
        const Pose pose{{0.3f * std::sin(12 * t), 0.1f * std::sin(31 * t), 0.2f * std::sin(7 * t)},
                        turned({1, 2, 3}, 3 * t)};
        for (size_t i = 0; i < 8; ++i) drops.scene.colliders[0].mesh.vertices.edit()[i] = pose.toWorld(box.vertices[i]);
        drops.step(0.005f);
        ASSERT_EQ(drops.count([&](Vec3 x) { return boxField(pose.toLocal(x), {0.5f, 0.4f, 0.3f}) > 1e-6f; }), 0) << k;
    }
    EXPECT_LT(drops.fastest(), 30);
}

// K-45: a bag that wobbles and travels, closed or with one triangle missing at its top: that one is the only way out
TEST(Contacts, nothingLeaksFromAWobblingBag) {
    for (const bool open : {false, true}) {
        Drops drops(400);
        const TriangleMesh bag = sphereMesh({}, 0.5f, 3);
        drops.scene.colliders = {colliderOf(ColliderShape::mesh, true)};
        Collider& collider = drops.scene.colliders[0];
        collider.mesh = bag;
        int hole = 0;
        while (bag.vertices[bag.triangles[3 * hole]].y < 0.49f) ++hole;
        std::vector<int>& corners = collider.mesh.triangles.edit();
        if (open) corners.erase(corners.begin() + 3 * hole, corners.begin() + 3 * hole + 3);
        drops.scatter({}, {0.18f, 0.18f, 0.18f}, 2, 22);
        std::vector<bool> out(400, false);
        for (int k = 1; k <= 300; ++k) {
            const float t = 0.01f * static_cast<float>(k);
            for (size_t i = 0; i < bag.vertices.size(); ++i) {
                const Vec3 v = bag.vertices[i];
                const float swell = 1 + 0.15f * std::sin(9 * t + 5 * v.y) + 0.1f * std::sin(13 * t + 11 * v.x);
                collider.mesh.vertices.edit()[i] = swell * v + Vec3{0.4f * std::sin(6 * t), 0, 0.1f * std::sin(17 * t)};
            }
            drops.step(0.01f, 2, {0, -9.81f, 0});
            TriangleTree tree;
            tree.build(collider.mesh.vertices, bag.triangles);
            for (int i = 0; i < 400; ++i) {
                if (out[i] || tree.isInside(drops.particles.x[i])) continue;
                out[i] = true;
                ASSERT_TRUE(open && tree.closest(drops.particles.x[i]).triangle == hole)
                    << "drop " << i << ", step " << k;
            }
        }
        EXPECT_LE(std::count(out.begin(), out.end(), true), 10);
        EXPECT_LT(drops.fastest(), 20);
    }
}

// An open tank: five walls without thickness, no lid, obstacle or container alike.
TEST(Contacts, openTankOfTrianglesLeaksNothing) {
    for (const bool container : {false, true}) {
        Drops drops(2000);
        Collider tank = colliderOf(ColliderShape::mesh, container);
        tank.mesh = boxMesh({-0.5f, 0, -0.5f}, {0.5f, 3, 0.5f});
        tank.mesh.triangles.edit().erase(tank.mesh.triangles.edit().begin() + 18,
                                         tank.mesh.triangles.edit().begin() + 24);  // the lid
        drops.scene.colliders = {tank};
        drops.scatter({0, 0.5f, 0}, {0.49f, 0.49f, 0.49f}, 3, 10);
        for (int k = 0; k < 500; ++k) drops.step(0.01f);
        EXPECT_EQ(drops.count([](Vec3 x) { return std::fabs(x.x) > 0.5f || std::fabs(x.z) > 0.5f || x.y < 0; }), 0);
    }
}

TEST(Contacts, sheetKeepsItsTwoSidesApart) {
    Drops drops(2000);
    drops.scene.colliders = {colliderOf(ColliderShape::mesh, false)};
    drops.scene.colliders[0].mesh = sheetMesh({}, 5);
    drops.scene.fluids[0].params.restitution = 1;
    drops.scatter({}, {1, 0.5f, 1}, 0, 11);
    std::vector<bool> above;
    for (const Vec3 x : drops.particles.x) above.push_back(x.y > 0);
    for (int k = 0; k < 200; ++k) {
        const float up = k < 100 ? 1.0f : -1.0f;  // fall on it from above, then from below, at up to 10 m/s
        drops.step(0.01f, 1, {0, -9.81f * up, 0});
        for (int i = 0; i < 2000; ++i) ASSERT_EQ(drops.particles.x[i].y > 0, above[static_cast<size_t>(i)]) << k;
    }
}

TEST(Contacts, thicknessHoldsParticlesOffAMesh) {
    Drops drops(200);
    drops.scene.colliders = {colliderOf(ColliderShape::mesh, false)};
    drops.scene.colliders[0].mesh = sheetMesh({}, 5);
    drops.scene.colliders[0].params.thickness = 0.05f;
    drops.scatter({0, 0.5f, 0}, {1, 0.4f, 1}, 0, 12);
    for (int k = 0; k < 100; ++k) drops.step(0.01f);
    for (const Vec3 x : drops.particles.x) EXPECT_NEAR(x.y, 0.05f, 1e-5f);
}

// A closed paddle, five millimetres thin, goes through resting drops at 5 m/s, twice its thickness a step.
TEST(Contacts, fastThinPaddlePushesEverythingBeforeIt) {
    for (const bool open : {false, true}) {
        Drops drops(2000);
        drops.scatter({0, 0, 0}, {0.5f, 0.4f, 0.4f}, 0, 13);
        const TriangleMesh paddle = boxMesh({-0.005f, -0.5f, -0.5f}, {0, 0.5f, 0.5f});
        drops.scene.colliders = {colliderOf(ColliderShape::mesh, false)};
        Collider& collider = drops.scene.colliders[0];
        collider.mesh = paddle;
        if (open)  // the face at +x alone
            collider.mesh.triangles.edit().assign(paddle.triangles.end() - 6, paddle.triangles.end());
        const auto placeAt = [&](float x) {
            for (size_t i = 0; i < paddle.vertices.size(); ++i)
                collider.mesh.vertices.edit()[i] = paddle.vertices[i] + Vec3{x, 0, 0};
        };
        placeAt(-0.6f);
        drops.places = placesOf(drops.scene);
        for (int k = 1; k <= 12; ++k) {  // 0.1 m a frame of 1/50 s, in ten steps
            const float x = -0.6f + 0.1f * static_cast<float>(k);
            placeAt(x);
            drops.step(0.02f, 10, {});
            EXPECT_EQ(drops.count([&](Vec3 p) { return p.x < x; }), 0) << k;
        }
        int atItsSpeed = 0;
        for (const Vec3 v : drops.particles.v) atItsSpeed += std::fabs(v.x - 5) < 0.01f;
        EXPECT_EQ(atItsSpeed, 2000);
    }
}

TEST(Contacts, turningPaddleSweepsAndLeaksNothing) {
    Drops drops(1000);
    for (int i = 0; i < 1000; ++i)  // a quarter ring before the paddle
        drops.particles.x[i] = turned({0, 1, 0}, -0.1f - 1.4f * randomUnit(14, 2 * i)) *
                               Vec3{0.3f + 0.6f * randomUnit(14, 2 * i + 1), 0, 0};
    const TriangleMesh paddle = boxMesh({0, -0.2f, -0.004f}, {2, 0.2f, 0.004f});
    drops.scene.colliders = {colliderOf(ColliderShape::mesh, false)};
    drops.scene.colliders[0].mesh = paddle;
    drops.scene.colliders[0].params.friction = 1;
    drops.places = placesOf(drops.scene);
    for (int k = 1; k <= 40; ++k) {
        const Mat3 axes = turned({0, 1, 0}, -0.04f * static_cast<float>(k));  // 2 rad/s
        for (size_t i = 0; i < 8; ++i) drops.scene.colliders[0].mesh.vertices.edit()[i] = axes * paddle.vertices[i];
        drops.step(0.02f, 8, {});
        EXPECT_EQ(drops.count([&](Vec3 x) {
            const Vec3 p = transposed(axes) * x;
            return p.z < 0.0039f && p.x < 1.99f;
        }),
                  0)
            << k;
    }
}

TEST(Contacts, whatStartsInsideAClosedMeshIsPushedOut) {
    Drops drops(2000);
    drops.scene.colliders = {colliderOf(ColliderShape::mesh, false)};
    drops.scene.colliders[0].mesh = sphereMesh({}, 0.5f, 3);
    drops.scatter({}, {0.6f, 0.6f, 0.6f}, 0, 15);
    drops.step(0.01f, 1, {});
    const TriangleTree tree = [&] {
        TriangleTree t;
        t.build(drops.scene.colliders[0].mesh.vertices, drops.scene.colliders[0].mesh.triangles);
        return t;
    }();
    EXPECT_EQ(drops.count([&](Vec3 x) { return tree.isInside(x); }), 0);
    EXPECT_LT(drops.fastest(), 1e-3f);  // pushed, not thrown
}

TEST(Contacts, frictionOfOneTakesAlong) {
    Drops drops(1);
    drops.scene.colliders = {colliderOf(ColliderShape::box, false)};
    drops.scene.colliders[0].params.friction = 1;
    drops.particles.x[0] = {0.1f, 0.5f, 0};
    drops.places = placesOf(drops.scene);
    for (int k = 1; k <= 20; ++k) {
        drops.scene.colliders[0].pose.position.x = 0.02f * static_cast<float>(k);
        drops.step(0.01f, 5);
    }
    EXPECT_NEAR(drops.particles.x[0].x, 0.5f, 0.005f);  // it is taken up in the first sub-step of 4 mm
    EXPECT_NEAR(drops.particles.v[0].x, 2, 1e-3f);
    EXPECT_NEAR(drops.particles.x[0].y, 0.5f, 1e-5f);
}

TEST(Colliders, moveEvenlyBetweenFrames) {
    Scene scene;
    scene.colliders = {colliderOf(ColliderShape::box, false), colliderOf(ColliderShape::mesh, false)};
    scene.colliders[1].mesh = sheetMesh({}, 1);
    const auto from = placesOf(scene);
    scene.colliders[0].pose = {{1, 2, 4}, turned({0, 1, 0}, 1)};
    scene.colliders[1].mesh = sheetMesh({0, 2, 0}, 1);
    Colliders colliders(Device::cpu());
    colliders.moveTo(StepColliders(scene, from), 0.25f, 0.5f, 0.01f);
    const Pose before = colliders.placed()[0].before, after = colliders.placed()[0].after;
    EXPECT_NEAR(length(before.position - Vec3{0.25f, 0.5f, 1}), 0, 1e-6f);
    EXPECT_NEAR(length(after.position - Vec3{0.5f, 1, 2}), 0, 1e-6f);
    EXPECT_NEAR(length(after.axes.x - turned({0, 1, 0}, 0.5f).x), 0, 1e-6f);
    EXPECT_NEAR(colliders.placed()[1].mesh.cornerBefore(0, 0).y, 0.5f, 1e-6f);
    EXPECT_NEAR(colliders.placed()[1].mesh.corner(0, 0).y, 1, 1e-6f);
    colliders.moveTo(StepColliders(scene, from), 0.5f, 1, 0.01f);
    EXPECT_EQ(colliders.placed()[0].after, scene.colliders[0].pose);
    EXPECT_EQ(colliders.placed()[1].mesh.corner(0, 0).y, 2);
    // A step of the surface in a quarter of the way: (1, 2, 4)/4 m in 0.01 s.
    scene.colliders[0].pose.axes = Mat3();
    colliders.moveTo(StepColliders(scene, from), 0.25f, 0.5f, 0.01f);
    const Vec3 v = surfaceVelocity(colliders.placed()[0], Contact{0.1f, {}, {0, 1, 0}}, 0.01f);
    EXPECT_NEAR(length(v - Vec3{25, 50, 100}), 0, 1e-3f);
}

TEST(Colliders, newcomersAndChangedMeshesStartWhereTheyAre) {
    Scene scene;
    scene.colliders = {colliderOf(ColliderShape::mesh, false)};
    scene.colliders[0].mesh = sheetMesh({}, 1);
    const auto from = placesOf(scene);
    scene.colliders[0].mesh = boxMesh({0, 5, 0}, {1, 6, 1});
    scene.colliders.push_back(colliderOf(ColliderShape::sphere, false));
    scene.colliders[1].pose.position = {7, 0, 0};
    Colliders colliders(Device::cpu());
    colliders.moveTo(StepColliders(scene, from), 0, 0.1f, 0.01f);
    EXPECT_FALSE(colliders.placed()[0].mesh.moves);
    EXPECT_EQ(colliders.placed()[0].mesh.bounds().low.y, 5);
    EXPECT_EQ(colliders.placed()[1].before.position.x, 7);
    scene.colliders.pop_back();
    colliders.moveTo(StepColliders(scene, from), 0, 1, 0.01f);
    EXPECT_EQ(colliders.placed().count, 1);
}

TEST(Colliders, meshWithoutFacesIsNamed) {
    Scene scene;
    scene.colliders = {colliderOf(ColliderShape::mesh, false)};
    scene.colliders[0].name = "rock";
    Colliders colliders(Device::cpu());
    try {
        colliders.moveTo(StepColliders(scene), 0, 1, 0.01f);
        FAIL();
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(), "rock: collider mesh has no faces; connect another mesh or choose a primitive");
    }
}

TEST(Motion, turnsEvenlyTheShorterWayAlsoMirrored) {
    for (int i = 0; i < 500; ++i) {
        const Vec3 axis = randomPoint(16, 2 * i);
        const float angle = 3.1f * randomUnit(17, i), share = randomUnit(18, i);
        Pose a{randomPoint(16, 2 * i + 1), turned(randomPoint(19, i), 6 * randomUnit(20, i))};
        Pose b{{1, 2, 3}, turned(axis, angle) * a.axes}, expected{{}, turned(axis, angle * share) * a.axes};
        if (i % 2)
            for (Mat3* m : {&a.axes, &b.axes, &expected.axes}) m->x = -m->x;
        const Pose between = poseBetween(a, b, share);
        EXPECT_NEAR(length(between.axes.x - expected.axes.x), 0, 3e-6f);
        EXPECT_NEAR(length(between.axes.y - expected.axes.y), 0, 3e-6f);
        EXPECT_NEAR(length(between.axes.z - expected.axes.z), 0, 3e-6f);
        EXPECT_EQ(poseBetween(a, b, 0), a);
        EXPECT_EQ(poseBetween(a, b, 1), b);
    }
}

TEST(Contacts, anyNumberOfThreadsGivesTheSameBits) {
    std::vector<Vec3> results[2];
    for (const int threads : {1, 2}) {
        Drops drops(5000, Device::cpu(threads));
        drops.scene.colliders = {colliderOf(ColliderShape::box, true), colliderOf(ColliderShape::mesh, false)};
        drops.scene.colliders[1].mesh = sphereMesh({}, 0.3f, 3);
        drops.scatter({}, {0.5f, 0.5f, 0.5f}, 3, 21);
        for (int k = 0; k < 30; ++k) {
            for (Vec3& v : drops.scene.colliders[1].mesh.vertices.edit()) v.x += 0.005f;
            drops.step(0.01f, 2);
        }
        results[threads - 1].assign(drops.particles.x.begin(), drops.particles.x.end());
        results[threads - 1].insert(results[threads - 1].end(), drops.particles.v.begin(), drops.particles.v.end());
    }
    EXPECT_TRUE(results[0] == results[1]);
}

// Nothing within a box that is clear of a collider touches it, and boxes far away are clear of all but containers.
TEST(Colliders, boxesThatAreClearHoldNoContact) {
    for (const bool container : {false, true})
        for (const ColliderShape shape : {ColliderShape::sphere, ColliderShape::box, ColliderShape::capsule,
                                          ColliderShape::plane, ColliderShape::mesh}) {
            Scene scene;
            scene.colliders.push_back(colliderOf(shape, container));
            Collider& collider = scene.colliders[0];
            collider.params.radius = collider.params.halfLength = 0.3f;
            collider.params.halfSize = {0.3f, 0.1f, 0.2f};
            collider.params.thickness = 0.05f;
            collider.pose.position = {0.1f, 0.2f, 0};
            if (shape == ColliderShape::mesh) collider.mesh = sphereMesh({}, 0.4f, 2);
            Colliders colliders(Device::cpu(1));
            colliders.moveTo(StepColliders(scene), 1, 1, 0.01f);
            int clear = 0;
            for (int k = 0; k < 300; ++k) {
                Bounds box;
                const Vec3 center = randomPoint(1, k), half = 0.2f * randomPoint(2, k);
                box.include(center - half);
                box.include(center + half);
                if (!isClearOf(colliders.placed()[0], box)) continue;
                ++clear;
                for (int i = 0; i < 20; ++i) {
                    const auto within = [&](uint64_t seed) {
                        const Vec3 r = randomPoint(seed, 20 * k + i);
                        return center + Vec3{half.x * r.x, half.y * r.y, half.z * r.z};
                    };
                    EXPECT_LT(resolveContact(colliders.placed(), within(3), within(4)).collider, 0)
                        << int(shape) << container;
                }
            }
            EXPECT_EQ(clear > 0, !container || shape == ColliderShape::plane) << int(shape);
        }
}

}  // namespace
}  // namespace purl
