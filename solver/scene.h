// Scene: everything a user can set, at one time, as plain values in SI units. Nodes build it from Maya's graph, Python
// and tests build it directly; the Simulator only reads it.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "solver/core/channel.h"
#include "solver/core/describe.h"
#include "solver/core/vec.h"
#include "solver/params/cloth.h"
#include "solver/params/collider.h"
#include "solver/params/field.h"
#include "solver/params/fluid.h"
#include "solver/params/knit.h"
#include "solver/params/softBody.h"
#include "solver/params/solver.h"

namespace purl {

// Triangles in world space.
struct TriangleMesh {
    Channel<Vec3> vertices;
    Channel<int> triangles;  // three vertex indices each, counter-clockwise as seen from outside

    bool empty() const { return triangles.empty(); }
    bool operator==(const TriangleMesh& other) const {
        return vertices == other.vertices && triangles == other.triangles;
    }
};

// Position and orientation: local point p is at position + axes · p in world space. The axes are orthonormal.
struct Pose {
    Vec3 position;
    Mat3 axes;

    PURL_HD Vec3 toWorld(Vec3 local) const { return position + axes * local; }
    PURL_HD Vec3 toLocal(Vec3 world) const { return transposed(axes) * (world - position); }
    bool operator==(const Pose& other) const { return position == other.position && axes == other.axes; }
};

struct Emitter {
    std::string name;
    EmitterParams params;
    Pose pose;                // of shape disc, which emits along axes.y
    TriangleMesh mesh;        // of shape volume or surface
    std::vector<Vec3> curve;  // of shape curve: points along it, in order

    bool operator==(const Emitter& other) const {
        return name == other.name && sameParams(params, other.params) && pose == other.pose && mesh == other.mesh &&
               curve == other.curve;
    }
};

struct Fluid {
    std::string name;
    FluidParams params;
    std::vector<TriangleMesh> volumes;  // filled at the start
    std::vector<Emitter> emitters;

    bool operator==(const Fluid& other) const {
        return name == other.name && sameParams(params, other.params) && volumes == other.volumes &&
               emitters == other.emitters;
    }
};

struct Collider {
    std::string name;
    ColliderParams params;
    Pose pose;          // of primitive shapes
    TriangleMesh mesh;  // of shape mesh

    bool operator==(const Collider& other) const {
        return name == other.name && sameParams(params, other.params) && pose == other.pose && mesh == other.mesh;
    }
};

struct Field {
    std::string name;
    FieldParams params;
    Vec3 position;

    bool operator==(const Field& other) const {
        return name == other.name && sameParams(params, other.params) && position == other.position;
    }
};

struct Scene {
    SolverParams solver;
    std::vector<Fluid> fluids;
    std::vector<Cloth> cloths;
    std::vector<SoftBody> softBodies;
    std::vector<Knit> knits;
    std::vector<Collider> colliders;
    std::vector<Field> fields;

    bool operator==(const Scene& other) const {
        return sameParams(solver, other.solver) && fluids == other.fluids && cloths == other.cloths &&
               softBodies == other.softBodies && knits == other.knits && colliders == other.colliders &&
               fields == other.fields;
    }
};

// Appends the bodies of `part` to `whole`, which keeps its own solver settings.
void append(Scene& whole, const Scene& part);
// Multiplies every length of the scene, geometry and parameters, by `factor`. Velocities and all else stay in SI units.
void scaleLengths(Scene& scene, double factor);
// Throws Error naming a body and its parameter that is out of range, or two bodies with the same name.
void checkScene(const Scene& scene);
// A collider's surface in world space, for rendering and caches; empty for a plane, which is infinite.
TriangleMesh outlineOf(const Collider& collider);
// One line per parameter, as printed by `purl info`.
std::string toString(const Scene& scene);

}  // namespace purl
