// purlView drawn with stock shaders: what a device other than OpenGL is given, and the picture that it makes of it.
#include "plugin/viewport/stockOverride.h"

#include <maya/MDataBlock.h>
#include <maya/MPlug.h>

#include <cstdlib>

#include "plugin/viewport/viewDrawing.h"
#include "plugin/viewport/viewOverride.h"
#include "render/picture.h"
#include "tests/plugin/viewScene.h"
#include "tests/solver/cache/frames.h"

namespace purl {
namespace {

// Draws items as a device would, on the CPU: triangles and lines with a depth buffer, points as squares of pixels.
class Device2D {
  public:
    Device2D() : picture{kWidth, kHeight, std::vector<uint8_t>(size_t(4 * kWidth * kHeight))} {
        for (int i = 0; i < kWidth * kHeight; ++i) put(i, 0, 0, 255);  // the window's blue
    }
    void draw(const host::DrawnItem& item, const host::Panel& panel) {
        const MMatrix clip = item.matrix * panel.view * panel.projection;
        const auto vertexAt = [&](unsigned i) {
            const float* p = &item.positions[3 * i];
            const MPoint c = MPoint(double(p[0]), double(p[1]), double(p[2])) * clip;
            Vertex v{{(c.x / c.w + 1) / 2 * kWidth, (1 - c.y / c.w) / 2 * kHeight, c.z / c.w}, {}};
            for (size_t k = 0; k < 3; ++k)
                v.color[k] =
                    item.colors.empty() ? double(item.color[k]) * shade(item, i) : double(item.colors[4 * i + k]);
            return v;
        };
        const size_t per = item.primitive == host::DrawnItem::Primitive::triangles ? 3
                           : item.primitive == host::DrawnItem::Primitive::lines   ? 2
                                                                                   : 1;
        for (size_t i = 0; i + per <= item.indices.size(); i += per) {
            const Vertex a = vertexAt(item.indices[i]), b = vertexAt(item.indices[i + per - 1]);
            if (per == 3) {
                triangle(a, vertexAt(item.indices[i + 1]), b);
            } else if (per == 2) {
                for (int k = 0; k <= 32; ++k) dot(mixed(a, b, k / 32.0), 0);
            } else {
                dot(a, int(item.pointSize / 2));
            }
        }
    }
    Picture picture;

  private:
    struct Vertex {
        std::array<double, 3> at, color;
    };
    static double shade(const host::DrawnItem& item, unsigned i) {
        return item.normals.empty() ? 1 : 0.4 + 0.6 * std::fabs(double(item.normals[3 * i + 1]));
    }
    static Vertex mixed(const Vertex& a, const Vertex& b, double t) {
        Vertex v;
        for (size_t k = 0; k < 3; ++k) {
            v.at[k] = a.at[k] + t * (b.at[k] - a.at[k]);
            v.color[k] = a.color[k] + t * (b.color[k] - a.color[k]);
        }
        return v;
    }
    void triangle(const Vertex& a, const Vertex& b, const Vertex& c) {
        const auto cross = [](const auto& p, const auto& q, double x, double y) {
            return (q[0] - p[0]) * (y - p[1]) - (q[1] - p[1]) * (x - p[0]);
        };
        const double area = cross(a.at, b.at, c.at[0], c.at[1]);
        if (area == 0) return;
        const auto bound = [&](size_t k, bool low, int size) {
            const double v = low ? std::min({a.at[k], b.at[k], c.at[k]}) : std::max({a.at[k], b.at[k], c.at[k]});
            return int(std::clamp(v, 0.0, size - 1.0));
        };
        for (int y = bound(1, true, kHeight); y <= bound(1, false, kHeight); ++y)
            for (int x = bound(0, true, kWidth); x <= bound(0, false, kWidth); ++x) {
                const double px = x + 0.5, py = y + 0.5;
                const double u = cross(b.at, c.at, px, py) / area, v = cross(c.at, a.at, px, py) / area, w = 1 - u - v;
                if (u < 0 || v < 0 || w < 0) continue;
                Vertex at;
                for (size_t k = 0; k < 3; ++k) {
                    at.at[k] = u * a.at[k] + v * b.at[k] + w * c.at[k];
                    at.color[k] = u * a.color[k] + v * b.color[k] + w * c.color[k];
                }
                fragment(x, y, at);
            }
    }
    void dot(const Vertex& v, int reach) {
        for (int dy = -reach; dy <= reach; ++dy)
            for (int dx = -reach; dx <= reach; ++dx) fragment(int(v.at[0]) + dx, int(v.at[1]) + dy, v);
    }
    void fragment(int x, int y, const Vertex& v) {
        if (x < 0 || y < 0 || x >= kWidth || y >= kHeight || v.at[2] < -1 || v.at[2] > 1) return;
        const int i = y * kWidth + x;
        if (v.at[2] > depth_[size_t(i)]) return;
        depth_[size_t(i)] = v.at[2];
        put(i, v.color[0] * 255, v.color[1] * 255, v.color[2] * 255);
    }
    void put(int i, double r, double g, double b) {
        uint8_t* p = &picture.rgba[size_t(4 * i)];
        for (const double value : {r, g, b, 255.0}) *p++ = uint8_t(std::clamp(value, 0.0, 255.0));
    }

