// Positions of a mesh's vertices: reading them, and moving those of components undoably.
#pragma once
#include "host/commands/command.h"
#include "host/shapes/transform.h"

namespace purl::host {

Mat4d worldOf(const Graph& graph, const NodePtr& node);  // of its first DAG path

// Position of a vertex in object or world space, in the scene's unit.
std::vector<double> vertexAt(const Graph& graph, const NodePtr& shape, int vertex, bool world);

// The vertices of all components of one mesh among these words, each once.
struct Components {
    NodePtr shape;
    std::vector<int> vertices;
};
// Takes the words that name components (p.vtx[0:3], p.f[2], p.e[*]) out of `words`.
std::vector<Components> takeComponents(const Graph& graph, std::vector<std::string>& words);

// Moves each vertex to place(position), in object space and cm. On a mesh with history the move is stored as a tweak of
// the shape, as in Maya.
void placeVertices(CommandContext& context, const Components& components,
                   const std::function<Vec3d(const Vec3d&)>& place);
// The same with a matrix, around a pivot in world space. `world`: the axes are those of the world, else of the object.
void transformVertices(CommandContext& context, const Components& components, const Mat4d& matrix, const Vec3d& pivot,
                       bool world);

// World-space centre of the bounding box of these vertices, cm.
Vec3d centerOf(const Graph& graph, const std::vector<Components>& all);

}  // namespace purl::host
