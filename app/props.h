// Looks from a Maya scene: shaders assigned by shading groups, and static meshes (props).
#pragma once
#include <optional>

#include "host/graph/graph.h"
#include "render/view.h"

namespace purl {

struct Shading {
    Vec3 color{0.5f, 0.5f, 0.5f};
    float roughness = 0.6f, opacity = 1;
    Vec3 glow{};
};

// Reads the lambert, blinn, phong, phongE or standardSurface of a shape's shading group; nullopt for the default
// lambert1.
std::optional<Shading> shadingOf(host::Node& shape);
void apply(const Shading& shading, MeshLook& look);

// The shape connected directly to a mesh plug, or null.
host::NodePtr shapeBehind(const host::Plug& mesh);
// The shape that displays a body's mesh: it is fed by one of our output nodes that selects this body, or any.
host::NodePtr shapeShowing(host::Graph& graph, const std::string& body, MeshKind kind);
// The shape that a purlRigid moves as this collider, or null.
host::NodePtr shapeOfRigid(host::Graph& graph, const std::string& collider);

// Visible meshes that are neither produced, read nor moved by our nodes.
std::vector<host::NodePtr> propsOf(host::Graph& graph);
Mesh meshOf(host::Graph& graph, host::Node& shape);

// Whether the shape and all its ancestors are visible.
bool isVisible(const host::Graph& graph, host::Node& shape);

}  // namespace purl
