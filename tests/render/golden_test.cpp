// Golden image: a view with every kind of item, compared with an approved image. PURL_GOLDEN=write replaces it.
#include <gtest/gtest.h>

#include <cstdlib>

#include "render/passes.h"
#include "render/renderer.h"
#include "tests/render/shapes.h"

namespace purl {
namespace {

constexpr int kWidth = 240, kHeight = 160;

// A wavy pool in front of a wall, one post in it and one in front of it, a ball above it, a wet yarn, foam, a tinted
// pane, a glass bowl and a cloud.
struct Everything {
    Mesh pool, post, front, wall, globe, pane, bowl;
    Curves yarn;
    Points foam, cloud;
    View view;

    Everything() {
        constexpr int kSide = 24;
        const auto height = [](float x, float z) { return 0.06f * std::sin(5 * x) * std::cos(4 * z); };
        for (int j = 0; j <= kSide; ++j)
            for (int i = 0; i <= kSide; ++i) {
                const float x = -1.5f + 3.0f * float(i) / kSide, z = -1 + 2.0f * float(j) / kSide;
                pool.positions.edit().push_back({x, height(x, z), z});
            }
        for (int j = 0; j < kSide; ++j)
            for (int i = 0; i < kSide; ++i) {
                const int a = j * (kSide + 1) + i, b = a + kSide + 1;
                pool.triangles.edit().insert(pool.triangles.edit().end(), {a, b, a + 1, a + 1, b, b + 1});
            }
        post = box({{-0.7f, -0.5f, -0.4f}, {-0.4f, 0.9f, -0.1f}});
        front = box({{0.9f, -0.5f, 1.1f}, {1.1f, 0.7f, 1.3f}});
        wall = box({{-2.6f, -0.5f, -1.8f}, {1.2f, 1.2f, -1.6f}});
        globe = ball({0.5f, 0.7f, -0.3f}, 0.35f, 20);
        pane = card(-1.6f, -0.2f, -1.2f, 0.8f, 0.6f);
        yarn.plies = 3;
        yarn.counts = {8};
        yarn.ids = {0};
        yarn.colors = {{0.75f, 0.45f, 0.25f}};
        for (int i = 0; i < 8; ++i) {
            yarn.positions.edit().push_back({-1.3f + 0.37f * float(i), 0.35f + 0.2f * std::sin(float(i)), 0.7f});
            yarn.widths.edit().push_back(0.16f);
            yarn.twists.edit().push_back(1.5f * float(i));
            yarn.pointColors.edit().push_back((1 - 0.08f * float(i)) * yarn.colors[0]);
        }
        for (int i = 0; i < 60; ++i) {
            foam.positions.edit().push_back({-0.2f + 0.05f * float(i % 10), 0.08f, 0.1f + 0.05f * float(i / 10)});
            foam.radii.edit().push_back(0.06f);
        }
        bowl = ball({1.5f, 0.5f, 0.2f}, 0.3f, 20);
        for (int i = 0; i < 512; ++i)
            cloud.positions.edit().push_back(Vec3{-1.4f, 0.9f, -0.9f} +
                                             0.08f * Vec3{float(i % 8), float(i / 8 % 8), float(i / 64)});
        MeshLook tinted = matte(pane, {0.3f, 0.6f, 0.4f});
        tinted.opacity = 0.4f;
        view.meshes = {water(pool),
                       matte(post, {0.8f, 0.15f, 0.1f}),
                       matte(front, {0.2f, 0.7f, 0.2f}),
                       matte(globe, {0.8f, 0.7f, 0.2f}),
                       matte(wall),
                       tinted,
                       glass(bowl)};
        GasLook gas;
        gas.points = &cloud;
        gas.spacing = 0.08f;
        view.gases = {gas};
        view.occlusion = 1;
        YarnLook look;
        look.curves = &yarn;
        view.yarns = {look};
        PointsLook bits;
        bits.points = &foam;
        bits.color = {1, 1, 1};
        bits.foam = true;
        view.points = {bits};
        view.ground.height = -0.5f;
        view.camera = lookAt({0.7f, 1.5f, 4}, {0, 0.1f, 0});
        view.focus = {{-1.6f, -0.5f, -1}, {1.6f, 1.1f, 1.3f}};
    }
};

// Fraction of pixels that differ by more than a driver's rounding: 6 of 255 in any channel.
double differing(const Picture& a, const Picture& b) {
    if (a.width != b.width || a.height != b.height) return 1;
    int count = 0;
    for (int y = 0; y < a.height; ++y)
        for (int x = 0; x < a.width; ++x) {
            int most = 0;
            for (int k = 0; k < 3; ++k) most = std::max(most, std::abs(a.pixel(x, y)[k] - b.pixel(x, y)[k]));
            count += most > 6;
        }
    return double(count) / (a.width * a.height);
}

// 77 pixels: triangle edges that another driver puts on the other side of a sample.
constexpr double kTolerance = 0.002;

}  // namespace

TEST(Golden, everythingLooksAsItDid) {
    const std::string path = std::string(PURL_SOURCE_DIR) + "/tests/render/golden/everything.png";
    Renderer renderer(kWidth, kHeight);
    const Everything all;
    const Picture picture = renderer.draw(all.view);
    const char* wish = std::getenv("PURL_GOLDEN");
    if (wish && std::string(wish) == "write") writePng(picture, path);
    const double share = differing(picture, readPng(path));
    if (share > kTolerance) writePng(picture, testing::TempDir() + "everything.png");
    EXPECT_LE(share, kTolerance) << "see " << testing::TempDir() << "everything.png beside " << path;
}

// The tolerance is small enough to notice any pass that draws nothing.
TEST(Golden, aMissingPassIsNoticed) {
    Renderer renderer(kWidth, kHeight);
    Everything all;
    const Picture whole = renderer.draw(all.view);
    std::set<std::string> names;
    for (const PassRecord& pass : renderer.passes()) names.insert(pass.name);
    names.erase("develop");  // without it there is no image
    EXPECT_EQ(names.size(), 13u);
    for (const std::string& name : names) {
        all.view.without = {name};
        EXPECT_GT(differing(renderer.draw(all.view), whole), 2 * kTolerance) << name;
    }
    all.view.without.clear();
    EXPECT_EQ(renderer.draw(all.view), whole) << "nothing is left of a pass that was left out";
}

// Bit-identical images from two renderers, and from the first and later draws.
TEST(Golden, bitsAreTheSameFromRunToRun) {
    const Everything all;
    Renderer one(kWidth, kHeight), two(kWidth, kHeight);
    const Picture first = one.draw(all.view);
    EXPECT_EQ(first, one.draw(all.view));
    EXPECT_EQ(first, two.draw(all.view));
    Aovs a, b;
    one.draw(all.view, &a);
    two.draw(all.view, &b);
    EXPECT_EQ(a.depth, b.depth);
    EXPECT_EQ(a.ids, b.ids);
}

// Ambient occlusion darkens the corner of wall and floor, changes nothing far from it, and is uniform along the corner:
// no banding.
TEST(Occlusion, cornersAreDarkerAndEven) {
    Renderer renderer(kWidth, kHeight);
    const Mesh wall = box({{-6, 0, -1.2f}, {6, 4, -1}});
    View view;
    view.meshes = {matte(wall)};
    view.ground.grid = -1;
    view.lights.clear();
    view.camera = lookAt({0, 2, 5}, {0, 0.4f, -1});
    view.focus = {{-2, 0, -2}, {2, 2, 2}};
    const Picture shaded = renderer.draw(view);
    view.occlusion = 0;
    const Picture plain = renderer.draw(view);
    const auto at = [&](const Picture& picture, float x, float z) {
        const Mat4 clip =
            perspective(view.camera.verticalFov, float(kWidth) / kHeight, 0.1f, 1000) * viewMatrix(view.camera);
        const Vec3 q = project(clip, {x, 0, z});
        return brightness(picture, int((0.5f + 0.5f * q.x) * kWidth), int((0.5f - 0.5f * q.y) * kHeight));
    };
    EXPECT_LT(at(shaded, 0, -0.95f), 0.93 * at(plain, 0, -0.95f));
    EXPECT_NEAR(at(shaded, 0, 1.5f), at(plain, 0, 1.5f), 3);
    int before = at(shaded, -0.8f, -0.9f);
    for (float x = -0.78f; x < 0.8f; x += 0.02f) {
        const int here = at(shaded, x, -0.9f);
        EXPECT_NEAR(here, before, 12) << x;  // sum of three channels: the tile average leaves that little
        before = here;
    }
}

// Foam is white and soft: it brightens what is below, most in its middle, without an edge.
TEST(Foam, isSoftAndWhite) {
    Renderer renderer(kWidth, kHeight);
    Points points;
    points.positions = {{0, 0, 0}};
    points.radii = {0.5f};
    PointsLook look;
    look.points = &points;
    look.color = {1, 1, 1};
    look.foam = true;
    View view;
    view.ground.visible = false;
    view.background = {0.02f, 0.05f, 0.1f};
    view.camera = lookAt({0, 0, 4}, {0, 0, 0});
    const Picture bare = renderer.draw(view);
    view.points = {look};
    const Picture picture = renderer.draw(view);
    const auto added = [&](int x) { return brightness(picture, x, kHeight / 2) - brightness(bare, x, kHeight / 2); };
    EXPECT_GT(added(kWidth / 2), 300);
    for (int x = kWidth / 2; x < kWidth - 1; ++x) {
        EXPECT_LE(added(x + 1), added(x) + 3);
        EXPECT_LT(added(x) - added(x + 1), 60) << "no rim";
    }
    EXPECT_EQ(added(kWidth - 5), 0);
    // smaller than a pixel it gets fainter but does not vanish
    points.radii = {0.004f};
    EXPECT_GT(brightness(renderer.draw(view), kWidth / 2, kHeight / 2), brightness(bare, kWidth / 2, kHeight / 2));
}

}  // namespace purl
