#include "python/frame.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/pair.h>

#include "python/params.h"
#include "solver/cache/attributes.h"
#include "solver/cache/format.h"
#include "solver/cache/points.h"
#include "solver/core/error.h"
#include "solver/core/hash.h"
#include "solver/surface/surface.h"

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

// Array views for properties. nanobind makes the object they belong to their owner, and that object holds the frame,
// which holds the channel.
template <class T>
auto view(const Channel<T>& values) {
    return nb::ndarray<nb::numpy, const T, nb::shape<-1>>(values.data(), {values.size()});
}
auto view(const Channel<Vec3>& values) {
    const auto* floats = reinterpret_cast<const float*>(values.data());
    return nb::ndarray<nb::numpy, const float, nb::shape<-1, 3>>(floats, {values.size(), 3});
}
auto triangleView(const Channel<int>& corners) {
    return nb::ndarray<nb::numpy, const int, nb::shape<-1, 3>>(corners.data(), {corners.size() / 3, 3});
}

// An array whose memory Python takes over.
template <class T>
auto given(std::vector<T> values, size_t columns) {
    auto* kept = new std::vector<T>(std::move(values));
    const nb::capsule owner(kept, [](void* pointer) noexcept { delete static_cast<std::vector<T>*>(pointer); });
    return nb::ndarray<nb::numpy, const T>(kept->data(), {kept->size() / columns, columns}, owner);
}

// One attribute of a frame (solver/cache/attributes.h), and the frame that owns its memory.
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
            "name", [](const PyAttribute& self) { return self.attribute.name; }, "Name as in nCache files.")
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
            "A view: one value, or a row of three, per particle, vertex, point or yarn.")
        .def("__repr__", [](const PyAttribute& self) { return "<purl.Attribute " + self.attribute.name + ">"; });
}

template <class T>
void bindChannel(nb::class_<PyPoints>& type, const char* name, Channel<T> Points::*channel, const char* doc) {
    type.def_prop_ro(
        name, [channel](const PyPoints& self) { return view(self.frame->points.*channel); }, doc);
}

void bindDrops(nb::class_<PyPoints>& type, const char* name, Channel<int> DropOrigins::*channel, const char* doc) {
    type.def_prop_ro(
        name, [channel](const PyPoints& self) { return view(self.frame->points.drops.*channel); }, doc);
}

template <class Owner, class Of>
void bindWetting(nb::class_<Owner>& type, Of wettingOf) {
    type.def_prop_ro(
        "wetness", [wettingOf](const Owner& self) { return view(wettingOf(self).wetness); },
        "Saturation of the pores, 0 dry to 1 full; for a particle, that of the fabric it touches. Empty if no fabric "
        "absorbs.");
    type.def_prop_ro(
        "film_thickness", [wettingOf](const Owner& self) { return view(wettingOf(self).filmThickness); },
        "Thickness of the water film on the fabric.");
    type.def_prop_ro(
        "time_since_wet", [wettingOf](const Owner& self) { return view(wettingOf(self).timeSinceWet); },
        "Seconds since it last got wet, or since a particle touched a fabric; -1: never.");
    type.def_prop_ro(
        "dye", [wettingOf](const Owner& self) { return view(wettingOf(self).dye); },
        "rgb of the absorbed water; empty for particles, because it is their colour.");
}

