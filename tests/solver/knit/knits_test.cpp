#include "solver/knit/knits.h"

#include <gtest/gtest.h>

#include "solver/core/error.h"
#include "solver/simulator.h"
#include "tests/solver/knit/fabrics.h"

namespace purl {
namespace {

Scene sceneAt(float time, const Knit& rest) {
    Scene scene;
    scene.knits.push_back(rest);
    for (Vec3& p : scene.knits[0].points) p = {p.x * (1 + 0.2f * time), p.y, std::sin(p.x + 3 * time)};
    return scene;
}

TEST(Knits, yarnFollowsTheSceneAndAnyOrderGivesTheSameBits) {
    const Knit knit = testing::unitSheet(8, 6);
    Simulator one(Device::cpu(1)), three(Device::cpu(3));
    one.reset(sceneAt(0, knit));
    three.reset(sceneAt(0, knit));
    const Frame first = one.advanceTo(sceneAt(0.5f, knit), 0.5);
    const State kept = one.state();
    const Frame second = one.advanceTo(sceneAt(1, knit), 1);
    three.advanceTo(sceneAt(0.5f, knit), 0.5);
    const Frame& other = three.advanceTo(sceneAt(1, knit), 1);
    EXPECT_EQ(second.stateHash, other.stateHash);
    EXPECT_EQ(second.curves.at(0).positions, other.curves.at(0).positions);
    EXPECT_NE(second.stateHash, first.stateHash);
    EXPECT_NE(second.curves[0].positions, first.curves[0].positions);
    // Ids, and which stitch a point belongs to, do not change.
    EXPECT_EQ(second.curves[0].ids, first.curves[0].ids);
    EXPECT_EQ(second.curves[0].wales, first.curves[0].wales);

    Simulator resumed(Device::cpu(2));
    EXPECT_EQ(resumed.restore(kept, sceneAt(0.5f, knit)).curves.at(0).positions, first.curves[0].positions);
    EXPECT_EQ(resumed.advanceTo(sceneAt(1, knit), 1).curves.at(0).positions, second.curves[0].positions);
}

TEST(Knits, settingsMayChangeWhileTimeRunsButNotTheMesh) {
    const Knit knit = testing::unitSheet(8, 6);
    Simulator simulator(Device::cpu(1));
    const size_t count = simulator.reset(sceneAt(0, knit)).curves.at(0).count();
    Scene scene = sceneAt(0.5f, knit);
    scene.knits[0].params.pattern = "rib";
    scene.knits[0].params.stitchWidth = 0.5f;
    EXPECT_GT(simulator.advanceTo(scene, 0.5).curves.at(0).count(), count);
    scene.knits[0].points.pop_back();
    scene.knits[0].faces.counts.edit().pop_back();
    scene.knits[0].faces.corners.edit().resize(scene.knits[0].faces.corners.size() - 4);
    try {
        simulator.advanceTo(scene, 1);
        FAIL();
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(),
                     "swatch: mesh has 62 points where the simulation started with 63; go back to the start frame");
    }
}

TEST(Knits, whatAPatternLeftOutIsAWarning) {
    Scene scene;
    scene.knits.push_back(testing::unitSheet(4, 4));
    scene.knits[0].params.pattern = "hat.k";
    scene.knits[0].chart = ";!knitout-2\n;;Carriers: 1\nstitch 1 2\nknit + f1 1\n";
    Simulator simulator(Device::cpu(1));
    simulator.reset(scene);
    ASSERT_EQ(simulator.warnings().size(), 1u);
    EXPECT_EQ(simulator.warnings()[0], "hat.k: skipped 1 × stitch, first in line 3");
    scene.knits[0].chart = "k\nq\n";
    scene.knits[0].params.pattern = "hat.chart";
    EXPECT_THROW(simulator.reset(scene), Error);
}

}  // namespace
}  // namespace purl
