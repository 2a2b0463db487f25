// Environment maps: reading, irradiance, and rendering.
#include "render/panorama.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "render/renderer.h"
#include "solver/core/error.h"
#include "tests/render/shapes.h"

namespace purl {
namespace {

std::string temporary(const char* name) { return testing::TempDir() + name; }

// Writes flat pixels, or one run per channel and row.
std::string writeHdr(const char* name, int width, int height, bool runs, const uint8_t (&pixel)[4]) {
    const std::string path = temporary(name);
    std::ofstream file(path, std::ios::binary);
    file << "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y " << height << " +X " << width << "\n";
    for (int y = 0; y < height; ++y) {
        if (runs) {
            file << char(2) << char(2) << char(width >> 8) << char(width & 255);
            for (const uint8_t channel : pixel) file << char(128 + width) << char(channel);
        } else {
            for (int x = 0; x < width; ++x)
                for (const uint8_t channel : pixel) file << char(channel);
        }
    }
    return path;
}

Panorama even(int width, int height, Vec3 light) {
    return {width, height, std::vector<Vec3>(size_t(width) * size_t(height), light)};
}

}  // namespace

TEST(Panorama, radianceFilesAreRead) {
    const uint8_t pixel[4] = {128, 64, 255, 129};  // 1, 0.5 and 255/128
    for (const bool runs : {false, true}) {
        const std::string path = writeHdr("sky.hdr", 16, 8, runs, pixel);
        const Panorama panorama = readPanorama(path);
        ASSERT_EQ(panorama.width, 16);
        ASSERT_EQ(panorama.light.size(), 128u);
        for (const Vec3 light : panorama.light) EXPECT_EQ(light, (Vec3{1, 0.5f, 255.0f / 128}));
        // truncated
        std::ifstream whole(path, std::ios::binary);
        std::string bytes((std::istreambuf_iterator<char>(whole)), std::istreambuf_iterator<char>());
        std::ofstream(path, std::ios::binary) << bytes.substr(0, bytes.size() - 3);
        EXPECT_THROW(readPanorama(path), Error);
        std::remove(path.c_str());
    }
    EXPECT_THROW(readPanorama("/nowhere.hdr"), Error);
    EXPECT_THROW(readPanorama("sky.jpg"), Error);
}

TEST(Panorama, aPipeOrAFolderIsRefusedAtOnce) {
    const std::string folder = testing::TempDir() + "purl_sky_" + std::to_string(getpid());
    std::filesystem::create_directories(folder + "/folder.hdr");
    for (const char* name : {"/pipe.hdr", "/pipe.exr", "/folder.hdr"}) {
        const std::string path = folder + name;
        if (!std::filesystem::exists(path)) { ASSERT_EQ(mkfifo(path.c_str(), 0600), 0); }
        try {
            readPanorama(path);
            ADD_FAILURE() << "no error";
        } catch (const Error& error) { EXPECT_EQ(std::string(error.what()).find(path + ": cannot read: "), 0u); }
    }
    std::filesystem::remove_all(folder);
}

TEST(Panorama, whatIsTooLargeIsRefusedBeforeItIsRead) {
    const std::string path = testing::TempDir() + "purl_large_" + std::to_string(getpid()) + ".hdr";
    const auto refusal = [&] {
        try {
            readPanorama(path);
            return std::string("no error");
        } catch (const Error& error) { return std::string(error.what()); }
    };
    const auto refusalOf = [&](const std::string& text) {
        std::ofstream(path, std::ios::binary) << text;
        return refusal();
    };
    const std::string limit = " pixels, more than 32768 a side or 134217728 in all; scale the image down";
    EXPECT_EQ(refusalOf("#?RADIANCE\n\n-Y 8 +X 32769\n" + std::string(64, ' ')), path + ": has 32769 by 8" + limit);
    EXPECT_EQ(refusalOf("#?RADIANCE\n\n-Y 32768 +X 4097\n"), path + ": has 4097 by 32768" + limit);
    EXPECT_EQ(refusalOf("#?RADIANCE\n\n-Y 8192 +X 16384\n" + std::string(1024, ' ')), path + ": the file is truncated");
    EXPECT_EQ(refusalOf("#?RADIANCE\n\n-Y 8 +X 4294967304\n"), path + ": has 4294967304 by 8" + limit);
    EXPECT_EQ(refusalOf("#?RADIANCE\nFORMAT=32-bit_rle_xyze\n\n-Y 1 +X 1\nabcd"),
              path + ": its colours are XYZ; save it as RGB");
    // Then a hole of a terabyte, which takes no space on the disk and would take all memory.
    for (const char* beginning : {"#?RADIANCE\n", "#?RADIANCE\nx=", "P6"}) {
        std::ofstream(path, std::ios::binary) << beginning;
        std::filesystem::resize_file(path, uint64_t{1} << 40);
        EXPECT_NE(refusal(), "no error") << beginning;
    }
    std::filesystem::remove(path);
}

// A uniform white environment gives uniform irradiance; a bright upper half gives the visible fraction of it.
TEST(Panorama, lightOnMatteSurfaces) {
    const Panorama room = even(64, 32, {1, 2, 3});
    const SkyIrradiance all = skyIrradianceOf(room, sunOf(room));
    for (const Vec3 n : {Vec3{0, 1, 0}, Vec3{1, 0, 0}, Vec3{0, -0.6f, 0.8f}})
        EXPECT_LT(length(all.at(n) - Vec3{1, 2, 3}), 0.01f);
    Panorama above = even(64, 32, {0, 0, 0});
    for (size_t i = 0; i < above.light.size() / 2; ++i) above.light[i] = {1, 1, 1};
    const SkyIrradiance half = skyIrradianceOf(above, sunOf(above));
    EXPECT_NEAR(half.at({0, 1, 0}).x, 1, 0.05f);  // nine coefficients represent such an edge to a few percent
    EXPECT_NEAR(half.at({1, 0, 0}).x, 0.5f, 0.02f);
    EXPECT_NEAR(half.at({0, -1, 0}).x, 0, 0.05f);
    EXPECT_FALSE(sunOf(above).found);
}

// A few very bright pixels are a sun: at their position, with all their light, and not part of the sky.
TEST(Panorama, theSunIsTakenOut) {
    Panorama sky = even(256, 128, {0.2f, 0.2f, 0.2f});
    const size_t at = 32 * 256 + 192;
    sky.light[at] = {20000, 18000, 15000};
    const Sun sun = sunOf(sky);
    ASSERT_TRUE(sun.found);
    EXPECT_GT(dot(sun.direction, sky.direction(192, 32)), 0.9999f);
    EXPECT_NEAR(sun.color.x, 20000 * sky.solidAngle(32) / 3.14159265f, 0.01f);
    EXPECT_NEAR(skyIrradianceOf(sky, sun).at({0, 1, 0}).x, 0.2f, 0.01f);
    float whole = 0;
    for (int y = 0; y < sky.height; ++y) whole += 256 * sky.solidAngle(y);
    EXPECT_NEAR(whole, 4 * 3.14159265f, 1e-3f);
}

// The environment is visible behind the scene and in reflections: red to the left (-x), green to the right.
TEST(Panorama, isSeenAndLights) {
    auto sky = std::make_shared<EnvironmentMap>();
    sky->panorama = even(64, 32, {0.6f, 0.02f, 0.02f});
    for (int y = 0; y < 32; ++y)
        for (int x = 32; x < 64; ++x) sky->panorama.light[size_t(64 * y + x)] = {0.02f, 0.6f, 0.02f};
    sky->sun = sunOf(sky->panorama);
    sky->irradiance = skyIrradianceOf(sky->panorama, sky->sun);
    Renderer renderer(160, 120);
    const Mesh mesh = ball({0, 0, 0}, 1, 24);
    View view;
    view.sky.environment = sky;
    view.sky.intensity = 1;
    view.lights.clear();
    view.ground.visible = false;
    view.meshes = {matte(mesh, {0.8f, 0.8f, 0.8f})};
    view.camera = lookAt({0, 0, 8}, {0, 0, 0});
    const Picture picture = renderer.draw(view);
    EXPECT_TRUE(isRed(picture.pixel(10, 60)));
    EXPECT_TRUE(isGreen(picture.pixel(150, 60)));
    EXPECT_GT(picture.pixel(64, 60)[0], picture.pixel(64, 60)[1] + 30) << "the ball's left is lit red";
    EXPECT_GT(picture.pixel(96, 60)[1], picture.pixel(96, 60)[0] + 30);
    EXPECT_EQ(picture, renderer.draw(view));
}

// Beyond what half floats hold, a texture and the sums of lights become infinite, which no tone curve maps to white.
TEST(Panorama, lightThatHalfFloatsCannotHoldIsWhite) {
    for (const float light : {65504.0f, 1e6f, 1e12f}) {
        auto sky = std::make_shared<EnvironmentMap>();
        sky->panorama = even(16, 8, {light, light, light});
        sky->sun = sunOf(sky->panorama);
        sky->irradiance = skyIrradianceOf(sky->panorama, sky->sun);
        Renderer renderer(32, 32);
        const Mesh mesh = ball({0, 0, 0}, 1, 24);
        View view;
        view.sky.environment = sky;
        view.sky.intensity = 4;
        view.lights.clear();
        view.ground.visible = false;
        view.meshes = {matte(mesh, {0.8f, 0.8f, 0.8f})};
        view.camera = lookAt({0, 0, 4}, {0, 0, 0});
        const Picture picture = renderer.draw(view);
        for (const int x : {1, 16}) EXPECT_GE(picture.pixel(x, 16)[0], 254) << light << " at " << x;
    }
}

TEST(Panorama, oneWiderThanATextureIsRefused) {
    auto sky = std::make_shared<EnvironmentMap>();
    sky->panorama = even(1 << 20, 1, {1, 1, 1});  // no OpenGL has textures as wide
    Renderer renderer(16, 16);
    View view;
    view.sky.environment = sky;
    try {
        renderer.draw(view);
        ADD_FAILURE() << "no error";
    } catch (const Error& error) {
        EXPECT_EQ(std::string(error.what()).find("the sky image has 1048576 by 1 pixels; "), 0u) << error.what();
    }
}

// The brightest that both formats hold: sums, directions and squares of it stay finite.
TEST(Panorama, lightOfTheLargestNumbersStaysFinite) {
    const uint8_t pixel[4] = {255, 255, 255, 255};  // 255/256 · 2^127
    const std::string path = writeHdr("bright.hdr", 16, 8, false, pixel);
    const auto sky = readSky(path);
    std::remove(path.c_str());
    for (const Vec3 c : sky->irradiance.c) EXPECT_TRUE(isFinite(c));
    EXPECT_TRUE(isFinite(sky->irradiance.at({0, 1, 0})));
    EXPECT_GT(sky->irradiance.at({0, 1, 0}).x, 9e11f);
}

}  // namespace purl
