#include "app/shot.h"

#include <algorithm>
#include <cmath>

#include "nodes/fluidNode.h"
#include "nodes/geometry.h"
#include "plugin/viewport/display.h"
#include "solver/core/error.h"

namespace purl {
namespace {

Vec3 toVec3(const std::array<double, 3>& v) {
    return {static_cast<float>(v[0]), static_cast<float>(v[1]), static_cast<float>(v[2])};
}

// Meridians and rings of a sphere or capsule, which have no feature edges.
std::vector<Vec3> roundLines(const Pose& pose, float radius, float halfLength) {
    constexpr int kParts = 48;
    std::vector<Vec3> ends;
    const auto draw = [&](auto&& at) {
        for (int k = 0; k < kParts; ++k)
            for (const int end : {k, k + 1}) ends.push_back(pose.toWorld(at(6.2831853f * float(end) / kParts)));
    };
    const auto meridian = [&](float along) {
        const float up = radius * std::sin(along);
        return Vec3{radius * std::cos(along), up + (up < 0 ? -halfLength : halfLength), 0};
    };
    draw([&](float along) { return meridian(along); });
    draw([&](float along) {
        const Vec3 p = meridian(along);
        return Vec3{0, p.y, p.x};
    });
    for (const float height : {-halfLength, halfLength})
        draw([&](float along) { return Vec3{radius * std::cos(along), height, radius * std::sin(along)}; });
    return ends;
}

// Maya's four default cameras, which are ignored.
bool isDefaultCamera(const host::Node& shape) {
    const std::string& name = shape.name;
    return name == "perspShape" || name == "topShape" || name == "frontShape" || name == "sideShape";
}

Mesh outlineMesh(const Collider& collider) {
    TriangleMesh outline = outlineOf(collider);
    Mesh mesh;
    mesh.name = collider.name;
    mesh.positions = std::move(outline.vertices);
    mesh.triangles = std::move(outline.triangles);
    return mesh;
}

std::vector<Light> lightsOf(host::Graph& graph) {
    std::vector<Light> lights;
    const auto add = [&](const char* type, LightKind kind) {
        for (const host::NodePtr& node : graph.nodesOfType(type)) {
            if (!isVisible(graph, *node)) continue;
            Vec3 scale;
            const Pose pose = poseOf(graph.worldMatrix(graph.dagPaths(*node).front()), scale);
            Light light;
            light.kind = kind;
            light.color = toVec3(node->plug("color").vec3());
            light.intensity = static_cast<float>(node->plug("intensity").number());
            light.direction = -pose.axes.z;  // Maya's lights point along −z
            light.position = pose.position;
            // No Decay, Linear, Quadratic, Cubic: exponent of the distance.
            if (kind != LightKind::directional && kind != LightKind::ambient)
                light.decay = static_cast<float>(node->plug("decayRate").number());
            if (kind == LightKind::spot) {
                light.cone = static_cast<float>(node->plug("coneAngle").number());
                light.penumbra = static_cast<float>(node->plug("penumbraAngle").number());
                light.dropoff = static_cast<float>(node->plug("dropoff").number());
            }
            light.across = scale.x * pose.axes.x;  // an area light is a 2 x 2 square, scaled
            light.up = scale.y * pose.axes.y;
            lights.push_back(light);
        }
    };
    add("directionalLight", LightKind::directional);
    add("pointLight", LightKind::point);
    add("ambientLight", LightKind::ambient);
    add("spotLight", LightKind::spot);
    add("areaLight", LightKind::area);
    return lights;
}

// Static meshes with the scene's shaders.
void addProps(Surroundings& around, host::Graph& graph) {
    for (const host::NodePtr& shape : propsOf(graph)) {
        Mesh mesh = meshOf(graph, *shape);
        if (!mesh.triangles.empty()) around.solids.push_back({std::move(mesh), shadingOf(*shape)});
    }
}

void addPanes(std::vector<Pane>& panes, const Collider& box) {
    for (int axis = 0; axis < 3; ++axis)
        for (const float side : {-1.0f, 1.0f}) {
            const Vec3 local{axis == 0 ? side : 0, axis == 1 ? side : 0, axis == 2 ? side : 0};
            const Vec3 half = box.params.halfSize;
            const Vec3 normal = box.pose.axes * local;
            const Vec3 on = box.pose.toWorld({local.x * half.x, local.y * half.y, local.z * half.z});
            panes.push_back({normal, dot(normal, on)});
        }
}

void addColliders(Surroundings& around, const Scene& scene, host::Graph& graph) {
    for (const Collider& collider : scene.colliders) {
        std::optional<Shading> shading;
        if (const host::NodePtr node = graph.find(collider.name))
            if (const host::NodePtr shape = shapeBehind(node->plug("inMesh"))) shading = shadingOf(*shape);
        if (collider.params.motion == ColliderMotion::dynamic) {  // its pose comes from the frame
            if (const host::NodePtr shown = shapeOfRigid(graph, collider.name))
                if (const auto own = shadingOf(*shown)) shading = own;
            if (shading) around.shadings[collider.name] = *shading;
            continue;
        }
        constexpr float kHorizontalCosine = 0.999f;
        const bool solid = !collider.params.container && collider.params.effect == ColliderEffect::collide;
        if (solid && collider.params.shape == ColliderShape::plane && collider.pose.axes.y.y > kHorizontalCosine)
            around.floor = std::max(around.floor.value_or(collider.pose.position.y), collider.pose.position.y);
        Mesh mesh = outlineMesh(collider);
        if (mesh.triangles.empty()) continue;
        // Containers and kill volumes are see-through. Boxes are drawn as edges, other containers as glass.
        const bool container = collider.params.container && collider.params.effect == ColliderEffect::collide;
        const bool box = collider.params.shape == ColliderShape::box;
        if (container && box) addPanes(around.panes, collider);
        const bool glass = container && !box && collider.params.shape != ColliderShape::plane;
        if (solid || glass)
            around.solids.push_back({std::move(mesh), shading, glass});
        else
            around.wires.push_back({wireOf(collider)});
    }
}

// The subject and the solids and containers around it, except much larger ones (a valley, a room).
Bounds focusOn(const Bounds& subject, const Surroundings& around) {
    constexpr float kMaxSizeRatio = 4;
    Bounds focus = subject;
    const auto include = [&](const Bounds& bounds) {
        if (bounds.empty()) return;
        if (!subject.empty() && length(bounds.size()) > kMaxSizeRatio * length(subject.size())) return;
        focus.include(bounds.low);
        focus.include(bounds.high);
    };
    for (const Surroundings::Solid& solid : around.solids) include(boundsOf(solid.mesh));
    for (const LinesLook& wire : around.wires) {
        Bounds bounds;
        for (const Vec3 p : wire.ends)
            if (isFinite(p)) bounds.include(p);
        include(bounds);
    }
    return focus;
}

// Lights the view by the environment map; its sun, if any, casts shadows.
void setSky(View& view, const std::shared_ptr<const EnvironmentMap>& sky) {
    view.sky.environment = sky;
    view.sky.intensity = 1;
    view.lights.clear();
    if (!sky->sun.found) return;
    Light sun;
    sun.color = sky->sun.color;
    sun.direction = -sky->sun.direction;
    view.lights.push_back(sun);
}

}  // namespace

std::vector<Vec3> wireOf(const Collider& collider) {
    const ColliderParams& params = collider.params;
    switch (params.shape) {
        case ColliderShape::sphere: return roundLines(collider.pose, params.radius, 0);
        case ColliderShape::capsule: return roundLines(collider.pose, params.radius, params.halfLength);
        default: return featureEdges(outlineMesh(collider));
    }
}

ViewParams viewParamsOf(host::Graph& graph) {
    ViewParams params;
    for (const host::NodePtr& node : graph.nodesOfType("purlView")) {
        if (!isVisible(graph, *node)) continue;
        params.studio = static_cast<StudioChoice>(static_cast<int>(node->plug("studio").number()));
        params.show = static_cast<Show>(static_cast<int>(node->plug("show").number()));
        params.showPoints = node->plug("showPoints").flag();
        params.pointScale = static_cast<float>(node->plug("pointScale").number());
        params.showSurface = node->plug("showSurface").flag();
        params.liquid = static_cast<LiquidDrawing>(static_cast<int>(node->plug("liquid").number()));
        params.showCloth = node->plug("showCloth").flag();
        params.yarn = static_cast<YarnDrawing>(static_cast<int>(node->plug("yarn").number()));
        params.showWetness = node->plug("showWetness").flag();
        params.showBounds = node->plug("showBounds").flag();
        params.showGround = node->plug("showGround").flag();
        params.showGrid = node->plug("showGrid").flag();
        params.waterVisibility = static_cast<float>(node->plug("waterVisibility").number());
        params.waterColor = toVec3(node->plug("waterColor").vec3());
        params.cooling = static_cast<float>(node->plug("cooling").number());
        params.gasDepth = static_cast<float>(node->plug("gasDepth").number());
        break;
    }
    return params;
}

Bounds subjectOf(const Frame& frame) {
    Bounds subject;
    const auto include = [&](const Bounds& bounds) {
        if (bounds.empty()) return;
        subject.include(bounds.low);
        subject.include(bounds.high);
    };
    std::vector<Vec3> fluid;
    for (size_t i = 0; i < frame.points.count(); ++i) {
        const bool foam = frame.points.bodies.size() == frame.points.count() &&
                          frame.bodies.at(size_t(frame.points.bodies[i])).kind == BodyKind::foam;
        if (!foam && isFinite(frame.points.positions[i])) fluid.push_back(frame.points.positions[i]);
    }
    const bool hasParticles = !fluid.empty();
    for (const Mesh& mesh : frame.meshes) {
        if (mesh.kind != MeshKind::liquid)
            include(boundsOf(mesh));
        else if (!hasParticles)
            for (const Vec3 p : mesh.positions)
                if (isFinite(p)) fluid.push_back(p);
    }
    for (const Curves& curves : frame.curves) include(boundsOf(curves));
    if (fluid.empty()) return subject;
    constexpr double kStrayFraction = 0.02;  // fraction of particles that may lie outside, per side
    const auto quantile = [&](double fraction, float Vec3::*axis) {
        const auto nth = fluid.begin() + static_cast<std::ptrdiff_t>(fraction * double(fluid.size() - 1));
        std::nth_element(fluid.begin(), nth, fluid.end(),
                         [axis](const Vec3& a, const Vec3& b) { return a.*axis < b.*axis; });
        return (*nth).*axis;
    };
    Bounds bulk;
    for (float Vec3::*axis : {&Vec3::x, &Vec3::y, &Vec3::z}) {
        bulk.low.*axis = quantile(kStrayFraction, axis);
        bulk.high.*axis = quantile(1 - kStrayFraction, axis);
    }
    include(bulk);
    return subject;
}

std::vector<host::NodePtr> camerasOf(const host::Graph& graph) {
    std::vector<host::NodePtr> cameras;
    for (const host::NodePtr& node : graph.nodesOfType("camera"))
        if (!isDefaultCamera(*node)) cameras.push_back(node);
    return cameras;
}

host::NodePtr chooseCamera(host::Graph& graph, const std::string& name) {
    if (!name.empty()) {
        const host::NodePtr node = graph.find(name);
        if (node && node->type->name == "camera") return node;
        if (node)
            for (host::Node* child : node->children)
                if (child->type->name == "camera") return child->ptr();
        throw Error("camera \"" + name + "\": not in the scene");
    }
    for (const host::NodePtr& node : camerasOf(graph))
        if (node->plug("renderable").flag()) return node;
    return nullptr;
}

Surroundings::SceneCamera sceneCamera(const host::Graph& graph, host::Node& camera) {
    Vec3 scale;
    // Apertures are in inches, focal length in mm.
    const double aperture = 25.4 * camera.plug("horizontalFilmAperture").number();
    return {poseOf(graph.worldMatrix(graph.dagPaths(camera).front()), scale),
            0.5 * aperture / camera.plug("focalLength").number()};
}

Surroundings surroundingsAt(Playback& playback, const host::NodePtr& camera, int number) {
    Surroundings around;
    playback.showFrame(number);
    host::Graph& graph = playback.graph();
    const Scene scene = playback.bodies();
    addColliders(around, scene, graph);
    addProps(around, graph);
    const auto shade = [&](const auto& bodies, MeshKind kind) {
        for (const auto& body : bodies)
            if (const host::NodePtr shape = shapeShowing(graph, body.name, kind))
                if (const auto shading = shadingOf(*shape)) around.shadings[body.name] = *shading;
    };
    shade(scene.fluids, MeshKind::liquid);
    for (const Fluid& fluid : scene.fluids)
        if (const host::NodePtr node = graph.find(fluid.name); node && node->type->name == FluidNode::kName)
            around.glows[fluid.name] =
                glowOf(static_cast<FluidPresetChoice>(static_cast<int>(node->plug("preset").number())));
    shade(scene.cloths, MeshKind::cloth);
    shade(scene.softBodies, MeshKind::softBody);
    around.lights = lightsOf(graph);
    around.display = viewParamsOf(graph);
    if (camera) around.camera = sceneCamera(graph, *camera);
    return around;
}

Camera cameraOf(const Surroundings::SceneCamera& from, float aspect) {
    Camera camera;
    camera.position = from.pose.position;
    camera.axes = from.pose.axes;
    camera.verticalFov = static_cast<float>(2 * std::atan(from.widthTangent / aspect));
    return camera;
}

View arrange(const Frame& frame, const Surroundings& around, bool drawPoints, const std::vector<Vec3>& colors,
             std::list<Points>& kept) {
    FrameDisplay display = displayOf(around.display);
    display.onlyPoints = drawPoints;
    View view = viewOf(frame, display, colors, kept);
    for (MeshLook& look : view.meshes) {
        const auto shading = around.shadings.find(look.mesh->name);
        const auto glow = around.glows.find(look.mesh->name);
        if (shading != around.shadings.end())
            apply(shading->second, look);
        else if (glow != around.glows.end())
            look.glow = glow->second;
    }
    if (around.sky) setSky(view, around.sky);
    if (!around.lights.empty()) view.lights = around.lights;
    view.panes = around.panes;
    view.lines.insert(view.lines.begin(), around.wires.begin(), around.wires.end());
    std::vector<MeshLook> solids;
    for (const Surroundings::Solid& solid : around.solids) {
        solids.push_back(solid.glass && !solid.shading ? glass(solid.mesh) : matte(solid.mesh));
        if (solid.shading) apply(*solid.shading, solids.back());
    }
    view.meshes.insert(view.meshes.begin(), solids.begin(), solids.end());
    return view;
}

void drawWire(View& view) {
    std::vector<MeshLook> plain;
    for (const MeshLook& look : view.meshes) {
        plain.push_back(matte(*look.mesh, look.color));
        plain.back().creaseAngle = look.creaseAngle;
        view.lines.push_back({allEdges(*look.mesh), {0.02f, 0.02f, 0.03f}, 1});
    }
    view.meshes = std::move(plain);
    for (const YarnLook& look : view.yarns) {
        LinesLook lines;
        size_t first = 0;
        for (const int count : look.curves->counts) {
            for (size_t i = first + 1; i < first + size_t(count); ++i)
                lines.ends.insert(lines.ends.end(), {look.curves->positions[i - 1], look.curves->positions[i]});
            first += size_t(count);
        }
        view.lines.push_back(std::move(lines));
    }
    view.yarns.clear();
}

Shot::Shot(Playback* playback, const std::string& camera, float aspect, const std::string& sky)
    : playback_(playback), aspect_(aspect) {
    if (!sky.empty()) sky_ = readSky(sky);
    if (playback_) camera_ = chooseCamera(playback_->graph(), camera);
    if (!playback_ && !camera.empty()) throw Error("camera \"" + camera + "\": the cache's scene file was not found");
}

void Shot::setSubject(const Bounds& subject, int firstFrame) {
    const Surroundings start = playback_ ? surroundingsAt(*playback_, camera_, firstFrame) : Surroundings();
    setFocus(subject, start);
}

// The ground lies below all solids, including terrain too large for the focus.
void Shot::setFocus(const Bounds& subject, const Surroundings& around) {
    focus_ = focusOn(subject, around);
    fitted_ = fitCamera(focus_, aspect_);
    groundHeight_ = focus_.empty() ? 0 : focus_.low.y;
    for (const Surroundings::Solid& solid : around.solids) {
        const Bounds bounds = boundsOf(solid.mesh);
        if (!bounds.empty()) groundHeight_ = std::min(groundHeight_, bounds.low.y);
    }
}

const View& Shot::at(int number, const Frame& frame, bool drawPoints, const std::vector<Vec3>& colors) {
    frame_ = frame;
    around_ = playback_ ? surroundingsAt(*playback_, camera_, number) : Surroundings();
    around_.sky = sky_;
    if (rays_) around_.display.liquid = LiquidDrawing::rays;
    if (studio_) around_.display.studio = *studio_;
    if (around_.display.showWetness) showWetness(frame_);
    view_ = arrange(frame_, around_, drawPoints, colors, kept_);
    // Nothing in any sample frame: the frame is framed by itself, whichever others are drawn.
    const bool alone = focus_.empty();
    if (alone) setFocus(subjectOf(frame_), around_);
    view_.focus = focus_;
    view_.ground.height = around_.floor ? *around_.floor : groundHeight_;
    if (around_.floor && !focus_.empty()) view_.focus.include({focus_.center().x, *around_.floor, focus_.center().z});
    view_.camera = around_.camera ? cameraOf(*around_.camera, aspect_) : fitted_;
    if (alone) focus_ = {};
    return view_;
}

}  // namespace purl
