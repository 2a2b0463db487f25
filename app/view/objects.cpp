#include "app/view/objects.h"

#include <algorithm>
#include <cmath>

namespace purl {
namespace {

constexpr float kTwoPi = 6.2831853f;

// The inputs through which a transform or its shape places a body.
struct PlacingInput {
    const char *type, *plug;
    PanelKind kind;
    bool atStart;
};
const PlacingInput kPlacingInputs[] = {
    {"purlFluid", "inMesh", PanelKind::fluid, true},        {"purlEmitter", "inMatrix", PanelKind::emitter, false},
    {"purlEmitter", "inMesh", PanelKind::emitter, false},   {"purlEmitter", "inCurve", PanelKind::emitter, false},
    {"purlCollider", "inMesh", PanelKind::collider, false}, {"purlCollider", "inMatrix", PanelKind::collider, false},
    {"purlField", "inMatrix", PanelKind::field, false},     {"purlCloth", "inMesh", PanelKind::cloth, true},
    {"purlSoftBody", "inMesh", PanelKind::softBody, true},  {"purlKnit", "inMesh", PanelKind::knit, true},
};

Vec3 pointOf(const host::Mat4d& m, Vec3 p) {
    const host::Vec3d q = host::transformPoint({double(p.x), double(p.y), double(p.z)}, m);
    return {static_cast<float>(q[0]), static_cast<float>(q[1]), static_cast<float>(q[2])};
}

host::Mat4d matrixOf(const MMatrix& from) {
    host::Mat4d m;
    for (unsigned i = 0; i < 16; ++i) m[i] = from(i / 4, i % 4);
    return m;
}

// What drives a compound of three numbers or one of its children, and whether it is animation curves only.
std::string driverOfPlacement(const host::Plug& plug, bool& keyed) {
    std::vector<host::Plug> sources;
    if (const host::Plug source = plug.source()) sources.push_back(source);
    for (int k = 0; k < plug.childCount(); ++k)
        if (const host::Plug source = plug.child(k).source()) sources.push_back(source);
    keyed = !sources.empty() && std::all_of(sources.begin(), sources.end(), [](const host::Plug& source) {
        return source.node->type->name.rfind("animCurve", 0) == 0;
    });
    return sources.empty() ? std::string() : sources.front().name();
}

SceneObject placed(const host::Graph& graph, const host::NodePtr& transform) {
    SceneObject object;
    object.transform = graph.dagName(transform);
    const auto path = graph.dagPaths(*transform).front();
    object.world = matrixOf(graph.worldMatrix(path));
    object.parent = matrixOf(graph.parentMatrix(path));
    object.parts.translate = transform->plug("translate").vec3();
    object.parts.rotate = transform->plug("rotate").vec3();
    object.parts.scale = transform->plug("scale").vec3();
    object.parts.shear = transform->plug("shear").vec3();
    object.parts.rotateOrder = static_cast<host::RotateOrder>(int(transform->plug("rotateOrder").number()));
    object.parts.rotatePivot = transform->plug("rotatePivot").vec3();
    object.parts.rotatePivotTranslate = transform->plug("rotatePivotTranslate").vec3();
    object.parts.scalePivot = transform->plug("scalePivot").vec3();
    object.parts.scalePivotTranslate = transform->plug("scalePivotTranslate").vec3();
    for (size_t k = 0; k < kPlacements.size(); ++k)
        object.drivers[k] = driverOfPlacement(transform->plug(kPlacements[k]), object.keyed[k]);
    object.cmPerUnit = graph.units.cmPerUnit;
    object.radiansPerUnit = graph.units.radiansPerUnit;
    return object;
}

host::NodePtr transformOfSource(const host::NodePtr& source) {
    if (source->type->isA("transform")) return source;
    return source->type->shape && !source->parents.empty() ? source->parents.front()->ptr() : nullptr;
}

// Circle around a local axis of a matrix.
void addCircle(std::vector<Vec3>& wire, const host::Mat4d& m, float radius, int axis) {
    constexpr int kParts = 32;
    for (int k = 0; k < kParts; ++k)
        for (const int end : {k, k + 1}) {
            const float angle = kTwoPi * float(end) / kParts, a = radius * std::cos(angle),
                        b = radius * std::sin(angle);
            wire.push_back(pointOf(m, axis == 0 ? Vec3{0, a, b} : axis == 1 ? Vec3{a, 0, b} : Vec3{a, b, 0}));
        }
}

void addArrow(std::vector<Vec3>& wire, Vec3 from, Vec3 along) {
    const Vec3 tip = from + along;
    const Vec3 side =
        0.15f * length(along) *
        normalized(cross(along, std::abs(along.y) < 0.9f * length(along) ? Vec3{0, 1, 0} : Vec3{1, 0, 0}));
    wire.insert(wire.end(), {from, tip, tip, tip - 0.25f * along + side, tip, tip - 0.25f * along - side});
}

std::vector<Vec3> wireOfMesh(const Mesh& mesh) {
    constexpr size_t kMaxTriangles = 20000;  // larger meshes are shown by their bounds
    return mesh.triangles.size() > 3 * kMaxTriangles ? boxEdges(boundsOf(mesh)) : featureEdges(mesh);
}

std::vector<Vec3> wireOfCamera(const Surroundings::SceneCamera& camera, float size) {
    std::vector<Vec3> wire, corners;
    const auto half = size * static_cast<float>(camera.widthTangent);
    for (const auto& [x, y] : {std::pair(-1.0f, -0.6f), {1.0f, -0.6f}, {1.0f, 0.6f}, {-1.0f, 0.6f}})
        corners.push_back(camera.pose.toWorld({x * half, y * half, -size}));
    for (size_t k = 0; k < 4; ++k)
        wire.insert(wire.end(), {camera.pose.position, corners[k], corners[k], corners[(k + 1) % 4]});
    return wire;
}

template <class Body>
const Body* bodyNamed(const std::vector<Body>& bodies, const std::string& name) {
    const auto found = std::find_if(bodies.begin(), bodies.end(), [&](const Body& body) { return body.name == name; });
    return found == bodies.end() ? nullptr : &*found;
}

// Wires of what has no mesh: discs that emit, primitive colliders and fields.
std::vector<Vec3> wireOfBody(const Scene& scene, const SceneObject& object) {
    std::vector<Vec3> wire;
    if (object.kind == PanelKind::collider) {
        if (const Collider* collider = bodyNamed(scene.colliders, object.body)) {
            wire = wireOf(*collider);
            if (collider->params.shape == ColliderShape::plane)
                for (const float size : {20.0f, 40.0f}) addCircle(wire, object.world, size, 1);
        }
    } else if (object.kind == PanelKind::field) {
        if (const Field* field = bodyNamed(scene.fields, object.body)) {
            const float size = field->params.radius > 0 ? field->params.radius : 10;
            host::Mat4d at = host::kIdentity;
            for (size_t k = 0; k < 3; ++k) at[12 + k] = object.world[12 + k];
            for (int axis = 0; axis < 3; ++axis) addCircle(wire, at, size, axis);
            addArrow(wire, field->position, size * normalized(field->params.direction));
        }
    } else if (object.kind == PanelKind::emitter) {
        for (const Fluid& fluid : scene.fluids)
            if (const Emitter* emitter = bodyNamed(fluid.emitters, object.body)) {
                host::Mat4d at = host::kIdentity;
                const Mat3& axes = emitter->pose.axes;
                for (size_t k = 0; k < 3; ++k) {
                    const Vec3 row = k == 0 ? axes.x : k == 1 ? axes.y : axes.z;
                    for (int j = 0; j < 3; ++j) at[4 * k + size_t(j)] = double(row[j]);
                    at[12 + k] = double(emitter->pose.position[int(k)]);
                }
                const float radius = std::max(emitter->params.radius, 1e-3f);
                addCircle(wire, at, radius, 1);
                addArrow(wire, emitter->pose.position, 2 * radius * axes.y);
                for (size_t i = 0; i + 1 < emitter->curve.size(); ++i)
                    wire.insert(wire.end(), {emitter->curve[i], emitter->curve[i + 1]});
            }
    }
    return wire;
}

}  // namespace

Objects objectsOf(Playback& playback) {
    host::Graph& graph = playback.graph();
    const host::Graph::Scope scope(graph);
    const Scene scene = playback.bodies();
    Objects objects;
    const auto isListed = [&](const std::string& transform) {
        return std::any_of(objects.begin(), objects.end(), [&](const auto& o) { return o.transform == transform; });
    };
    for (const PlacingInput& input : kPlacingInputs)
        for (const host::NodePtr& node : graph.nodesOfType(input.type)) {
            const host::Plug plug = node->plug(input.plug);
            std::vector<host::Plug> plugs;
            if (plug.isArray())
                for (const int i : plug.elements()) plugs.push_back(plug.element(i));
            else
                plugs.push_back(plug);
            for (const host::Plug& each : plugs) {
                const host::Plug source = each.source();
                const host::NodePtr transform = source ? transformOfSource(source.node) : nullptr;
                if (!transform) continue;
                SceneObject object = placed(graph, transform);
                object.body = node->name;
                object.kind = input.kind;
                object.atStart = input.atStart;
                object.type = source.node->type->name;
                object.shape = source.node->name;
                object.isGuide = input.kind == PanelKind::emitter || input.kind == PanelKind::field;
                object.wire = wireOfBody(scene, object);
                if (object.wire.empty() && source.node->type->isA("mesh"))
                    object.wire = wireOfMesh(meshOf(graph, *source.node));
                objects.push_back(std::move(object));
            }
        }
    Bounds all;
    for (const SceneObject& object : objects)
        for (const Vec3 p : object.wire) all.include(p);
    const auto add = [&](const host::NodePtr& shape, std::vector<Vec3> wire, bool isGuide) {
        const host::NodePtr transform = transformOfSource(shape);
        if (!transform || isListed(graph.dagName(transform))) return;
        SceneObject object = placed(graph, transform);
        object.shape = shape->name;
        object.type = shape->type->name;
        object.isGuide = isGuide;
        object.wire = std::move(wire);
        objects.push_back(std::move(object));
    };
    for (const host::NodePtr& shape : propsOf(graph)) add(shape, wireOfMesh(meshOf(graph, *shape)), false);
    const float size = all.empty() ? 10 : 0.08f * length(all.size());
    for (const host::NodePtr& camera : camerasOf(graph))
        add(camera, wireOfCamera(sceneCamera(graph, *camera), size), true);
    for (const host::NodePtr& light : graph.nodesOfType("light")) add(light, {}, false);
    return objects;
}

std::vector<PanelNode> objectRows(host::Graph& graph, const Objects& objects) {
    const host::Graph::Scope scope(graph);
    std::vector<PanelNode> rows;
    for (const SceneObject& object : objects) {
        const host::NodePtr transform = graph.find(object.transform);
        const bool known =
            std::any_of(rows.begin(), rows.end(), [&](const auto& r) { return r.name == object.transform; });
        if (!transform || known) continue;
        PanelNode row;
        row.name = object.transform;
        row.type = object.type;
        row.kind = PanelKind::output;
        row.owner = object.body;
        row.sentence = object.body.empty() ? "Not part of the simulation." : "Places " + object.body + ".";
        const char* const sentences[] = {"Position in its parent.", "Rotation about x, y and z, in the scene's order.",
                                         "Size along its own axes."};
        for (size_t k = 0; k < kPlacements.size(); ++k) {
            PanelAttribute attribute;
            attribute.name = kPlacements[k];
            attribute.section = "Transform";
            attribute.type = k == 0 ? "distance3" : "float3";
            attribute.unit = k == 0 ? graph.units.linear : k == 1 ? graph.units.angular : "";
            attribute.sentence = sentences[k];
            attribute.value = transform->plug(kPlacements[k]).asText();
            attribute.defaultValue = k == 2 ? "1 1 1" : "0 0 0";
            attribute.driver = object.drivers[k];
            attribute.initialOnly = object.atStart;
            row.attributes.push_back(std::move(attribute));
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

const SceneObject* findObject(const Objects& objects, const std::string& name) {
    for (const SceneObject& object : objects)
        if (object.transform == name) return &object;
    for (const SceneObject& object : objects)
        if (object.body == name && !name.empty()) return &object;
    return nullptr;
}

}  // namespace purl
