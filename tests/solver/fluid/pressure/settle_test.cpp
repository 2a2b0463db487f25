// Fluid at the start: fills keep off walls of any shape, and pools begin at rest.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "solver/simulator.h"
#include "tests/solver/meshes.h"
#include "tests/solver/testScenes.h"

namespace purl {
namespace {

using namespace test;

constexpr float kSpacing = 0.02f;

Scene waterIn(const TriangleMesh& volume) {
    Scene scene;
    Fluid water;
    water.name = "water";
    water.params.particleSpacing = kSpacing;
    water.volumes.push_back(volume);
    scene.fluids.push_back(water);
    return scene;
}

Collider sphere(float radius, bool container) {
    Collider collider;
    collider.name = "sphere";
    collider.params.shape = ColliderShape::sphere;
    collider.params.radius = radius;
    collider.params.container = container;
    return collider;
}

Collider meshSphere(float radius, bool container) {
    Collider collider;
    collider.name = "sphere";
    collider.params.shape = ColliderShape::mesh;
    collider.params.container = container;
    collider.mesh = sphereMesh({}, radius, 3);
    return collider;
}

float mostDensity(const Simulator& simulator) {
    const Buffer<float>& density = simulator.state().particles.density;
    return *std::max_element(density.begin(), density.end());
}

float fastest(const Simulator& simulator) {
    float most = 0;
    for (const Vec3 v : simulator.state().particles.v) most = std::max(most, length(v));
    return most;
}

// Particles that are pressed into a wall fly off at tens of
// metres a second and take hundreds in a frame.
void expectCalm(const Scene& scene, const char* name) {
    Simulator simulator(oneThread());
    simulator.reset(scene);
    ASSERT_GT(simulator.state().particles.count(), 200) << name;
    EXPECT_LT(mostDensity(simulator), 1.01f * 1000) << name;
    int steps = 0;
    for (int frame = 1; frame <= 3; ++frame) {
        steps += simulator.advanceTo(scene, frame / 24.0).stats.steps;
        // Free fall over a spacing makes 0.6 m/s.
        EXPECT_LT(fastest(simulator), 0.6f) << name << " frame " << frame;
    }
    EXPECT_LT(steps, 60) << name;
}

TEST(Settle, fillsKeepOffCurvedWalls) {
    // Fills that reach beyond their containers.
    const float radius = 5.3f * kSpacing;
    Scene scene = waterIn(boxMesh({-0.12f, -0.2f, -0.12f}, {0.12f, 0.03f, 0.12f}));
    Collider capsule = sphere(radius, true);
    capsule.params.shape = ColliderShape::capsule;
    capsule.params.halfLength = 0.06f;
    for (const Collider& container : {sphere(radius, true), meshSphere(radius, true), capsule}) {
        scene.colliders = {container};
        expectCalm(scene, "container");
    }
    for (const Collider& obstacle : {sphere(0.05f, false), meshSphere(0.05f, false)}) {
        scene = waterIn(boxMesh({-0.12f, -0.12f, -0.12f}, {0.12f, 0.12f, 0.12f}));
        scene.colliders = {boxCollider({-0.12f, -0.12f, -0.12f}, {0.12f, 0.4f, 0.12f}), obstacle};
        expectCalm(scene, "obstacle");
    }
}

// The fill ends a part of a spacing before its walls. Physically the water would fall into the gap and slosh.
TEST(Settle, poolStartsAtRest) {
    Scene scene = waterIn(boxMesh({-0.15f, 0, -0.1f}, {0.15f, 0.12f, 0.1f}));
    scene.colliders = {boxCollider({-0.157f, -0.004f, -0.108f}, {0.157f, 0.5f, 0.108f})};
    Simulator simulator(oneThread());
    simulator.reset(scene);
    EXPECT_LT(mostDensity(simulator), 1.005f * 1000);
    const auto meanHeight = [&] {
        double sum = 0;
        for (const Vec3 x : simulator.state().particles.x) sum += double(x.y);
        return sum / simulator.state().particles.count();
    };
    const double start = meanHeight();
    for (int frame = 1; frame <= 7; ++frame) {
        simulator.advanceTo(scene, frame / 24.0);
        EXPECT_NEAR(meanHeight(), start, 0.03 * double(kSpacing)) << frame;  // not to be seen
    }
}

TEST(Settle, waterThatWillFallHardlyMoves) {
    const Vec3 low{-0.2f, 0, -0.1f};
    Scene scene = waterIn(boxMesh(low, {0, 0.2f, 0.1f}));
    scene.colliders = {boxCollider(low, {0.6f, 0.4f, 0.1f})};
    Simulator simulator(oneThread());
    simulator.reset(scene);
    const std::vector<Vec3> sites = lattice(10, 10, 10, kSpacing, low);
    const Particles& particles = simulator.state().particles;
    ASSERT_EQ(particles.count(), 1000);
    for (int i = 0; i < particles.count(); ++i) {
        const Vec3 site = sites[static_cast<size_t>(particles.id[i])];
        // The toe is pushed by the column above, and moves farther than what falls.
        EXPECT_LT(length(particles.x[i] - site), 0.75f * kSpacing);
        EXPECT_EQ(particles.v[i], Vec3{});
    }
}

TEST(Settle, anyNumberOfThreadsSettlesTheSame) {
    const float radius = 5.3f * kSpacing;
    Scene scene = waterIn(sphereMesh({}, radius, 3));
    scene.colliders = {meshSphere(radius, true)};
    Simulator one(Device::cpu(1)), three(Device::cpu(3));
    EXPECT_EQ(one.reset(scene).stateHash, three.reset(scene).stateHash);
}

}  // namespace
}  // namespace purl
