// Mesh edits that modelling history makes: deleting faces, and thickening an open shell.
#pragma once
#include "host/graph/data.h"

namespace purl::host {

// Face indices of a component list such as {"f[0:3]", "f[7]"}, sorted and unique; "f[*]" is all of them. Throws Error
// on other components and on indices beyond the mesh.
std::vector<int> facesIn(const ComponentListData& components, int faceCount);

// The list that names these sorted faces, with runs joined: "f[0:3]", "f[7]".
std::shared_ptr<ComponentListData> faceList(const std::vector<int>& faces);

// The mesh without these faces and without the vertices and UVs that only they used. Throws Error if no face would
// remain.
std::shared_ptr<MeshData> withoutFaces(const MeshData& mesh, const std::vector<int>& faces);

// A closed solid whose wall is the open mesh and its copy `thickness` away along the normals; a negative thickness
// goes against them. Walls that meet at an angle keep their thickness. Faces: the copy, the rims, then the original.
// Throws Error if the mesh has no open edge.
std::shared_ptr<MeshData> thickened(const MeshData& mesh, double thickness);

}  // namespace purl::host
