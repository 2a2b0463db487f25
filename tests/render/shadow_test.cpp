// Shadows: cascades that are finer near the eye, and soft edges.
#include <gtest/gtest.h>

#include <cmath>

#include "render/renderer.h"
#include "render/viewUniforms.h"
#include "tests/render/shapes.h"

namespace purl {
namespace {

constexpr int kWidth = 320, kHeight = 240;

// A board above the ground near the eye, and others far away along an alley. The light comes from straight above, so
// the near board's shadow has the board's outline.
struct Alley {
    std::vector<Mesh> boards;
    View view;

    explicit Alley(int cascades) {
        for (int i = 0; i < 12; ++i) {
            const float z = -20.0f * float(i);
            boards.push_back(box({{-0.51f, 2, z - 0.5f}, {0.49f, 2.1f, z + 0.5f}}));
        }
        for (const Mesh& board : boards) view.meshes.push_back(matte(board));
        view.camera = lookAt({0, 1.5f, 5}, {0, 0, 0});
        view.camera.verticalFov = 0.5f;
        view.lights[0].direction = {0, -1, 0};
        view.sky.intensity = 0.1f;
        view.ground.grid = -1;
        view.cascades = cascades;
    }
    // Brightness of the ground at a point.
    int at(const Picture& picture, Vec3 p) const {
        const Mat4 clip =
            perspective(view.camera.verticalFov, float(kWidth) / kHeight, 0.1f, 1000) * viewMatrix(view.camera);
        const Vec3 q = project(clip, p);
        return brightness(picture, int((0.5f + 0.5f * q.x) * kWidth), int((0.5f - 0.5f * q.y) * kHeight));
    }
};

}  // namespace

// G-47, B-55: cascades are contiguous and cover the whole depth range.
TEST(Cascades, endsAscendToTheFarthest) {
    for (const float farthest : {1.5f, 20.0f, 1e5f}) {
        const std::vector<float> ends = cascadeEnds(1, farthest, 4);
        ASSERT_EQ(ends.size(), 4u);
        float before = 1;
        for (const float end : ends) {
            EXPECT_GT(end, before);
            before = end;
        }
        EXPECT_NEAR(ends.back(), farthest, 1e-4f * farthest);
        EXPECT_LT(ends[0] - 1, (farthest - 1) / 4) << "near parts are shorter";
    }
}

// G-47: near the eye the cascades are at least four times as fine as a single map, and shadow edges are closer to their
// exact position.
TEST(Cascades, nearShadowsAreFiner) {
    const Alley four(4), one(1);
    const ViewUniforms fine = makeViewUniforms(four.view, kWidth, kHeight, 1024),
                       coarse = makeViewUniforms(one.view, kWidth, kHeight, 1024);
    EXPECT_LE(4 * fine.cascadeTexels.x, coarse.cascadeTexels.x);

    Renderer renderer(kWidth, kHeight);
    const Picture finePicture = renderer.draw(four.view), coarsePicture = renderer.draw(one.view);
    const int lit = four.at(finePicture, {0.9f, 0, 0.2f}), dark = four.at(finePicture, {0.2f, 0, 0.2f});
    EXPECT_GT(lit, dark + 60);
    const auto wrong = [&](const Alley& alley, const Picture& picture) {
        int count = 0;
        for (float z = -0.3f; z < 0.4f; z += 0.02f)
            for (float x = 0.3f; x < 0.7f; x += 0.01f)
                count += (alley.at(picture, {x, 0, z}) < (lit + dark) / 2) != (x < 0.49f);
        return count;
    };
    EXPECT_LT(2 * wrong(four, finePicture), wrong(one, coarsePicture));
}

// G-47: cascades split the view along its depth. Items side by side in front of the eye are visible in each, so four
// maps are as fine as one and the images equal; for a row in depth they are not.
TEST(Cascades, areForDepthNotForWidth) {
    std::vector<Mesh> cards;
    for (int i = 0; i < 3; ++i) cards.push_back(box({{3.0f * float(i) - 4, 0, -0.1f}, {3.0f * float(i) - 2, 2, 0.1f}}));
    View view;
    for (const Mesh& card : cards) view.meshes.push_back(matte(card));
    const auto ratio = [&](Vec3 eye, Vec3 target) {
        view.camera = lookAt(eye, target);
        view.cascades = 4;
        const float four = makeViewUniforms(view, kWidth, kHeight, 1024).cascadeTexels.x;
        view.cascades = 1;
        return makeViewUniforms(view, kWidth, kHeight, 1024).cascadeTexels.x / four;
    };
    EXPECT_EQ(ratio({0, 1, 20}, {0, 1, 0}), 1);
    EXPECT_GT(ratio({-5, 1, 0.8f}, {4, 1, 0}), 1.4f);
}

// G-48, B-55: light increases gradually across a shadow edge.
TEST(Cascades, edgesAreSoft) {
    Renderer renderer(kWidth, kHeight);
    const Mesh board = box({{-1, 1, -1}, {0.3f, 1.1f, 1}});
    View view;
    view.meshes = {matte(board)};
    view.camera = lookAt({0.3f, 1.5f, 2.5f}, {0.3f, 0, 0});
    view.camera.verticalFov = 0.12f;
    view.lights[0].direction = {0, -1, 0};
    view.ground.grid = -1;
    const Picture picture = renderer.draw(view);
    std::vector<int> profile;
    for (int x = 0; x < kWidth; ++x) profile.push_back(brightness(picture, x, kHeight / 2));
    const int dark = profile.front(), lit = profile.back();
    EXPECT_GT(lit, dark + 60);
    std::vector<int> levels;
    for (size_t x = 1; x < profile.size(); ++x) {
        EXPECT_GE(profile[x], profile[x - 1] - 2) << x;
        if (profile[x] > dark + 5 && profile[x] < lit - 5 && (levels.empty() || profile[x] > levels.back() + 3))
            levels.push_back(profile[x]);
    }
    EXPECT_GE(levels.size(), 3u);
}

// B-55: a folded sheet casts shadows on itself, a flat one does not.
TEST(Cascades, foldsAreDarkerThanWhatIsFlat) {
    Renderer renderer(kWidth, kHeight);
    const auto meanOf = [&](float depth) {
        Mesh sheet;  // a zigzag along x with ridges of height `depth`
        for (int i = 0; i <= 20; ++i)
            for (const float z : {-1.0f, 1.0f}) {
                sheet.positions.edit().push_back({0.1f * float(i) - 1, 0.5f + (i % 2 ? depth : 0), z});
                sheet.normals.edit().push_back({0, 1, 0});  // equal normals: only the shadow differs
            }
        for (int i = 0; i < 20; ++i)
            for (const int k : {0, 1, 2, 1, 3, 2}) sheet.triangles.edit().push_back(2 * i + k);
        View view;
        view.meshes = {matte(sheet)};
        view.camera = lookAt({0, 6, 0.01f}, {0, 0.5f, 0});
        view.camera.verticalFov = 0.25f;
        view.lights[0].direction = normalized(Vec3{1, -0.6f, 0});
        const Picture picture = renderer.draw(view);
        double sum = 0;
        for (int y = kHeight / 3; y < 2 * kHeight / 3; ++y)
            for (int x = kWidth / 3; x < 2 * kWidth / 3; ++x) sum += brightness(picture, x, y);
        return sum / ((kHeight / 3) * (kWidth / 3));
    };
    EXPECT_LT(meanOf(0.15f), 0.9 * meanOf(0));
}

}  // namespace purl
