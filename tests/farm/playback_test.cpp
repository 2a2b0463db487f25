// Scenes played headless: the same bits through every interface, and keyed objects that move.
#include "farm/playback.h"

#include <gtest/gtest.h>
#include <maya/MPoint.h>

#include <filesystem>
#include <fstream>

#include "solver/cache/cache.h"
#include "solver/simulator.h"

namespace purl {
namespace {

// A pool of 10 × 3 × 6 particles with a spacing of 2 cm, and beside it a plate, wider than the tank, keyed to move
// `travel` cm in half a second.
std::string paddleScene(double travel) {
    const std::string path = testing::TempDir() + "purl_paddle" + std::to_string(int(travel)) + ".ma";
    std::ofstream(path) << R"(//Maya ASCII 2022 scene
requires maya "2022";
requires "purl" "0.1.0";
currentUnit -l centimeter -a degree -t film;
createNode transform -n "pool";
	setAttr ".t" -type "double3" 0 3 0 ;
createNode mesh -n "poolShape" -p "pool";
createNode polyCube -n "poolCube";
	setAttr ".w" 20;
	setAttr ".h" 6;
	setAttr ".d" 12;
createNode transform -n "paddle";
	setAttr ".t" -type "double3" -12 10 0 ;
createNode mesh -n "paddleShape" -p "paddle";
createNode polyCube -n "paddleCube";
	setAttr ".w" 2;
	setAttr ".h" 20;
	setAttr ".d" 14;
createNode animCurveTL -n "paddleX";
	setAttr ".tan" 2;
	setAttr -s 2 ".ktv[0:1]"  1 -12 13 )"
                        << -12 + travel << R"(;
createNode transform -n "tank";
	setAttr ".t" -type "double3" 0 20 0 ;
createNode purlFluid -n "water";
	setAttr ".psp" 2;
createNode purlCollider -n "walls";
	setAttr ".shape" 2;
	setAttr ".container" yes;
	setAttr ".halfSize" -type "double3" 30 20 6 ;
createNode purlCollider -n "plate";
createNode purlSolver -n "solver";
createNode purlSurface -n "surface";
connectAttr "poolCube.out" "poolShape.i";
connectAttr "paddleCube.out" "paddleShape.i";
connectAttr "paddleX.o" "paddle.tx";
connectAttr "poolShape.w" "water.inMesh[0]";
connectAttr "paddleShape.w" "plate.inMesh";
connectAttr "tank.wm" "walls.inMatrix";
connectAttr "water.outBody" "solver.bodies[0]";
connectAttr "walls.outBody" "solver.bodies[1]";
connectAttr "plate.outBody" "solver.bodies[2]";
connectAttr ":time1.o" "solver.currentTime";
connectAttr "solver.outFrame" "surface.inFrame";
)";
    return path;
}

double meanX(const Frame& frame) {
    double sum = 0;
    for (const Vec3& p : frame.points.positions) sum += p.x;
    return sum / double(frame.points.count());
}

TEST(Playback, sameBitsForAnyThreadsAndThroughTheSimulatorDirectly) {
    Playback one(paddleScene(12)), two(paddleScene(12)), scenes(paddleScene(12));
    one.set("solver.threads=1");
    two.set("solver.threads=2");
    Simulator simulator(Device::cpu(3));
    for (int f = 1; f <= 12; ++f) {
        const auto frame = one.frame(f);
        EXPECT_EQ(frame->stateHash, two.frame(f)->stateHash) << "frame " << f;
        scenes.frame(f);  // gathers the scene at this frame
        const Frame& direct = simulator.advanceTo(scenes.solver().scene(), (f - 1) / 24.0);
        EXPECT_EQ(frame->stateHash, direct.stateHash) << "frame " << f;
        ASSERT_EQ(frame->meshes.size(), 1u);
    }
}

TEST(Playback, anyOrderOfFramesGivesThePlayedBits) {
    Playback played(paddleScene(12)), jumped(paddleScene(12));
    std::vector<uint64_t> hashes;
    for (int f = 1; f <= 8; ++f) hashes.push_back(played.frame(f)->stateHash);
    for (const int f : {8, 3, 5, 5, 1, 7})
        EXPECT_EQ(jumped.frame(f)->stateHash, hashes[size_t(f) - 1]) << "frame " << f;
}

// K-46
TEST(Playback, aKeyedPaddlePushesTheWater) {
    Playback moving(paddleScene(12)), still(paddleScene(0));
    const auto pushed = moving.frame(13), rested = still.frame(13);
    EXPECT_GT(meanX(*pushed), meanX(*rested) + 3);
    // The plate is at 0 now, 2 cm thick: no particle is inside or behind it, and none has passed the walls.
    for (const Vec3& p : pushed->points.positions) {
        EXPECT_GT(p.x, 0.99);
        EXPECT_LT(std::abs(p.z), 6.001);
        EXPECT_GT(p.y, -0.001);
    }
}

