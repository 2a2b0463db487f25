#include "plugin/viewport/stockOverride.h"

#include <maya/MBoundingBox.h>
#include <maya/MDrawRegistry.h>
#include <maya/MFnDependencyNode.h>
#include <maya/MGlobal.h>
#include <maya/MHWGeometry.h>
#include <maya/MMatrix.h>
#include <maya/MPoint.h>
#include <maya/MShaderManager.h>
#include <maya/MString.h>
#include <maya/MViewport2Renderer.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <list>
#include <vector>

#include "plugin/viewport/display.h"

namespace purl {
namespace {

const char* const kSubSceneClassification = "drawdb/subscene/purlView";
const char* const kSubSceneRegistrant = "purlStock";

const ViewNode* viewNodeOf(const MObject& object) {
    const MFnDependencyNode node(object);
    return dynamic_cast<const ViewNode*>(node.userNode());
}

// Vertices of an item: positions, and normals or colours, whichever its shader reads.
struct Vertices {
    std::vector<Vec3> positions, normals;
    std::vector<float> colors;  // rgba
    std::vector<unsigned> indices;

    void addColor(Vec3 c) { colors.insert(colors.end(), {c.x, c.y, c.z, 1}); }
};

std::vector<Vec3> normalsOf(const Mesh& mesh) {
    if (mesh.normals.size() == mesh.positions.size()) return mesh.normals.vector();
    std::vector<Vec3> normals(mesh.positions.size());
    for (size_t t = 0; t + 2 < mesh.triangles.size(); t += 3) {
        const int* v = &mesh.triangles[t];
        const Vec3 a = mesh.positions[v[0]];
        const Vec3 face = cross(mesh.positions[v[1]] - a, mesh.positions[v[2]] - a);  // weighted by area
        for (int k = 0; k < 3; ++k) normals[static_cast<size_t>(v[k])] += face;
    }
    for (Vec3& n : normals) n = normalized(n);
    return normals;
}

// No stock shader lights colours of vertices, so that they carry a light of their own: from above, on both sides.
Vec3 lit(Vec3 color, Vec3 normal) { return (0.55f + 0.45f * std::fabs(normal.y)) * color; }

Vertices verticesOf(const MeshLook& look) {
    const Mesh& mesh = *look.mesh;
    Vertices v;
    v.positions = mesh.positions.vector();
    v.normals = normalsOf(mesh);
    v.indices.assign(mesh.triangles.begin(), mesh.triangles.end());
    if (mesh.colors.size() == mesh.positions.size())
        for (size_t i = 0; i < mesh.colors.size(); ++i) v.addColor(lit(mesh.colors[i], v.normals[i]));
    return v;
}

Vertices verticesOf(const Points& points, Vec3 color, const std::vector<Vec3>& colors) {
    Vertices v;
    v.positions = points.positions.vector();
    for (size_t i = 0; i < v.positions.size(); ++i) {
        v.addColor(colors.size() == v.positions.size() ? colors[i] : color);
        v.indices.push_back(static_cast<unsigned>(i));
    }
    return v;
}

Vertices verticesOf(const Curves& curves) {
    Vertices v;
    v.positions = curves.positions.vector();
    const bool wet = curves.pointColors.size() == curves.count();
    unsigned point = 0;
    for (size_t yarn = 0; yarn < curves.counts.size(); ++yarn)
        for (int k = 0; k < curves.counts[yarn]; ++k, ++point) {
            v.addColor(wet ? curves.pointColors[point] : curves.colors[yarn]);
            if (k > 0) v.indices.insert(v.indices.end(), {point - 1, point});
        }
    return v;
}

}  // namespace

// One render item with its buffers, kept as long as the item is drawn.
struct Item {
    MHWRender::MVertexBuffer positions{{"", MHWRender::MGeometry::kPosition, MHWRender::MGeometry::kFloat, 3}};
    MHWRender::MVertexBuffer normals{{"", MHWRender::MGeometry::kNormal, MHWRender::MGeometry::kFloat, 3}};
    MHWRender::MVertexBuffer colors{{"", MHWRender::MGeometry::kColor, MHWRender::MGeometry::kFloat, 4}};
    MHWRender::MIndexBuffer indices{MHWRender::MGeometry::kUnsignedInt32};
    MHWRender::MShaderInstance* shader = nullptr;
};

struct StockOverride::Items {
    std::list<Item> all;
    ~Items() { clear(); }
    void clear() {
        const MHWRender::MRenderer* renderer = MHWRender::MRenderer::theRenderer(false);
        const MHWRender::MShaderManager* shaders = renderer ? renderer->getShaderManager() : nullptr;
        for (const Item& item : all)
            if (shaders && item.shader) shaders->releaseShader(item.shader);
        all.clear();
    }
};

namespace {

template <class Buffer>
void fill(Buffer& buffer, const void* values, size_t count, size_t bytes) {
    void* to = buffer.acquire(static_cast<unsigned>(count), true);
    if (!to) return;
    std::memcpy(to, values, bytes);
    buffer.commit(to);
}

}  // namespace

MStatus registerStockOverride() {
    return MHWRender::MDrawRegistry::registerSubSceneOverrideCreator(kSubSceneClassification, kSubSceneRegistrant,
                                                                     StockOverride::creator);
}

MStatus deregisterStockOverride() {
    return MHWRender::MDrawRegistry::deregisterSubSceneOverrideCreator(kSubSceneClassification, kSubSceneRegistrant);
}

StockOverride::StockOverride(const MObject& object)
    : MPxSubSceneOverride(object), node_(object), items_(std::make_unique<Items>()) {}
StockOverride::~StockOverride() = default;

bool StockOverride::requiresUpdate(const MHWRender::MSubSceneContainer&, const MHWRender::MFrameContext&) const {
    const ViewNode* node = viewNodeOf(node_);
    return node && (node->frame() != frame_ || !drawsSame(node->display(), params_));
}

void StockOverride::update(MHWRender::MSubSceneContainer& container, const MHWRender::MFrameContext&) {
    const ViewNode* node = viewNodeOf(node_);
    const MHWRender::MRenderer* renderer = MHWRender::MRenderer::theRenderer(false);
    const MHWRender::MShaderManager* shaders = renderer ? renderer->getShaderManager() : nullptr;
    if (!node || !shaders) return;
    frame_ = node->frame();
    params_ = node->display();
    container.clear();
    items_->clear();
    if (!frame_) return;

    const auto add = [&](const MString& name, const Vertices& v, MHWRender::MGeometry::Primitive primitive,
                         MHWRender::MShaderManager::MStockShader stock, const char* parameter, const float* value) {
        if (v.indices.empty()) return;
        items_->all.emplace_back();
        Item& item = items_->all.back();
        item.shader = shaders->getStockShader(stock);
        if (!item.shader) return;
        if (parameter) item.shader->setParameter(parameter, value);
        MHWRender::MRenderItem* drawn =
            MHWRender::MRenderItem::Create(name, MHWRender::MRenderItem::MaterialSceneItem, primitive);
        drawn->setDrawMode(static_cast<MHWRender::MGeometry::DrawMode>(MHWRender::MGeometry::kShaded |
                                                                       MHWRender::MGeometry::kTextured));
        drawn->setShader(item.shader);
        // Frames are in world space, regardless of the locator's transform.
        drawn->setMatrix(&MMatrix::identity);
        if (!container.add(drawn)) {
            MHWRender::MRenderItem::Destroy(drawn);
            return;
        }
        MHWRender::MVertexBufferArray buffers;
        const size_t count = v.positions.size();
        fill(item.positions, v.positions.data(), count, count * sizeof(Vec3));
        buffers.addBuffer("positions", &item.positions);
        if (v.normals.size() == count) {
            fill(item.normals, v.normals.data(), count, count * sizeof(Vec3));
            buffers.addBuffer("normals", &item.normals);
        }
        if (v.colors.size() == 4 * count) {
            fill(item.colors, v.colors.data(), count, v.colors.size() * sizeof(float));
            buffers.addBuffer("colors", &item.colors);
        }
        fill(item.indices, v.indices.data(), v.indices.size(), v.indices.size() * sizeof(unsigned));
        MBoundingBox box;
        for (const Vec3 p : v.positions) box.expand(MPoint(p.x, p.y, p.z));
        setGeometryForRenderItem(*drawn, buffers, item.indices, &box);
    };

    try {
        Frame colored;
        if (params_.showWetness) {
            colored = *frame_;
            showWetness(colored);
        }
        FrameDisplay display = displayOf(params_);
        display.rays = false;  // without a mesh, liquids are shown as particles
        display.ground = display.bounds = false;
        std::list<Points> kept;
        const View view = viewOf(params_.showWetness ? colored : *frame_, display, {}, kept);
        int number = 0;
        const auto name = [&](const char* what) { return MString(what) + (MString("") + number++); };
        for (const MeshLook& look : view.meshes) {
            const Vertices v = verticesOf(look);
            const float color[4] = {look.color.x, look.color.y, look.color.z, 1};
            const bool own = !v.colors.empty();
            add(name("mesh"), v, MHWRender::MGeometry::kTriangles,
                own ? MHWRender::MShaderManager::k3dCPVSolidShader : MHWRender::MShaderManager::k3dBlinnShader,
                own ? nullptr : "diffuseColor", color);
        }
        const float size[2] = {4 * params_.pointScale, 4 * params_.pointScale};  // pixels
        for (const PointsLook& look : view.points)
            add(name("points"), verticesOf(*look.points, look.color, look.colors), MHWRender::MGeometry::kPoints,
                MHWRender::MShaderManager::k3dCPVFatPointShader, "pointSize", size);
        for (const GasLook& look : view.gases)
            add(name("gas"), verticesOf(*look.points, look.color, {}), MHWRender::MGeometry::kPoints,
                MHWRender::MShaderManager::k3dCPVFatPointShader, "pointSize", size);
        for (const YarnLook& look : view.yarns)
            add(name("yarn"), verticesOf(*look.curves), MHWRender::MGeometry::kLines,
                MHWRender::MShaderManager::k3dCPVSolidShader, nullptr, nullptr);
    } catch (const std::exception& error) { MGlobal::displayError(MString("purlView: ") + error.what()); }
}

}  // namespace purl