void bindPoints(nb::module_& module) {
    nb::class_<PyPoints> type(module, "Points",
                              "The particles of a frame, sorted by id, as read-only numpy views without a copy. A "
                              "channel that is not in the file is empty.");
    bindChannel(type, "ids", &Points::ids, "Ids; constant for the life of a particle.");
    bindChannel(type, "bodies", &Points::bodies, "The fluid each belongs to, as an index into Frame.bodies.");
    bindChannel(type, "positions", &Points::positions, "Positions.");
    bindChannel(type, "velocities", &Points::velocities, "Units per second.");
    bindChannel(type, "accelerations", &Points::accelerations, "Units per second squared.");
    bindChannel(type, "normals", &Points::normals, "Outward unit normals of surface particles, zero inside.");
    bindChannel(type, "densities", &Points::densities, "kg/m³");
    bindChannel(type, "pressures", &Points::pressures, "Pa");
    bindChannel(type, "radii", &Points::radii, "Radius of a sphere with the particle's mass and density.");
    bindChannel(type, "ages", &Points::ages, "Seconds since it was created.");
    bindChannel(type, "colors", &Points::colors, "rgb of fluids that mix; empty if none do.");
    type.def_prop_ro(
        "attributes", [](const PyPoints& self) { return attributeList(self.frame, self.frame->points); },
        "Every channel that is not empty, under its name in files.");
    bindChannel(type, "sources", &Points::sources,
                "Where it came from: index of its fluid's volume, followed by emitters and cells of fabrics.");
    bindDrops(type, "drop_knits", &DropOrigins::knits,
              "Index in Frame.curves of the knit a drop fell from, -1: none. Empty unless the solver's origins is on.");
    bindDrops(type, "drop_yarns", &DropOrigins::yarnIds, "Id of the yarn a drop fell from.");
    bindDrops(type, "drop_courses", &DropOrigins::courses, "Course of the stitch a drop fell from.");
    bindDrops(type, "drop_wales", &DropOrigins::wales, "Wale of the stitch a drop fell from.");
    bindChannel(type, "rest_positions", &Points::restPositions, "Positions where the particles were created.");
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
            "rgb per vertex, or empty if the mesh has a single colour.")
        .def_prop_ro(
            "name", [](const PyMesh& self) { return self.mesh().name; }, "Name of the node that created it.")
        .def_prop_ro(
            "volume_ratio", [](const PyMesh& self) { return self.mesh().volumeRatio; },
            "For a liquid: enclosed volume divided by the volume of its particles; 0 if the mesh was read from a file.")
        .def_prop_ro(
            "positions", [](const PyMesh& self) { return view(self.mesh().positions); }, "Positions of the vertices.")
        .def_prop_ro(
            "velocities", [](const PyMesh& self) { return view(self.mesh().velocities); },
            "Units per second, per vertex, or empty.")
        .def_prop_ro(
            "normals", [](const PyMesh& self) { return view(self.mesh().normals); }, "Per vertex, or empty.")
        .def_prop_ro(
            "colors", [](const PyMesh& self) { return view(self.mesh().colors); },
            "rgb of a liquid's surface per vertex, or empty.")
        .def_prop_ro(
            "rest_positions", [](const PyMesh& self) { return view(self.mesh().restPositions); },
            "Initial positions of the liquid per vertex, or empty.")
        .def_prop_ro(
            "ages", [](const PyMesh& self) { return view(self.mesh().ages); },
            "Age of the liquid in seconds per vertex, or empty.")
        .def_prop_ro(
            "ids", [](const PyMesh& self) { return view(self.mesh().ids); },
            "Id of the nearest particle per vertex, or empty.")
        .def_prop_ro(
            "bodies", [](const PyMesh& self) { return view(self.mesh().bodies); },
            "Fluid of each vertex, if several share a surface; otherwise empty.")
        .def_prop_ro(
            "sources", [](const PyMesh& self) { return view(self.mesh().sources); },
            "Points.sources of the nearest particle per vertex, or empty.")
        .def_prop_ro(
            "triangles", [](const PyMesh& self) { return triangleView(self.mesh().triangles); },
            "Three vertex indices per triangle, counter-clockwise seen from outside.")
        .def_prop_ro(
            "faces",
            [](const PyMesh& self) {
                const Faces faces = facesOf(self.mesh());
                return std::make_pair(given<int>(faces.counts, 1), given<int>(faces.corners, 1));
            },
            nb::rv_policy::move,
            "Number of corners per face, and the vertex indices of all corners, face by face; counter-clockwise from "
            "outside.")
        .def_prop_ro(
            "uvs",
            [](const PyMesh& self) {
                const Faces& faces = self.mesh().faces;
                std::vector<float> uvs;
                for (const int uv : faces.cornerUvs)
                    uvs.insert(uvs.end(), {faces.u[static_cast<size_t>(uv)], faces.v[static_cast<size_t>(uv)]});
                return given(std::move(uvs), 2);
            },
            nb::rv_policy::move, "Texture coordinates per corner, face by face; None if the original mesh had none.")
        .def_prop_ro(
            "attributes", [](const PyMesh& self) { return attributeList(self.frame, self.mesh()); },
            "Every vertex channel that is not empty, under its name in files.")
        .def_prop_ro(
            "color", [](const PyMesh& self) { return self.mesh().color; }, "rgb, 0 … 1")
        .def("__repr__", [](const PyMesh& self) {
            return "<purl.FrameMesh " + self.mesh().name + " of " + std::to_string(self.mesh().positions.size()) +
                   " vertices and " + std::to_string(self.mesh().triangles.size() / 3) + " triangles>";
        });
}

template <class T>
void bindChannel(nb::class_<PyCurves>& type, const char* name, Channel<T> Curves::*channel, const char* doc) {
    type.def_prop_ro(
        name, [channel](const PyCurves& self) { return view(self.curves().*channel); }, doc);
}

