// Kill volumes: colliders that delete what comes into them.
#include <gtest/gtest.h>

#include "solver/colliders/colliders.h"
#include "tests/solver/meshes.h"
#include "tests/solver/testScenes.h"

namespace purl {
namespace {

// The ids left of particles that went from `from` to `to` past one kill collider.
std::vector<int64_t> survivors(const Collider& collider, const std::vector<Vec3>& from, const std::vector<Vec3>& to) {
    Scene scene;
    scene.colliders = {collider};
    scene.colliders[0].params.effect = ColliderEffect::kill;
    Colliders colliders(test::oneThread());
    colliders.moveTo(StepColliders(scene, placesOf(scene)), 0, 1, 0.01f);
    EXPECT_TRUE(colliders.anyKills());
    Particles particles = test::stateOf(to).particles;
    for (int i = 0; i < particles.count(); ++i) particles.a[i] = to[static_cast<size_t>(i)];
    Buffer<Vec3> xBefore(test::oneThread(), static_cast<int>(from.size()));
    for (int i = 0; i < xBefore.size(); ++i) xBefore[i] = from[static_cast<size_t>(i)];
    const int killed = killInside(particles, xBefore, colliders);
    EXPECT_EQ(killed + particles.count(), static_cast<int>(to.size()));
    for (int i = 0; i < particles.count(); ++i)
        EXPECT_EQ(particles.a[i], particles.x[i]) << "what a frame shows stays with its particle";
    return {particles.id.begin(), particles.id.end()};
}

TEST(Kill, takesWhatIsInsideAShapeOrOutsideAContainer) {
    Collider shape;
    shape.params.shape = ColliderShape::sphere;
    shape.params.radius = 1;
    const std::vector<Vec3> x = {{0, 0, 0}, {0.9f, 0, 0}, {1.1f, 0, 0}, {0, 0.5f, 0}, {0, 3, 0}};
    using Ids = std::vector<int64_t>;
    EXPECT_EQ(survivors(shape, x, x), (Ids{2, 4}));
    shape.params.container = true;
    EXPECT_EQ(survivors(shape, x, x), (Ids{0, 1, 3}));
    shape.params.container = false;
    shape.params.thickness = 0.2f;
    EXPECT_EQ(survivors(shape, x, x), (Ids{4})) << "thickness makes it larger";
    shape = {};
    shape.mesh = boxMesh({-1, -1, -1}, {1, 1, 1});
    EXPECT_EQ(survivors(shape, x, x), (Ids{2, 4}));
    shape.params.container = true;
    EXPECT_EQ(survivors(shape, x, x), (Ids{0, 1, 3}));
}

TEST(Kill, takesWhatRunsThroughAMeshInOneStep) {
    Collider sheet;
    sheet.mesh = sheetMesh({0, 0, 0}, 1);
    const std::vector<Vec3> from = {{0.2f, 1, 0.3f}, {0, -1, 0}, {2, 1, 0}, {0, 1, 0}};
    const std::vector<Vec3> to = {{0.2f, -1, 0.3f}, {0.1f, 1, 0}, {2, -1, 0}, {0, 0.5f, 0}};
    EXPECT_EQ(survivors(sheet, from, to), (std::vector<int64_t>{2, 3}));
}

// A tap over a drain: particles come and go, and the books balance in every frame.
TEST(Kill, booksBalanceWithEverySolverAndRunsAreEqual) {
    for (const PressureSolver solver :
         {PressureSolver::wcsph, PressureSolver::pbf, PressureSolver::dfsph, PressureSolver::doubleDensity}) {
        Scene scene;
        scene.solver.pressureSolver = solver;
        Fluid water;
        water.name = "water";
        water.params.particleSpacing = 0.04f;
        water.volumes = {boxMesh({-0.1f, 0.1f, -0.1f}, {0.1f, 0.3f, 0.1f})};
        Emitter tap;
        tap.name = "tap";
        tap.pose.position = {0, 0.6f, 0};
        tap.pose.axes = turned({1, 0, 0}, 3.14159265f);
        tap.params.radius = 0.08f;
        tap.params.rate = 20;
        tap.params.speed = 2;
        water.emitters = {tap};
        scene.fluids = {water};
        Collider drain;
        drain.name = "drain";
        drain.params.shape = ColliderShape::plane;
        drain.params.effect = ColliderEffect::kill;
        scene.colliders = {drain};
        Simulator simulator(Device::cpu(2)), again(test::oneThread());
        const auto filled = static_cast<int64_t>(simulator.reset(scene).points.count());
        again.reset(scene);
        for (int frame = 1; frame <= 12; ++frame) {
            const Frame& now = simulator.advanceTo(scene, frame / 24.0);
            EXPECT_EQ(filled + now.stats.emitted - now.stats.killed, static_cast<int64_t>(now.points.count()));
            EXPECT_EQ(again.advanceTo(scene, frame / 24.0).stateHash, now.stateHash);
            for (const Vec3 x : now.points.positions) EXPECT_GE(x.y, 0);
        }
        EXPECT_GT(simulator.frame().stats.killed, filled) << "the fill and some of the jet are gone";
        EXPECT_GT(simulator.frame().points.count(), 10u);
    }
}

}  // namespace
}  // namespace purl
