// Gas volumes: transmittance, and order of the splats.
#include <gtest/gtest.h>

#include <cmath>

#include "render/gasSplats.h"
#include "render/renderer.h"
#include "tests/render/shapes.h"

namespace purl {
namespace {

constexpr float kSpacing = 0.1f;

// A block of gas at rest density, 2 x 2 x `depth` units, around the origin.
Points block(float depth) {
    Points points;
    for (float x = -1 + kSpacing / 2; x < 1; x += kSpacing)
        for (float y = -1 + kSpacing / 2; y < 1; y += kSpacing)
            for (float z = (kSpacing - depth) / 2; z < depth / 2; z += kSpacing)
                points.positions.edit().push_back({x, y, z});
    return points;
}

}  // namespace

// τ = σ L through the middle of the block; the grid blurs its ends over a cell, half of it outside.
TEST(Gas, opticalDepthIsExtinctionTimesLength) {
    const Points points = block(1);
    constexpr float kExtinction = 3;
    for (const Vec3 towards : {Vec3{0, 0, 1}, Vec3{0, 0, -1}, normalized(Vec3{0.2f, 0.1f, 1})}) {
        const GasShadow shadow(points, kSpacing * kSpacing * kSpacing, kSpacing, kExtinction, towards);
        const float length = 1 / std::abs(towards.z);
        EXPECT_NEAR(shadow.at(-0.5f * length * towards), kExtinction * length, 0.06f * kExtinction);
        EXPECT_NEAR(shadow.at({0, 0, 0}), 0.5f * kExtinction * length, 0.06f * kExtinction);
        EXPECT_NEAR(shadow.at(0.8f * length * towards), 0, 1e-4f);
    }
}

TEST(Gas, splatsAreSortedFarToNearAndBrighterTowardsTheLight) {
    const Points points = block(1);
    GasLook look;
    look.points = &points;
    look.spacing = kSpacing;
    look.depth = 0.3f;
    View view;
    view.camera = lookAt({0, 0, 5}, {0, 0, 0});
    view.lights.resize(1);
    view.lights[0].direction = {0, 0, -1};  // from the camera
    const std::vector<GasVertex> splats = gasSplats(look, view, 1);
    ASSERT_EQ(splats.size(), points.count());
    for (size_t i = 1; i < splats.size(); ++i) ASSERT_LE(splats[i - 1].position.z, splats[i].position.z);
    EXPECT_GT(splats.back().keyTransmittance, 0.8f);
    EXPECT_LT(splats.front().keyTransmittance, 0.5f * splats.back().keyTransmittance);
}

// Black gas in front of a white card transmits exp(−L / depth) of its light.
TEST(Gas, dimsWhatIsBehindItByBeersLaw) {
    const Points points = block(1);
    const Mesh white = card(-3, -3, 3, 3, -2);
    View view;
    view.meshes = {matte(white, {0.8f, 0.8f, 0.8f})};
    view.meshes[0].glow = {1, 1, 1};
    view.lights.clear();
    view.ground.visible = false;
    view.occlusion = 0;
    view.camera = lookAt({0, 0, 12}, {0, 0, 0});
    view.camera.verticalFov = 0.3f;
    Renderer renderer(64, 64);
    Aovs clear, dim;
    renderer.draw(view, &clear);
    GasLook look;
    look.points = &points;
    look.spacing = kSpacing;
    look.color = {0, 0, 0};
    for (const float depth : {0.5f, 1.0f}) {
        look.depth = depth;
        view.gases = {look};
        renderer.draw(view, &dim);
        const size_t middle = 32 * 64 + 32;
        // The layer is half float, and blending a few hundred splats of 1 % rounds each time.
        EXPECT_NEAR(dim.beauty[middle].y / clear.beauty[middle].y, std::exp(-1 / depth), 0.03f) << depth;
        EXPECT_NEAR(dim.beauty[64 * 2 + 2].y, clear.beauty[64 * 2 + 2].y, 0.02f * clear.beauty[64 * 2 + 2].y);
    }
}

// Objects in front of the gas occlude it.
TEST(Gas, isHiddenByWhatIsNearer) {
    const Points points = block(1);
    const Mesh front = card(-3, -3, 3, 3, 1.5f);
    View view;
    view.meshes = {matte(front, {0.2f, 0.5f, 0.2f})};
    view.ground.visible = false;
    view.occlusion = 0;
    view.camera = lookAt({0, 0, 8}, {0, 0, 0});
    view.focus = {{-1, -1, -1}, {1, 1, 1}};
    Renderer renderer(48, 48);
    const Picture before = renderer.draw(view);
    GasLook look;
    look.points = &points;
    look.spacing = kSpacing;
    view.gases = {look};
    EXPECT_EQ(renderer.draw(view), before);
    view.meshes.clear();
    view.gases.clear();
    const Picture empty = renderer.draw(view);
    view.gases = {look};
    EXPECT_FALSE(renderer.draw(view) == empty);
}

}  // namespace purl
