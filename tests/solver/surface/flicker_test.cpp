#include "solver/surface/flicker.h"

#include <gtest/gtest.h>

#include "solver/simulator.h"
#include "solver/surface/surface.h"
#include "tests/solver/meshes.h"
#include "tests/solver/surface/surfaces.h"

namespace purl {
namespace {

Frame meshed(Frame frame, double time) {
    frame.time = time;
    frame.meshes = {makeSurface(Device::cpu(), frame, 0)};
    return frame;
}

// Thrown up and falling, with exact velocities at both ends: the advected surfaces agree. Only the sampling of marching
// cubes differs.
TEST(Flicker, ofSteadyAccelerationIsNextToNothing) {
    const double dt = 1.0 / 24;
    const Vec3 g{0, -9.81f, 0}, v{0.7f, 3, 0.2f};
    Frame before = frameOf(0.05f, 0.1f, latticeBall(0.05f, 0.4f)), after = before;
    const auto t = static_cast<float>(dt);
    for (size_t i = 0; i < before.points.count(); ++i) {
        before.points.velocities.edit().push_back(v);
        after.points.velocities.edit().push_back(v + t * g);
        after.points.positions.edit()[i] += t * v + (0.5f * t * t) * g;
    }
    const Flicker flicker = measureFlicker(meshed(before, 0), meshed(after, dt));
    EXPECT_LT(flicker.rms, 0.04);
    EXPECT_EQ(flicker.changed, 0);
}

TEST(Flicker, ofAPoolThatStandsStillIsNone) {
    Frame frame = frameOf(1, 2, latticeBlock(12, 5, 12, 0.2f));
    frame.points.velocities.edit().resize(frame.points.count());
    EXPECT_EQ(measureFlicker(meshed(frame, 0), meshed(frame, 0.04)).rms, 0);
}

// A jump by a tenth of a spacing without a velocity is measured as just that; a missing surface as changed.
TEST(Flicker, isHowFarTheSurfaceJumps) {
    Frame frame = frameOf(1, 2, latticeBlock(24, 24, 24));
    frame.points.velocities.edit().resize(frame.points.count());
    Frame larger = frame;
    for (Vec3& p : larger.points.positions.edit()) p = Vec3{12, 12, 12} + (1 + 0.1f / 12) * (p - Vec3{12, 12, 12});
    EXPECT_NEAR(measureFlicker(meshed(frame, 0), meshed(larger, 0.04)).rms, 0.1, 0.02);
    Frame away = frame;
    for (Vec3& p : away.points.positions.edit()) p += Vec3{100, 0, 0};
    EXPECT_EQ(measureFlicker(meshed(frame, 0), meshed(away, 0.04)).changed, 1);
    EXPECT_EQ(measureFlicker(frame, meshed(frame, 0.04)).rms, 0);  // nothing to compare with
}

// With the default parameters a pool at rest is stable: less than a hundredth of a spacing from frame to frame.
TEST(Flicker, ofASimulatedPoolAtRestIsSmall) {
    Scene scene;
    scene.solver.pressureSolver = PressureSolver::dfsph;
    Fluid water;
    water.name = "water";
    water.params.particleSpacing = 0.05f;
    water.volumes = {boxMesh({-0.3f, 0, -0.3f}, {0.3f, 0.3f, 0.3f})};
    scene.fluids.push_back(water);
    scene.colliders.push_back(test::boxCollider({-0.3f, 0, -0.3f}, {0.3f, 1, 0.3f}));
    Simulator simulator(test::oneThread());
    Frame before = simulator.reset(scene);
    const auto pulled = [&](int frame) { return meshed(simulator.advanceTo(scene, frame / 24.0), frame / 24.0); };
    for (int frame = 1; frame <= 48; ++frame) simulator.advanceTo(scene, frame / 24.0);
    before = pulled(49);
    double most = 0;
    for (int frame = 50; frame <= 54; ++frame) {
        const Frame after = pulled(frame);
        most = std::max(most, measureFlicker(before, after).rms);
        before = after;
    }
    RecordProperty("flicker", std::to_string(most));
    EXPECT_LT(most, 0.02);
}

}  // namespace
}  // namespace purl