    std::vector<double> depth_ = std::vector<double>(size_t(kWidth * kHeight), 2.0);
};

class StockOverrides : public ViewScene {
  protected:
    void SetUp() override {
        ViewScene::SetUp();
        host::setViewportDevice(MHWRender::kDirectX11);
        ASSERT_TRUE(registerViewDrawing());
    }
    void TearDown() override {
        ViewScene::TearDown();
        EXPECT_TRUE(deregisterViewDrawing());
    }
    std::shared_ptr<const Frame> frame() const {
        return FrameData::get(host::Api::make(view->plug("inFrame")).asMObject());
    }
    // Gives the view a frame that no simulation made.
    void show(Frame given) {
        if (const host::Plug source = view->plug("inFrame").source()) graph.disconnect(source, view->plug("inFrame"));
        MPlug plug = host::Api::make(view->plug("inFrame"));
        MDataBlock block = host::Api::block(view);
        MDataHandle handle = plug.constructHandle(block);
        ASSERT_TRUE(FrameData::set(handle, std::make_shared<Frame>(std::move(given))));
        ASSERT_TRUE(plug.setMDataHandle(handle));
        plug.destructHandle(handle);
    }
    std::vector<host::DrawnItem> items() { return viewport->items(panel); }
    Picture drawn() {
        Device2D device;
        for (const host::DrawnItem& item : items()) device.draw(item, panel);
        return device.picture;
    }
};

using Primitive = host::DrawnItem::Primitive;
using Shader = host::DrawnItem::Shader;

}  // namespace

TEST_F(StockOverrides, aLiquidIsItsMeshOrItsPoints) {
    const auto all = items();
    ASSERT_EQ(all.size(), 1u);
    const Mesh& surface = frame()->meshes.at(0);
    EXPECT_EQ(all[0].primitive, Primitive::triangles);
    EXPECT_EQ(all[0].shader, Shader::blinn);
    EXPECT_EQ(all[0].positions.size(), 3 * surface.positions.size());
    EXPECT_EQ(all[0].positions[4], surface.positions[1].y);
    EXPECT_EQ(all[0].normals.size(), all[0].positions.size());
    EXPECT_EQ(all[0].indices.size(), surface.triangles.size());
    EXPECT_TRUE(lines.empty() && said.empty()) << "no message of another device";

    view->plug("showSurface").set(0);
    view->plug("showPoints").set(1);
    const auto points = items();
    ASSERT_EQ(points.size(), 1u);
    EXPECT_EQ(points[0].primitive, Primitive::points);
    EXPECT_EQ(points[0].shader, Shader::coloredPoints);
    EXPECT_EQ(points[0].indices.size(), frame()->points.count());
    EXPECT_EQ(points[0].colors.size(), 4 * frame()->points.count());
    view->plug("visibility").set(0);
    EXPECT_TRUE(items().empty());
}

// Where one shows something and the other does not there are edges: the refracting water of render/ is antialiased.
TEST_F(StockOverrides, bothModesCoverTheSamePixels) {
    const Picture stock = drawn();
    viewport = std::make_unique<host::Viewport>(graph);
    ASSERT_TRUE(deregisterViewDrawing());
    host::setViewportDevice(MHWRender::kOpenGLCoreProfile);
    ASSERT_TRUE(registerViewDrawing());
    EXPECT_TRUE(items().empty()) << "one override at a time";
    const Picture beauty = refreshed();
    int both = 0, one = 0;
    for (int i = 0; i < kWidth * kHeight; ++i) {
        const auto shown = [&](const Picture& p) {
            const uint8_t* c = &p.rgba[size_t(4 * i)];
            return c[0] != 0 || c[1] != 0 || c[2] != 255;
        };
        both += shown(stock) && shown(beauty);
        one += shown(stock) != shown(beauty);
    }
    EXPECT_GT(both, 1000);
    EXPECT_LT(one, both / 10) << "an outline of about 4 * 40 pixels";
    if (const char* folder = std::getenv("PURL_PICTURES")) {
        writePng(stock, std::string(folder) + "/stock.png");
        writePng(beauty, std::string(folder) + "/beauty.png");
    }
}

TEST_F(StockOverrides, wetFabricsHaveTheirColours) {
    Frame frame;
    frame.metersPerUnit = 0.01;
    Mesh cloth = tetrahedron("rag", 1);
    cloth.kind = MeshKind::cloth;
    cloth.colors = std::vector<Vec3>{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}};
    cloth.normals = std::vector<Vec3>(4, Vec3{0, 1, 0});
    frame.meshes.push_back(cloth);
    Curves yarns;
    yarns.name = "scarf";
    yarns.counts = std::vector<int>{2, 3};
    yarns.ids = std::vector<int>{0, 1};
    yarns.colors = std::vector<Vec3>{{0.5f, 0, 0}, {0, 0.5f, 0}};
    yarns.positions = std::vector<Vec3>(5, Vec3{1, 2, 3});
    yarns.widths = std::vector<float>(5, 0.1f);
    yarns.pointColors = std::vector<Vec3>(5, Vec3{0.1f, 0.2f, 0.3f});
    frame.curves.push_back(yarns);
    show(frame);
    const auto all = items();
    ASSERT_EQ(all.size(), 2u);
    EXPECT_EQ(all[0].shader, Shader::colored);
    EXPECT_EQ(std::vector<float>(all[0].colors.begin(), all[0].colors.begin() + 8),
              (std::vector<float>{1, 0, 0, 1, 0, 1, 0, 1}))
        << "seen from above";
    EXPECT_EQ(all[1].primitive, Primitive::lines);
    EXPECT_EQ(all[1].indices, (std::vector<unsigned>{0, 1, 2, 3, 3, 4})) << "yarns are not joined";
    EXPECT_EQ(all[1].colors[1], 0.2f);

    frame.curves[0].pointColors = {};
    show(frame);
    EXPECT_EQ(items().at(1).colors[4 * 2 + 1], 0.5f) << "dry: the colour of each yarn";
    view->plug("yarn").setFromText("none");
    EXPECT_EQ(items().size(), 1u);
    view->plug("showCloth").set(0);
    EXPECT_TRUE(items().empty());
}

}  // namespace purl
