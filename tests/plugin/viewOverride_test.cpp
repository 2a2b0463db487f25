// purlView in the host's Viewport 2.0: the image matches `purl render`; toggles and selection work.
#include "plugin/viewport/viewOverride.h"

#include "tests/plugin/viewScene.h"

namespace purl {
namespace {

class ViewOverrides : public ViewScene {
  protected:
    void SetUp() override {
        ViewScene::SetUp();
        ASSERT_TRUE(registerViewOverride());
        host::setViewportDevice(MHWRender::kOpenGLCoreProfile);
    }
    void TearDown() override {
        ViewScene::TearDown();
        EXPECT_TRUE(deregisterViewOverride());
    }
};

}  // namespace

// Every pixel has the colour that `purl render` gives it, or lies on an edge, where the window's blue is blended in.
TEST_F(ViewOverrides, theViewportShowsWhatRenderDraws) {
    for (const bool points : {false, true}) {
        view->plug("showPoints").set(points ? 1 : 0);
        view->plug("showSurface").set(points ? 0 : 1);
        const Picture seen = refreshed(), wanted = rendered();
        const auto isWindow = [&](int i) {
            const uint8_t* p = &seen.rgba[size_t(4 * i)];
            return p[0] == 0 && p[1] == 0 && p[2] == 255;
        };
        int covered = 0, same = 0, blended = 0, outside = 0;
        for (int y = 1; y + 1 < kHeight; ++y)
            for (int x = 1; x + 1 < kWidth; ++x) {
                const int i = y * kWidth + x;
                if (isWindow(i)) continue;
                ++covered;
                const uint8_t *p = &seen.rgba[size_t(4 * i)], *q = &wanted.rgba[size_t(4 * i)];
                if (std::equal(p, p + 3, q)) {
                    ++same;
                    continue;
                }
                blended += p[0] <= q[0] && p[1] <= q[1] && p[2] >= q[2];
                bool atEdge = false;
                for (const int step : {1, kWidth - 1, kWidth, kWidth + 1})
                    atEdge = atEdge || isWindow(i + step) || isWindow(i - step);
                outside += !atEdge;
            }
        EXPECT_GT(covered, 500) << "points: " << points;  // 1800 and 2000 of 9600 pixels
        EXPECT_EQ(same + blended, covered) << "points: " << points;
        if (!points) { EXPECT_EQ(outside, 0) << "a surface has edges only at its outline"; }
        // 93 % and 71 %. Balls are six pixels wide and have edges everywhere.
        EXPECT_GT(same, (points ? 0.6 : 0.9) * covered) << "points: " << points;
    }
    EXPECT_TRUE(said.empty()) << said.front();
}

TEST_F(ViewOverrides, togglesAndVisibilityCount) {
    const int surface = painted(refreshed());
    view->plug("showSurface").set(0);
    EXPECT_EQ(painted(refreshed()), 0) << "a liquid with a surface shows no particles unless asked";
    view->plug("showPoints").set(1);
    const int points = painted(refreshed());
    EXPECT_GT(points, 0);
    view->plug("pointScale").set(0.3);
    EXPECT_LT(painted(refreshed()), points);
    EXPECT_GT(surface, 500);
    view->plug("visibility").set(0);
    EXPECT_EQ(painted(refreshed()), 0);
    EXPECT_TRUE(lines.empty());
}

TEST_F(ViewOverrides, theBoxIsSelectableAndShowsSelection) {
    refreshed();
    EXPECT_EQ(lines.size(), 24u) << "two ends of each edge";
    const std::array<float, 3> dormant = lines.front().color;
    graph.selection = {view->name};
    refreshed();
    EXPECT_EQ(lines.size(), 12u) << "all of each";
    EXPECT_NE(lines.front().color, dormant);
    double low = 1e9, high = -1e9;
    for (const host::DrawnLine& line : lines)
        for (const auto& end : {line.from, line.to}) {
            low = std::min(low, end[1]);
            high = std::max(high, end[1]);
        }
    const MBoundingBox box = dynamic_cast<const ViewNode&>(*view->user).worldBounds();
    EXPECT_FLOAT_EQ(float(low), float(box.min().y));
    EXPECT_FLOAT_EQ(float(high), float(box.max().y));
    graph.selection.clear();
    view->plug("showBounds").set(1);
    refreshed();
    EXPECT_EQ(lines.size(), 12u);
}

TEST_F(ViewOverrides, anotherDeviceIsReportedOnceAndGetsABox) {
    host::setViewportDevice(MHWRender::kDirectX11);
    EXPECT_EQ(painted(refreshed()), 0);
    EXPECT_EQ(lines.size(), 12u);
    refreshed();
    ASSERT_EQ(said.size(), 1u);
    EXPECT_NE(said[0].find("another rendering engine"), std::string::npos) << said[0];
}

TEST_F(ViewOverrides, aMissingContextIsReportedOnce) {
    viewport->draw(panel);
    viewport->draw(panel);
    ASSERT_EQ(said.size(), 1u) << "once, not at every refresh";
    EXPECT_NE(said[0].find("OpenGL"), std::string::npos) << said[0];
}

}  // namespace purl
