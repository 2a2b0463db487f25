#include "python/scene.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>

#include "python/collect.h"
#include "python/params.h"

namespace purl {

// bindParams finds these by argument-dependent lookup. Pores is bound directly, unlike the bodies below.
static WetParams& paramsOf(Pores& pores) { return pores.params; }
static std::string nameOf(const Pores&) { return "pores"; }

}  // namespace purl

namespace purl::python {

// ---- customisation points of bindParams
// ----------------------------------------------------------------------------------

static FluidParams& paramsOf(PyFluid& fluid) { return fluid.params; }
static EmitterParams& paramsOf(PyEmitter& emitter) { return emitter.emitter.params; }
static ColliderParams& paramsOf(PyCollider& collider) { return collider.collider.params; }
static ClothParams& paramsOf(PyCloth& cloth) { return cloth.cloth.params; }
static SoftBodyParams& paramsOf(PySoftBody& body) { return body.body.params; }
static KnitParams& paramsOf(PyKnit& knit) { return knit.knit.params; }
static FieldParams& paramsOf(PyField& field) { return field.field.params; }
static SolverParams& paramsOf(PySolver& solver) { return solver.params; }

static const std::string& nameOf(const PyFluid& fluid) { return fluid.name; }
static const std::string& nameOf(const PyEmitter& emitter) { return emitter.emitter.name; }
static const std::string& nameOf(const PyCollider& collider) { return collider.collider.name; }
static const std::string& nameOf(const PyCloth& cloth) { return cloth.cloth.name; }
static const std::string& nameOf(const PySoftBody& body) { return body.body.name; }
static const std::string& nameOf(const PyKnit& knit) { return knit.knit.name; }
static const std::string& nameOf(const PyField& field) { return field.field.name; }
static std::string nameOf(const PySolver&) { return "solver"; }

// ---- conversion between Python's and the solver's scene
// -------------------------------------------------------------------

namespace {

// The items of a list as C++ values. Throws TypeError on an item of another type.
template <class T>
std::vector<T*> itemsOf(const nb::list& list, const std::string& owner, const char* what) {
    std::vector<T*> items;
    for (const nb::handle item : list) {
        T* value = nullptr;
        if (!nb::try_cast(item, value) || !value)
            throw nb::type_error((owner + ": a purl." + what + " expected, not " + nb::repr(item).c_str()).c_str());
        items.push_back(value);
    }
    return items;
}

Emitter emitterOf(const PyEmitter& from) {
    Emitter emitter = from.emitter;
    emitter.mesh = from.mesh->copy();
    return emitter;
}

Fluid fluidOf(const PyFluid& from) {
    Fluid fluid;
    fluid.name = from.name;
    fluid.params = from.params;
    for (const auto* volume : itemsOf<PyTriangleMesh>(from.volumes, from.name + ".volumes", "Mesh"))
        fluid.volumes.push_back(volume->copy());
    for (const auto* emitter : itemsOf<PyEmitter>(from.emitters, from.name + ".emitters", "Emitter"))
        fluid.emitters.push_back(emitterOf(*emitter));
    return fluid;
}

Collider colliderOf(const PyCollider& from) {
    Collider collider = from.collider;
    collider.mesh = from.mesh->copy();
    return collider;
}

MeshPtr pyMeshOf(const TriangleMesh& from) {
    return std::make_shared<PyTriangleMesh>(PyTriangleMesh{from.vertices, from.triangles});
}

PyFluid pyFluidOf(const Fluid& from) {
    PyFluid fluid;
    fluid.name = from.name;
    fluid.params = from.params;
    for (const TriangleMesh& volume : from.volumes) fluid.volumes.append(nb::cast(pyMeshOf(volume)));
    for (const Emitter& emitter : from.emitters)
        fluid.emitters.append(nb::cast(PyEmitter{emitter, pyMeshOf(emitter.mesh)}));
    return fluid;
}

}  // namespace

Scene sceneOf(const PyScene& from) {
    Scene scene;
    scene.solver = from.solver->params;
    for (const auto* fluid : itemsOf<PyFluid>(from.fluids, "scene.fluids", "Fluid"))
        scene.fluids.push_back(fluidOf(*fluid));
    for (const auto* cloth : itemsOf<PyCloth>(from.cloths, "scene.cloths", "Cloth"))
        scene.cloths.push_back(cloth->cloth);
    for (const auto* body : itemsOf<PySoftBody>(from.softBodies, "scene.soft_bodies", "SoftBody"))
        scene.softBodies.push_back(body->body);
    for (const auto* knit : itemsOf<PyKnit>(from.knits, "scene.knits", "Knit")) scene.knits.push_back(knit->knit);
    for (const auto* collider : itemsOf<PyCollider>(from.colliders, "scene.colliders", "Collider"))
        scene.colliders.push_back(colliderOf(*collider));
    for (const auto* field : itemsOf<PyField>(from.fields, "scene.fields", "Field"))
        scene.fields.push_back(field->field);
    return scene;
}

PyScene pySceneOf(const Scene& from) {
    PyScene scene;
    scene.solver->params = from.solver;
    for (const Fluid& fluid : from.fluids) scene.fluids.append(nb::cast(pyFluidOf(fluid)));
    for (const Cloth& cloth : from.cloths) scene.cloths.append(nb::cast(PyCloth{cloth}));
    for (const SoftBody& body : from.softBodies) scene.softBodies.append(nb::cast(PySoftBody{body}));
    for (const Knit& knit : from.knits) scene.knits.append(nb::cast(PyKnit{knit}));
    for (const Collider& collider : from.colliders)
        scene.colliders.append(nb::cast(PyCollider{collider, pyMeshOf(collider.mesh)}));
    for (const Field& field : from.fields) scene.fields.append(nb::cast(PyField{field}));
    return scene;
}

// ---- meshes ----------------------------------------------------------------------------------------------------

namespace {

using VertexArray = nb::ndarray<const float, nb::shape<-1, 3>, nb::c_contig, nb::device::cpu>;
using TriangleArray = nb::ndarray<const int, nb::shape<-1, 3>, nb::c_contig, nb::device::cpu>;
using VertexView = nb::ndarray<nb::numpy, float, nb::shape<-1, 3>>;
using TriangleView = nb::ndarray<nb::numpy, const int, nb::shape<-1, 3>>;

PyTriangleMesh meshOf(const VertexArray& vertices, const TriangleArray& triangles) {
    PyTriangleMesh mesh;
    for (size_t i = 0; i < vertices.shape(0); ++i)
        mesh.vertices.push_back({vertices(i, 0), vertices(i, 1), vertices(i, 2)});
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

void bindMeshes(nb::module_& module) {
    nb::class_<PyTriangleMesh>(module, "Mesh", "Triangles in world space, in metres.")
        .def(
            "__init__",
            [](PyTriangleMesh* self, const VertexArray& vertices, const TriangleArray& triangles) {
                new (self) PyTriangleMesh(meshOf(vertices, triangles));
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
}

// ---- bodies ----------------------------------------------------------------------------------------------------

nb::list listOf(const nb::object& items) { return items.is_none() ? nb::list() : nb::list(items); }

// Position and axes of a primitive or disc.
template <class Owner>
void bindPose(nb::class_<Owner>& type, Pose& (*pose)(Owner&)) {
    type.def_prop_rw(
        "position", [pose](Owner& self) { return pose(self).position; },
        [pose](Owner& self, Vec3 position) { pose(self).position = position; }, "Its position. (m)");
    type.def_prop_rw(
        "axes",
        [pose](Owner& self) {
            const Mat3& axes = pose(self).axes;
            return std::make_tuple(axes.x, axes.y, axes.z);
        },
        [pose](Owner& self, const std::array<Vec3, 3>& axes) {
            pose(self).axes = {axes[0], axes[1], axes[2]};
        },
        "Its x, y and z axes as orthogonal unit vectors in world space.");
}

template <class Owner>
void bindMesh(nb::class_<Owner>& type, const char* doc) {
    type.def_prop_rw(
        "mesh", [](Owner& self) { return self.mesh; },
        [](Owner& self, const PyTriangleMesh& mesh) { self.mesh = std::make_shared<PyTriangleMesh>(mesh); }, doc);
}

Pose& emitterPose(PyEmitter& self) { return self.emitter.pose; }
Pose& colliderPose(PyCollider& self) { return self.collider.pose; }

// A constructor signature with every parameter as a keyword.
template <class P>
std::string initText(const std::string& arguments) {
    return "def __init__(self, " + arguments + keywordsOf<P>() + ") -> None";
}

const char* kKeywords = "Parameters by name; all have defaults.";

void bindFluid(nb::module_& module) {
    auto type = nb::class_<PyFluid>(module, "Fluid", collectable<PyFluid>(),
                                    "A fluid: its material, the meshes it fills, its emitters.");
    const std::string init = initText<FluidParams>(
        "name: str, volumes: collections.abc.Iterable[Mesh] = (), emitters: collections.abc.Iterable[Emitter] = ()");
    type.def(
        "__init__",
        [](PyFluid* self, const std::string& name, const nb::object& volumes, const nb::object& emitters,
           const nb::kwargs& keywords) {
            PyFluid fluid{name, {}, listOf(volumes), listOf(emitters)};
            setParams(fluid.params, name, keywords);
            new (self) PyFluid(std::move(fluid));
        },
        nb::arg("name"), nb::arg("volumes") = nb::none(), nb::arg("emitters") = nb::none(), nb::arg("keywords"),
        nb::sig(init.c_str()), kKeywords);
    type.def_rw("name", &PyFluid::name, "Its name in errors and frames.");
    type.def_prop_rw(
        "volumes", [](PyFluid& self) { return nb::typed<nb::list, PyTriangleMesh>(self.volumes); },
        [](PyFluid& self, const nb::typed<nb::iterable, PyTriangleMesh>& items) { self.volumes = nb::list(items); },
        "Closed meshes filled at the start.");
    type.def_prop_rw(
        "emitters", [](PyFluid& self) { return nb::typed<nb::list, PyEmitter>(self.emitters); },
        [](PyFluid& self, const nb::typed<nb::iterable, PyEmitter>& items) { self.emitters = nb::list(items); },
        "Emitters that feed it.");
    type.def("__repr__", [](const PyFluid& self) { return "<purl.Fluid " + self.name + ">"; });
    bindParams(type);
}

void bindEmitter(nb::module_& module) {
    auto type = nb::class_<PyEmitter>(module, "Emitter",
                                      "A source of fluid: a disc that emits along its y axis, a mesh or a curve.");
    const std::string init = initText<EmitterParams>("name: str");
    type.def(
        "__init__",
        [](PyEmitter* self, const std::string& name, const nb::kwargs& keywords) {
            PyEmitter emitter;
            emitter.emitter.name = name;
            setParams(emitter.emitter.params, name, keywords);
            new (self) PyEmitter(std::move(emitter));
        },
        nb::arg("name"), nb::arg("keywords"), nb::sig(init.c_str()), kKeywords);
    type.def_prop_rw(
        "name", [](PyEmitter& self) { return self.emitter.name; },
        [](PyEmitter& self, const std::string& name) { self.emitter.name = name; }, "Its name in errors.");
    type.def("__repr__", [](const PyEmitter& self) { return "<purl.Emitter " + self.emitter.name + ">"; });
    bindPose(type, &emitterPose);
    bindMesh(type, "The mesh of the volume shape, closed, or of the surface shape.");
    type.def_prop_rw(
        "curve", [](PyEmitter& self) { return self.emitter.curve; },
        [](PyEmitter& self, const std::vector<Vec3>& points) { self.emitter.curve = points; },
        "Points along the curve of the curve shape, in order. (m)");
    bindParams(type);
}

void bindCollider(nb::module_& module) {
    auto type =
        nb::class_<PyCollider>(module, "Collider", "A collider: a mesh or a primitive, as obstacle or container.");
    const std::string init = initText<ColliderParams>("name: str, mesh: Mesh | None = None");
    type.def(
        "__init__",
        [](PyCollider* self, const std::string& name, const PyTriangleMesh* mesh, const nb::kwargs& keywords) {
            PyCollider collider;
            collider.collider.name = name;
            if (mesh) *collider.mesh = *mesh;
            setParams(collider.collider.params, name, keywords);
            new (self) PyCollider(std::move(collider));
        },
        nb::arg("name"), nb::arg("mesh") = nb::none(), nb::arg("keywords"), nb::sig(init.c_str()), kKeywords);
    type.def_prop_rw(
        "name", [](PyCollider& self) { return self.collider.name; },
        [](PyCollider& self, const std::string& name) { self.collider.name = name; }, "Its name in errors.");
    type.def("__repr__", [](const PyCollider& self) { return "<purl.Collider " + self.collider.name + ">"; });
    bindPose(type, &colliderPose);
    bindMesh(type, "The mesh of shape mesh. Move its vertices, or set another mesh with as many, to animate it.");
    bindParams(type);
}

using FaceArray = nb::ndarray<const int, nb::shape<-1, -1>, nb::c_contig, nb::device::cpu>;

template <class Body>
void setMesh(Body& body, const VertexArray& points, const FaceArray* faces) {
    for (size_t i = 0; i < points.shape(0); ++i) body.points.push_back({points(i, 0), points(i, 1), points(i, 2)});
    if (faces) {
        body.faces.counts = std::vector<int>(faces->shape(0), static_cast<int>(faces->shape(1)));
        body.faces.corners = std::vector<int>(faces->data(), faces->data() + faces->size());
    }
}

template <class Body>
void setGeometry(Body& body, const VertexArray& points, const FaceArray* faces, const nb::object& pins) {
    setMesh(body, points, faces);
    if (!pins.is_none()) body.pins = nb::cast<std::vector<float>>(pins);
}

// Absorption of a fabric: the type of a cloth's `pores`.
void bindPores(nb::module_& module) {
    auto type = nb::class_<Pores>(module, "Pores", "How a fabric absorbs and releases water, and how that changes it.");
    const std::string init = "def __init__(self" + keywordsOf<WetParams>() + ") -> None";
    type.def(
        "__init__",
        [](Pores* self, const nb::kwargs& keywords) {
            Pores pores;
            setParams(pores.params, "pores", keywords);
            new (self) Pores(std::move(pores));
        },
        nb::arg("keywords"), nb::sig(init.c_str()), kKeywords);
    type.def_rw("wetness_map", &Pores::wetnessMap, "Per point, or empty: initial saturation.");
    type.def_rw("porosity_map", &Pores::porosityMap, "Per point, or empty: factor on the porosity.");
    type.def_rw("permeability_map", &Pores::permeabilityMap, "Per point, or empty: factor on the permeability.");
    type.def("__repr__", [](const Pores&) { return "<purl.Pores>"; });
    bindParams(type);
}

void bindCloth(nb::module_& module) {
    auto type = nb::class_<PyCloth>(module, "Cloth", "A cloth: its fabric, its initial mesh, and its pins.");
    const std::string init = initText<ClothParams>(
        "name: str, points: numpy.typing.ArrayLike, faces: numpy.typing.ArrayLike, pins: "
        "collections.abc.Iterable[float] = ()");
    type.def(
        "__init__",
        [](PyCloth* self, const std::string& name, const VertexArray& points, const FaceArray& faces,
           const nb::object& pins, const nb::kwargs& keywords) {
            PyCloth cloth;
            cloth.cloth.name = name;
            setGeometry(cloth.cloth, points, &faces, pins);
            setParams(cloth.cloth.params, name, keywords);
            new (self) PyCloth(std::move(cloth));
        },
        nb::arg("name"), nb::arg("points"), nb::arg("faces"), nb::arg("pins") = nb::none(), nb::arg("keywords"),
        nb::sig(init.c_str()),
        "From arrays of N x 3 floats and M x 3 or M x 4 vertex indices; parameters by name, all have defaults.");
    type.def_prop_rw(
        "name", [](PyCloth& self) { return self.cloth.name; },
        [](PyCloth& self, const std::string& name) { self.cloth.name = name; }, "Its name in errors and frames.");
    type.def_prop_ro(
        "points",
        [](PyCloth& self) {
            return VertexView(&self.cloth.points.data()->x, {self.cloth.points.size(), 3});
        },
        "A view of the mesh's points; writing to it moves the pinned ones.");
    type.def_prop_rw(
        "pins", [](PyCloth& self) { return self.cloth.pins; },
        [](PyCloth& self, const std::vector<float>& pins) { self.cloth.pins = pins; },
        "Per point, or empty: how firmly it follows the mesh, from 0 (free) to 1 (pinned).");
    type.def_prop_rw(
        "stiffness_map", [](PyCloth& self) { return self.cloth.stiffnessMap; },
        [](PyCloth& self, const std::vector<float>& map) { self.cloth.stiffnessMap = map; },
        "Per point, or empty: factor on the stiffness.");
    type.def_prop_rw(
        "mass_map", [](PyCloth& self) { return self.cloth.massMap; },
        [](PyCloth& self, const std::vector<float>& map) { self.cloth.massMap = map; },
        "Per point, or empty: factor on the mass.");
    type.def_prop_rw(
        "pores", [](PyCloth& self) -> Pores& { return self.cloth.pores; },
        [](PyCloth& self, const Pores& pores) { self.cloth.pores = pores; }, nb::rv_policy::reference_internal,
        "How it soaks.");
    type.def_prop_rw(
        "attach_to", [](PyCloth& self) { return self.cloth.attachTo; },
        [](PyCloth& self, const std::string& name) { self.cloth.attachTo = name; },
        "Name of a collider that points are attached to, or empty.");
    type.def_prop_rw(
        "attached_vertices", [](PyCloth& self) { return self.cloth.attachedVertices; },
        [](PyCloth& self, const std::vector<int>& vertices) { self.cloth.attachedVertices = vertices; },
        "Indices of the attached points; empty: those inside or near the collider at the start.");
    type.def_prop_rw(
        "attach_distance", [](PyCloth& self) { return self.cloth.attachDistance; },
        [](PyCloth& self, float distance) { self.cloth.attachDistance = distance; },
        "Largest distance for automatic attachment, in metres.");
    type.def(
        "use_fabric",
        [](PyCloth& self, const std::string& fabric) { self.cloth.params = fabrics().with(fabric, self.cloth.params); },
        nb::arg("fabric"), "Sets density, stiffness, damping and friction of a named fabric, one of fabrics().");
    type.def("__repr__", [](const PyCloth& self) { return "<purl.Cloth " + nameOf(self) + ">"; });
    bindParams(type);
}

void bindKnit(nb::module_& module) {
    auto type = nb::class_<PyKnit>(module, "Knit", "A knit: its stitches, its yarn, and its mesh.");
    const std::string init = initText<KnitParams>(
        "name: str, points: numpy.typing.ArrayLike, faces: numpy.typing.ArrayLike, chart: str = '', pins: "
        "collections.abc.Iterable[float] = ()");
    type.def(
        "__init__",
        [](PyKnit* self, const std::string& name, const VertexArray& points, const FaceArray& faces,
           const std::string& chart, const nb::object& pins, const nb::kwargs& keywords) {
            PyKnit knit;
            knit.knit.name = name;
            knit.knit.chart = chart;
            setGeometry(knit.knit, points, &faces, pins);
            setParams(knit.knit.params, name, keywords);
            new (self) PyKnit(std::move(knit));
        },
        nb::arg("name"), nb::arg("points"), nb::arg("faces"), nb::arg("chart") = "", nb::arg("pins") = nb::none(),
        nb::arg("keywords"), nb::sig(init.c_str()),
        "From arrays of N x 3 floats and M x 4 vertex indices in rows; parameters by name, all have defaults. chart is "
        "the text of a chart, in place of a named pattern.");
    type.def_prop_rw(
        "name", [](PyKnit& self) { return self.knit.name; },
        [](PyKnit& self, const std::string& name) { self.knit.name = name; }, "Its name in errors and frames.");
    type.def_prop_ro(
        "points",
        [](PyKnit& self) {
            return VertexView(&self.knit.points.data()->x, {self.knit.points.size(), 3});
        },
        "A view of the mesh's points; writing to it moves the knit, or its pinned part.");
    type.def_prop_rw(
        "pores", [](PyKnit& self) -> Pores& { return self.knit.pores; },
        [](PyKnit& self, const Pores& pores) { self.knit.pores = pores; }, nb::rv_policy::reference_internal,
        "How it soaks.");
    type.def_prop_rw(
        "pins", [](PyKnit& self) { return self.knit.pins; },
        [](PyKnit& self, const std::vector<float>& pins) { self.knit.pins = pins; },
        "Per point, or empty: how firmly the knit follows the mesh there, from 0 (free) to 1 (pinned).");
    type.def(
        "use_gauge",
        [](PyKnit& self, const std::string& gauge) { self.knit.params = gauges().with(gauge, self.knit.params); },
        nb::arg("gauge"),
        "Sets stitch size, thickness, mass, stiffness and friction of a named yarn, one of gauges().");
    type.def("__repr__", [](const PyKnit& self) { return "<purl.Knit " + nameOf(self) + ">"; });
    bindParams(type);
}

void bindSoftBody(nb::module_& module) {
    auto type = nb::class_<PySoftBody>(module, "SoftBody",
                                       "A soft body: its material, its initial mesh or point cloud, and its pins.");
    const std::string init = initText<SoftBodyParams>(
        "name: str, points: numpy.typing.ArrayLike, faces: numpy.typing.ArrayLike | None = None, pins: "
        "collections.abc.Iterable[float] = ()");
    type.def(
        "__init__",
        [](PySoftBody* self, const std::string& name, const VertexArray& points, const std::optional<FaceArray>& faces,
           const nb::object& pins, const nb::kwargs& keywords) {
            PySoftBody body;
            body.body.name = name;
            setGeometry(body.body, points, faces ? &*faces : nullptr, pins);
            setParams(body.body.params, name, keywords);
            new (self) PySoftBody(std::move(body));
        },
        nb::arg("name"), nb::arg("points"), nb::arg("faces") = nb::none(), nb::arg("pins") = nb::none(),
        nb::arg("keywords"), nb::sig(init.c_str()),
        "From arrays of N x 3 floats and M x 3 or M x 4 vertex indices, or without those a point cloud, which "
        "needs a spacing; parameters by name.");
    type.def_prop_rw(
        "name", [](PySoftBody& self) { return self.body.name; },
        [](PySoftBody& self, const std::string& name) { self.body.name = name; }, "Its name in errors and frames.");
    type.def_prop_ro(
        "points",
        [](PySoftBody& self) {
            return VertexView(&self.body.points.data()->x, {self.body.points.size(), 3});
        },
        "A view of the mesh's points; writing to it moves the pinned or frozen ones.");
    type.def_prop_rw(
        "pins", [](PySoftBody& self) { return self.body.pins; },
        [](PySoftBody& self, const std::vector<float>& pins) { self.body.pins = pins; },
        "Per point, or empty: how firmly it follows the mesh, from 0 (free) to 1 (pinned).");
    type.def_prop_rw(
        "drag_to", [](PySoftBody& self) { return self.body.dragTo; },
        [](PySoftBody& self, Vec3 place) { self.body.dragTo = place; },
        "Target position of the dragged points, in metres.");
    type.def(
        "use_material",
        [](PySoftBody& self, const std::string& material) {
            self.body.params = softMaterials().with(material, self.body.params);
        },
        nb::arg("material"),
        "Sets density, stiffness, beta, yield, damping and friction of a named material, one of soft_materials().");
    type.def("__repr__", [](const PySoftBody& self) { return "<purl.SoftBody " + nameOf(self) + ">"; });
    bindParams(type);
}

void bindField(nb::module_& module) {
    auto type = nb::class_<PyField>(module, "Field",
                                    "An acceleration on everything within its radius, in addition to gravity.");
    const std::string init = initText<FieldParams>("name: str");
    type.def(
        "__init__",
        [](PyField* self, const std::string& name, const nb::kwargs& keywords) {
            PyField field;
            field.field.name = name;
            setParams(field.field.params, name, keywords);
            new (self) PyField(std::move(field));
        },
        nb::arg("name"), nb::arg("keywords"), nb::sig(init.c_str()), kKeywords);
    type.def_prop_rw(
        "name", [](PyField& self) { return self.field.name; },
        [](PyField& self, const std::string& name) { self.field.name = name; }, "Its name in errors.");
    type.def_prop_rw(
        "position", [](PyField& self) { return self.field.position; },
        [](PyField& self, Vec3 position) { self.field.position = position; }, "Its centre, if it has a radius. (m)");
    type.def("__repr__", [](const PyField& self) { return "<purl.Field " + nameOf(self) + ">"; });
    bindParams(type);
}

void bindSolver(nb::module_& module) {
    auto type = nb::class_<PySolver>(module, "Solver", "Settings of the whole scene.");
    const std::string keywords = keywordsOf<SolverParams>();
    const std::string init = "def __init__(self" + keywords + ") -> None";
    type.def(
        "__init__",
        [](PySolver* self, const nb::kwargs& keywords) {
            PySolver solver;
            setParams(solver.params, "solver", keywords);
            new (self) PySolver(solver);
        },
        nb::arg("keywords"), nb::sig(init.c_str()), kKeywords);
    bindParams(type);
}

// A list of the scene. It is a Python list, so that references to items stay valid while others are added or removed.
template <class Item>
void bindList(nb::class_<PyScene>& type, const char* name, nb::list PyScene::*list, const char* doc) {
    type.def_prop_rw(
        name, [list](PyScene& self) { return nb::typed<nb::list, Item>(self.*list); },
        [list](PyScene& self, const nb::typed<nb::iterable, Item>& items) { self.*list = nb::list(items); }, doc);
}

void bindWhole(nb::module_& module) {
    auto type = nb::class_<PyScene>(module, "Scene", collectable<PyScene>(),
                                    "Everything a simulation reads at one moment, in SI units.");
    type.def(
        "__init__",
        [](PyScene* self, const nb::object& fluids, const nb::object& colliders, const nb::object& fields,
           const nb::object& cloths, const nb::object& softBodies, const nb::object& knits) {
            new (self)
                PyScene{std::make_shared<PySolver>(), listOf(fluids), listOf(colliders), listOf(fields), listOf(cloths),
                        listOf(softBodies),           listOf(knits)};
        },
        nb::arg("fluids") = nb::none(), nb::arg("colliders") = nb::none(), nb::arg("fields") = nb::none(),
        nb::arg("cloths") = nb::none(), nb::arg("soft_bodies") = nb::none(), nb::arg("knits") = nb::none(),
        nb::sig("def __init__(self, fluids: collections.abc.Iterable[Fluid] = (), colliders: "
                "collections.abc.Iterable[Collider] = (), fields: collections.abc.Iterable[Field] = (), cloths: "
                "collections.abc.Iterable[Cloth] = (), soft_bodies: collections.abc.Iterable[SoftBody] = (), knits: "
                "collections.abc.Iterable[Knit] = ()) -> None"));
    type.def_prop_rw(
        "solver", [](PyScene& self) { return self.solver; },
        [](PyScene& self, std::shared_ptr<PySolver> solver) { self.solver = std::move(solver); },
        "Settings of the solver.");
    bindList<PyFluid>(type, "fluids", &PyScene::fluids, "The fluids.");
    bindList<PyCloth>(type, "cloths", &PyScene::cloths, "The cloths.");
    bindList<PySoftBody>(type, "soft_bodies", &PyScene::softBodies, "The soft bodies.");
    bindList<PyKnit>(type, "knits", &PyScene::knits, "The knits.");
    bindList<PyCollider>(type, "colliders", &PyScene::colliders, "The colliders.");
    bindList<PyField>(type, "fields", &PyScene::fields, "The fields.");
    type.def(
        "check", [](const PyScene& self) { checkScene(sceneOf(self)); },
        "Raises Error if the scene cannot be simulated: a setting out of range, a mesh with no faces, two bodies "
        "of "
        "one name.");
    type.def(
        "__eq__", [](const PyScene& a, const PyScene& b) { return sceneOf(a) == sceneOf(b); }, nb::is_operator());
    type.def("__str__", [](const PyScene& self) { return toString(sceneOf(self)); });
}

PyFluid presetFluid(const std::string& preset, const std::string& name) {
    PyFluid fluid;
    fluid.name = name.empty() ? preset : name;
    fluid.params = fluidPreset(preset);
    return fluid;
}

}  // namespace

void bindScene(nb::module_& module) {
    bindMeshes(module);
    bindEmitter(module);
    bindFluid(module);
    bindPores(module);
    bindCloth(module);
    bindSoftBody(module);
    bindKnit(module);
    bindCollider(module);
    bindField(module);
    bindSolver(module);
    bindWhole(module);
    module.def(
        "presets",
        [] {
            std::vector<std::string> names;
            for (const FluidPreset& preset : fluidPresets()) names.push_back(preset.name);
            return names;
        },
        "Names of the materials for preset().");
    module.def(
        "fabrics", [] { return fabrics().names(); }, "Names of the fabrics for Cloth.use_fabric().");
    module.def(
        "gauges", [] { return gauges().names(); }, "Names of the yarns and gauges for Knit.use_gauge().");
    module.def(
        "soft_materials", [] { return softMaterials().names(); },
        "Names of the materials for SoftBody.use_material().");
    module.def("preset", &presetFluid, nb::arg("preset"), nb::arg("name") = "",
               "A Fluid of that material, without volumes; its default name is that of the material.");
}

}  // namespace purl::python
