#include "plugin/viewport/viewOverride.h"

#include <maya/MDrawRegistry.h>
#include <maya/MFnDependencyNode.h>
#include <maya/MGlobal.h>
#include <maya/MHWGeometryUtilities.h>
#include <maya/MPointArray.h>

#include <exception>

#include "plugin/viewport/display.h"
#include "render/overlay.h"

namespace purl {
namespace {

const char* const kClassification = "drawdb/geometry/purlView";
const char* const kRegistrant = "purl";

// What is shown, and the means to draw it. It is made when first drawn: only then is Maya's context current.
struct ViewData : KeptUserData {
    std::shared_ptr<const Frame> frame;
    Frame tinted;  // where colours are by wetness
    ViewParams params;
    std::list<Points> foams;
    View view;
    bool drawable = false;  // by this device
    struct Screen {
        std::unique_ptr<Overlay> overlay;
        bool failed = false;
    };
    std::unique_ptr<Screen> screen = std::make_unique<Screen>();
};

bool same(const ViewParams& a, const ViewParams& b) {
    return a.showPoints == b.showPoints && a.pointScale == b.pointScale && a.showSurface == b.showSurface &&
           a.liquid == b.liquid && a.cooling == b.cooling && a.showCloth == b.showCloth && a.yarn == b.yarn &&
           a.showWetness == b.showWetness;
}

const ViewNode* nodeAt(const MDagPath& path) {
    const MFnDependencyNode node(path.node());
    return dynamic_cast<const ViewNode*>(node.userNode());
}

Mat4 toMat4(const MMatrix& m) {
    Mat4 result;
    // Rows of Maya's, which act on row vectors, are columns of ours.
    for (unsigned i = 0; i < 16; ++i) result.m[i] = static_cast<float>(m(i / 4, i % 4));
    return result;
}

// Ends of lines along the edges of a box: all of each, or an eighth from each corner.
MPointArray edgesOf(const Bounds& box, bool whole) {
    MPointArray ends;
    const std::vector<Vec3> edges = boxEdges(box);
    const auto add = [&](Vec3 p) { ends.append(MPoint(p.x, p.y, p.z)); };
    for (size_t i = 0; i + 1 < edges.size(); i += 2) {
        const Vec3 a = edges[i], b = edges[i + 1];
        add(a);
        if (!whole) {
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

// Always dirty: asking whether the frame is another one costs less than being told would.
ViewOverride::ViewOverride(const MObject& object) : MPxDrawOverride(object, &ViewOverride::draw) {}

MBoundingBox ViewOverride::boundingBox(const MDagPath& object, const MDagPath&) const {
    const ViewNode* node = nodeAt(object);
    return node ? node->boundingBox() : MBoundingBox();
}

MUserData* ViewOverride::prepareForDraw(const MDagPath& object, const MDagPath&, const MHWRender::MFrameContext&,
                                        MUserData* old) {
    auto* data = dynamic_cast<ViewData*>(old);
    if (!data) data = new ViewData;
    const ViewNode* node = nodeAt(object);
    if (!node) return data;
    const MHWRender::MRenderer* renderer = MHWRender::MRenderer::theRenderer(false);
    data->drawable = renderer && renderer->drawAPI() == MHWRender::kOpenGLCoreProfile;
    if (!data->drawable && !told_) {
        MGlobal::displayWarning(object.partialPathName() +
                                ": drawn as a box only; choose OpenGL - Core Profile as rendering engine in the "
                                "preferences of Viewport 2.0");
        told_ = true;
    }
    const std::shared_ptr<const Frame> frame = node->frame();
    const ViewParams params = node->display();
    const bool changed = frame != data->frame || !same(params, data->params);
    data->params = params;
    if (!changed) return data;
    data->frame = frame;
    data->view = {};
    if (!frame) return data;
    if (params.showWetness) {
        data->tinted = *frame;
        showWetness(data->tinted);
    } else {
        data->tinted = {};
    }
    FrameDisplay display = displayOf(params);
    display.ground = false;  // Maya has its own
    display.bounds = false;  // and a box that can be clicked on
    display.medium = {};     // what Maya draws is not in it
    data->view = viewOf(params.showWetness ? data->tinted : *frame, display, {}, data->foams);
    if (focus_.empty()) focus_ = boundsOf(data->view);
    data->view.focus = focus_;
    return data;
}

void ViewOverride::draw(const MHWRender::MDrawContext& context, const MUserData* userData) {
    const auto* data = dynamic_cast<const ViewData*>(userData);
    if (!data || !data->drawable || !data->frame || data->screen->failed) return;
    try {
        if (!data->screen->overlay) data->screen->overlay = std::make_unique<Overlay>();
        HostView hostView;
        hostView.viewFromWorld = toMat4(context.getMatrix(MHWRender::MFrameContext::kViewMtx));
        hostView.clipFromView = toMat4(context.getMatrix(MHWRender::MFrameContext::kProjectionMtx));
        context.getViewportDimensions(hostView.x, hostView.y, hostView.width, hostView.height);
        data->screen->overlay->draw(data->view, hostView);
    } catch (const std::exception& error) {
        // What fails once fails at every refresh.
        data->screen->failed = true;
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
