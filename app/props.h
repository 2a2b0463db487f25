// What a Maya scene says of looks: shaders by shading groups, and meshes that stand around.
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

// Of the lambert, blinn, phong, phongE or standardSurface that a shape's shading group holds; none where it has no
// other than Maya's own lambert1, which says that nobody chose.
std::optional<Shading> shadingOf(host::Node& shape);
void apply(const Shading& shading, MeshLook& look);

// The shape whose mesh goes straight into a plug; none: it is not a shape's.
host::NodePtr shapeBehind(const host::Plug& mesh);
// The shape that shows the mesh of a body: where an output node of ours that was asked for the body, or for any, goes.
host::NodePtr shapeShowing(host::Graph& graph, const std::string& body, MeshKind kind);
// The shape that a purlRigid moves as this collider; none: none does.
host::NodePtr shapeOfRigid(host::Graph& graph, const std::string& collider);

// Visible meshes that neither come from nodes of ours, go into them nor are moved by them.
std::vector<host::NodePtr> propsOf(host::Graph& graph);
Mesh meshOf(host::Graph& graph, host::Node& shape);

// Itself and all above it.
bool isVisible(const host::Graph& graph, host::Node& shape);

}  // namespace purl
