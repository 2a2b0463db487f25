#include "render/camera.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace purl {
namespace {

std::vector<Vec3> cornersOf(const Bounds& b) {
    std::vector<Vec3> corners;
    for (int i = 0; i < 8; ++i) {
        corners.push_back({i & 1 ? b.high.x : b.low.x, i & 2 ? b.high.y : b.low.y, i & 4 ? b.high.z : b.low.z});
    }
    return corners;
}

TEST(Camera, fittedOneHoldsTheBoundsAndTouchesItsMargin) {
    const Bounds boxes[] = {{{-1, 0, -1}, {1, 1, 1}}, {{5, 5, 5}, {5.1f, 9, 5.1f}}, {{-20, 0, 3}, {20, 0.5f, 4}}};
    for (const Bounds& box : boxes) {
        for (const float aspect : {0.5f, 1.0f, 16 / 9.0f}) {
            const Camera camera = fitCamera(box, aspect);
            const Mat4 clip = perspective(camera.verticalFov, aspect, 0.01f, 1000) * viewMatrix(camera);
            float widest = 0;
            for (const Vec3 corner : cornersOf(box)) {
                const Vec3 depth = project(viewMatrix(camera), corner);
                EXPECT_LT(depth.z, 0) << "a corner is behind the camera";
                const Vec3 p = project(clip, corner);
                widest = std::max({widest, std::abs(p.x), std::abs(p.y)});
            }
            EXPECT_NEAR(widest, 0.84f, 0.002f);  // margin of 8 % of the image on each side
        }
    }
}

TEST(Camera, fittedOneStandsAboveAndIsUpright) {
    const Camera camera = fitCamera({{-1, 0, -1}, {1, 1, 1}}, 1.5f);
    EXPECT_GT(camera.position.y, 1);
    EXPECT_GT(camera.axes.y.y, 0.5f);
    EXPECT_NEAR(camera.axes.x.y, 0, 1e-6f);
}

TEST(Camera, nothingAndASinglePointStillGiveACamera) {
    EXPECT_TRUE(isFinite(fitCamera(Bounds(), 1).position));
    const Camera camera = fitCamera({{2, 2, 2}, {2, 2, 2}}, 1);
    EXPECT_TRUE(isFinite(camera.position));
    EXPECT_GT(length(camera.position - Vec3{2, 2, 2}), 0);
}

TEST(Camera, lookingStraightDownHasOrthonormalAxes) {
    for (const Vec3 from : {Vec3{0, 5, 0}, Vec3{0, -5, 0}, Vec3{1, 2, 3}}) {
        const Camera camera = lookAt(from, {0, 0, 0});
        EXPECT_NEAR(dot(camera.axes.x, camera.axes.y), 0, 1e-6f);
        EXPECT_NEAR(dot(camera.axes.y, camera.axes.z), 0, 1e-6f);
        EXPECT_NEAR(length(camera.axes.x), 1, 1e-6f);
        EXPECT_LT(length(cross(camera.axes.x, camera.axes.y) - camera.axes.z), 1e-6f);
        EXPECT_LT(length(camera.axes.z - normalized(from)), 1e-6f);
    }
}

}  // namespace
}  // namespace purl
