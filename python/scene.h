// Scenes built in Python. Lists are Python lists and meshes are shared, so that references held by a user stay valid
// when items are added or replaced; sceneOf copies everything into the solver's Scene.
#pragma once
#include <memory>

#include "python/meshes.h"
#include "solver/core/error.h"

namespace purl::python {

namespace nb = nanobind;

struct PyEmitter {
    Emitter emitter;  // its mesh is the one below
    MeshPtr mesh = std::make_shared<PyTriangleMesh>();
};

struct PyCollider {
    Collider collider;  // its mesh is the one below
    MeshPtr mesh = std::make_shared<PyTriangleMesh>();
    SequencePtr animation = nullptr;
};

// `animation`, here and in PyCollider: the files that move the mesh, or null.
struct PyCloth {
    Cloth cloth;
    SequencePtr animation = nullptr;
};

struct PySoftBody {
    SoftBody body;
    SequencePtr animation = nullptr;
};

struct PyKnit {
    Knit knit;
    SequencePtr animation = nullptr;
};

struct PyField {
    Field field;
};

struct PyFluid {
    std::string name;
    FluidParams params;
    nb::list volumes;   // of PyTriangleMesh
    nb::list emitters;  // of PyEmitter

    template <class Visit>
    void held(Visit&& visit) {
        visit(volumes);
        visit(emitters);
    }
};

struct PySolver {
    SolverParams params;
};

struct PyScene {
    std::shared_ptr<PySolver> solver = std::make_shared<PySolver>();
    nb::list fluids, colliders, fields, cloths, softBodies, knits;
    double fps = 24;
    int startFrame = 1;

    template <class Visit>
    void held(Visit&& visit) {
        visit(fluids);
        visit(cloths);
        visit(softBodies);
        visit(knits);
        visit(colliders);
        visit(fields);
    }
};

inline const std::string& nameOf(const PyFluid& fluid) { return fluid.name; }
inline const std::string& nameOf(const PyEmitter& emitter) { return emitter.emitter.name; }
inline const std::string& nameOf(const PyCollider& collider) { return collider.collider.name; }
inline const std::string& nameOf(const PyCloth& cloth) { return cloth.cloth.name; }
inline const std::string& nameOf(const PySoftBody& body) { return body.body.name; }
inline const std::string& nameOf(const PyKnit& knit) { return knit.knit.name; }
inline const std::string& nameOf(const PyField& field) { return field.field.name; }

// Moves the points of a cloth, knit or soft body. Throws Error if there are more or fewer.
template <class Body>
void placePoints(Body& body, std::vector<Vec3> points) {
    if (points.size() != body.points.size())
        throw Error(body.name + ": the new mesh has " + std::to_string(points.size()) + " points, not " +
                    std::to_string(body.points.size()));
    body.points = std::move(points);
}

Scene sceneOf(const PyScene& scene);
// Moves animated meshes to a frame.
void moveTo(const PyScene& scene, double frame);
// Writes the scene as a .ma file that plays from its start frame to this one.
void save(const PyScene& scene, int lastFrame, const std::string& path);
PyScene pySceneOf(const Scene& scene);

void bindScene(nb::module_& module);

}  // namespace purl::python
