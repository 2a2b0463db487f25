// purlView in the host's Viewport 2.0: the image matches `purl render`; toggles and selection work.
#include "plugin/viewport/viewOverride.h"

#include <gtest/gtest.h>

#include "host/api/access.h"
#include "host/host.h"
#include "host/viewport.h"
#include "nodes/data.h"
#include "plugin/viewport/display.h"
#include "render/gl.h"
#include "render/renderer.h"

MStatus initializePlugin(MObject);

namespace purl {
namespace {

constexpr int kWidth = 120, kHeight = 80;

MMatrix toMaya(const Mat4& m) {
    MMatrix result;
    for (unsigned i = 0; i < 16; ++i) result(i / 4, i % 4) = double(m.m[i]);
    return result;
}

// Water with a surface in a tank, a purlView, and a window with its own context.
class ViewOverrides : public testing::Test {
  protected:
    void SetUp() override {
        if (!host::pluginLoaded("purl")) host::loadPlugin("purl", initializePlugin);
        ASSERT_TRUE(registerViewOverride());
        host::setViewportDevice(MHWRender::kOpenGLCoreProfile);
        graph.sink = [this](host::Severity severity, const std::string& text) {
            if (severity != host::Severity::Info) said.push_back(text);
        };
        const host::NodePtr transform = graph.create("transform", "block");
        transform->plug("translate").set(0, 6, 0);
        const host::NodePtr shape = graph.create("mesh", "blockShape", transform);
        const host::NodePtr cube = graph.create("polyCube");
        for (const char* edge : {"width", "height", "depth"}) cube->plug(edge).set(12);
        graph.connect(cube->plug("output"), shape->plug("inMesh"));
        const host::NodePtr fluid = graph.create("purlFluid", "water"), solver = graph.create("purlSolver");
        const host::NodePtr surface = graph.create("purlSurface");
        graph.connect(shape->plug("worldMesh[0]"), fluid->plug("inMesh[0]"));
        graph.connect(fluid->plug("outBody"), solver->plug("bodies[0]"));
        graph.connect(graph.time1()->plug("outTime"), solver->plug("currentTime"));
        graph.connect(solver->plug("outFrame"), surface->plug("inFrame"));
        view = graph.createWithParent("purlView");
        graph.connect(surface->plug("outFrame"), view->plug("inFrame"));

        camera = lookAt({12, 18, 40}, {0, 6, 0});
        panel.view = toMaya(viewMatrix(camera));
        panel.projection = toMaya(perspective(camera.verticalFov, float(kWidth) / kHeight, 0.1f, 1000));
        panel.size[0] = kWidth;
        panel.size[1] = kHeight;
    }
    void TearDown() override {
        const auto current = context->makeCurrent();
        viewport.reset();
        EXPECT_TRUE(deregisterViewOverride());
        host::setViewportDevice(MHWRender::kNone);
    }

    // The window's contents after a refresh, rows from the top.
    Picture refreshed() {
        const auto current = context->makeCurrent();
        const Gl gl(*context);
        const Handle color = makeTexture(gl, GL_RGBA8, kWidth, kHeight),
                     depth = makeTexture(gl, GL_DEPTH_COMPONENT32F, kWidth, kHeight),
                     target = makeTarget(gl, color, depth);
        gl.BindFramebuffer(GL_FRAMEBUFFER, target);
        gl.ClearColor(0, 0, 1, 1);
        gl.Clear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
        lines = viewport->draw(panel);
        std::vector<uint8_t> rows(size_t(4 * kWidth * kHeight));
        gl.ReadPixels(0, 0, kWidth, kHeight, GL_RGBA, GL_UNSIGNED_BYTE, rows.data());
        Picture picture{kWidth, kHeight, std::vector<uint8_t>(rows.size())};
        for (size_t y = 0; y < kHeight; ++y)
            std::copy_n(&rows[(kHeight - 1 - y) * 4 * kWidth], 4 * kWidth, &picture.rgba[y * 4 * kWidth]);
        return picture;
    }
    // The same view by the renderer of `purl render`.
    Picture rendered() {
        const std::shared_ptr<const Frame> frame = FrameData::get(host::Api::make(view->plug("inFrame")).asMObject());
        std::list<Points> foams;
        View all = viewOf(*frame, displayOf(dynamic_cast<const ViewNode&>(*view->user).display()), {}, foams);
        all.camera = camera;
        all.focus = boundsOf(all);
        all.ground.visible = false;
        all.occlusion = 0;
        return Renderer(kWidth, kHeight).draw(all);
    }
    static int painted(const Picture& picture) {
        int count = 0;
        for (int i = 0; i < kWidth * kHeight; ++i) {
            const uint8_t* p = &picture.rgba[size_t(4 * i)];
            count += p[0] != 0 || p[1] != 0 || p[2] != 255;
        }
        return count;
    }

    host::Graph graph;
    host::Graph::Scope scope{graph};
    std::vector<std::string> said;
    host::NodePtr view;
    std::unique_ptr<Context> context = openContext();
    std::unique_ptr<host::Viewport> viewport = std::make_unique<host::Viewport>(graph);
    host::Panel panel;
    Camera camera;
    std::vector<host::DrawnLine> lines;
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
    EXPECT_NE(said[0].find("Core Profile"), std::string::npos) << said[0];
}

TEST_F(ViewOverrides, aMissingContextIsReportedOnce) {
    viewport->draw(panel);
    viewport->draw(panel);
    ASSERT_EQ(said.size(), 1u) << "once, not at every refresh";
    EXPECT_NE(said[0].find("OpenGL"), std::string::npos) << said[0];
}

}  // namespace purl
