// Scenes built in Python. Lists are Python lists and meshes are shared, so that references held by a user stay valid
// when items are added or replaced; sceneOf copies everything into the solver's Scene.
#pragma once
#include <memory>

#include "python/casters.h"
#include "solver/scene.h"

namespace purl::python {

namespace nb = nanobind;

// A mesh with vertices that Python writes to through numpy views. The solver's meshes share theirs and never change.
struct PyTriangleMesh {
    std::vector<Vec3> vertices;
    Channel<int> triangles;

    TriangleMesh copy() const { return {vertices, triangles}; }
};
using MeshPtr = std::shared_ptr<PyTriangleMesh>;

struct PyEmitter {
    Emitter emitter;  // its mesh is the one below
    MeshPtr mesh = std::make_shared<PyTriangleMesh>();
};

struct PyCollider {
    Collider collider;  // its mesh is the one below
    MeshPtr mesh = std::make_shared<PyTriangleMesh>();
};

struct PyCloth {
    Cloth cloth;
};

struct PySoftBody {
    SoftBody body;
};

struct PyKnit {
    Knit knit;
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

Scene sceneOf(const PyScene& scene);
PyScene pySceneOf(const Scene& scene);

void bindScene(nb::module_& module);

}  // namespace purl::python
