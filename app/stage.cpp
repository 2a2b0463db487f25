#include "app/stage.h"

#include <cmath>

#include "nodes/geometry.h"
#include "solver/core/error.h"

namespace purl {
namespace {

Vec3 toVec3(const std::array<double, 3>& v) {
    return {static_cast<float>(v[0]), static_cast<float>(v[1]), static_cast<float>(v[2])};
}

// A camera counts when it is renderable and not one of Maya's four own.
host::NodePtr chooseCamera(host::Graph& graph, const std::string& name) {
    if (!name.empty()) {
        const host::NodePtr node = graph.find(name);
        if (node && node->type->name == "camera") return node;
        if (node)
            for (host::Node* child : node->children)
                if (child->type->name == "camera") return child->ptr();
        throw Error("camera \"" + name + "\": not in the scene");
    }
    for (const host::NodePtr& node : graph.nodesOfType("camera")) {
        const std::string& shape = node->name;
        const bool own = shape == "perspShape" || shape == "topShape" || shape == "frontShape" || shape == "sideShape";
        if (!own && node->plug("renderable").flag()) return node;
    }
    return nullptr;
}

// Points of a primitive for display.
Mesh sphereMesh(const Pose& pose, float radius, float halfLength) {
    constexpr int kRings = 24, kSegments = 48;
    Mesh mesh;
    for (int ring = 0; ring <= kRings; ++ring)
        for (int segment = 0; segment < kSegments; ++segment) {
            const float up = 3.14159265f * (float(ring) / kRings - 0.5f),
                        around = 6.2831853f * float(segment) / kSegments;
            const float shift = ring * 2 < kRings ? -halfLength : halfLength;
            mesh.positions.push_back(
                pose.toWorld({radius * std::cos(up) * std::cos(around), radius * std::sin(up) + shift,
                              -radius * std::cos(up) * std::sin(around)}));
        }
    for (int ring = 0; ring < kRings; ++ring)
        for (int segment = 0; segment < kSegments; ++segment) {
            const int a = ring * kSegments + segment, b = ring * kSegments + (segment + 1) % kSegments;
            mesh.triangles.insert(mesh.triangles.end(), {a, b, b + kSegments, a, b + kSegments, a + kSegments});
        }
    return mesh;
}

Mesh boxMesh(const Pose& pose, Vec3 half) {
    Mesh mesh;
    for (int corner = 0; corner < 8; ++corner)
        mesh.positions.push_back(pose.toWorld(
            {corner & 1 ? half.x : -half.x, corner & 2 ? half.y : -half.y, corner & 4 ? half.z : -half.z}));
    mesh.triangles = {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
                      2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};
    return mesh;
}

Mesh displayMesh(const Collider& collider) {
    const ColliderParams& params = collider.params;
    switch (params.shape) {
        case ColliderShape::sphere: return sphereMesh(collider.pose, params.radius, 0);
        case ColliderShape::capsule: return sphereMesh(collider.pose, params.radius, params.halfLength);
        case ColliderShape::box: return boxMesh(collider.pose, params.halfSize);
        case ColliderShape::plane: return {};  // the ground stands for it
        case ColliderShape::mesh: break;
    }
    Mesh mesh;
    mesh.positions = collider.mesh.vertices;
    mesh.triangles = collider.mesh.triangles;
    return mesh;
}

}  // namespace

Stage::Stage(Session* session, const std::string& camera, float aspect) : session_(session), aspect_(aspect) {
    if (session_) camera_ = chooseCamera(session_->graph(), camera);
    if (!session_ && !camera.empty()) throw Error("camera \"" + camera + "\": the cache's scene file is not there");
}

const View& Stage::at(int number, const Frame& frame, bool drawPoints) {
    view_ = View();
    meshes_.clear();
    frame_ = frame;
    if (session_) {
        session_->showFrame(number);
        addColliders();
        addLights();
    }
    for (const Mesh& mesh : frame_.meshes) view_.meshes.push_back(water(mesh));
    if (drawPoints || frame_.meshes.empty()) {
        view_.meshes.resize(view_.meshes.size() - frame_.meshes.size());
        PointsLook look;
        look.points = &frame_.points;
        look.colors = bodyColors(frame_);
        view_.points.push_back(look);
    }
    if (focus_.empty()) {
        focus_ = boundsOf(view_);
        fitted_ = fitCamera(focus_, aspect_);
    }
    view_.focus = focus_;
    view_.ground.height = focus_.empty() ? 0 : focus_.low.y;
    placeCamera();
    return view_;
}

void Stage::addColliders() {
    for (const Collider& collider : session_->bodies().colliders) {
        meshes_.push_back(displayMesh(collider));
        const Mesh& mesh = meshes_.back();
        if (mesh.triangles.empty()) continue;
        // A container is seen through: only its edges are drawn.
        if (collider.params.container)
            view_.lines.push_back({featureEdges(mesh)});
        else
            view_.meshes.push_back(matte(mesh));
    }
}

void Stage::addLights() {
    std::vector<Light> lights;
    host::Graph& graph = session_->graph();
    const auto add = [&](const char* type, LightKind kind) {
        for (const host::NodePtr& node : graph.nodesOfType(type)) {
            Vec3 scale;
            const Pose pose = poseOf(graph.worldMatrix(graph.dagPaths(*node).front()), scale);
            Light light;
            light.kind = kind;
            light.color = toVec3(node->plug("color").vec3());
            light.intensity = static_cast<float>(node->plug("intensity").number());
            light.direction = -pose.axes.z;  // Maya's lights shine along their −z
            light.position = pose.position;
            lights.push_back(light);
        }
    };
    add("directionalLight", LightKind::directional);
    add("pointLight", LightKind::point);
    add("ambientLight", LightKind::ambient);
    if (!lights.empty()) view_.lights = lights;
}

void Stage::placeCamera() {
    view_.camera = fitted_;
    if (!camera_) return;
    host::Graph& graph = session_->graph();
    Vec3 scale;
    const Pose pose = poseOf(graph.worldMatrix(graph.dagPaths(*camera_).front()), scale);
    view_.camera.position = pose.position;
    view_.camera.axes = pose.axes;
    // The film's width fills the picture's width (Maya's horizontal fit); apertures are in inches, the lens in mm.
    const double aperture = 25.4 * camera_->plug("horizontalFilmAperture").number();
    const double focalLength = camera_->plug("focalLength").number();
    view_.camera.verticalFov = static_cast<float>(2 * std::atan(0.5 * aperture / focalLength / aspect_));
}

}  // namespace purl
