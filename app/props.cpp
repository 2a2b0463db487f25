#include "app/props.h"

#include <algorithm>
#include <cmath>

namespace purl {
namespace {

Vec3 colorOf(host::Node& node, const char* plug) {
    const std::array<double, 3> c = node.plug(plug).vec3();
    return {static_cast<float>(c[0]), static_cast<float>(c[1]), static_cast<float>(c[2])};
}

float numberOf(host::Node& node, const char* plug) { return static_cast<float>(node.plug(plug).number()); }

float mean(Vec3 c) { return (c.x + c.y + c.z) / 3; }

Shading readLambert(host::Node& node) {
    Shading shading;
    // With Maya's default diffuse of 0.8 the colour appears as picked.
    shading.color = numberOf(node, "diffuse") / 0.8f * colorOf(node, "color");
    shading.glow = colorOf(node, "incandescence");
    shading.opacity = 1 - mean(colorOf(node, "transparency"));
    shading.roughness = 0.9f;
    if (node.type->isA("blinn")) shading.roughness = std::sqrt(numberOf(node, "eccentricity"));
    // A Phong lobe cosᵖ is as wide as a microfacet lobe of roughness α for p = 2/α² − 2; our roughness is √α.
    if (node.type->isA("phong")) shading.roughness = std::sqrt(std::sqrt(2 / (numberOf(node, "cosinePower") + 2)));
    if (node.type->isA("phongE")) shading.roughness = numberOf(node, "roughness");
    return shading;
}

Shading readStandardSurface(host::Node& node) {
    Shading shading;
    shading.color = numberOf(node, "base") * colorOf(node, "baseColor");
    shading.glow = numberOf(node, "emission") * colorOf(node, "emissionColor");
    shading.opacity = mean(colorOf(node, "opacity")) * (1 - 0.8f * numberOf(node, "transmission"));
    shading.roughness = numberOf(node, "specular") > 0 ? numberOf(node, "specularRoughness") : 1;
    return shading;
}

bool isOurs(const host::Node& node) { return node.type->name.rfind("purl", 0) == 0; }

// Destinations of a plug, including those of its elements if it is an array.
std::vector<host::Plug> allDestinations(const host::Plug& plug) {
    std::vector<host::Plug> ends = plug.destinations();
    if (!plug.isArray()) return ends;
    for (const int i : plug.elements()) {
        const std::vector<host::Plug> own = plug.element(i).destinations();
        ends.insert(ends.end(), own.begin(), own.end());
    }
    return ends;
}

// Whether one of our nodes reads a shape's mesh.
bool feedsUs(host::Node& shape) {
    for (const char* name : {"outMesh", "worldMesh"})
        for (const host::Plug& end : allDestinations(shape.plug(name)))
            if (isOurs(*end.node)) return true;
    return false;
}

// The purlRigid that drives a shape's transform or one of its ancestors, or null.
host::NodePtr rigidMoving(const host::Graph& graph, host::Node& shape) {
    for (const host::DagPath& path : graph.dagPaths(shape))
        for (const host::NodePtr& node : path) {
            if (!node->type->isA("transform")) continue;
            const host::Plug source = node->plug("translate").source();
            if (source && source.node->type->name == "purlRigid") return source.node;
        }
    return nullptr;
}

}  // namespace

std::optional<Shading> shadingOf(host::Node& shape) {
    for (const host::Plug& end : allDestinations(shape.plug("instObjGroups"))) {
        if (!end.node->type->isA("shadingEngine")) continue;
        const host::Plug source = end.node->plug("surfaceShader").source();
        if (!source || source.node->name == "lambert1") continue;
        if (source.node->type->isA("lambert")) return readLambert(*source.node);
        if (source.node->type->isA("standardSurface")) return readStandardSurface(*source.node);
    }
    return std::nullopt;
}

void apply(const Shading& shading, MeshLook& look) {
    look.color = shading.color;
    look.glow = shading.glow;
    look.roughness = std::clamp(shading.roughness, 0.05f, 1.0f);
    if (look.material == Material::matte) look.opacity = std::clamp(shading.opacity, 0.0f, 1.0f);
}

host::NodePtr shapeBehind(const host::Plug& mesh) {
    const host::Plug source = mesh.source();
    return source && source.node->type->isA("mesh") ? source.node : nullptr;
}

host::NodePtr shapeShowing(host::Graph& graph, const std::string& body, MeshKind kind) {
    const bool liquid = kind == MeshKind::liquid;
    for (const host::NodePtr& shape : graph.nodesOfType("mesh")) {
        const host::Plug source = shape->plug("inMesh").source();
        if (!source || source.node->type->name != (liquid ? "purlSurface" : "purlClothMesh")) continue;
        const std::string asked = source.node->plug(liquid ? "body" : "cloth").text();
        if (asked.empty() || asked == body) return shape;
    }
    return nullptr;
}

host::NodePtr shapeOfRigid(host::Graph& graph, const std::string& collider) {
    for (const host::NodePtr& shape : graph.nodesOfType("mesh"))
        if (const host::NodePtr rigid = rigidMoving(graph, *shape))
            if (rigid->plug("collider").text() == collider) return shape;
    return nullptr;
}

bool isVisible(const host::Graph& graph, host::Node& shape) {
    const std::vector<host::DagPath> paths = graph.dagPaths(shape);
    return !shape.plug("intermediateObject").flag() &&
           std::any_of(paths.begin(), paths.end(), [](const host::DagPath& path) {
               return std::all_of(path.begin(), path.end(),
                                  [](const host::NodePtr& node) { return node->plug("visibility").flag(); });
           });
}

std::vector<host::NodePtr> propsOf(host::Graph& graph) {
    std::vector<host::NodePtr> props;
    for (const host::NodePtr& shape : graph.nodesOfType("mesh")) {
        const host::Plug source = shape->plug("inMesh").source();
        // Rigid bodies are part of the frame.
        if (isVisible(graph, *shape) && !(source && isOurs(*source.node)) && !feedsUs(*shape) &&
            !rigidMoving(graph, *shape))
            props.push_back(shape);
    }
    return props;
}

Mesh meshOf(host::Graph& graph, host::Node& shape) {
    Mesh mesh;
    mesh.name = shape.name;
    const auto data = shape.plug("outMesh").data<host::MeshData>();
    if (!data) return mesh;
    const MMatrix world = graph.worldMatrix(graph.dagPaths(shape).front());
    std::vector<Vec3> positions;
    std::vector<int> triangles;
    for (size_t i = 0; i + 2 < data->points.size(); i += 3) {
        double p[3];
        for (unsigned k = 0; k < 3; ++k)
            p[k] = data->points[i] * world(0, k) + data->points[i + 1] * world(1, k) +
                   data->points[i + 2] * world(2, k) + world(3, k);
        positions.push_back({static_cast<float>(p[0]), static_cast<float>(p[1]), static_cast<float>(p[2])});
    }
    size_t corner = 0;
    for (const int count : data->faceCounts) {
        const int* v = data->faceVertices.data() + corner;
        for (int k = 2; k < count; ++k) triangles.insert(triangles.end(), {v[0], v[k - 1], v[k]});
        corner += size_t(count);
    }
    mesh.positions = std::move(positions);
    mesh.triangles = std::move(triangles);
    return mesh;
}

}  // namespace purl
