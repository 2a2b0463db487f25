#include "host/viewport.h"

#include <maya/MDrawRegistry.h>
#include <maya/MHWGeometry.h>
#include <maya/MHWGeometryUtilities.h>
#include <maya/MPxDrawOverride.h>
#include <maya/MPxSubSceneOverride.h>
#include <maya/MShaderManager.h>

#include <algorithm>
#include <map>
#include <utility>

#include "host/api/access.h"

namespace purl::host {

// Access to private members of the API classes.
struct ViewportAccess {
    static void setCamera(MHWRender::MFrameContext& context, const Panel& panel) {
        context.view_ = panel.view;
        context.projection_ = panel.projection;
        context.x_ = panel.corner[0];
        context.y_ = panel.corner[1];
        context.width_ = panel.size[0];
        context.height_ = panel.size[1];
    }
    static auto callback(const MHWRender::MPxDrawOverride& override) { return override.draw_; }
    static const auto& lines(const MHWRender::MUIDrawManager& manager) { return manager.lines_; }
    static const auto& items(const MHWRender::MSubSceneContainer& container) { return container.items_; }
    static const std::vector<float>& valuesOf(const MHWRender::MVertexBuffer& buffer) { return *buffer.values_; }
    static const std::vector<unsigned>& valuesOf(const MHWRender::MIndexBuffer& buffer) { return *buffer.values_; }
    // The three kinds of values of an item's vertices.
    static std::vector<float>* slot(MHWRender::MRenderItem& item, MHWRender::MGeometry::Semantic semantic) {
        switch (semantic) {
            case MHWRender::MGeometry::kPosition: return &item.positions_;
            case MHWRender::MGeometry::kNormal: return &item.normals_;
            case MHWRender::MGeometry::kColor: return &item.colors_;
            default: return nullptr;
        }
    }
    static void setIndices(MHWRender::MRenderItem& item, const MHWRender::MIndexBuffer& buffer) {
        item.indices_ = valuesOf(buffer);
    }
    static DrawnItem drawn(const MHWRender::MRenderItem& item, const MMatrix& object) {
        DrawnItem out;
        out.name = item.name_.asChar();
        using Primitive = DrawnItem::Primitive;
        out.primitive = item.primitive_ == MHWRender::MGeometry::kPoints  ? Primitive::points
                        : item.primitive_ == MHWRender::MGeometry::kLines ? Primitive::lines
                                                                          : Primitive::triangles;
        const MHWRender::MShaderInstance& shader = *item.shader_;
        out.shader = static_cast<DrawnItem::Shader>(shader.stock_);
        for (const auto& [name, values] : shader.parameters_) {
            if (values.size() == 4) std::copy(values.begin(), values.end(), out.color.begin());
            if (name == "pointSize") out.pointSize = values[0];
        }
        out.matrix = item.hasMatrix_ ? item.matrix_ : object;
        out.positions = item.positions_;
        out.normals = item.normals_;
        out.colors = item.colors_;
        out.indices = item.indices_;
        return out;
    }
    static bool isDrawn(const MHWRender::MRenderItem& item) {
        return item.enabled_ && item.shader_ && !item.positions_.empty();
    }
};

namespace {

MHWRender::DrawAPI& device() {
    static MHWRender::DrawAPI now = MHWRender::kNone;
    return now;
}

struct Registered {
    std::string classification, registrant;
    MHWRender::MDrawRegistry::DrawOverrideCreator create;
};

std::vector<Registered>& registered() {
    static std::vector<Registered> all;
    return all;
}

struct RegisteredSubScene {
    std::string classification, registrant;
    MHWRender::MDrawRegistry::SubSceneOverrideCreator create;
};

std::vector<RegisteredSubScene>& registeredSubScenes() {
    static std::vector<RegisteredSubScene> all;
    return all;
}

// A type's classification string lists its classifications separated by colons.
template <class Entry>
const Entry* entryFor(const std::vector<Entry>& entries, const Type& type) {
    const std::string all = ":" + type.classification + ":";
    for (const Entry& entry : entries)
        if (all.find(":" + entry.classification + ":") != std::string::npos) return &entry;
    return nullptr;
}

template <class Entry, class Creator>
MStatus addEntry(std::vector<Entry>& all, const MString& classification, const MString& registrant, Creator creator) {
    if (!creator) return MStatus::kInvalidParameter;
    for (const Entry& entry : all)
        if (classification == entry.classification.c_str()) return MStatus::kFailure;
    all.push_back({classification.asChar(), registrant.asChar(), creator});
    return MStatus::kSuccess;
}
template <class Entry>
MStatus removeEntry(std::vector<Entry>& all, const MString& classification, const MString& registrant) {
    const auto found = std::find_if(all.begin(), all.end(), [&](const Entry& entry) {
        return classification == entry.classification.c_str() && registrant == entry.registrant.c_str();
    });
    if (found == all.end()) return MStatus::kNotFound;
    all.erase(found);
    return MStatus::kSuccess;
}

bool isShown(const DagPath& path) {
    return std::all_of(path.begin(), path.end(), [](const NodePtr& node) { return node->plug("visibility").flag(); });
}

}  // namespace

void setViewportDevice(MHWRender::DrawAPI wanted) { device() = wanted; }

struct Viewport::Shape {
    std::shared_ptr<const Node> node;  // keeps the map key valid: no other node can get this address
    std::unique_ptr<MHWRender::MPxDrawOverride> override;
    std::unique_ptr<MUserData> data;
};

struct Viewport::SubScene {
    std::shared_ptr<const Node> node;  // as above
    std::unique_ptr<MHWRender::MPxSubSceneOverride> override;
    MHWRender::MSubSceneContainer container;
};

Viewport::Viewport(Graph& graph) : graph_(graph) {}
Viewport::~Viewport() = default;

std::vector<DrawnLine> Viewport::draw(const Panel& panel) {
    std::vector<DrawnLine> lines;
    MHWRender::MDrawContext context;
    ViewportAccess::setCamera(context, panel);
    for (const std::string& name : typeNames()) {
        const Type* type = findType(name);
        const Registered* entry = type ? entryFor(registered(), *type) : nullptr;
        if (!entry) continue;
        for (const NodePtr& node : graph_.nodesOfType(name)) {
            const std::vector<DagPath> paths = graph_.dagPaths(*node);
            if (paths.empty() || !isShown(paths.front())) continue;
            std::unique_ptr<Shape>& shape = shapes_[node.get()];
            if (!shape) {
                shape = std::make_unique<Shape>();
                shape->node = node;
                shape->override.reset(entry->create(Api::make(std::static_pointer_cast<Object>(node))));
            }
            if (!shape->override || !(shape->override->supportedDrawAPIs() & device())) continue;
            const MDagPath path = Api::make(paths.front());
            MUserData* data = shape->override->prepareForDraw(path, {}, context, shape->data.get());
            if (data != shape->data.get()) shape->data.reset(data);
            if (const auto callback = ViewportAccess::callback(*shape->override)) callback(context, shape->data.get());
            if (!shape->override->hasUIDrawables()) continue;
            MHWRender::MUIDrawManager manager;
            shape->override->addUIDrawables(path, manager, context, shape->data.get());
            for (const auto& drawn : ViewportAccess::lines(manager))
                for (unsigned i = 0; i + 1 < drawn.points.length(); i += 2) {
                    const MPoint a = drawn.points[i], b = drawn.points[i + 1];
                    lines.push_back({{a.x, a.y, a.z}, {b.x, b.y, b.z}, {drawn.color.r, drawn.color.g, drawn.color.b}});
                }
        }
    }
    return lines;
}

std::vector<DrawnItem> Viewport::items(const Panel& panel) {
    std::vector<DrawnItem> all;
    MHWRender::MDrawContext context;
    ViewportAccess::setCamera(context, panel);
    for (const std::string& name : typeNames()) {
        const Type* type = findType(name);
        const RegisteredSubScene* entry = type ? entryFor(registeredSubScenes(), *type) : nullptr;
        if (!entry) continue;
        for (const NodePtr& node : graph_.nodesOfType(name)) {
            const std::vector<DagPath> paths = graph_.dagPaths(*node);
            if (paths.empty() || !isShown(paths.front())) continue;
            std::unique_ptr<SubScene>& scene = subScenes_[node.get()];
            if (!scene) {
                scene = std::make_unique<SubScene>();
                scene->node = node;
                scene->override.reset(entry->create(Api::make(std::static_pointer_cast<Object>(node))));
            }
            if (!scene->override || !(scene->override->supportedDrawAPIs() & device())) continue;
            if (scene->override->requiresUpdate(scene->container, context))
                scene->override->update(scene->container, context);
            const MMatrix object = Api::make(paths.front()).inclusiveMatrix();
            for (const auto& item : ViewportAccess::items(scene->container))
                if (ViewportAccess::isDrawn(*item)) all.push_back(ViewportAccess::drawn(*item, object));
        }
    }
    return all;
}

}  // namespace purl::host

