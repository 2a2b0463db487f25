#include "plugin/viewport/viewOverride.h"

#include <maya/MBoundingBox.h>
#include <maya/MDagPath.h>
#include <maya/MDrawContext.h>
#include <maya/MDrawRegistry.h>
#include <maya/MFnDependencyNode.h>
#include <maya/MGlobal.h>
#include <maya/MHWGeometryUtilities.h>
#include <maya/MMatrix.h>
#include <maya/MPoint.h>
#include <maya/MPointArray.h>
#include <maya/MUIDrawManager.h>
#include <maya/MViewport2Renderer.h>

#include <exception>

#include "plugin/viewport/display.h"
#include "render/overlay.h"

namespace purl {
namespace {

const char* const kClassification = "drawdb/geometry/purlView";
const char* const kRegistrant = "purl";

// Draw data. The overlay is created on first draw, when Maya's context is current.
struct ViewData : KeptUserData {
    std::shared_ptr<const Frame> frame;
    Frame colored;  // copy coloured by wetness
    ViewParams params;
    std::list<Points> foams;
    View view;
    bool drawable = false;  // false: not an OpenGL device
    struct GpuState {
        std::unique_ptr<Overlay> overlay;
        bool failed = false;
    };
    std::unique_ptr<GpuState> gpu = std::make_unique<GpuState>();
};

const ViewNode* nodeAt(const MDagPath& path) {
    const MFnDependencyNode node(path.node());
    return dynamic_cast<const ViewNode*>(node.userNode());
}

Mat4 toMat4(const MMatrix& m) {
    Mat4 result;
    // Maya's matrices act on row vectors: their rows are our columns.
    for (unsigned i = 0; i < 16; ++i) result.m[i] = static_cast<float>(m(i / 4, i % 4));
    return result;
}

// Segments along the edges of a box: complete, or an eighth from each corner.
MPointArray edgesOf(const Bounds& box, bool complete) {
    MPointArray ends;
    const std::vector<Vec3> edges = boxEdges(box);
    const auto add = [&](Vec3 p) { ends.append(MPoint(p.x, p.y, p.z)); };
    for (size_t i = 0; i + 1 < edges.size(); i += 2) {
        const Vec3 a = edges[i], b = edges[i + 1];
        add(a);
        if (!complete) {
            add(lerp(a, b, 0.125f));
            add(lerp(a, b, 0.875f));
        }
        add(b);
    }
    return ends;
}

}  // namespace

MStatus registerViewOverride() {
    return MHWRender::MDrawRegistry::registerDrawOverrideCreator(kClassification, kRegistrant, ViewOverride::creator);
}

MStatus deregisterViewOverride() {
    return MHWRender::MDrawRegistry::deregisterDrawOverrideCreator(kClassification, kRegistrant);
}

// Always dirty: comparing the frame costs less than change notifications.
ViewOverride::ViewOverride(const MObject& object) : MPxDrawOverride(object, &ViewOverride::draw) {}

MBoundingBox ViewOverride::boundingBox(const MDagPath& object, const MDagPath&) const {
    const ViewNode* node = nodeAt(object);
    return node ? node->worldBounds() : MBoundingBox();
}

MUserData* ViewOverride::prepareForDraw(const MDagPath& object, const MDagPath&, const MHWRender::MFrameContext&,
                                        MUserData* old) {
    auto* data = dynamic_cast<ViewData*>(old);
    if (!data) data = new ViewData;
    const ViewNode* node = nodeAt(object);
    if (!node) return data;
    const MHWRender::MRenderer* renderer = MHWRender::MRenderer::theRenderer(false);
    data->drawable = renderer && renderer->drawAPI() == MHWRender::kOpenGLCoreProfile;
    if (!data->drawable && !deviceReported_) {
        MGlobal::displayWarning(
            object.partialPathName() +
            ": drawn as a box only; Viewport 2.0 had another rendering engine when Purl was loaded. "
            "Load the plug-in again");
        deviceReported_ = true;
    }
    const std::shared_ptr<const Frame> frame = node->frame();
    const ViewParams params = node->display();
    const bool changed = frame != data->frame || !drawsSame(params, data->params);
    data->params = params;
    if (!changed) return data;
    data->frame = frame;
    data->view = {};
    if (!frame) return data;
    if (params.showWetness) {
        data->colored = *frame;
        showWetness(data->colored);
    } else {
        data->colored = {};
    }
    FrameDisplay display = displayOf(params);
    display.ground = false;  // Maya draws its own
    display.bounds = false;  // addUIDrawables draws a selectable one
    display.medium = {};     // Maya's objects would not be affected
    data->view = viewOf(params.showWetness ? data->colored : *frame, display, {}, data->foams);
    if (focus_.empty()) focus_ = boundsOf(data->view);
    data->view.focus = focus_;
    return data;
}

void ViewOverride::draw(const MHWRender::MDrawContext& context, const MUserData* userData) {
    const auto* data = dynamic_cast<const ViewData*>(userData);
    if (!data || !data->drawable || !data->frame || data->gpu->failed) return;
    try {
        if (!data->gpu->overlay) data->gpu->overlay = std::make_unique<Overlay>();
        HostView hostView;
        hostView.viewFromWorld = toMat4(context.getMatrix(MHWRender::MFrameContext::kViewMtx));
        hostView.clipFromView = toMat4(context.getMatrix(MHWRender::MFrameContext::kProjectionMtx));
        context.getViewportDimensions(hostView.x, hostView.y, hostView.width, hostView.height);
        data->gpu->overlay->draw(data->view, hostView);
    } catch (const std::exception& error) {
        // Report an error once, not on every refresh.
        data->gpu->failed = true;
        MGlobal::displayError(MString("purlView: ") + error.what());
    }
}

void ViewOverride::addUIDrawables(const MDagPath& object, MHWRender::MUIDrawManager& manager,
                                  const MHWRender::MFrameContext&, const MUserData* userData) {
    const auto* data = dynamic_cast<const ViewData*>(userData);
    if (!data || !data->frame) return;
    const MBoundingBox box = boundingBox(object, {});
    const MPoint low = box.min(), high = box.max();
    const Bounds bounds{{static_cast<float>(low.x), static_cast<float>(low.y), static_cast<float>(low.z)},
                        {static_cast<float>(high.x), static_cast<float>(high.y), static_cast<float>(high.z)}};
    const bool selected = MHWRender::MGeometryUtilities::displayStatus(object) != MHWRender::kDormant;
    manager.beginDrawable();
    manager.setColor(MHWRender::MGeometryUtilities::wireframeColor(object));
    manager.lineList(edgesOf(bounds, selected || data->params.showBounds || !data->drawable), false);
    manager.endDrawable();
}

}  // namespace purl
