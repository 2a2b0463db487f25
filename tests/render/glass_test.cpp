// Containers: glass is transparent, and water that touches a flat wall has no bright edge.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "render/renderer.h"
#include "tests/render/shapes.h"

namespace purl {
namespace {

constexpr int kSize = 96;

View plainView() {
    View view;
    view.ground.visible = false;
    view.occlusion = 0;
    view.camera = lookAt({0, 0.6f, 6}, {0, 0, 0});
    view.focus = {{-1, -1, -1}, {1, 1, 1}};
    return view;
}

}  // namespace

// Fresnel: 4 % per face at normal incidence, everything at grazing angles.
TEST(Glass, isClearInTheMiddleAndMirrorsAtItsRim) {
    const Mesh globe = ball({0, 0, 0}, 1.2f, 32), red = card(-4, -4, 4, 4, -3);
    View view = plainView();
    view.meshes = {matte(red, {0.7f, 0.1f, 0.1f})};
    Renderer renderer(kSize, kSize);
    const Picture without = renderer.draw(view);
    view.meshes.push_back(glass(globe));
    view.meshes.back().creaseAngle = 3.15f;
    const Picture with = renderer.draw(view);
    const auto change = [&](int x, int y) {
        int sum = 0;
        for (int k = 0; k < 3; ++k) sum += std::abs(with.pixel(x, y)[k] - without.pixel(x, y)[k]);
        return sum;
    };
    EXPECT_LT(change(kSize / 2, kSize / 2), 60);
    int rim = 0;
    for (int x = 0; x < kSize; ++x) rim = std::max(rim, change(x, kSize / 2));
    EXPECT_GT(rim, 90);
    EXPECT_EQ(change(2, 2), 0);
}

// The wall's faces alternate in front of and behind the water that touches them, as the facets of a round glass do.
TEST(Glass, doesNotFlickerWithTheWaterItHolds) {
    const Mesh front = card(-1, -1, 1, 1, 0);
    Mesh wall;
    for (int i = 0; i < 16; ++i) {
        const float x = -1 + float(i) / 8, z = i % 2 ? 0.01f : -0.01f;
        const int a = int(wall.positions.size());
        wall.positions.edit().insert(wall.positions.edit().end(),
                                     {{x, -1, z}, {x + 0.125f, -1, z}, {x + 0.125f, 1, z}, {x, 1, z}});
        wall.triangles.edit().insert(wall.triangles.edit().end(), {a, a + 1, a + 2, a, a + 2, a + 3});
    }
    View view = plainView();
    view.meshes = {water(front)};
    view.meshes[0].wallDistance = 0.3f;
    Renderer renderer(kSize, kSize);
    const Picture without = renderer.draw(view);
    view.meshes.push_back(glass(wall));
    const Picture with = renderer.draw(view);
    // A row across the middle of the card, which covers the middle third of the image.
    for (int x = 2 * kSize / 5; x < 3 * kSize / 5; ++x)
        EXPECT_EQ(brightness(with, x, kSize / 2), brightness(without, x, kSize / 2)) << x;
    view.meshes[1].material = Material::matte;
    view.meshes[1].opacity = 0.3f;
    const Picture matte = renderer.draw(view);
    EXPECT_EQ(brightness(matte, kSize / 2, kSize / 2), brightness(without, kSize / 2, kSize / 2))
        << "a clear lambert too";
}

// A water surface behind a pane with normals that turn upwards at its upper edge, as in a mesh from particles.
TEST(Glass, waterThatTouchesAPaneHasNoBrightRim) {
    constexpr int kSide = 24;
    constexpr float kRim = 0.3f;
    Mesh front;
    for (int j = 0; j <= kSide; ++j)
        for (int i = 0; i <= kSide; ++i) {
            const float x = -1 + 2.0f * float(i) / kSide, y = -1 + 1.2f * float(j) / kSide;
            const float turn = 1.4f * std::max(0.0f, (y - 0.2f + kRim) / kRim);
            front.positions.edit().push_back({x, y, 1});
            front.normals.edit().push_back({0, std::sin(turn), std::cos(turn)});
        }
    for (int j = 0; j < kSide; ++j)
        for (int i = 0; i < kSide; ++i) {
            const int a = j * (kSide + 1) + i, b = a + kSide + 1;
            front.triangles.edit().insert(front.triangles.edit().end(), {a, a + 1, b, a + 1, b + 1, b});
        }
    View view = plainView();
    view.meshes = {water(front)};
    Renderer renderer(kSize, kSize);
    const Picture round = renderer.draw(view);
    view.meshes[0].wallDistance = 0.2f;
    EXPECT_EQ(renderer.draw(view), round) << "without panes nothing changes";
    view.panes = {{{0, 0, 1}, 1}};
    const Picture flat = renderer.draw(view);
    int dimmed = 0;
    for (int y = 0; y < kSize; ++y)
        for (int x = 0; x < kSize; ++x) dimmed += brightness(round, x, y) > brightness(flat, x, y) + 60;
    EXPECT_GT(dimmed, 20);
    view.panes = {{{0, 0, 1}, 2}};
    EXPECT_EQ(renderer.draw(view), round) << "a pane that is farther away than the rim";
}

}  // namespace purl
