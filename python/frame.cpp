#include "python/frame.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/pair.h>

#include "solver/cache/attributes.h"
#include "solver/cache/points.h"
#include "solver/core/error.h"
#include "solver/core/hash.h"

namespace purl::python {
namespace {

struct PyPoints {
    FramePtr frame;
};
struct PyMesh {
    FramePtr frame;
    size_t index;
    const Mesh& mesh() const { return frame->meshes[index]; }
};

struct PyCurves {
    FramePtr frame;
    size_t index;
    const Curves& curves() const { return frame->curves[index]; }
};

static_assert(sizeof(Vec3) == 3 * sizeof(float), "a Vec3 is viewed as three floats");

// Views for properties: nanobind makes the object they are asked of their owner, and that holds the frame.
template <class T>
auto view(const std::vector<T>& values) {
    return nb::ndarray<nb::numpy, const T, nb::shape<-1>>(values.data(), {values.size()});
}
auto view(const std::vector<Vec3>& values) {
    const auto* floats = reinterpret_cast<const float*>(values.data());
    return nb::ndarray<nb::numpy, const float, nb::shape<-1, 3>>(floats, {values.size(), 3});
}
auto triangleView(const std::vector<int>& corners) {
    return nb::ndarray<nb::numpy, const int, nb::shape<-1, 3>>(corners.data(), {corners.size() / 3, 3});
}

// An array that goes to Python for good.
template <class T>
auto given(std::vector<T> values, size_t columns) {
    auto* kept = new std::vector<T>(std::move(values));
    const nb::capsule owner(kept, [](void* pointer) noexcept { delete static_cast<std::vector<T>*>(pointer); });
    return nb::ndarray<nb::numpy, const T>(kept->data(), {kept->size() / columns, columns}, owner);
}

// One array of the list that every format writes, and the frame that it lives in.
struct PyAttribute {
    FramePtr frame;
    Attribute attribute;
};
template <class Item>
std::vector<PyAttribute> attributeList(const FramePtr& frame, const Item& item) {
    std::vector<PyAttribute> list;
    for (const Attribute& attribute : attributesOf(item)) list.push_back({frame, attribute});
    return list;
}
void bindAttributes(nb::module_& module) {
    nb::class_<PyAttribute>(module, "Attribute", "A named array of a frame's particles, mesh or yarns.")
        .def_prop_ro(
            "name", [](const PyAttribute& self) { return self.attribute.name; }, "As nCache spells it.")
        .def_prop_ro(
            "meaning", [](const PyAttribute& self) { return nameOf(self.attribute.meaning); },
            nb::sig("def meaning(self) -> typing.Literal['plain', 'id', 'point', 'vector', 'normal', 'color', "
                    "'length']"))
        .def_prop_ro(
            "scope",
            [](const PyAttribute& self) { return self.attribute.scope == Scope::uniform ? "uniform" : "vertex"; },
            nb::sig("def scope(self) -> typing.Literal['vertex', 'uniform']"))
        .def_prop_ro(
            "values",
            [](const PyAttribute& self) {
                const Attribute& a = self.attribute;
                const size_t shape[2] = {a.count, static_cast<size_t>(a.components)};
                const nb::dlpack::dtype type = a.type == AttributeType::float32 ? nb::dtype<float>()
                                               : a.type == AttributeType::int32 ? nb::dtype<int32_t>()
                                                                                : nb::dtype<int64_t>();
                return nb::ndarray<nb::numpy, nb::ro>(a.data, a.components > 1 ? 2 : 1, shape, nb::handle(), nullptr,
                                                      type);
            },
            "A view: one value, or row of three, a particle, vertex, point or yarn.")
        .def("__repr__", [](const PyAttribute& self) { return "<purl.Attribute " + self.attribute.name + ">"; });
}

template <class T>
void bindChannel(nb::class_<PyPoints>& type, const char* name, std::vector<T> Points::*channel, const char* doc) {
    type.def_prop_ro(
        name, [channel](const PyPoints& self) { return view(self.frame->points.*channel); }, doc);
}

void bindDrops(nb::class_<PyPoints>& type, const char* name, std::vector<int> DropOrigins::*channel, const char* doc) {
    type.def_prop_ro(
        name, [channel](const PyPoints& self) { return view(self.frame->points.drops.*channel); }, doc);
}

template <class Owner, class Of>
void bindWetting(nb::class_<Owner>& type, Of wettingOf) {
    type.def_prop_ro(
        "wetness", [wettingOf](const Owner& self) { return view(wettingOf(self).wetness); },
        "Saturation of the pores, 0 dry to 1 full; of a particle, of the fabric that it touches. Empty where none "
        "soaks.");
    type.def_prop_ro(
        "film_thickness", [wettingOf](const Owner& self) { return view(wettingOf(self).filmThickness); },
        "Of the water upon the fabric.");
    type.def_prop_ro(
        "time_since_wet", [wettingOf](const Owner& self) { return view(wettingOf(self).timeSinceWet); },
        "Seconds since water last came, or a particle touched a fabric; -1: never.");
    type.def_prop_ro(
        "dye", [wettingOf](const Owner& self) { return view(wettingOf(self).dye); },
        "rgb of the water in it; of particles empty, for it is their colour.");
}

void bindPoints(nb::module_& module) {
    nb::class_<PyPoints> type(module, "Points",
                              "The particles of a frame, sorted by id, as read-only numpy views without a copy. A "
                              "channel that a file did not hold is empty.");
    bindChannel(type, "ids", &Points::ids, "Ids that never change.");
    bindChannel(type, "bodies", &Points::bodies, "Which fluid each belongs to: an index into Frame.bodies.");
    bindChannel(type, "positions", &Points::positions, "Where they are.");
    bindChannel(type, "velocities", &Points::velocities, "Units per second.");
    bindChannel(type, "accelerations", &Points::accelerations, "Units per second squared.");
    bindChannel(type, "normals", &Points::normals, "Outward unit normals of surface particles, zero inside.");
    bindChannel(type, "densities", &Points::densities, "kg/m³");
    bindChannel(type, "pressures", &Points::pressures, "Pa");
    bindChannel(type, "radii", &Points::radii, "Of the sphere that holds the particle's mass at its density.");
    bindChannel(type, "ages", &Points::ages, "Seconds since it was let in.");
    bindChannel(type, "colors", &Points::colors, "rgb of fluids that mix; empty where none do.");
    type.def_prop_ro(
        "attributes", [](const PyPoints& self) { return attributeList(self.frame, self.frame->points); },
        "Every channel that is not empty, as files name them.");
    bindChannel(type, "sources", &Points::sources,
                "Which of its fluid's volumes let it in or, counted on from them, emitters and cells of fabrics.");
    bindDrops(type, "drop_knits", &DropOrigins::knits,
              "Which of Frame.curves a drop fell from, -1: none. Empty without the solver's origins.");
    bindDrops(type, "drop_yarns", &DropOrigins::yarnIds, "Id of the yarn there.");
    bindDrops(type, "drop_courses", &DropOrigins::courses, "Row of the stitch there.");
    bindDrops(type, "drop_wales", &DropOrigins::wales, "Column of the stitch there.");
    bindChannel(type, "rest_positions", &Points::restPositions, "Where they were let in.");
    bindWetting(type, [](const PyPoints& self) -> const Wetting& { return self.frame->points.wetting; });
    type.def("__len__", [](const PyPoints& self) { return self.frame->points.count(); });
    type.def("__repr__", [](const PyPoints& self) {
        return "<purl.Points: " + std::to_string(self.frame->points.count()) + " particles>";
    });
}

void bindMeshes(nb::module_& module) {
    nb::class_<PyMesh> type(module, "FrameMesh", "A mesh of a frame, as read-only numpy views without a copy.");
    bindWetting(type, [](const PyMesh& self) -> const Wetting& { return self.mesh().wetting; });
    type.def_prop_ro(
            "colors", [](const PyMesh& self) { return view(self.mesh().colors); },
            "rgb of each vertex, or empty where all of it is of one colour.")
        .def_prop_ro(
            "name", [](const PyMesh& self) { return self.mesh().name; }, "The node that made it.")
        .def_prop_ro(
            "volume_ratio", [](const PyMesh& self) { return self.mesh().volumeRatio; },
            "Of a liquid: enclosed volume over that of its particles; 0 where the mesh came from a file.")
        .def_prop_ro(
            "positions", [](const PyMesh& self) { return view(self.mesh().positions); }, "Its vertices.")
        .def_prop_ro(
            "velocities", [](const PyMesh& self) { return view(self.mesh().velocities); },
            "Units per second, one a vertex, or empty.")
        .def_prop_ro(
            "normals", [](const PyMesh& self) { return view(self.mesh().normals); }, "One a vertex, or empty.")
        .def_prop_ro(
            "colors", [](const PyMesh& self) { return view(self.mesh().colors); },
            "rgb of a liquid's surface, one a vertex, or empty.")
        .def_prop_ro(
            "rest_positions", [](const PyMesh& self) { return view(self.mesh().restPositions); },
            "Where the liquid was let in, one a vertex, or empty.")
        .def_prop_ro(
            "ages", [](const PyMesh& self) { return view(self.mesh().ages); },
            "Seconds since the liquid was let in, one a vertex, or empty.")
        .def_prop_ro(
            "ids", [](const PyMesh& self) { return view(self.mesh().ids); },
            "Id of the nearest particle, one a vertex, or empty.")
        .def_prop_ro(
            "bodies", [](const PyMesh& self) { return view(self.mesh().bodies); },
            "Which fluid each vertex is of, where several share a surface; or empty.")
        .def_prop_ro(
            "sources", [](const PyMesh& self) { return view(self.mesh().sources); },
            "Points.sources of the nearest particle, one a vertex, or empty.")
        .def_prop_ro(
            "triangles", [](const PyMesh& self) { return triangleView(self.mesh().triangles); },
            "Three vertex indices each, counter-clockwise seen from outside.")
        .def_prop_ro(
            "faces",
            [](const PyMesh& self) {
                const Faces faces = facesOf(self.mesh());
                return std::make_pair(given(faces.counts, 1), given(faces.corners, 1));
            },
            nb::rv_policy::move,
            "Corners of each face, and the vertices of all corners, face by face; counter-clockwise from outside.")
        .def_prop_ro(
            "uvs",
            [](const PyMesh& self) {
                const Faces& faces = self.mesh().faces;
                std::vector<float> uvs;
                for (const int uv : faces.cornerUvs)
                    uvs.insert(uvs.end(), {faces.u[static_cast<size_t>(uv)], faces.v[static_cast<size_t>(uv)]});
                return given(std::move(uvs), 2);
            },
            nb::rv_policy::move, "Texture coordinates of every corner, face by face; none where the mesh came without.")
        .def_prop_ro(
            "attributes", [](const PyMesh& self) { return attributeList(self.frame, self.mesh()); },
            "Every channel of its vertices that is not empty, as files name them.")
        .def_prop_ro(
            "color", [](const PyMesh& self) { return self.mesh().color; }, "rgb, 0 … 1")
        .def("__repr__", [](const PyMesh& self) {
            return "<purl.FrameMesh " + self.mesh().name + " of " + std::to_string(self.mesh().positions.size()) +
                   " vertices and " + std::to_string(self.mesh().triangles.size() / 3) + " triangles>";
        });
}

template <class T>
void bindChannel(nb::class_<PyCurves>& type, const char* name, std::vector<T> Curves::*channel, const char* doc) {
    type.def_prop_ro(
        name, [channel](const PyCurves& self) { return view(self.curves().*channel); }, doc);
}

void bindCurves(nb::module_& module) {
    nb::class_<PyCurves> type(
        module, "FrameCurves",
        "The yarns of a knit, as read-only numpy views without a copy: uniform Catmull-Rom curves "
        "through their points, pinned at their ends.");
    type.def_prop_ro(
        "name", [](const PyCurves& self) { return self.curves().name; }, "The knit.");
    type.def_prop_ro(
        "plies", [](const PyCurves& self) { return self.curves().plies; }, "Threads that a yarn is twisted of.");
    bindChannel(type, "counts", &Curves::counts, "Points of each yarn.");
    bindChannel(type, "ids", &Curves::ids, "Of each yarn; they never change.");
    bindChannel(type, "colors", &Curves::colors, "rgb of each yarn, 0 … 1");
    bindChannel(type, "wet_colors", &Curves::pointColors,
                "rgb of each point of a knit that soaks: darker and stained where it is wet; of others empty.");
    bindChannel(type, "positions", &Curves::positions, "Points, one yarn after the other.");
    bindChannel(type, "velocities", &Curves::velocities, "Units per second, one a point.");
    bindChannel(type, "widths", &Curves::widths, "Diameters, one a point.");
    bindChannel(type, "twists", &Curves::twists, "Radians that the plies have turned by, one a point.");
    bindChannel(type, "courses", &Curves::courses, "Row of the stitch that a point belongs to; -1: cast-on.");
    bindChannel(type, "wales", &Curves::wales, "Column of that stitch.");
    type.def_prop_ro(
        "attributes", [](const PyCurves& self) { return attributeList(self.frame, self.curves()); },
        "Every channel of its points and yarns that is not empty, as files name them.");
    bindWetting(type, [](const PyCurves& self) -> const Wetting& { return self.curves().wetting; });
    type.def("__repr__", [](const PyCurves& self) {
        return "<purl.FrameCurves " + self.curves().name + " of " + std::to_string(self.curves().counts.size()) +
               " yarns and " + std::to_string(self.curves().count()) + " points>";
    });
}

void bindSmall(nb::module_& module) {
    nb::class_<BodyInfo>(module, "Body", "What the reader of a frame must know of the body a particle belongs to.")
        .def_ro("name", &BodyInfo::name)
        .def_prop_ro(
            "kind", [](const BodyInfo& self) { return kindName(self.kind); },
            nb::sig("def kind(self) -> typing.Literal['liquid', 'gas', 'foam']"))
        .def_ro("rest_density", &BodyInfo::restDensity, "kg/m³")
        .def_ro("spacing", &BodyInfo::spacing, "Between particles at rest.")
        .def_ro("support_radius", &BodyInfo::supportRadius, "Of the smoothing kernel.")
        .def_ro("color", &BodyInfo::color, "rgb, 0 … 1")
        .def("__repr__", [](const BodyInfo& self) { return "<purl.Body " + self.name + ">"; });
    nb::class_<Rigid>(module, "Rigid",
                      "How a rigid body stands: point p of its geometry, about a primitive's centre or as a mesh was "
                      "connected, is at position + p[0] axes[0] + p[1] axes[1] + p[2] axes[2].")
        .def_ro("name", &Rigid::name, "Of its collider.")
        .def_ro("position", &Rigid::position)
        .def_prop_ro(
            "axes",
            [](const Rigid& self) {
                return std::array<Vec3, 3>{self.axes.x, self.axes.y, self.axes.z};
            },
            "Three unit vectors at right angles.")
        .def("__repr__", [](const Rigid& self) { return "<purl.Rigid " + self.name + ">"; });
    nb::class_<FrameStats>(module, "FrameStats", "How well the fluid keeps its volume, and how the frame was made.")
        .def_ro("steps", &FrameStats::steps, "Steps taken since the frame before.")
        .def_ro("step_length", &FrameStats::stepLength, "s")
        .def_ro("mean_compression", &FrameStats::meanCompression, "Mean of density over rest density.")
        .def_ro("max_compression", &FrameStats::maxCompression, "Largest density over rest density.")
        .def_ro("compressed_share", &FrameStats::compressedShare, "Share of particles above 101 % of the rest density.")
        .def_ro(
            "volume_ratio", &FrameStats::volumeRatio,
            "Volume that a liquid's surface encloses over that of its particles; of several surfaces, the one farthest "
            "from 1. 0: no surface was made.")
        .def_ro("max_speed", &FrameStats::maxSpeed, "m/s")
        .def_ro("kinetic_energy", &FrameStats::kineticEnergy, "J")
        .def_ro("pairs", &FrameStats::pairs,
                "Pairs of particles within a support radius of each other, each once, as the last step found them.")
        .def_ro("emitted", &FrameStats::emitted, "Particles let out by emitters since the start.")
        .def_ro("killed", &FrameStats::killed, "Particles deleted by kill volumes since the start.")
        .def_ro("absorbed", &FrameStats::absorbed, "Particles taken up by fabrics since the start.")
        .def_ro("dripped", &FrameStats::dripped, "Particles that dripped from fabrics since the start.")
        .def_ro("liquid_mass", &FrameStats::liquidMass, "kg of particles now, where fabrics soak.")
        .def_ro("fabric_mass", &FrameStats::fabricMass, "kg of water in fabrics now.")
        .def_ro("evaporated_mass", &FrameStats::evaporatedMass, "kg of water dried up since the start.")
        .def_ro("supplied_mass", &FrameStats::suppliedMass,
                "kg let out by emitters since the start, where fabrics soak.")
        .def_ro("drained_mass", &FrameStats::drainedMass,
                "kg deleted by kill volumes since the start, where fabrics soak.");
}

}  // namespace

void bindFrame(nb::module_& module) {
    bindAttributes(module);
    bindPoints(module);
    bindMeshes(module);
    bindCurves(module);
    bindSmall(module);
    nb::class_<PyFrame>(module, "Frame", "What a simulation gives at one moment: particles, meshes and yarns.")
        .def_prop_ro(
            "points", [](const PyFrame& self) { return PyPoints{self.frame}; }, "All particles.")
        .def(
            "points_of",
            [](const PyFrame& self, int body) {
                if (body < 0 || body >= static_cast<int>(self.frame->bodies.size()))
                    throw Error("body " + std::to_string(body) + ": the frame has " +
                                std::to_string(self.frame->bodies.size()));
                return PyPoints{std::make_shared<Frame>(onlyBody(*self.frame, body))};
            },
            nb::arg("body"), "The particles of one body, an index into bodies.")
        .def_prop_ro(
            "meshes",
            [](const PyFrame& self) {
                std::vector<PyMesh> meshes;
                for (size_t i = 0; i < self.frame->meshes.size(); ++i) meshes.push_back({self.frame, i});
                return meshes;
            },
            "The rigid bodies, and the meshes around the liquids, where the scene has any.")
        .def_prop_ro(
            "curves",
            [](const PyFrame& self) {
                std::vector<PyCurves> curves;
                for (size_t i = 0; i < self.frame->curves.size(); ++i) curves.push_back({self.frame, i});
                return curves;
            },
            "The yarns of each knit.")
        .def_prop_ro(
            "time", [](const PyFrame& self) { return self.frame->time; }, "Seconds since the simulation's start.")
        .def_prop_ro(
            "hash", [](const PyFrame& self) { return toHex(self.frame->stateHash); },
            "The receipt: sixteen hexadecimal digits, the same for the same scene and build on any number of threads.")
        .def_prop_ro(
            "meters_per_unit", [](const PyFrame& self) { return self.frame->metersPerUnit; },
            "Lengths in this frame times this are metres.")
        .def_prop_ro(
            "bodies", [](const PyFrame& self) { return self.frame->bodies; }, "The fluids, in order.")
        .def_prop_ro(
            "rigids", [](const PyFrame& self) { return self.frame->rigids; },
            "How the rigid bodies stand, in the order of the scene's colliders.")
        .def_prop_ro(
            "stats", [](const PyFrame& self) { return self.frame->stats; }, "Numbers about the frame.")
        .def("__repr__", [](const PyFrame& self) {
            return "<purl.Frame at " + std::to_string(self.frame->time) +
                   " s: " + std::to_string(self.frame->points.count()) + " particles, " + toHex(self.frame->stateHash) +
                   ">";
        });
}

}  // namespace purl::python
