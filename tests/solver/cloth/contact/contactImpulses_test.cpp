// Reaction impulses of cloths on rigid and soft bodies.
#include <gtest/gtest.h>

#include "solver/cloth/fabric.h"
#include "solver/contact/rigid.h"
#include "solver/soft/clusters.h"
#include "tests/solver/cloth/cloths.h"
#include "tests/solver/soft/softBodies.h"

namespace purl {
namespace {

using test::oneThread;

// kg m/s, of cloths and of rigid and soft bodies.
struct Momentum {
    Vec3 cloth, bodies;
    Vec3 all() const { return cloth + bodies; }
};
Momentum momentumOf(const Simulator& simulator, const Scene& scene) {
    Momentum sum;
    const State& state = simulator.state();
    Fabric fabric(oneThread());
    fabric.set(scene.cloths[0], state.cloth.rest.span());
    for (int i = 0; i < state.cloth.count(); ++i) sum.cloth += fabric.mass[i] * state.cloth.v[i];
    for (size_t c = 0; c < scene.colliders.size(); ++c)
        sum.bodies += massOf(scene.colliders[c]).mass * state.colliders[c].velocity;
    if (scene.softBodies.empty()) return sum;
    const std::vector<char> pinned(static_cast<size_t>(state.soft.count()), 0);
    const SoftBodyModel model = makeSoftBodyModel(scene.softBodies[0], state.soft.rest.span(), pinned);
    for (int i = 0; i < state.soft.count(); ++i) sum.bodies += model.masses[i] * state.soft.v[i];
    return sum;
}

// A sheet of 0.15 kg at 1 m/s, tilted, so that it hits bodies off-centre.
Scene thrownSheet() {
    Cloth cloth = test::gridCloth(21, 21, {-0.45f, 0.3f, -0.5f}, {0, 0.05f, 1}, {1, 0, 0.1f});
    test::inVacuum(cloth);
    cloth.params.startVelocity = {0, -1, 0};
    Scene scene = test::sceneOf(cloth);
    scene.solver.gravity = 0;
    return scene;
}

// The sheet's loss is the body's gain. Sums of a thousand impulses per step in floats.
void expectMomentumKept(const Scene& scene) {
    Simulator simulator(oneThread());
    simulator.reset(scene);
    const Momentum before = momentumOf(simulator, scene);
    for (int frame = 1; frame <= 12; ++frame) {
        simulator.advanceTo(scene, frame / 24.0);
        const Momentum now = momentumOf(simulator, scene);
        EXPECT_LT(length(now.all() - before.all()), 1e-4f * length(before.all())) << frame;
    }
    EXPECT_GT(length(momentumOf(simulator, scene).bodies), 0.3f * length(before.all()));
}

Collider loose(ColliderShape shape) {
    Collider body;
    body.name = "body";
    body.params.shape = shape;
    body.params.motion = ColliderMotion::dynamic;
    body.params.radius = 0.2f;
    body.params.halfSize = {0.15f, 0.15f, 0.15f};
    body.params.density = 10;  // 0.3 kg: about twice the sheet
    return body;
}

// B-117
TEST(ContactImpulses, sheetAndRigidBallConserveMomentum) {
    Scene scene = thrownSheet();
    scene.colliders.push_back(loose(ColliderShape::sphere));
    expectMomentumKept(scene);
}

// Includes edges and corners, which touch the cloth between its points.
TEST(ContactImpulses, sheetAndRigidBoxConserveMomentum) {
    Scene scene = thrownSheet();
    scene.colliders.push_back(loose(ColliderShape::box));
    expectMomentumKept(scene);
}

TEST(ContactImpulses, sheetAndSoftBlockConserveMomentum) {
    Scene scene = thrownSheet();
    SoftBody body = test::bodyOf(boxMesh({-0.15f, -0.15f, -0.15f}, {0.15f, 0.15f, 0.15f}));
    body.params.density = 10;
    body.params.damping = 0;
    scene.softBodies.push_back(body);
    expectMomentumKept(scene);
}

// A box without gravity sinks under the cloth on it, by the cloth's weight over the total mass.
TEST(ContactImpulses, boxCarriesTheWeightOfTheCloth) {
    Scene scene;
    Cloth cloth = test::levelCloth(15, 0.3f, {0, 0.206f, 0});
    cloth.params.airDrag = cloth.params.windDrag = 0;
    scene.cloths.push_back(cloth);
    Collider table = loose(ColliderShape::box);
    table.params.halfSize = {0.25f, 0.2f, 0.25f};
    table.params.density = 2;  // 0.2 kg, the cloth 0.0135 kg
    scene.colliders.push_back(table);
    // The field reaches the box's centre, but not the cloth.
    scene.solver.gravity = 9.81f;
    Field lift;
    lift.params.direction = {0, 1, 0};
    lift.params.magnitude = 9.81f;
    lift.params.radius = 0.15f;
    scene.fields.push_back(lift);
    Simulator simulator(oneThread());
    simulator.reset(scene);
    simulator.advanceTo(scene, 0.25);
    const double weight = 0.0135 * 9.81, mass = 0.2;
    // The cloth is almost at rest on the box, and both sink together.
    EXPECT_NEAR(double(simulator.state().colliders[0].velocity.y), -weight / (mass + 0.0135) * 0.25,
                0.1 * weight / mass * 0.25);  // 10 %: it settles for two or three steps
}

}  // namespace
}  // namespace purl
