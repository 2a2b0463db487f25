#include "solver/wet/compression.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "solver/knit/yarn.h"
#include "tests/solver/cloth/cloths.h"
#include "tests/solver/knit/fabrics.h"

namespace purl {
namespace {

using namespace test;

constexpr float kThickness = 0.004f;

// A horizontal absorbing cloth of 5 mm squares.
Cloth swatch(int n, float y) {
    Cloth cloth = levelCloth(n, 0.005f * static_cast<float>(n - 1), {0, y, 0});
    cloth.params.thickness = kThickness;
    cloth.pores.params.absorption = Absorption::soak;
    return cloth;
}
// A plate with its lower or upper face at y.
Collider plate(float y, bool above, float halfWidth = 0.2f) {
    Collider collider;
    collider.name = above ? "upper" : "lower";
    collider.params.shape = ColliderShape::box;
    collider.params.halfSize = {halfWidth, 0.025f, halfWidth};
    collider.pose.position = {0, above ? y + 0.025f : y - 0.025f, 0};
    return collider;
}

// The loss of each point's cell in the current scene.
std::vector<float> pressed(const Scene& scene) {
    Buffer<Vec3> x(Device::cpu(2), 0);
    std::vector<Vec3> points;
    for (const Cloth& cloth : scene.cloths) points.insert(points.end(), cloth.points.begin(), cloth.points.end());
    x.resize(static_cast<int>(points.size()));
    std::copy(points.begin(), points.end(), x.begin());
    PoreSheet sheet{Device::cpu(2)};
    sheet.set(scene, x);
    Colliders colliders{Device::cpu(2)};
    colliders.moveTo(StepColliders(scene), 1, 1, 0);
    Compression compression{Device::cpu(2)};
    compression.set(scene, sheet);
    compression.measureLayers(x);
    const Buffer<float>& lost = compression.measure(x, x, sheet, colliders.placed());
    return {lost.begin(), lost.end()};
}

TEST(Compression, betweenTwoPlatesIsWhatTheyLeaveOfTheThickness) {
    Scene scene = sceneOf(swatch(5, 0));
    for (const float s : pressed(scene)) EXPECT_EQ(s, 0) << "nothing near";
    scene.colliders = {plate(-0.5f * kThickness, false)};
    for (const float s : pressed(scene)) EXPECT_EQ(s, 0) << "lying on something is not being pressed";
    scene.colliders = {plate(-0.2f * kThickness, false)};
    for (const float s : pressed(scene)) EXPECT_EQ(s, 0) << "nor being pushed, from one side";
    scene.colliders.push_back(plate(0.5f * kThickness, true));
    for (const float s : pressed(scene)) EXPECT_NEAR(s, 0.3f, 1e-4f) << "0.7 of the thickness are left";
    scene.colliders = {plate(-0.2f * kThickness, false), plate(0.2f * kThickness, true)};
    for (const float s : pressed(scene)) EXPECT_NEAR(s, 0.6f, 1e-4f);
    scene.colliders[1] = plate(kThickness, true);
    for (const float s : pressed(scene)) EXPECT_EQ(s, 0) << "there is room above";
    // Only below the plate.
    scene.colliders[1] = plate(0.2f * kThickness, true, 0.006f);
    const std::vector<float> some = pressed(scene);
    EXPECT_NEAR(some[12], 0.6f, 1e-4f);
    EXPECT_EQ(some[0], 0);
}

TEST(Compression, foldsPressEachOther) {
    for (const SelfCollision collision : {SelfCollision::points, SelfCollision::robust}) {
        Scene scene = sceneOf(swatch(7, 0));
        scene.cloths.push_back(swatch(7, kThickness));
        for (Cloth& cloth : scene.cloths) cloth.params.selfCollision = collision;
        scene.colliders = {plate(-0.5f * kThickness, false), plate(1.5f * kThickness, true)};
        for (const float s : pressed(scene)) EXPECT_NEAR(s, 0, 1e-4f) << "they but touch";
        // The upper cloth moves down with the plate by half of the thickness: each loses a quarter.
        for (Vec3& p : scene.cloths[1].points) p.y -= 0.5f * kThickness;
        scene.colliders[1] = plate(kThickness, true);
        for (const float s : pressed(scene)) EXPECT_NEAR(s, 0.25f, 1e-4f);
        scene.cloths[0].params.selfCollision = SelfCollision::none;
        EXPECT_EQ(pressed(scene)[20], 0) << "without self-collision, folds do not compress each other";
    }
}

TEST(Compression, knitsArePressedAsTheirLayersAre) {
    Knit knit = testing::swatch(6, 6);
    knit.pores.params.absorption = Absorption::soak;
    const Cloth cloth = KnitFabric(Device::cpu(1), knit, knit.points).asCloth(knit, kKnitLayers);
    Scene scene = sceneOf(cloth);
    const auto count = static_cast<int>(cloth.points.size());
    Buffer<Vec3> rest(Device::cpu(1), count), x(Device::cpu(1), count);
    std::copy(cloth.points.begin(), cloth.points.end(), rest.begin());
    for (int i = 0; i < count; ++i) x[i] = {rest[i].x, rest[i].y, 0.7f * rest[i].z};
    PoreSheet sheet{Device::cpu(1)};
    sheet.set(scene, rest);
    Compression compression{Device::cpu(1)};
    compression.set(scene, sheet);
    compression.measureLayers(x);
    const Buffer<float>& lost = compression.measure(x, rest, sheet, {});
    for (int i = cloth.middle(); i < cloth.middle() + cloth.pointsOfLayer(); ++i) EXPECT_NEAR(lost[i], 0.3f, 1e-4f);
}

TEST(Compression, closesPoresByTheFabricsSqueeze) {
    Scene scene = sceneOf(swatch(5, 0));
    scene.cloths[0].pores.params.squeeze = 1.5f;
    Buffer<Vec3> x(Device::cpu(), 25);
    std::copy(scene.cloths[0].points.begin(), scene.cloths[0].points.end(), x.begin());
    PoreSheet sheet{Device::cpu()};
    sheet.set(scene, x);
    Buffer<float> room, left, lost(Device::cpu(), 25);
    sheet.measureRoom(x, room);
    for (int i = 0; i < 25; ++i) lost[i] = 0.04f * static_cast<float>(i);
    sheet.compressRoom(lost, room, left);
    for (int i = 0; i < 25; ++i)
        EXPECT_NEAR(left[i] / room[i], std::max(0.05f, 1 - 1.5f * lost[i]), 1e-3f) << "fibres do not weld";
}

// A wet cloth between two plates, with the upper one moving down: what its pores lose flows out beside the plates and
// drips; mass is conserved to 1e-12.
TEST(Compression, aPressedClothDrips) {
    const auto dripped = [](float squeeze, float clearance) {
        Scene scene = sceneOf(swatch(13, 0));
        Fluid water;
        water.name = "water";
        water.params.restDensity = 1000;
        water.params.particleSpacing = 0.004f;
        scene.fluids.push_back(water);
        scene.solver.pressureSolver = PressureSolver::pbf;
        Cloth& cloth = scene.cloths[0];
        pin(cloth, [](Vec3 p) { return std::max(std::fabs(p.x), std::fabs(p.z)) > 0.0299f; });
        WetParams& pores = cloth.pores.params;
        pores.startWetness = 0.8f;
        pores.squeeze = squeeze;
        pores.wickingSpeed = 4;
        scene.colliders = {plate(-0.5f * kThickness, false, 0.018f), plate(2 * kThickness, true, 0.018f)};
        Simulator simulator;
        const FrameStats& start = simulator.reset(scene).stats;
        const double mass = start.liquidMass + start.fabricMass;
        for (int frame = 1; frame <= 12; ++frame) {
            const float y = lerp(2 * kThickness, -0.5f * kThickness + clearance, std::min(1.0f, float(frame) / 6));
            scene.colliders[1] = plate(y, true, 0.018f);
            const FrameStats& stats = simulator.advanceTo(scene, frame / 24.0).stats;
            EXPECT_NEAR(stats.liquidMass + stats.fabricMass + stats.evaporatedMass, mass, 1e-12 * mass);
        }
        return simulator.frame().stats.liquidMass / mass;
    };
    EXPECT_LT(dripped(2, 1.2f * kThickness), 0.02) << "the plate does not reach it";
    EXPECT_GT(dripped(2, 0.5f * kThickness), 0.1);
    EXPECT_LT(dripped(0, 0.5f * kThickness), 0.02) << "pores that do not close";
}

TEST(Compression, threadsAndResumingDoNotChangeABit) {
    Scene scene = sceneOf(swatch(9, 0));
    scene.cloths[0].pores.params.startWetness = 0.9f;
    scene.cloths[0].pores.params.drips = false;
    scene.cloths[0].params.selfCollision = SelfCollision::points;
    scene.colliders = {plate(-0.5f * kThickness, false, 0.01f), plate(0.1f * kThickness, true, 0.01f)};
    Simulator one(Device::cpu(1)), three(Device::cpu(3)), resumed(Device::cpu(1));
    one.reset(scene);
    three.reset(scene);
    for (int frame = 1; frame <= 3; ++frame) one.advanceTo(scene, frame / 24.0), three.advanceTo(scene, frame / 24.0);
    EXPECT_EQ(one.frame().stateHash, three.frame().stateHash);
    resumed.restore(one.state(), scene);
    for (int frame = 4; frame <= 6; ++frame) {
        one.advanceTo(scene, frame / 24.0);
        EXPECT_EQ(resumed.advanceTo(scene, frame / 24.0).stateHash, one.frame().stateHash);
    }
}

}  // namespace
}  // namespace purl
