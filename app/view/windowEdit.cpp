// Selecting, moving, creating and deleting in the window.
#include <algorithm>
#include <cmath>

#include "app/view/create.h"
#include "app/view/pick.h"
#include "app/view/viewport.h"
#include "app/view/window.h"
#include "panel/bodyTree.h"
#include "panel/panel.h"
#include "panel/style.h"

namespace purl {
namespace {

constexpr qint64 kSendMilliseconds = 150;  // between the edits of a drag
constexpr double kDragPixels = 3;          // a shorter drag of a handle is a click
const QColor kAxisColors[] = {{0xe0, 0x5a, 0x52}, {0x76, 0xc0, 0x5a}, {0x5a, 0x8f, 0xe6}, {0xf0, 0xe0, 0x90}};
const QColor kGuideColor(0x7f, 0xc9, 0xe0, 200), kSelectedColor(0xff, 0xb0, 0x40);
constexpr size_t kMaxOutline = 3000;  // segments of a selected body's outline; larger ones are shown by their bounds

Vec3 movedBy(const host::Mat4d& m, Vec3 p) {
    const host::Vec3d q = host::transformPoint({double(p.x), double(p.y), double(p.z)}, m);
    return {static_cast<float>(q[0]), static_cast<float>(q[1]), static_cast<float>(q[2])};
}

Bounds boundsOfBody(const Moment& moment, const std::string& name) {
    Bounds bounds;
    const auto add = [&](const Bounds& other) {
        if (other.empty()) return;
        bounds.include(other.low);
        bounds.include(other.high);
    };
    for (const Surroundings::Solid& solid : moment.around.solids)
        if (solid.mesh.name == name) add(boundsOf(solid.mesh));
    for (const Mesh& mesh : moment.frame->meshes)
        if (mesh.name == name) add(boundsOf(mesh));
    for (const Curves& curves : moment.frame->curves)
        if (curves.name == name) add(boundsOf(curves));
    const Points& points = moment.frame->points;
    for (size_t i = 0; i < points.count() && points.bodies.size() == points.count(); ++i)
        if (moment.frame->bodies[size_t(points.bodies[i])].name == name) bounds.include(points.positions[i]);
    return bounds;
}

}  // namespace

// --- selection

void Window::select(const std::string& node) {
    panel_->tree().select(node);
    selected_ = node.empty() ? node : panel_->tree().selected();
    updateOverlay();
}

// Keeps its stage, which the player may replace at any time.
std::shared_ptr<const SceneObject> Window::selectedObject() const {
    const StagePtr stage = player_->stage(frame_);
    if (!stage || selected_.empty()) return nullptr;
    return {stage, findObject(stage->objects, selected_)};
}

void Window::pick(QPointF at) {
    const StagePtr stage = player_->stage(frame_);
    if (!current_) return;
    const Projection view = projection();
    static const Objects none;
    select(pickAt(*current_, stage ? stage->objects : none, view, {at.x(), at.y()}, {points_, guides_}));
}

void Window::frameSelected() {
    if (!current_ || selected_.empty()) return frameAll();
    Bounds bounds = boundsOfBody(*current_, selected_);
    if (const auto object = selectedObject(); bounds.empty() && object)
        for (const Vec3 p : object->wire) bounds.include(p);
    if (bounds.empty()) return frameAll();
    frameBounds(bounds);
}

// --- handles

void Window::setTool(Tool tool) {
    tool_ = tool;
    updateOverlay();
}

std::optional<Gizmo> Window::gizmo() const {
    const auto object = selectedObject();
    if (tool_ == Tool::select || !object || !panel_->shown().editable) return std::nullopt;
    return Gizmo(tool_, *object, projection());
}

bool Window::isHandle(QPointF at) const {
    const std::optional<Gizmo> handles = gizmo();
    return handles && handles->axisAt({at.x(), at.y()}) >= 0;
}

bool Window::grabHandle(QPointF at) {
    std::optional<Gizmo> handles = gizmo();
    const int axis = handles ? handles->axisAt({at.x(), at.y()}) : -1;
    const auto selected = selectedObject();
    if (axis < 0 || !selected) return false;
    const SceneObject& object = *selected;
    const auto placement = static_cast<size_t>(tool_) - static_cast<size_t>(Tool::move);
    if (!object.drivers[placement].empty() && !object.keyed[placement]) {
        say(PanelSeverity::warning, object.transform + "." + kPlacements[placement] + " is driven by " +
                                        object.drivers[placement] + "; disconnect it to move the object");
        return true;
    }
    dragging_.emplace(Dragging{*handles, object, axis, {at.x(), at.y()}, false, {}});
    return true;
}

void Window::dragHandle(QPointF at, bool last) {
    if (!dragging_) return;
    // A click on a handle edits nothing.
    if (!dragging_->moved && std::hypot(at.x() - dragging_->from.x, at.y() - dragging_->from.y) < kDragPixels) {
        if (last) dragging_.reset();
        return updateOverlay();
    }
    dragging_->moved = true;
    const Gizmo::Drag moved = dragging_->gizmo.drag(dragging_->axis, dragging_->from, {at.x(), at.y()});
    const SceneObject object = dragging_->object;
    const auto placement = static_cast<size_t>(moved.placement);
    const bool due = !dragging_->sent.isValid() || dragging_->sent.elapsed() > kSendMilliseconds;
    preview_ = Preview{object.transform, moved.moved, player_->state().edits};
    if (object.keyed[placement]) {
        if (last) player_->run(keying(object.transform, frame_, moved.placement, moved.value));
    } else if (last || due) {
        dragging_->sent.restart();
        player_->set(object.transform, kPlacements[placement], Gizmo::text(moved));
    }
    if (last) {
        player_->finishEdit();
        dragging_.reset();
    }
    updateOverlay();
}

// Guides, the outline of what is selected, and its handles.
void Window::updateOverlay() {
    std::vector<OverlayLine> lines;
    const StagePtr stage = player_->stage(frame_);
    if (!current_ || !stage) return viewport().setOverlay({});
    const Projection view = projection();
    const auto add = [&](const std::vector<Vec3>& wire, const QColor& color, double width, const host::Mat4d* moved) {
        for (size_t i = 0; i + 1 < wire.size(); i += 2) {
            const auto a = view.pixelOf(moved ? movedBy(*moved, wire[i]) : wire[i]);
            const auto b = view.pixelOf(moved ? movedBy(*moved, wire[i + 1]) : wire[i + 1]);
            if (a && b) lines.push_back({QPolygonF({QPointF(a->x, a->y), QPointF(b->x, b->y)}), color, width});
        }
    };
    const auto chosen = selectedObject();
    for (const SceneObject& object : stage->objects) {
        const bool isChosen = chosen && object.transform == chosen->transform && object.body == chosen->body;
        const bool isLookedThrough = object.transform == through_;
        if (isLookedThrough || (!isChosen && !(object.isGuide && guides_))) continue;
        const host::Mat4d* moved = preview_ && preview_->transform == object.transform ? &preview_->moved : nullptr;
        add(object.wire, isChosen ? kSelectedColor : kGuideColor, isChosen ? 1.8 : 1.3, moved);
    }
    // A body of the frame by its edges or bounds, and so the object that it was made of.
    if (!selected_.empty() && (!chosen || chosen->atStart)) {
        const Bounds bounds = boundsOfBody(*current_, selected_);
        if (!bounds.empty()) add(boxEdges(bounds), kSelectedColor, 1.2, nullptr);
    }
    if (const auto handles = dragging_ ? std::optional<Gizmo>() : gizmo())
        for (const GizmoHandle& handle : handles->handles()) {
            QPolygonF points;
            for (const Pixel& p : handle.line) points << QPointF(p.x, p.y);
            lines.push_back({points, kAxisColors[handle.axis], 2.4, handle.closed});
        }
    viewport().setOverlay(std::move(lines));
}

// --- nodes

void Window::create(const std::string& kind) {
    if (kind == "camera") {
        const float aspect = float(viewport().width()) / float(std::max(1, viewport().height()));
        player_->run(cameraCreation(camera(aspect), aspect));
        return;
    }
    const Bounds focus = focus_;
    const float size = focus.empty() ? 20 : 0.15f * length(focus.size());
    const Vec3 at = through_.empty() ? orbit_.target() : focus.empty() ? Vec3{0, 10, 0} : focus.center();
    player_->run(creation(kind, selected_, at, size));
}

void Window::deleteSelected() {
    if (selected_.empty()) return;
    const std::string name = selected_;
    for (const PanelNode& node : *panel_->shown().nodes)
        if (node.name == name && node.kind == PanelKind::solver) {
            return say(PanelSeverity::warning, name + " is the solver that is played; it cannot be deleted");
        }
    player_->run([name](host::Session& session) {
        session.command("delete", {name});
        return std::string();
    });
    select("");
}

void Window::duplicateSelected() {
    const auto object = selectedObject();
    if (!object) return;
    std::vector<PanelAttribute> settings;
    for (const PanelNode& node : *panel_->shown().nodes)
        if (node.name == object->body) settings = node.attributes;
    // A selected transform is copied alone.
    SceneObject copied = *object;
    if (selected_ == object->transform) copied.body.clear();
    player_->run(duplication(copied, settings));
}

void Window::keySelected() {
    if (const auto object = selectedObject()) player_->run(keying(object->transform, frame_));
}

}  // namespace purl
