// Triangle meshes of scenes built in Python, and animated meshes from files.
#pragma once
#include <nanobind/ndarray.h>

#include <memory>

#include "farm/sceneFile.h"
#include "python/casters.h"
#include "solver/cache/meshSequence.h"
#include "solver/scene.h"

namespace purl::python {

namespace nb = nanobind;

using VertexArray = nb::ndarray<const float, nb::shape<-1, 3>, nb::c_contig, nb::device::cpu>;
using VertexView = nb::ndarray<nb::numpy, float, nb::shape<-1, 3>>;

// A mesh with vertices that Python writes to through numpy views. The solver's meshes share theirs and never change.
struct PyTriangleMesh {
    std::vector<Vec3> vertices;
    Channel<int> triangles;

    TriangleMesh copy() const { return {vertices, triangles}; }
};
using MeshPtr = std::shared_ptr<PyTriangleMesh>;

// Files that animate a mesh. Points are in metres.
class PyMeshSequence {
  public:
    PyMeshSequence(std::string files, std::string item, double metersPerUnit, int frameOffset);

    Mesh at(double frame);
    AnimatedMesh animationOf(const std::string& body) const;
    MeshSequence& sequence() { return sequence_; }

  private:
    std::string item_;
    double metersPerUnit_;
    int frameOffset_;
    MeshSequence sequence_;
};
using SequencePtr = std::shared_ptr<PyMeshSequence>;

std::vector<Vec3> pointsOf(const VertexArray& array);
std::vector<Vec3> placesOf(const Mesh& mesh);
MeshPtr meshOf(const Mesh& mesh);
// The polygons of a mesh, or its triangles if it has no others.
Faces facesOf(const Mesh& mesh);

void bindMeshes(nb::module_& module);

}  // namespace purl::python
