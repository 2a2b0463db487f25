// Mesh edits of construction history nodes: deleting and extruding faces.
#pragma once
#include "host/graph/data.h"

namespace purl::host {

MVector pointOf(const MeshData& mesh, int vertex);

// Face indices of a component list such as {"f[0:3]", "f[7]"}, sorted and unique; "f[*]" selects all. Throws Error for
// other components and for indices beyond the mesh.
std::vector<int> facesIn(const ComponentListData& components, int faceCount);

// The component list of these sorted faces, with runs joined: "f[0:3]", "f[7]".
std::shared_ptr<ComponentListData> faceList(const std::vector<int>& faces);

// The mesh without these faces and without the vertices and UVs that only they used. Throws Error if no face would
// remain.
std::shared_ptr<MeshData> withoutFaces(const MeshData& mesh, const std::vector<int>& faces);

// How polyExtrudeFace moves the extruded faces, in object space, cm.
struct Extrusion {
    double thickness = 0;   // along the vertex normals, so that the wall keeps its thickness at an angle
    double translateZ = 0;  // along the mean normal of the faces at a vertex
    double offset = 0;      // inwards from the outline of the extruded faces, within their planes
    double scale = 1;       // in the plane of each group of connected faces, around its centre
    bool together = true;   // connected faces stay connected
};

// Extrudes these faces: each moves along with its copy of the vertices, and quads join the copies to the originals.
// Faces keep their index; the quads follow. If all faces of an open mesh are extruded together, the original faces stay
// as the other side of a solid; then the face order is: copy, rim, original. Throws Error if all faces of a closed mesh
// are extruded together.
std::shared_ptr<MeshData> extruded(const MeshData& mesh, const std::vector<int>& faces, const Extrusion& extrusion);

}  // namespace purl::host
