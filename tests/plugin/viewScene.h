// A scene with a purlView in the host's Viewport 2.0, and a window of its own.
#pragma once
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

constexpr int kWidth = 120, kHeight = 80;

inline MMatrix toMaya(const Mat4& m) {
    MMatrix result;
    for (unsigned i = 0; i < 16; ++i) result(i / 4, i % 4) = double(m.m[i]);
    return result;
}

// Water with a surface in a tank, a purlView, and a window with its own context.
class ViewScene : public testing::Test {
  protected:
    void SetUp() override {
        if (!host::pluginLoaded("purl")) host::loadPlugin("purl", initializePlugin);
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

}  // namespace purl
