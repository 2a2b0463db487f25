#include "solver/colliders/rigid.h"

#include <gtest/gtest.h>

#include "solver/core/error.h"
#include "solver/simulator.h"
#include "tests/solver/meshes.h"

using namespace purl;

namespace {

Collider body(ColliderShape shape, Vec3 at, const char* name = "body") {
    Collider collider;
    collider.name = name;
    collider.params.friction = 0;
    collider.params.shape = shape;
    collider.params.motion = ColliderMotion::dynamic;
    collider.params.halfSize = {0.1f, 0.2f, 0.3f};
    collider.params.radius = 0.1f;
    collider.params.halfLength = 0.2f;
    collider.pose.position = at;
    return collider;
}

Collider ground() {
    Collider plane;
    plane.name = "ground";
    plane.params.shape = ColliderShape::plane;
    plane.params.friction = 0;
    return plane;
}

Scene sceneOf(std::vector<Collider> colliders) {
    Scene scene;
    scene.colliders = std::move(colliders);
    scene.solver.maxTimeStep = 0.002f;
    return scene;
}

const ColliderPlace& after(Simulator& simulator, const Scene& scene, double time, size_t collider = 0) {
    simulator.advanceTo(scene, time);
    return simulator.state().colliders[collider];
}

}  // namespace

TEST(Rigid, boxAndItsMeshHaveTheSameMass) {
    const Collider box = body(ColliderShape::box, {});
    Collider mesh = body(ColliderShape::mesh, {});
    mesh.mesh = boxMesh({0.9f, -0.2f, 1.7f}, {1.1f, 0.2f, 2.3f});
    const MassProperties a = massOf(box), b = massOf(mesh);
    EXPECT_NEAR(a.mass, 500 * 0.2 * 0.4 * 0.6, 1e-4);
    EXPECT_NEAR(b.mass, a.mass, 1e-4);
    // I = m/3 (b² + c²) of half edges
    EXPECT_NEAR(a.inertia.x.x, a.mass / 3 * (0.04 + 0.09), 1e-5);
    for (int k = 0; k < 3; ++k)
        EXPECT_NEAR(length(Vec3{b.inertia.x[k] - a.inertia.x[k], b.inertia.y[k] - a.inertia.y[k],
                                b.inertia.z[k] - a.inertia.z[k]}),
                    0, 1e-4);
    EXPECT_NEAR(length(bodyPose(mesh).position - Vec3{1, 0, 2}), 0, 1e-5);
}

TEST(Rigid, capsuleOfNoLengthIsASphere) {
    Collider capsule = body(ColliderShape::capsule, {});
    capsule.params.halfLength = 0;
    const MassProperties a = massOf(capsule), b = massOf(body(ColliderShape::sphere, {}));
    EXPECT_NEAR(a.mass, b.mass, 1e-5);
    EXPECT_NEAR(a.inertia.y.y, b.inertia.y.y, 1e-6);
    EXPECT_NEAR(a.inertia.x.x, 0.4 * b.mass * 0.01, 1e-6);
}

TEST(Rigid, whatHasNoVolumeIsRefusedByName) {
    for (const ColliderShape shape : {ColliderShape::plane, ColliderShape::mesh}) {
        Scene scene = sceneOf({body(shape, {}, "thing")});
        scene.colliders[0].mesh = {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {0, 1, 2}};
        Simulator simulator;
        try {
            simulator.reset(scene);
            FAIL();
        } catch (const Error& error) { EXPECT_NE(std::string(error.what()).find("thing: "), std::string::npos); }
    }
}

TEST(Rigid, fallsByG) {
    const Scene scene = sceneOf({body(ColliderShape::sphere, {0, 5, 0})});
    Simulator simulator;
    simulator.reset(scene);
    const ColliderPlace& place = after(simulator, scene, 0.5);
    EXPECT_NEAR(place.velocity.y, -9.81 * 0.5, 1e-3);
    EXPECT_NEAR(place.pose.position.y, 5 - 0.5 * 9.81 * 0.25, 0.01);
}

TEST(Rigid, comesToRestOnTheGroundWithoutDrift) {
    for (const ColliderShape shape : {ColliderShape::box, ColliderShape::sphere, ColliderShape::mesh}) {
        Scene scene = sceneOf({body(shape, {0, 0.3f, 0}), ground()});
        scene.colliders[0].mesh = boxMesh({-0.1f, 0.1f, -0.3f}, {0.1f, 0.5f, 0.3f});
        scene.colliders[0].params.friction = 0.5f;
        Simulator simulator;
        simulator.reset(scene);
        const Vec3 once = after(simulator, scene, 1).pose.position;
        const Vec3 later = after(simulator, scene, 3).pose.position;
        EXPECT_NEAR(once.y, shape == ColliderShape::sphere ? 0.1f : 0.2f, 2e-3);
        EXPECT_LT(length(later - once), 1e-4);
    }
}

