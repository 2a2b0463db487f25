#include "solver/cloth/attachments.h"

#include <gtest/gtest.h>

#include <cmath>

#include "solver/core/error.h"
#include "tests/solver/cloth/cloths.h"
#include "tests/solver/testScenes.h"

namespace purl {
namespace {

using test::oneThread;

Collider rod() {
    Collider collider;
    collider.name = "rod";
    collider.params.shape = ColliderShape::box;
    collider.params.halfSize = {0.2f, 0.01f, 0.01f};
    collider.pose.position = {0, 1.01f, 0};
    return collider;
}

// A sheet that hangs below the rod: its top row touches it.
Cloth curtain() {
    Cloth cloth = test::gridCloth(9, 9, {-0.2f, 1, 0}, {0.4f, 0, 0}, {0, -0.3f, 0});
    cloth.attachTo = "rod";
    cloth.attachDistance = 0.005f;
    return cloth;
}

Pose turned(float angle, Vec3 position) {
    return {position, {{std::cos(angle), 0, -std::sin(angle)}, {0, 1, 0}, {std::sin(angle), 0, std::cos(angle)}}};
}

TEST(Attachments, nearbyPointsFollowThePrimitive) {
    Scene scene = test::sceneOf(curtain());
    scene.colliders.push_back(rod());
    Simulator simulator(oneThread());
    simulator.reset(scene);
    for (int frame = 1; frame <= 24; ++frame) {
        scene.colliders[0].pose = turned(0.05f * float(frame), {0.01f * float(frame), 1.01f, 0});
        simulator.advanceTo(scene, frame / 24.0);
        const Pose now = scene.colliders[0].pose, start = rod().pose;
        for (int i = 0; i < 9; ++i) {
            const Vec3 position = now.toWorld(start.toLocal(scene.cloths[0].points[i]));
            // Rounding of floats at a metre, transformed twice.
            EXPECT_LT(length(simulator.state().cloth.x[i] - position), 1e-6f);
        }
    }
    // The next row is free and follows.
    EXPECT_GT(length(simulator.state().cloth.x[9] - scene.cloths[0].points[9]), 0.05f);
}

// A mesh may deform: attached points follow their triangles.
TEST(Attachments, listedVerticesFollowTheirTriangles) {
    Cloth cloth = curtain();
    cloth.attachedVertices = {0, 8};
    Scene scene = test::sceneOf(cloth);
    Collider plate;
    plate.name = "rod";
    plate.params.shape = ColliderShape::mesh;
    plate.mesh.vertices = {{-0.3f, 1.02f, -0.1f}, {0, 1.02f, -0.1f}, {0.3f, 1.02f, -0.1f},
                           {-0.3f, 1.02f, 0.1f},  {0, 1.02f, 0.1f},  {0.3f, 1.02f, 0.1f}};
    plate.mesh.triangles = {0, 3, 1, 1, 3, 4, 1, 4, 2, 2, 4, 5};
    scene.colliders.push_back(plate);
    Simulator simulator(oneThread());
    simulator.reset(scene);
    for (int frame = 1; frame <= 12; ++frame) {
        // The right half of the plate moves up, the left half stays.
        for (const size_t v : {2u, 5u}) scene.colliders[0].mesh.vertices[v].y = 1.02f + 0.005f * float(frame);
        simulator.advanceTo(scene, frame / 24.0);
    }
    EXPECT_LT(length(simulator.state().cloth.x[0] - cloth.points[0]), 1e-6f);  // rounding
    EXPECT_GT(simulator.state().cloth.x[8].y, 1.03f);
    const Buffer<Vec3>& x = simulator.state().cloth.x;
    EXPECT_LT(x[4].y, 0.5f * (x[0].y + x[8].y) - 1e-3f);  // the free part sags
}

TEST(Attachments, clothFollowsARigidBody) {
    Cloth cloth = test::levelCloth(5, 0.1f, {0, 0.505f, 0});
    cloth.attachTo = "box";
    cloth.attachDistance = 0.01f;
    Scene scene = test::sceneOf(cloth);
    Collider box;
    box.name = "box";
    box.params.shape = ColliderShape::box;
    box.params.motion = ColliderMotion::dynamic;
    box.params.halfSize = {0.05f, 0.05f, 0.05f};
    box.params.density = 500;
    box.pose.position = {0, 0.45f, 0};
    scene.colliders.push_back(box);
    Simulator simulator(oneThread());
    const Frame& frame = test::play(simulator, scene, 0.25);
    ASSERT_EQ(frame.rigids.size(), 1u);
    EXPECT_LT(frame.rigids[0].position.y, 0.2f);
    for (int i = 0; i < 25; ++i) {
        const Vec3 position = cloth.points[i] + (frame.rigids[0].position - Vec3{0, 0.45f, 0});
        EXPECT_LT(length(simulator.state().cloth.x[i] - position), 1e-6f);  // rounding
    }
}

TEST(Attachments, missingColliderIsReportedByName) {
    Scene scene = test::sceneOf(curtain());
    Simulator simulator(oneThread());
    try {
        simulator.reset(scene);
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(
            std::string(error.what()),
            "cloth: attachTo is \"rod\", which is not a collider of this solver; enter the name of a purlCollider or "
            "leave it empty");
    }
}

}  // namespace
}  // namespace purl
