// Order of the passes, and water shading: it reflects and refracts its environment, but nothing in front of it.
#include "render/passes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "render/renderer.h"
#include "render/shaders.h"
#include "tests/render/shapes.h"

namespace purl {
namespace {

constexpr int kWidth = 240, kHeight = 180;
constexpr Vec3 kRed{0.8f, 0.02f, 0.02f}, kGreen{0.02f, 0.8f, 0.02f};

int redPixels(const Picture& picture) {
    int count = 0;
    for (int y = 0; y < picture.height; ++y)
        for (int x = 0; x < picture.width; ++x) count += isRed(picture.pixel(x, y));
    return count;
}

View plainView() {
    View view;
    view.ground.visible = false;
    view.background = {0.1f, 0.1f, 0.1f};
    return view;
}

// Pixel position of a world point.
Vec3 pixelOf(const View& view, Vec3 p) {
    const Mat4 clip =
        perspective(view.camera.verticalFov, float(kWidth) / kHeight, 0.1f, 1000) * viewMatrix(view.camera);
    const Vec3 q = project(clip, p);
    return {(0.5f + 0.5f * q.x) * kWidth, (0.5f - 0.5f * q.y) * kHeight, 0};
}

}  // namespace

// G-54, G-55: shadows, six cube map faces, fluid depth, refraction, environment, fluid, knit; the fluid is in neither
// its own reflections nor refractions.
TEST(Passes, inTheOrderOfTheDocument) {
    Renderer renderer(kWidth, kHeight);
    const Mesh pool = box({{-1, -0.5f, -1}, {1, 0, 1}}), post = box({{-0.1f, -0.4f, -0.1f}, {0.1f, 1, 0.1f}});
    Curves yarn;
    yarn.counts = {2};
    yarn.ids = {0};
    yarn.colors = {kRed};
    yarn.positions = {{-1, 0.5f, 0}, {1, 0.5f, 0}};
    yarn.widths = {0.1f, 0.1f};
    View view = plainView();
    view.meshes = {water(pool), matte(post)};
    view.yarns = {{&yarn}};
    view.camera = lookAt({0, 2, 5}, {0, 0, 0});
    renderer.draw(view);
    std::vector<std::string> names;
    for (const PassRecord& pass : renderer.passes()) {
        names.push_back(pass.name);
        if (pass.name == "cube" || pass.name == "refraction" || pass.name == "environment") {
            EXPECT_EQ(pass.fluids, 0) << pass.name;
            EXPECT_EQ(pass.solids, 1) << pass.name;
        }
        if (pass.name == "shadow" || pass.name == "cube" || pass.name == "refraction" || pass.name == "knit") {
            EXPECT_EQ(pass.yarns, 1) << pass.name;
        }
    }
    std::vector<std::string> expected;
    for (int i = 0; i < kCascades; ++i) expected.insert(expected.end(), {"water shadow", "shadow"});
    for (int i = 0; i < kCubeSides; ++i) expected.push_back("cube");
    expected.insert(expected.end(),
                    {"fluid depth", "refraction", "thickness", "environment", "fluid", "knit", "occlusion", "develop"});
    EXPECT_EQ(names, expected);
}

// G-56: the fibre shaders use shadows but neither reflections nor refractions.
TEST(Passes, knitsUseShadowMapsOnly) {
    int seen = 0;
    for (int i = 0; i < kShaderFileCount; ++i) {
        if (std::strncmp(kShaderFiles[i].name, "lumislice", 9) != 0) continue;
        ++seen;
        EXPECT_EQ(std::strstr(kShaderFiles[i].text, "surroundings"), nullptr);
        EXPECT_EQ(std::strstr(kShaderFiles[i].text, "behind"), nullptr);
    }
    EXPECT_EQ(seen, 2);
}

// G-51: still water reflects the wall behind it upside down, in its colour, at its current position.
TEST(Passes, waterMirrorsWhatStandsAroundIt) {
    Renderer renderer(kWidth, kHeight);
    const Mesh pool = box({{-3, -0.2f, -3}, {3, 0, 3}});
    View view = plainView();
    view.camera = lookAt({0, 0.5f, 5.5f}, {0, 0, 0});
    view.camera.verticalFov = 0.5f;
    view.focus = {{-3, -1, -3}, {3, 3, 3}};
    const auto redness = [&](const Mesh& wall) {
        view.meshes = {water(pool), matte(wall, kRed)};
        const Picture picture = renderer.draw(view);
        const Vec3 p = pixelOf(view, {0, 0, -0.5f});
        const uint8_t* pixel = picture.pixel(int(p.x), int(p.y));
        return int(pixel[0]) - int(pixel[2]);
    };
    const int there = redness(card(-3, 0, 3, 3, -3.2f)), elsewhere = redness(card(20, 0, 23, 3, -3.2f));
    EXPECT_GT(there, elsewhere + 25);
}

// G-52: a ray entering at 45 degrees continues at 32.12. Two colours on the pool's floor meet where it lands.
TEST(Passes, waterBendsLightAsSnellSays) {
    Renderer renderer(kWidth, kHeight);
    const Mesh pool = box({{-6, -1, -6}, {6, 0, 6}});
    const auto floor = [](float x0, float x1) {
        Mesh mesh;
        mesh.positions = {{x0, -1, -6}, {x1, -1, -6}, {x1, -1, 6}, {x0, -1, 6}};
        mesh.triangles = {0, 2, 1, 0, 3, 2};
        return mesh;
    };
    const Mesh left = floor(-6, 0), right = floor(0, 6);
    View view = plainView();
    view.sky.intensity = 0.3f;
    const float far = 200;
    const float slope = std::tan(std::asin(std::sin(0.78539816f) / 1.333f));  // of the refracted ray
    EXPECT_NEAR(std::atan(slope) * 57.29578f, 32.12f, 0.1f);
    view.camera = lookAt({-far - slope, far, 0}, {-slope, 0, 0}, {0, 1, 0});
    view.camera.verticalFov = 0.002f;
    view.meshes = {water(pool, {0.9f, 0.9f, 0.9f}), matte(left, kRed), matte(right, kGreen)};
    const Picture picture = renderer.draw(view);
    // The image centre looks at the surface point from which the refracted ray meets the line x = 0.
    int edge = -1;
    for (int y = 1; y < kHeight; ++y) {
        const uint8_t *above = picture.pixel(kWidth / 2, y - 1), *below = picture.pixel(kWidth / 2, y);
        if (above[1] > above[0] && below[0] >= below[1]) edge = y;
    }
    // 180 pixels are 0.57 units across the ray, 0.8 along the surface: a pixel is 0.0044, or 0.18 degrees. The eye is
    // 283 away, where depth is accurate to about 0.01.
    EXPECT_NEAR(edge, kHeight / 2, 3);
}

// G-52: Snell's window: from under water one sees out within 48.6 degrees of the vertical; beyond is total internal
// reflection.
TEST(Passes, flatRaysDoNotLeaveWater) {
    Renderer renderer(kWidth, kHeight);
    const Mesh pool = box({{-6, -2, -6}, {6, 0, 6}});
    Mesh ceiling;  // covers everything
    ceiling.positions = {{-40, 1, -40}, {40, 1, -40}, {40, 1, 40}, {-40, 1, 40}};
    ceiling.triangles = {0, 1, 2, 0, 2, 3};
    View view = plainView();
    view.sky.intensity = 0.6f;
    view.occlusion = 0;
    view.meshes = {water(pool, {0.95f, 0.95f, 0.95f}), matte(ceiling, kRed)};
    view.meshes[0].creaseAngle = 0.7f;  // flat shading
    const auto seen = [&](float degrees) {
        const float angle = degrees / 57.29578f;
        view.camera = lookAt({0, -1, 0}, {std::sin(angle), std::cos(angle) - 1, 0}, {0, 0, 1});
        view.camera.verticalFov = 0.05f;
        const Picture picture = renderer.draw(view);
        const uint8_t* p = picture.pixel(kWidth / 2, kHeight / 2);
        return isRed(p);
    };
    const float limit = std::asin(1 / 1.333f) * 57.29578f;
    EXPECT_NEAR(limit, 48.6f, 0.05f);
    EXPECT_TRUE(seen(10));
    EXPECT_TRUE(seen(limit - 3)) << "nearer to it more and more is mirrored";
    EXPECT_FALSE(seen(limit + 1));
    EXPECT_FALSE(seen(65));
}

// G-53: objects in front of water do not appear in its refraction; objects behind do.
TEST(Passes, waterBendsOnlyWhatIsBehindIt) {
    Renderer renderer(kWidth, kHeight);
    Mesh wavy = ball({0, 0, 0}, 1.2f, 24);
    View view = plainView();
    view.camera = lookAt({0, 0, 8}, {0, 0, 0});
    view.camera.verticalFov = 0.4f;
    const Mesh before = card(-1.4f, -1.4f, -0.6f, 1.4f, 2), behind = card(-0.4f, -1.4f, 0.4f, 1.4f, -2);
    view.meshes = {matte(before, kRed)};
    const int own = redPixels(renderer.draw(view));
    view.meshes = {matte(before, kRed), water(wavy, {0.9f, 0.9f, 0.9f})};
    EXPECT_NEAR(redPixels(renderer.draw(view)), own, own / 50);
    view.meshes = {matte(behind, kRed), water(wavy, {0.9f, 0.9f, 0.9f})};
    const Picture picture = renderer.draw(view);
    int inside = 0;
    for (int y = 0; y < kHeight; ++y)
        for (int x = 0; x < kWidth; ++x)
            inside += isRed(picture.pixel(x, y)) && std::hypot(x - kWidth / 2, y - kHeight / 2) < 50;
    EXPECT_GT(inside, 100);
}

// Two liquids keep their own colours, also where one is in front of the other, and their edges are antialiased.
TEST(Passes, eachWaterHasItsOwnColourAndSmoothRims) {
    Renderer renderer(kWidth, kHeight);
    const Mesh left = ball({-0.5f, 0, 0}, 0.7f, 40), right = ball({0.5f, 0, -1.5f}, 0.7f, 40);
    View view = plainView();
    view.background = {0.6f, 0.6f, 0.6f};
    view.wallTop = {1, 1, 1};
    view.meshes = {water(left, {0.8f, 0.02f, 0.02f}), water(right, {0.02f, 0.02f, 0.8f})};
    for (MeshLook& look : view.meshes) look.turbidity = 0.5f;
    view.camera = lookAt({0, 0, 5}, {0, 0, 0});
    const Picture picture = renderer.draw(view);
    const auto at = [&](Vec3 p) {
        const Vec3 pixel = pixelOf(view, p);
        return picture.pixel(int(pixel.x), int(pixel.y));
    };
    for (const Vec3 p : {Vec3{-0.7f, -0.2f, 0}, Vec3{0, 0, 0}}) EXPECT_GT(at(p)[0], at(p)[2] + 60);
    for (const Vec3 p : {Vec3{0.8f, -0.2f, -1.5f}, Vec3{0.5f, -0.3f, -1.5f}}) EXPECT_GT(at(p)[2], at(p)[0] + 60);

    // Along a row from the background into the ball: never darker or lighter than both sides of the edge.
    const int row = int(pixelOf(view, {-0.5f, 0.35f, 0}).y);
    const int rim = int(pixelOf(view, {-0.5f - 0.61f, 0.35f, 0}).x);  // sqrt(0.7² - 0.35²)
    int steps = 0;
    for (int y = row - 12; y <= row + 12; ++y)
        for (int x = rim - 8; x < rim + 8; ++x) {
            const int before = picture.pixel(x - 1, y)[2], here = picture.pixel(x, y)[2],
                      after = picture.pixel(x + 1, y)[2];
            const int low = std::min(before, after), high = std::max(before, after);
            steps += here > low + 12 && here < high - 12;
        }
    EXPECT_GT(steps, 12) << "half of the rows have a pixel between";
}

}  // namespace purl
