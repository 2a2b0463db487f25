// AOVs: their values per pixel, and the EXR files.
#include "render/exr.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <thread>

#include "render/renderer.h"
#include "solver/core/error.h"
#include "tests/render/shapes.h"

namespace purl {
namespace {

constexpr int kWidth = 120, kHeight = 90;

std::string temporary(const char* name) { return testing::TempDir() + name; }

// Whether this build has OpenEXR.
bool hasExr() {
    try {
        readExr("/nowhere.exr", {"R"});
    } catch (const Error& error) { return std::string(error.what()).find("built without") == std::string::npos; }
    return true;
}

// A moving card on the left, a wet yarn on the right; the image shows 12 by 9 units at their distance of 10.
struct Things {
    Mesh wall = card(-5, -3, -1, 3, 0);
    Curves yarn;
    View view;

    Things() {
        wall.name = "wall";
        wall.velocities.edit().assign(4, {1, 2, -3});
        yarn.name = "thread";
        yarn.counts = {2};
        yarn.ids = {0};
        yarn.colors = {{0.8f, 0.1f, 0.1f}};
        yarn.positions = {{3, -4, 0}, {3, 4, 0}};
        yarn.widths = {2, 2};
        yarn.velocities = {{0, 0, 5}, {0, 0, 5}};
        yarn.wetting.wetness = {0, 1};
        view.camera = lookAt({0, 0, 10}, {0, 0, 0});
        view.camera.verticalFov = 2 * std::atan(0.45f);
        view.meshes = {matte(wall)};
        view.yarns = {{&yarn}};
        view.ground.visible = false;
    }
    static size_t at(float x, float y) {
        return size_t(int(kHeight / 2 - 10 * y)) * kWidth + size_t(int(kWidth / 2 + 10 * x));
    }
};

}  // namespace

TEST(Aovs, tellWhatEachPixelShows) {
    Renderer renderer(kWidth, kHeight);
    const Things things;
    Aovs layers;
    const Picture picture = renderer.draw(things.view, &layers);
    EXPECT_EQ(picture, renderer.draw(things.view)) << "asking for layers changes nothing";
    ASSERT_EQ(layers.names, (std::vector<std::string>{"wall", "thread"}));

    const size_t wall = Things::at(-3, 1), thread = Things::at(3, 2), nothing = Things::at(0, 0);
    EXPECT_EQ(layers.ids[wall], 1);
    EXPECT_NEAR(layers.depth[wall], 10, 0.01f);
    EXPECT_LT(length(layers.normals[wall] - Vec3{0, 0, 1}), 1e-3f);
    EXPECT_LT(length(layers.velocities[wall] - Vec3{1, 2, -3}), 1e-3f);
    EXPECT_EQ(layers.wetness[wall], 0);

    EXPECT_EQ(layers.ids[thread], 2);
    EXPECT_NEAR(layers.depth[thread], 9, 0.06f);  // the tube is a polygon, not round
    EXPECT_GT(layers.normals[thread].z, 0.9f);
    EXPECT_NEAR(layers.wetness[thread], 0.75f, 0.03f);  // three quarters up, within the perspective error
    EXPECT_LT(length(layers.velocities[thread] - Vec3{0, 0, 5}), 1e-3f);

    EXPECT_EQ(layers.ids[nothing], 0);
    EXPECT_EQ(layers.depth[nothing], Aovs::kEmptyDepth);

    // Beauty is linear, before tone mapping: twice the lamp is twice the light.
    View brighter = things.view;
    brighter.sky.intensity *= 8;
    for (Light& light : brighter.lights) light.intensity *= 8;
    Aovs bright;
    renderer.draw(brighter, &bright);
    EXPECT_NEAR(bright.beauty[wall].x, 8 * layers.beauty[wall].x, 0.02f * bright.beauty[wall].x);
    EXPECT_GT(bright.beauty[wall].x, 1);
}

TEST(Exr, roundTripKeepsTheLayers) {
    if (!hasExr()) GTEST_SKIP() << "built without OpenEXR";
    Renderer renderer(kWidth, kHeight);
    const Things things;
    Aovs layers;
    renderer.draw(things.view, &layers);
    const std::string path = temporary("layers.exr");
    writeExr(layers, path);
    const ExrImage image = readExr(path, {"R", "G", "B", "A", "Z", "N.X", "N.Y", "N.Z", "velocity.X", "velocity.Y",
                                          "velocity.Z", "wetness", "id"});
    EXPECT_EQ(image.width, kWidth);
    EXPECT_EQ(image.height, kHeight);
    EXPECT_EQ(image.ids, "1 wall, 2 thread");
    EXPECT_EQ(image.channels.at("Z"), layers.depth);
    EXPECT_EQ(image.channels.at("wetness"), layers.wetness);
    for (size_t i = 0; i < layers.ids.size(); ++i) {
        EXPECT_EQ(image.channels.at("id")[i], float(layers.ids[i]));
        EXPECT_EQ(image.channels.at("velocity.Z")[i], layers.velocities[i].z);
        EXPECT_EQ(image.channels.at("N.Y")[i], layers.normals[i].y);
        EXPECT_NEAR(image.channels.at("G")[i], layers.beauty[i].y, 1e-3f * layers.beauty[i].y);  // a half has 11 bits
    }
    EXPECT_THROW(readExr(path, {"R", "depth"}), Error) << "there is none of that name";
    std::remove(path.c_str());
    EXPECT_THROW(writeExr(layers, "/nowhere/at/all.exr"), Error);
    EXPECT_THROW(writeExr(Aovs(), path), Error);
}

// Another program puts it there again and again, also between the removal of an old part and the opening of a new one.
TEST(Exr, isNeverWrittenThroughALinkInThePlaceOfItsPart) {
    if (!hasExr()) GTEST_SKIP() << "built without OpenEXR";
    Aovs layers;
    layers.width = layers.height = 1;
    layers.beauty.resize(1);
    layers.ids.resize(1);
    layers.depth.resize(1);
    layers.normals.resize(1);
    layers.velocities.resize(1);
    layers.wetness.resize(1);
    const std::string path = temporary("link.exr"), part = path + ".part", mine = temporary("mine");
    std::atomic<bool> stop{false};
    std::thread other([&] {
        while (!stop)
            if (symlink(mine.c_str(), part.c_str()) != 0) std::this_thread::yield();
    });
    for (int k = 0; k < 500; ++k) try {
            writeExr(layers, path);
        } catch (const Error&) {}
    stop = true;
    other.join();
    EXPECT_FALSE(std::filesystem::exists(mine));
    for (const std::string& each : {path, part, mine}) std::remove(each.c_str());
}

TEST(Exr, whatIsNoneIsRefused) {
    const std::string path = temporary("text.exr");
    std::ofstream(path) << "not a picture";
    EXPECT_THROW(readExr(path, {"R"}), Error);
    EXPECT_THROW(readExr("/nowhere.exr", {"R"}), Error);
    std::remove(path.c_str());
}

}  // namespace purl