namespace Autodesk::Maya::OpenMayaHost::MHWRender {

using namespace purl::host;

MMatrix MFrameContext::getMatrix(MatrixType type, MStatus* status) const {
    setStatus(status, MStatus::kSuccess);
    return type == kViewMtx ? view_ : projection_;
}
MStatus MFrameContext::getViewportDimensions(int& x, int& y, int& width, int& height) const {
    x = x_;
    y = y_;
    width = width_;
    height = height_;
    return MStatus::kSuccess;
}

MRenderer* MRenderer::theRenderer(bool) {
    static MRenderer renderer;
    return device() == kNone ? nullptr : &renderer;
}
DrawAPI MRenderer::drawAPI() const { return device(); }

MStatus MDrawRegistry::registerDrawOverrideCreator(const MString& classification, const MString& registrant,
                                                   DrawOverrideCreator creator) {
    return addEntry(registered(), classification, registrant, creator);
}
MStatus MDrawRegistry::deregisterDrawOverrideCreator(const MString& classification, const MString& registrant) {
    return removeEntry(registered(), classification, registrant);
}
MStatus MDrawRegistry::registerSubSceneOverrideCreator(const MString& classification, const MString& registrant,
                                                       SubSceneOverrideCreator creator) {
    return addEntry(registeredSubScenes(), classification, registrant, creator);
}
MStatus MDrawRegistry::deregisterSubSceneOverrideCreator(const MString& classification, const MString& registrant) {
    return removeEntry(registeredSubScenes(), classification, registrant);
}

void* MVertexBuffer::acquire(unsigned int size, bool) {
    if (descriptor_.dataType() != MGeometry::kFloat || descriptor_.dimension() < 1) return nullptr;
    filling_ = std::make_shared<std::vector<float>>(size_t(size) * size_t(descriptor_.dimension()));
    return filling_->data();
}
void MVertexBuffer::commit(void* buffer) {
    if (filling_ && buffer == filling_->data()) values_ = std::exchange(filling_, nullptr);
}
unsigned int MVertexBuffer::vertexCount() const {
    return descriptor_.dimension() > 0 ? static_cast<unsigned int>(values_->size()) / unsigned(descriptor_.dimension())
                                       : 0;
}
void* MIndexBuffer::acquire(unsigned int size, bool) {
    if (type_ != MGeometry::kUnsignedInt32) return nullptr;
    filling_ = std::make_shared<std::vector<unsigned int>>(size);
    return filling_->data();
}
void MIndexBuffer::commit(void* buffer) {
    if (filling_ && buffer == filling_->data()) values_ = std::exchange(filling_, nullptr);
}
unsigned int MIndexBuffer::size() const { return static_cast<unsigned int>(values_->size()); }

MStatus MVertexBufferArray::addBuffer(const MString&, MVertexBuffer* buffer) {
    if (!buffer) return MStatus::kInvalidParameter;
    buffers_.push_back(buffer);
    return MStatus::kSuccess;
}

MRenderItem* MRenderItem::Create(const MString& name, RenderItemType, MGeometry::Primitive primitive) {
    return new MRenderItem(name, primitive);
}
void MRenderItem::Destroy(MRenderItem*& item) {
    delete item;
    item = nullptr;
}
bool MRenderItem::setMatrix(const MMatrix* matrix) {
    hasMatrix_ = matrix != nullptr;
    if (matrix) matrix_ = *matrix;
    return true;
}

bool MSubSceneContainer::add(MRenderItem* item) {
    if (!item || find(item->name())) return false;
    items_.emplace_back(item);
    return true;
}
MRenderItem* MSubSceneContainer::find(const MString& name) const {
    for (const auto& item : items_)
        if (item->name() == name) return item.get();
    return nullptr;
}
void MSubSceneContainer::clear() { items_.clear(); }
bool MSubSceneContainer::remove(const MString& name) {
    const auto found =
        std::find_if(items_.begin(), items_.end(), [&](const auto& item) { return item->name() == name; });
    if (found == items_.end()) return false;
    items_.erase(found);
    return true;
}

MPxSubSceneOverride::MPxSubSceneOverride(const MObject&) {}
// Refuses what a graphics API would: buffers of different lengths, and indices of vertices that do not exist.
MStatus MPxSubSceneOverride::setGeometryForRenderItem(MRenderItem& item, const MVertexBufferArray& buffers,
                                                      const MIndexBuffer& indices, const MBoundingBox*) const {
    unsigned int count = 0;
    for (unsigned int i = 0; i < buffers.count(); ++i) {
        const MVertexBuffer& buffer = *buffers.getBuffer(i);
        if (i > 0 && buffer.vertexCount() != count) return MStatus::kInvalidParameter;
        count = buffer.vertexCount();
        if (!ViewportAccess::slot(item, buffer.descriptor().semantic())) return MStatus::kInvalidParameter;
    }
    for (const unsigned int index : ViewportAccess::valuesOf(indices))
        if (index >= count) return MStatus::kInvalidParameter;
    for (const MGeometry::Semantic semantic : {MGeometry::kPosition, MGeometry::kNormal, MGeometry::kColor})
        ViewportAccess::slot(item, semantic)->clear();
    for (unsigned int i = 0; i < buffers.count(); ++i) {
        const MVertexBuffer& buffer = *buffers.getBuffer(i);
        *ViewportAccess::slot(item, buffer.descriptor().semantic()) = ViewportAccess::valuesOf(buffer);
    }
    ViewportAccess::setIndices(item, indices);
    return MStatus::kSuccess;
}

// The parameters of the stock shaders, with their number of values.
MStatus MShaderInstance::setParameter(const MString& name, const float* value) {
    static const std::map<std::string, size_t> kParameters[] = {
        {{"solidColor", 4}}, {{"diffuseColor", 4}}, {}, {{"pointSize", 2}}};
    const auto& known = kParameters[stock_];
    const auto found = known.find(name.asChar());
    if (found == known.end() || !value) return MStatus::kInvalidParameter;
    parameters_[found->first].assign(value, value + found->second);
    return MStatus::kSuccess;
}
MShaderInstance* MShaderManager::getStockShader(MStockShader shader) const {
    auto* instance = new MShaderInstance;
    instance->stock_ = shader;
    return instance;
}
void MShaderManager::releaseShader(MShaderInstance* shader) const { delete shader; }
const MShaderManager* MRenderer::getShaderManager() const {
    static const MShaderManager manager;
    return &manager;
}

MPxDrawOverride::MPxDrawOverride(const MObject&, GeometryDrawOverrideCb draw, bool) : draw_(draw) {}
DrawAPI MPxDrawOverride::supportedDrawAPIs() const { return kOpenGL; }
MMatrix MPxDrawOverride::transform(const MDagPath& object, const MDagPath&) const { return object.inclusiveMatrix(); }
bool MPxDrawOverride::isBounded(const MDagPath&, const MDagPath&) const { return true; }
MBoundingBox MPxDrawOverride::boundingBox(const MDagPath&, const MDagPath&) const { return {}; }
bool MPxDrawOverride::hasUIDrawables() const { return false; }
void MPxDrawOverride::addUIDrawables(const MDagPath&, MUIDrawManager&, const MFrameContext&, const MUserData*) {}

void MUIDrawManager::beginDrawable() { open_ = true; }
void MUIDrawManager::endDrawable() { open_ = false; }
void MUIDrawManager::setColor(const MColor& color) { color_ = color; }
MStatus MUIDrawManager::lineList(const MPointArray& points, bool) {
    if (!open_ || points.length() % 2) return MStatus::kInvalidParameter;
    lines_.push_back({points, color_});
    return MStatus::kSuccess;
}

// A shape counts as selected if it or an ancestor is; the last item selected is the lead.
DisplayStatus MGeometryUtilities::displayStatus(const MDagPath& path) {
    const DagPath nodes = Api::path(path);
    if (nodes.empty()) return kDormant;
    const Graph* graph = nodes.back()->graph;
    size_t last = 0;
    for (size_t k = 0; k < graph->selection.size(); ++k) {
        const std::string& name = graph->selection[k];
        const NodePtr selected = graph->find(name.substr(0, name.find('.')));
        if (selected && std::find(nodes.begin(), nodes.end(), selected) != nodes.end()) last = k + 1;
    }
    if (last == 0) return kDormant;
    return last == graph->selection.size() ? kLead : kActive;
}

// Maya's default colours: green for the lead selection, white for other selected shapes, dark blue for unselected ones.
MColor MGeometryUtilities::wireframeColor(const MDagPath& path) {
    switch (displayStatus(path)) {
        case kLead: return {0.26f, 1.0f, 0.64f};
        case kActive: return {1.0f, 1.0f, 1.0f};
        default: return {0.0f, 0.02f, 0.38f};
    }
}

}  // namespace Autodesk::Maya::OpenMayaHost::MHWRender