void bindCurves(nb::module_& module) {
    nb::class_<PyCurves> type(
        module, "FrameCurves",
        "The yarns of a knit, as read-only numpy views without a copy: uniform Catmull-Rom curves "
        "through their points, pinned at their ends.");
    type.def_prop_ro(
        "name", [](const PyCurves& self) { return self.curves().name; }, "Name of the knit.");
    type.def_prop_ro(
        "plies", [](const PyCurves& self) { return self.curves().plies; }, "Number of plies of a yarn.");
    bindChannel(type, "counts", &Curves::counts, "Points of each yarn.");
    bindChannel(type, "ids", &Curves::ids, "Ids of the yarns; they never change.");
    bindChannel(type, "colors", &Curves::colors, "rgb of each yarn, 0 … 1");
    bindChannel(type, "wet_colors", &Curves::pointColors,
                "rgb per point of a knit that absorbs: darker and stained where it is wet; otherwise empty.");
    bindChannel(type, "positions", &Curves::positions, "Points, one yarn after the other.");
    bindChannel(type, "velocities", &Curves::velocities, "Units per second, per point.");
    bindChannel(type, "widths", &Curves::widths, "Diameters, per point.");
    bindChannel(type, "twists", &Curves::twists, "Rotation of the plies in radians, per point.");
    bindChannel(type, "courses", &Curves::courses, "Course (row) of the stitch a point belongs to; -1: cast-on.");
    bindChannel(type, "wales", &Curves::wales, "Wale (column) of that stitch.");
    type.def_prop_ro(
        "attributes", [](const PyCurves& self) { return attributeList(self.frame, self.curves()); },
        "Every channel of its points and yarns that is not empty, under its name in files.");
    bindWetting(type, [](const PyCurves& self) -> const Wetting& { return self.curves().wetting; });
    type.def("__repr__", [](const PyCurves& self) {
        return "<purl.FrameCurves " + self.curves().name + " of " + std::to_string(self.curves().counts.size()) +
               " yarns and " + std::to_string(self.curves().count()) + " points>";
    });
}

void bindSmall(nb::module_& module) {
    nb::class_<BodyInfo>(module, "Body", "Description of the body that particles belong to.")
        .def_ro("name", &BodyInfo::name)
        .def_prop_ro(
            "kind", [](const BodyInfo& self) { return kindName(self.kind); },
            nb::sig("def kind(self) -> typing.Literal['liquid', 'gas', 'foam']"))
        .def_ro("rest_density", &BodyInfo::restDensity, "kg/m³")
        .def_ro("spacing", &BodyInfo::spacing, "Distance between particles at rest.")
        .def_ro("support_radius", &BodyInfo::supportRadius, "Radius of the smoothing kernel.")
        .def_ro("color", &BodyInfo::color, "rgb, 0 … 1")
        .def("__repr__", [](const BodyInfo& self) { return "<purl.Body " + self.name + ">"; });
    nb::class_<Rigid>(
        module, "Rigid",
        "Pose of a rigid body: point p of its geometry (relative to a primitive's centre, or of the mesh as "
        "connected) is at position + p[0] axes[0] + p[1] axes[1] + p[2] axes[2].")
        .def_ro("name", &Rigid::name, "Of its collider.")
        .def_ro("position", &Rigid::position)
        .def_prop_ro(
            "axes",
            [](const Rigid& self) {
                return std::array<Vec3, 3>{self.axes.x, self.axes.y, self.axes.z};
            },
            "Three orthogonal unit vectors.")
        .def("__repr__", [](const Rigid& self) { return "<purl.Rigid " + self.name + ">"; });
    nb::class_<FrameStats>(module, "FrameStats", "Quality measures and statistics of a frame.")
        .def_ro("steps", &FrameStats::steps, "Time steps since the previous frame.")
        .def_ro("step_length", &FrameStats::stepLength, "s")
        .def_ro("mean_compression", &FrameStats::meanCompression, "Mean of density over rest density.")
        .def_ro("max_compression", &FrameStats::maxCompression, "Largest density over rest density.")
        .def_ro("compressed_share", &FrameStats::compressedShare, "Share of particles above 101 % of the rest density.")
        .def_ro(
            "volume_ratio", &FrameStats::volumeRatio,
            "Volume enclosed by a liquid's surface divided by the volume of its particles; for several surfaces, the "
            "ratio farthest from 1. 0: there is no surface.")
        .def_ro("max_speed", &FrameStats::maxSpeed, "m/s")
        .def_ro("kinetic_energy", &FrameStats::kineticEnergy, "J")
        .def_ro("pairs", &FrameStats::pairs,
                "Number of pairs of particles within a support radius of each other in the last step.")
        .def_ro("emitted", &FrameStats::emitted, "Particles emitted since the start.")
        .def_ro("killed", &FrameStats::killed, "Particles deleted by kill volumes since the start.")
        .def_ro("absorbed", &FrameStats::absorbed, "Particles absorbed by fabrics since the start.")
        .def_ro("dripped", &FrameStats::dripped, "Particles that dripped from fabrics since the start.")
        .def_ro("liquid_mass", &FrameStats::liquidMass, "kg of liquid particles, if any fabric absorbs.")
        .def_ro("fabric_mass", &FrameStats::fabricMass, "kg of water in fabrics.")
        .def_ro("evaporated_mass", &FrameStats::evaporatedMass, "kg of water evaporated since the start.")
        .def_ro("supplied_mass", &FrameStats::suppliedMass, "kg emitted since the start, if any fabric absorbs.")
        .def_ro("drained_mass", &FrameStats::drainedMass,
                "kg deleted by kill volumes since the start, if any fabric absorbs.");
}

}  // namespace

