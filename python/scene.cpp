#include "python/scene.h"

#include <nanobind/stl/map.h>
#include <nanobind/stl/variant.h>

#include "python/collect.h"
#include "python/params.h"
#include "python/sim.h"

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

static std::string nameOf(const PySolver&) { return "solver"; }

// ---- bodies ----------------------------------------------------------------------------------------------------

namespace {

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
std::string initText(const std::string& arguments, const std::string& firstKeyword = {}) {
    std::string keywords = keywordsOf<P>();
    if (!firstKeyword.empty()) keywords.insert(keywords.find('*') + 1, ", " + firstKeyword);
    return "def __init__(self, " + arguments + keywords + ") -> None";
}

const char* kKeywords = "Parameters by name; all have defaults.";

// ---- presets

FluidParams withPreset(const FluidParams& own, const std::string& preset) {
    FluidParams params = fluidPreset(preset);
    params.particleSpacing = own.particleSpacing;
    params.jitter = own.jitter;
    params.startVelocity = own.startVelocity;
    return params;
}
ClothParams withPreset(const ClothParams& own, const std::string& preset) { return fabrics().with(preset, own); }
KnitParams withPreset(const KnitParams& own, const std::string& preset) { return gauges().with(preset, own); }
SoftBodyParams withPreset(const SoftBodyParams& own, const std::string& preset) {
    return softMaterials().with(preset, own);
}

// Parameters from the keywords of a constructor; those of the preset first.
template <class P>
void setMaterial(P& params, const std::string& owner, const nb::kwargs& keywords) {
    nb::kwargs others = nb::steal<nb::kwargs>(PyDict_Copy(keywords.ptr()));
    if (others.contains("preset")) {
        const auto preset = nb::cast<std::string>(others["preset"]);
        if (!preset.empty()) params = withPreset(params, preset);
        PyDict_DelItemString(others.ptr(), "preset");
    }
    setParams(params, owner, others);
}

template <class Owner>
void bindPreset(nb::class_<Owner>& type, const char* doc) {
    type.def(
        "apply_preset",
        [](Owner& self, const std::string& preset) { paramsOf(self) = withPreset(paramsOf(self), preset); },
        nb::arg("preset"), doc);
}

// ---- meshes of fabrics

using FaceArray = nb::ndarray<const int, nb::shape<-1, -1>, nb::c_contig, nb::device::cpu>;

template <class Body>
void setGeometry(Body& body, const VertexArray& points, const FaceArray* faces, const nb::object& pins) {
    body.points = pointsOf(points);
    if (faces) {
        body.faces.counts = std::vector<int>(faces->shape(0), static_cast<int>(faces->shape(1)));
        body.faces.corners = std::vector<int>(faces->data(), faces->data() + faces->size());
    }
    if (!pins.is_none()) body.pins = nb::cast<std::vector<float>>(pins);
}

// The mesh of the scene's first frame.
template <class Body>
void setGeometry(Body& body, PyMeshSequence& files, const nb::object& pins) {
    const Mesh mesh = files.at(files.sequence().frames().front());
    body.points = placesOf(mesh);
    body.faces = facesOf(mesh);
    if (!pins.is_none()) body.pins = nb::cast<std::vector<float>>(pins);
}

// points, as a view that can be written to or replaced, and the animation.
template <class Owner, class Of>
void bindPoints(nb::class_<Owner>& type, Of bodyOf, const char* doc) {
    type.def_prop_rw(
        "points",
        [bodyOf](Owner& self) {
            auto& points = bodyOf(self).points;
            return VertexView(&points.data()->x, {points.size(), 3});
        },
        [bodyOf](Owner& self, const VertexArray& points) { placePoints(bodyOf(self), pointsOf(points)); }, doc);
}
template <class Owner>
void bindAnimation(nb::class_<Owner>& type) {
    type.def_prop_rw(
        "animation", [](Owner& self) { return self.animation; },
        [](Owner& self, const SequencePtr& animation) { self.animation = animation; }, nb::arg().none(),
        "A MeshSequence that moves its mesh as time goes on, or None.");
}

void bindFluid(nb::module_& module) {
    auto type = nb::class_<PyFluid>(module, "Fluid", collectable<PyFluid>(),
                                    "A fluid: its material, the meshes it fills, its emitters.");
    const std::string init = initText<FluidParams>(
        "name: str, volumes: collections.abc.Iterable[Mesh] = (), emitters: collections.abc.Iterable[Emitter] = ()",
        "preset: str = ''");
    type.def(
        "__init__",
        [](PyFluid* self, const std::string& name, const nb::object& volumes, const nb::object& emitters,
           const nb::kwargs& keywords) {
            PyFluid fluid{name, {}, listOf(volumes), listOf(emitters)};
            setMaterial(fluid.params, name, keywords);
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
    bindPreset(type,
               "Sets the material of a named liquid, one of presets()['fluid']; particle_spacing, jitter and "
               "start_velocity stay.");
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
    const std::string init = initText<ColliderParams>("name: str, mesh: Mesh | MeshSequence | None = None");
    type.def(
        "__init__",
        [](PyCollider* self, const std::string& name, const std::variant<MeshPtr, SequencePtr>& mesh,
           const nb::kwargs& keywords) {
            PyCollider collider;
            collider.collider.name = name;
            if (const auto* still = std::get_if<MeshPtr>(&mesh); still && *still) {
                *collider.mesh = **still;
            } else if (const auto* files = std::get_if<SequencePtr>(&mesh); files && *files) {
                collider.animation = *files;
                collider.mesh = meshOf((*files)->at((*files)->sequence().frames().front()));
            }
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
    bindAnimation(type);
    bindParams(type);
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
        "collections.abc.Iterable[float] = ()",
        "preset: str = ''");
    const std::string ofFiles = initText<ClothParams>(
        "name: str, mesh: MeshSequence, pins: collections.abc.Iterable[float] = ()", "preset: str = ''");
    type.def(
        "__init__",
        [](PyCloth* self, const std::string& name, const SequencePtr& mesh, const nb::object& pins,
           const nb::kwargs& keywords) {
            PyCloth cloth;
            cloth.cloth.name = name;
            cloth.animation = mesh;
            setGeometry(cloth.cloth, *mesh, pins);
            setMaterial(cloth.cloth.params, name, keywords);
            new (self) PyCloth(std::move(cloth));
        },
        nb::arg("name"), nb::arg("mesh"), nb::arg("pins") = nb::none(), nb::arg("keywords"), nb::sig(ofFiles.c_str()),
        "From an animated mesh, which pinned points follow.");
    type.def(
        "__init__",
        [](PyCloth* self, const std::string& name, const VertexArray& points, const FaceArray& faces,
           const nb::object& pins, const nb::kwargs& keywords) {
            PyCloth cloth;
            cloth.cloth.name = name;
            setGeometry(cloth.cloth, points, &faces, pins);
            setMaterial(cloth.cloth.params, name, keywords);
            new (self) PyCloth(std::move(cloth));
        },
        nb::arg("name"), nb::arg("points"), nb::arg("faces"), nb::arg("pins") = nb::none(), nb::arg("keywords"),
        nb::sig(init.c_str()),
        "From arrays of N x 3 floats and M x 3 or M x 4 vertex indices; parameters by name, all have defaults.");
    type.def_prop_rw(
        "name", [](PyCloth& self) { return self.cloth.name; },
        [](PyCloth& self, const std::string& name) { self.cloth.name = name; }, "Its name in errors and frames.");
    bindPoints(
        type, [](PyCloth& self) -> Cloth& { return self.cloth; },
        "A view of the mesh's points; writing to it, or setting as many others, moves the pinned ones.");
    bindAnimation(type);
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
    bindPreset(type, "Sets density, stiffness, damping and friction of a named fabric, one of presets()['cloth'].");
    type.def("__repr__", [](const PyCloth& self) { return "<purl.Cloth " + nameOf(self) + ">"; });
    bindParams(type);
}

void bindKnit(nb::module_& module) {
    auto type = nb::class_<PyKnit>(module, "Knit", "A knit: its stitches, its yarn, and its mesh.");
    const std::string init = initText<KnitParams>(
        "name: str, points: numpy.typing.ArrayLike, faces: numpy.typing.ArrayLike, chart: str = '', pins: "
        "collections.abc.Iterable[float] = ()",
        "preset: str = ''");
    const std::string ofFiles = initText<KnitParams>(
        "name: str, mesh: MeshSequence, chart: str = '', pins: collections.abc.Iterable[float] = ()",
        "preset: str = ''");
    type.def(
        "__init__",
        [](PyKnit* self, const std::string& name, const SequencePtr& mesh, const std::string& chart,
           const nb::object& pins, const nb::kwargs& keywords) {
            PyKnit knit;
            knit.knit.name = name;
            knit.knit.chart = chart;
            knit.animation = mesh;
            setGeometry(knit.knit, *mesh, pins);
            setMaterial(knit.knit.params, name, keywords);
            new (self) PyKnit(std::move(knit));
        },
        nb::arg("name"), nb::arg("mesh"), nb::arg("chart") = "", nb::arg("pins") = nb::none(), nb::arg("keywords"),
        nb::sig(ofFiles.c_str()), "On an animated mesh, which the knit or its pinned part follows.");
    type.def(
        "__init__",
        [](PyKnit* self, const std::string& name, const VertexArray& points, const FaceArray& faces,
           const std::string& chart, const nb::object& pins, const nb::kwargs& keywords) {
            PyKnit knit;
            knit.knit.name = name;
            knit.knit.chart = chart;
            setGeometry(knit.knit, points, &faces, pins);
            setMaterial(knit.knit.params, name, keywords);
            new (self) PyKnit(std::move(knit));
        },
        nb::arg("name"), nb::arg("points"), nb::arg("faces"), nb::arg("chart") = "", nb::arg("pins") = nb::none(),
        nb::arg("keywords"), nb::sig(init.c_str()),
        "From arrays of N x 3 floats and M x 4 vertex indices in rows; parameters by name, all have defaults. chart is "
        "the text of a chart, in place of a named pattern.");
    type.def_prop_rw(
        "name", [](PyKnit& self) { return self.knit.name; },
        [](PyKnit& self, const std::string& name) { self.knit.name = name; }, "Its name in errors and frames.");
    bindPoints(
        type, [](PyKnit& self) -> Knit& { return self.knit; },
        "A view of the mesh's points; writing to it, or setting as many others, moves the knit, or its pinned part.");
    bindAnimation(type);
    type.def_prop_rw(
        "pores", [](PyKnit& self) -> Pores& { return self.knit.pores; },
        [](PyKnit& self, const Pores& pores) { self.knit.pores = pores; }, nb::rv_policy::reference_internal,
        "How it soaks.");
    type.def_prop_rw(
        "pins", [](PyKnit& self) { return self.knit.pins; },
        [](PyKnit& self, const std::vector<float>& pins) { self.knit.pins = pins; },
        "Per point, or empty: how firmly the knit follows the mesh there, from 0 (free) to 1 (pinned).");
    bindPreset(type, "Sets stitch size, thickness, mass, stiffness and friction of a yarn, one of presets()['knit'].");
    type.def("__repr__", [](const PyKnit& self) { return "<purl.Knit " + nameOf(self) + ">"; });
    bindParams(type);
}

void bindSoftBody(nb::module_& module) {
    auto type = nb::class_<PySoftBody>(module, "SoftBody",
                                       "A soft body: its material, its initial mesh or point cloud, and its pins.");
    const std::string init = initText<SoftBodyParams>(
        "name: str, points: numpy.typing.ArrayLike, faces: numpy.typing.ArrayLike | None = None, pins: "
        "collections.abc.Iterable[float] = ()",
        "preset: str = ''");
    type.def(
        "__init__",
        [](PySoftBody* self, const std::string& name, const VertexArray& points, const std::optional<FaceArray>& faces,
           const nb::object& pins, const nb::kwargs& keywords) {
            PySoftBody body;
            body.body.name = name;
            setGeometry(body.body, points, faces ? &*faces : nullptr, pins);
            setMaterial(body.body.params, name, keywords);
            new (self) PySoftBody(std::move(body));
        },
        nb::arg("name"), nb::arg("points"), nb::arg("faces") = nb::none(), nb::arg("pins") = nb::none(),
        nb::arg("keywords"), nb::sig(init.c_str()),
        "From arrays of N x 3 floats and M x 3 or M x 4 vertex indices, or without those a point cloud, which "
        "needs a spacing; parameters by name.");
    type.def_prop_rw(
        "name", [](PySoftBody& self) { return self.body.name; },
        [](PySoftBody& self, const std::string& name) { self.body.name = name; }, "Its name in errors and frames.");
    bindPoints(
        type, [](PySoftBody& self) -> SoftBody& { return self.body; },
        "A view of the mesh's points; writing to it, or setting as many others, moves the pinned or frozen ones.");
    bindAnimation(type);
    type.def_prop_rw(
        "pins", [](PySoftBody& self) { return self.body.pins; },
        [](PySoftBody& self, const std::vector<float>& pins) { self.body.pins = pins; },
        "Per point, or empty: how firmly it follows the mesh, from 0 (free) to 1 (pinned).");
    type.def_prop_rw(
        "drag_to", [](PySoftBody& self) { return self.body.dragTo; },
        [](PySoftBody& self, Vec3 place) { self.body.dragTo = place; },
        "Target position of the dragged points, in metres.");
    bindPreset(
        type,
        "Sets density, stiffness, beta, yield, damping and friction of a material, one of presets()['soft_body'].");
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
    type.def_rw("fps", &PyScene::fps, "Frames per second, of animations and of files.");
    type.def_rw("start_frame", &PyScene::startFrame, "The frame of time 0.");
    type.def("move_to", &moveTo, nb::arg("frame"),
             "Moves the meshes of bodies with an animation to a frame. Simulator.advance_to does this itself.");
    type.def(
        "save",
        [](const PyScene& self, const std::filesystem::path& path, int lastFrame) {
            save(self, lastFrame, path.string());
        },
        nb::arg("path"), nb::arg("last_frame") = 48,
        nb::sig("def save(self, path: str | os.PathLike, last_frame: int = 48) -> None"),
        "Writes a .ma file with the nodes that purlCreate makes of these bodies, and their animations. It plays from "
        "start_frame to last_frame in Maya, `purl sim` and purl.load().");
    type.def("write_cache", &writeCacheOf, nb::arg("directory"), nb::arg("last_frame") = 48, nb::arg("format") = "",
             nb::arg("threads") = 0, nb::arg("one_file") = false, nb::arg("checkpoints") = 24,
             nb::sig("def write_cache(self, directory: str | os.PathLike, last_frame: int = 48, format: str = '', "
                     "threads: int = 0, one_file: bool = False, checkpoints: int = 24) -> Cache"),
             "Simulates from start_frame to last_frame and caches every frame with the surfaces of liquids, as `purl "
             "sim` does. `format` is a list like \"mcx,abc\". The scene is saved beside the folder, as directory.ma, "
             "which gives pictures their materials.");
    type.def(
        "check", [](const PyScene& self) { checkScene(sceneOf(self)); },
        "Raises Error if the scene cannot be simulated: a setting out of range, a mesh with no faces, two bodies "
        "of "
        "one name.");
    type.def(
        "__eq__", [](const PyScene& a, const PyScene& b) { return sceneOf(a) == sceneOf(b); }, nb::is_operator());
    type.def("__str__", [](const PyScene& self) { return toString(sceneOf(self)); });
}

std::map<std::string, std::vector<std::string>> presetNames() {
    std::vector<std::string> fluids;
    for (const FluidPreset& preset : fluidPresets()) fluids.push_back(preset.name);
    return {{"fluid", fluids},
            {"cloth", fabrics().names()},
            {"knit", gauges().names()},
            {"soft_body", softMaterials().names()}};
}

}  // namespace

void bindScene(nb::module_& module) {
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
        "presets", &presetNames,
        "Names of the materials for the keyword `preset` and apply_preset(), by kind of body: fluid, cloth, knit "
        "and soft_body.");
}

}  // namespace purl::python