// G-23 L-88. Rests below the angle of friction and slides above it: a = g (sin α − μ cos α)
TEST(Rigid, slidesDownASlopeBeyondItsAngleOfFriction) {
    for (const float angle : {0.35f, 0.6f}) {  // μ = 0.5: the angle is 0.4636
        Scene scene = sceneOf({body(ColliderShape::box, {}), ground()});
        const Mat3 axes{{std::cos(angle), -std::sin(angle), 0}, {std::sin(angle), std::cos(angle), 0}, {0, 0, 1}};
        scene.colliders[1].pose.axes = scene.colliders[0].pose.axes = axes;
        scene.colliders[0].params.halfSize = {0.3f, 0.1f, 0.3f};
        scene.colliders[0].pose.position = axes * Vec3{0, 0.1f, 0};
        scene.colliders[0].params.friction = 0.5f;
        Simulator simulator;
        simulator.reset(scene);
        const float way = dot(after(simulator, scene, 0.5).pose.position - scene.colliders[0].pose.position, axes.x);
        const float expected = std::max(0.0f, 9.81f * (std::sin(angle) - 0.5f * std::cos(angle))) * 0.125f;
        EXPECT_NEAR(way, expected, 0.03f * expected + 1e-3f) << angle;
    }
}

TEST(Rigid, collidingBodiesKeepMomentumAndBounceAsTold) {
    Scene scene = sceneOf(
        {body(ColliderShape::sphere, {-0.3f, 0, 0}, "left"), body(ColliderShape::sphere, {0.3f, 0.03f, 0}, "right")});
    scene.solver.gravity = 0;
    scene.colliders[0].params.startVelocity = {1, 0, 0};
    scene.colliders[1].params.density = 1500;
    for (Collider& collider : scene.colliders) collider.params.bounce = 1;
    Simulator simulator;
    simulator.reset(scene);
    simulator.advanceTo(scene, 1);
    const auto& places = simulator.state().colliders;
    const float m = massOf(scene.colliders[0]).mass;
    const Vec3 momentum = m * places[0].velocity + 3 * m * places[1].velocity;
    EXPECT_NEAR(momentum.x, m, 1e-4f * m);
    EXPECT_NEAR(momentum.y, 0, 1e-4f * m);
    const float energy = lengthSquared(places[0].velocity) + 3 * lengthSquared(places[1].velocity);
    EXPECT_NEAR(energy, 1, 0.02);
    EXPECT_LT(places[0].velocity.x, 0);
}

TEST(Rigid, freeSpinKeepsAngularMomentum) {
    Scene scene = sceneOf({body(ColliderShape::box, {})});
    scene.solver.gravity = 0;
    scene.colliders[0].params.startSpin = {0.1f, 8, 0};  // about the middle axis: it tumbles
    Simulator simulator;
    simulator.reset(scene);
    const Mat3 inertia = massOf(scene.colliders[0]).inertia;
    const auto momentum = [&] {
        const ColliderPlace& place = simulator.state().colliders[0];
        return place.pose.axes * (inertia * (transposed(place.pose.axes) * place.spin));
    };
    const Vec3 first = momentum();
    simulator.advanceTo(scene, 2);
    EXPECT_LT(length(momentum() - first), 1e-3f * length(first));
    EXPECT_GT(std::fabs(simulator.state().colliders[0].spin.x) + std::fabs(simulator.state().colliders[0].spin.z),
              0.5f);
}

TEST(Rigid, isLetGoWithTheVelocityItWasKeyedTo) {
    Scene scene = sceneOf({body(ColliderShape::box, {0, 2, 0})});
    scene.solver.gravity = 0;
    scene.colliders[0].params.motion = ColliderMotion::keyed;
    Simulator simulator;
    simulator.reset(scene);
    scene.colliders[0].pose.position.x = 0.1f;
    simulator.advanceTo(scene, 0.1);
    scene.colliders[0].params.motion = ColliderMotion::dynamic;
    const ColliderPlace& place = after(simulator, scene, 0.3);
    EXPECT_NEAR(place.velocity.x, 1, 1e-4);
    EXPECT_NEAR(place.pose.position.x, 0.3, 1e-4);
}

TEST(Rigid, doesNotPassAThinMeshFloor) {
    Collider floor;
    floor.name = "floor";
    floor.mesh = {{{-1, 0, -1}, {1, 0, -1}, {1, 0, 1}, {-1, 0, 1}}, {0, 2, 1, 0, 3, 2}};
    Scene scene = sceneOf({body(ColliderShape::box, {0, 1, 0}), floor});
    scene.colliders[0].params.startVelocity = {0, -30, 0};
    Simulator simulator;
    simulator.reset(scene);
    EXPECT_GT(after(simulator, scene, 1).pose.position.y, 0.15f);
}

// With default settings, frame by frame. In one step a frame it falls 35.8 cm.
TEST(Rigid, fallsAsFarAsItShouldWithoutFluids) {
    Scene scene = sceneOf({body(ColliderShape::sphere, {0, 1, 0})});
    scene.solver.maxTimeStep = 0;
    Simulator simulator;
    for (int frame = 1; frame <= 6; ++frame) simulator.advanceTo(scene, frame / 24.0);
    const double time = 6 / 24.0, fall = 0.5 * double(scene.solver.gravity) * time * time;
    EXPECT_NEAR(1 - simulator.state().colliders[0].pose.position.y, fall, 0.01 * fall);
}
