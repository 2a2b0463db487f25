// Mesh edits of construction history nodes: deleting faces, and thickening an open shell.
#pragma once
#include "host/graph/data.h"

namespace purl::host {

// Face indices of a component list such as {"f[0:3]", "f[7]"}, sorted and unique; "f[*]" selects all. Throws Error for
// other components and for indices beyond the mesh.
std::vector<int> facesIn(const ComponentListData& components, int faceCount);

// The component list of these sorted faces, with runs joined: "f[0:3]", "f[7]".
std::shared_ptr<ComponentListData> faceList(const std::vector<int>& faces);

// The mesh without these faces and without the vertices and UVs that only they used. Throws Error if no face would
// remain.
std::shared_ptr<MeshData> withoutFaces(const MeshData& mesh, const std::vector<int>& faces);

// Closes an open mesh to a solid: adds a copy of the mesh, offset by `thickness` along the normals (negative: against
// them), and a rim that joins the two. The wall keeps its thickness where faces meet at an angle. Face order: copy,
// rim, original. Throws Error if the mesh has no open edge.
std::shared_ptr<MeshData> thickened(const MeshData& mesh, double thickness);

}  // namespace purl::host