TEST(Playback, resumesFromItsCacheToTheBit) {
    const std::string directory = testing::TempDir() + "purl_resume";
    std::filesystem::remove_all(directory);
    const std::string scene = paddleScene(12);
    std::vector<uint64_t> unbroken;
    Playback whole(scene);
    for (int f = 1; f <= 8; ++f) unbroken.push_back(whole.frame(f)->stateHash);
    CacheTarget target;
    target.directory = directory;
    target.formats = {"mcx"};
    target.checkpoints = 0;
    {
        Playback first(scene);
        first.writeCache(target);
        for (int f = 1; f <= 4; ++f) first.frame(f);
    }
    Playback second(scene);
    second.writeCache(target);
    ASSERT_EQ(second.resume({1, 8}), 4);
    for (int f = 5; f <= 8; ++f) EXPECT_EQ(second.frame(f)->stateHash, unbroken[size_t(f) - 1]) << "frame " << f;
    second.finishCache();
    const Manifest manifest = CacheReader(directory).manifest();
    ASSERT_EQ(manifest.frames.size(), 8u);
    for (size_t i = 0; i < 8; ++i) EXPECT_EQ(manifest.frames[i].stateHash, unbroken[i]);
    EXPECT_TRUE(verifyCache(directory).empty());
}

// No states are kept for scrubbing: they would grow with the length of a run, and going back restarts anyway.
TEST(Playback, noStatesAreKeptInMemory) {
    Playback playback(paddleScene(12));
    playback.frame(24);
    EXPECT_EQ(playback.solver().keptStates(), 0u);
}

// The crate of the scene is driven by purlRigid: it falls with the box, and its mesh matches the body's.
TEST(Playback, aTransformFollowsARigidBodyOfTheScene) {
    Playback playback(PURL_SOURCE_DIR "/scenes/floatingBodies.ma");
    playback.set("water.particleSpacing=4");  // fewer particles, for speed; the bodies fall as before
    const auto crate = playback.graph().find("crate");
    ASSERT_TRUE(crate);
    double before = 1e9;
    for (const int f : {1, 3, 9}) {
        const auto frame = playback.frame(f);
        ASSERT_EQ(frame->rigids.size(), 3u);
        ASSERT_EQ(frame->rigids[0].name, "box");
        const double height = crate->plug("translateY").number();
        EXPECT_FLOAT_EQ(static_cast<float>(height), frame->rigids[0].position.y);
        EXPECT_LT(height, before);
        before = height;
        // The corner of the collider's mesh, transformed; coordinates of tens of centimetres have rounding errors.
        const MPoint corner = MPoint(-9, -6, -9) * crate->plug("worldMatrix[0]").matrix();
        EXPECT_NEAR(corner.x, frame->meshes[0].positions[0].x, 2e-5);
        EXPECT_NEAR(corner.y, frame->meshes[0].positions[0].y, 2e-5);
        EXPECT_NEAR(corner.z, frame->meshes[0].positions[0].z, 2e-5);
        // Free fall until it hits the water, up to the error of the time steps: g t dt / 2.
        const double t = (f - 1) / 24.0;
        if (f == 3) { EXPECT_NEAR(height, 42 - 0.5 * 981 * t * t, 981 * t / 48); }
    }
}

// Saving and loading preserves Purl's nodes, their connections and all values. The simulation gives the same bits.
TEST(Playback, aSavedScenePlaysTheSame) {
    const std::string copy = testing::TempDir() + "purl_saved.ma";
    Playback first(PURL_SOURCE_DIR "/scenes/floatingBodies.ma");
    first.set("water.viscosity=2");
    first.save(copy);
    Playback second(copy);
    EXPECT_EQ(second.playbackRange().last, first.playbackRange().last);
    for (const int number : {first.startFrame(), first.startFrame() + 1})
        EXPECT_EQ(second.frame(number)->stateHash, first.frame(number)->stateHash);
    // Frames are computed, never stored: a scene is saved the same whether it was played or not.
    const std::string again = copy + ".2.ma";
    first.save(again);
    const auto withoutTime = [](const std::string& path) {
        std::ifstream file(path);
        std::string text, line;
        while (std::getline(file, line))
            if (line.find("\".o\"") == std::string::npos && line.find("\".unw\"") == std::string::npos &&
                line.find("//Name") == std::string::npos && line.find("// End") == std::string::npos)
                text += line + "\n";
        return text;
    };
    EXPECT_EQ(withoutTime(again), withoutTime(copy));
    std::filesystem::remove(copy);
    std::filesystem::remove(again);
}

}  // namespace
}  // namespace purl
