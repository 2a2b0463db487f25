#include "host/viewport.h"

#include <maya/MDrawRegistry.h>
#include <maya/MHWGeometryUtilities.h>
#include <maya/MPxDrawOverride.h>

#include <algorithm>

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

// A type's classification string lists its classifications separated by colons.
const Registered* registeredFor(const Type& type) {
    const std::string all = ":" + type.classification + ":";
    for (const Registered& entry : registered())
        if (all.find(":" + entry.classification + ":") != std::string::npos) return &entry;
    return nullptr;
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

Viewport::Viewport(Graph& graph) : graph_(graph) {}
Viewport::~Viewport() = default;

std::vector<DrawnLine> Viewport::draw(const Panel& panel) {
    std::vector<DrawnLine> lines;
    MHWRender::MDrawContext context;
    ViewportAccess::setCamera(context, panel);
    for (const std::string& name : typeNames()) {
        const Type* type = findType(name);
        const Registered* entry = type ? registeredFor(*type) : nullptr;
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
    if (!creator) return MStatus::kInvalidParameter;
    for (const Registered& entry : registered())
        if (classification == entry.classification.c_str()) return MStatus::kFailure;
    registered().push_back({classification.asChar(), registrant.asChar(), creator});
    return MStatus::kSuccess;
}
MStatus MDrawRegistry::deregisterDrawOverrideCreator(const MString& classification, const MString& registrant) {
    auto& all = registered();
    const auto found = std::find_if(all.begin(), all.end(), [&](const Registered& entry) {
        return classification == entry.classification.c_str() && registrant == entry.registrant.c_str();
    });
    if (found == all.end()) return MStatus::kNotFound;
    all.erase(found);
    return MStatus::kSuccess;
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
