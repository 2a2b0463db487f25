#include "python/meshes.h"

#include "solver/core/error.h"

namespace purl::python {

PyMeshSequence::PyMeshSequence(std::string files, std::string item, double metersPerUnit, int frameOffset)
    : item_(std::move(item)), metersPerUnit_(metersPerUnit), frameOffset_(frameOffset), sequence_(files, item_) {
    if (!(metersPerUnit > 0)) throw Error(files + ": meters_per_unit must be above zero");
}

Mesh PyMeshSequence::at(double frame) {
    Mesh mesh = sequence_.at(frame + frameOffset_);
    for (Vec3& p : mesh.positions.edit()) p = static_cast<float>(metersPerUnit_) * p;
    return mesh;
}

AnimatedMesh PyMeshSequence::animationOf(const std::string& body) const {
    return {body, sequence_.path(), item_, metersPerUnit_, frameOffset_};
}

std::vector<Vec3> pointsOf(const VertexArray& array) {
    std::vector<Vec3> points;
    for (size_t i = 0; i < array.shape(0); ++i) points.push_back({array(i, 0), array(i, 1), array(i, 2)});
    return points;
}

std::vector<Vec3> placesOf(const Mesh& mesh) { return {mesh.positions.begin(), mesh.positions.end()}; }

MeshPtr meshOf(const Mesh& mesh) {
    return std::make_shared<PyTriangleMesh>(PyTriangleMesh{placesOf(mesh), mesh.triangles});
}

Faces facesOf(const Mesh& mesh) {
    if (!mesh.faces.empty()) return mesh.faces;
    Faces faces;
    faces.counts = std::vector<int>(mesh.triangles.size() / 3, 3);
    faces.corners = mesh.triangles;
    return faces;
}

namespace {

using TriangleArray = nb::ndarray<const int, nb::shape<-1, 3>, nb::c_contig, nb::device::cpu>;
using TriangleView = nb::ndarray<nb::numpy, const int, nb::shape<-1, 3>>;

PyTriangleMesh meshFrom(const VertexArray& vertices, const TriangleArray& triangles) {
    PyTriangleMesh mesh;
    mesh.vertices = pointsOf(vertices);
    mesh.triangles = std::vector<int>(triangles.data(), triangles.data() + triangles.size());
    for (const int vertex : mesh.triangles)
        if (vertex < 0 || vertex >= static_cast<int>(mesh.vertices.size()))
            throw Error("mesh: a triangle refers to vertex " + std::to_string(vertex) + " of " +
                        std::to_string(mesh.vertices.size()));
    return mesh;
}

// A box of twelve triangles with outward normals.
PyTriangleMesh box(Vec3 size, Vec3 center) {
    for (int i = 0; i < 3; ++i)
        if (!(size[i] > 0)) throw Error("box: size must be above zero along every axis");
    PyTriangleMesh mesh;
    for (int corner = 0; corner < 8; ++corner)
        mesh.vertices.push_back(center + Vec3{corner & 1 ? 0.5f * size.x : -0.5f * size.x,
                                              corner & 2 ? 0.5f * size.y : -0.5f * size.y,
                                              corner & 4 ? 0.5f * size.z : -0.5f * size.z});
    mesh.triangles = {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
                      2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};
    return mesh;
}

}  // namespace

void bindMeshes(nb::module_& module) {
    nb::class_<PyTriangleMesh>(module, "Mesh", "Triangles in world space, in metres.")
        .def(
            "__init__",
            [](PyTriangleMesh* self, const VertexArray& vertices, const TriangleArray& triangles) {
                new (self) PyTriangleMesh(meshFrom(vertices, triangles));
            },
            nb::arg("vertices"), nb::arg("triangles"),
            "From arrays of N x 3 floats and M x 3 vertex indices, counter-clockwise seen from outside.")
        .def_prop_ro(
            "vertices",
            [](PyTriangleMesh& self) {
                return VertexView(&self.vertices.data()->x, {self.vertices.size(), 3});
            },
            "A view of the vertices: writing to it moves the mesh.")
        .def_prop_ro(
            "triangles",
            [](PyTriangleMesh& self) {
                return TriangleView(self.triangles.data(), {self.triangles.size() / 3, 3});
            },
            "A read-only view of the vertex indices.")
        .def("__repr__", [](const PyTriangleMesh& self) {
            return "<purl.Mesh of " + std::to_string(self.vertices.size()) + " vertices and " +
                   std::to_string(self.triangles.size() / 3) + " triangles>";
        });
    module.def("box", &box, nb::arg("size"), nb::arg("center") = Vec3{0, 0, 0},
               "A box with these edge lengths, in metres, around a centre.");
    nb::class_<PyMeshSequence>(module, "MeshSequence",
                               "An animated mesh on disk: numbered OBJ or PLY files, or an Alembic file. Assign it to "
                               "the animation of a body.")
        .def(
            "__init__",
            [](PyMeshSequence* self, const std::filesystem::path& files, const std::string& item, double metersPerUnit,
               int frameOffset) { new (self) PyMeshSequence(files.string(), item, metersPerUnit, frameOffset); },
            nb::arg("files"), nb::arg("item") = "", nb::arg("meters_per_unit") = 0.01, nb::arg("frame_offset") = 0,
            nb::sig("def __init__(self, files: str | os.PathLike, item: str = '', meters_per_unit: float = 0.01, "
                    "frame_offset: int = 0) -> None"),
            "`files` is a path such as dancer.####.obj, where # are the digits of the frame number, or an Alembic file "
            "(.abc), of which `item` names the mesh if it has several. Lengths in the files times meters_per_unit are "
            "metres; frame_offset is added to the frame of the scene.")
        .def(
            "at", [](PyMeshSequence& self, double frame) { return *meshOf(self.at(frame)); }, nb::arg("frame"),
            "The Mesh at a frame: interpolated linearly between two frames, constant before the first and after the "
            "last.")
        .def_prop_ro(
            "frames", [](PyMeshSequence& self) { return self.sequence().frames(); }, "Numbers of the frames on disk.")
        .def("__repr__", [](PyMeshSequence& self) {
            return "<purl.MeshSequence " + self.sequence().path() + " of " +
                   std::to_string(self.sequence().frames().size()) + " frames>";
        });
}

}  // namespace purl::python