void bindFrame(nb::module_& module) {
    bindAttributes(module);
    bindPoints(module);
    bindMeshes(module);
    bindCurves(module);
    bindSmall(module);
    const std::string surfaceInit =
        "def with_surfaces(self, threads: int = 0" + keywordsOf<SurfaceParams>() + ") -> Frame";
    nb::class_<PyFrame>(module, "Frame", "The output of a simulation at one time: particles, meshes and yarns.")
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
            nb::arg("body"), "The particles of one body, given as an index into bodies.")
        .def_prop_ro(
            "meshes",
            [](const PyFrame& self) {
                std::vector<PyMesh> meshes;
                for (size_t i = 0; i < self.frame->meshes.size(); ++i) meshes.push_back({self.frame, i});
                return meshes;
            },
            "The meshes of liquid surfaces, cloths, soft bodies and colliders.")
        .def_prop_ro(
            "curves",
            [](const PyFrame& self) {
                std::vector<PyCurves> curves;
                for (size_t i = 0; i < self.frame->curves.size(); ++i) curves.push_back({self.frame, i});
                return curves;
            },
            "The yarns of each knit.")
        .def_prop_ro(
            "time", [](const PyFrame& self) { return self.frame->time; }, "Seconds since the start of the simulation.")
        .def_prop_ro(
            "hash", [](const PyFrame& self) { return toHex(self.frame->stateHash); },
            "Hash of the simulation state, sixteen hexadecimal digits: the same for the same scene and build with any "
            "number of threads.")
        .def_prop_ro(
            "meters_per_unit", [](const PyFrame& self) { return self.frame->metersPerUnit; },
            "Lengths in this frame times this are metres.")
        .def_prop_ro(
            "bodies", [](const PyFrame& self) { return self.frame->bodies; }, "The fluids, in order.")
        .def_prop_ro(
            "rigids", [](const PyFrame& self) { return self.frame->rigids; },
            "Poses of the rigid bodies, in the order of the scene's colliders.")
        .def_prop_ro(
            "stats", [](const PyFrame& self) { return self.frame->stats; }, "Statistics of the frame.")
        .def(
            "write",
            [](const PyFrame& self, const std::filesystem::path& path, int number, double fps) {
                const nb::gil_scoped_release unlocked;
                writeFrame(path.string(), *self.frame, {number, fps});
            },
            nb::arg("path"), nb::arg("number") = 1, nb::arg("fps") = 24.0,
            nb::sig("def write(self, path: str | os.PathLike, number: int = 1, fps: float = 24) -> None"),
            "Writes one file; its extension chooses the format. A format that holds one item takes the only mesh, or "
            "the "
            "only body.")
        .def(
            "with_surfaces",
            [](const PyFrame& self, int threads, const nb::kwargs& keywords) {
                SurfaceParams params;
                setParams(params, "surface", keywords);
                const nb::gil_scoped_release unlocked;
                auto frame = std::make_shared<Frame>(*self.frame);
                const Device device = Device::cpu(threads);
                for (size_t body = 0; body < frame->bodies.size(); ++body)
                    if (frame->bodies[body].kind == BodyKind::liquid)
                        frame->meshes.push_back(makeSurface(device, *self.frame, static_cast<int>(body), params));
                return PyFrame{frame};
            },
            nb::arg("threads") = 0, nb::arg("keywords"), nb::sig(surfaceInit.c_str()),
            "The frame with the surface of each liquid added to its meshes; parameters of purlSurface by name.")
        .def("__repr__", [](const PyFrame& self) {
            return "<purl.Frame at " + std::to_string(self.frame->time) +
                   " s: " + std::to_string(self.frame->points.count()) + " particles, " + toHex(self.frame->stateHash) +
                   ">";
        });
}

}  // namespace purl::python
