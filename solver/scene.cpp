#include "solver/scene.h"

#include <set>
#include <sstream>

#include "solver/sceneText.h"

namespace purl {
namespace {

void scaleMesh(TriangleMesh& mesh, float factor) {
    for (Vec3& vertex : mesh.vertices) vertex *= factor;
}

void checkMesh(const std::string& owner, const TriangleMesh& mesh) {
    const auto count = static_cast<int>(mesh.vertices.size());
    if (mesh.triangles.size() % 3 != 0) throw Error(owner + ": mesh has an incomplete triangle");
    for (const int vertex : mesh.triangles)
        if (vertex < 0 || vertex >= count)
            throw Error(owner + ": mesh refers to vertex " + std::to_string(vertex) + " of " + std::to_string(count));
    for (const Vec3& vertex : mesh.vertices)
        if (!isFinite(vertex)) throw Error(owner + ": mesh has a vertex that is not finite");
}

void checkPose(const std::string& owner, const Pose& pose) {
    if (!isFinite(pose.position) || !isFinite(pose.axes.x) || !isFinite(pose.axes.y) || !isFinite(pose.axes.z))
        throw Error(owner + ": its matrix is not finite");
}

void checkShape(const Emitter& emitter) {
    const EmitterShape shape = emitter.params.shape;
    if ((shape == EmitterShape::volume || shape == EmitterShape::surface) && emitter.mesh.empty())
        throw Error(emitter.name + ": mesh has no faces; connect one to inMesh or use the disc shape");
    for (const Vec3& point : emitter.curve)
        if (!isFinite(point)) throw Error(emitter.name + ": curve has a point that is not finite");
    if (shape == EmitterShape::curve && emitter.curve.size() < 2)
        throw Error(emitter.name + ": curve has fewer than two points; connect one to inCurve or use the disc shape");
}

struct Print {
    std::ostringstream& out;
    const std::string& lengthUnit;

    template <class Field>
    void operator()(Field& field, const About& about) const {
        out << "    " << about.name << " = ";
        if constexpr (std::is_enum_v<Field>)
            out << choicesOf(field)[static_cast<size_t>(field)];
        else if constexpr (std::is_same_v<Field, Vec3>)
            out << field.x << " " << field.y << " " << field.z;
        else if constexpr (std::is_same_v<Field, bool>)
            out << (field ? "yes" : "no");
        else
            out << field;
        const std::string unit = about.unit;
        if (!unit.empty()) out << " " << (unit == "m" ? lengthUnit : unit);
        out << "\n";
    }
};

}  // namespace

void append(Scene& whole, const Scene& part) {
    whole.fluids.insert(whole.fluids.end(), part.fluids.begin(), part.fluids.end());
    whole.cloths.insert(whole.cloths.end(), part.cloths.begin(), part.cloths.end());
    whole.softBodies.insert(whole.softBodies.end(), part.softBodies.begin(), part.softBodies.end());
    whole.knits.insert(whole.knits.end(), part.knits.begin(), part.knits.end());
    whole.colliders.insert(whole.colliders.end(), part.colliders.begin(), part.colliders.end());
    whole.fields.insert(whole.fields.end(), part.fields.begin(), part.fields.end());
}

void scaleLengths(Scene& scene, double factor) {
    const auto f = static_cast<float>(factor);
    scaleLengths(scene.solver, factor);
    for (Fluid& fluid : scene.fluids) {
        scaleLengths(fluid.params, factor);
        for (TriangleMesh& volume : fluid.volumes) scaleMesh(volume, f);
        for (Emitter& emitter : fluid.emitters) {
            scaleLengths(emitter.params, factor);
            emitter.pose.position *= f;
            scaleMesh(emitter.mesh, f);
            for (Vec3& point : emitter.curve) point *= f;
        }
    }
    for (Cloth& cloth : scene.cloths) {
        cloth.attachDistance *= static_cast<float>(factor);
        scaleLengths(cloth.params, factor);
        scaleLengths(cloth.pores.params, factor);
        for (Vec3& point : cloth.points) point *= f;
    }
    for (SoftBody& body : scene.softBodies) {
        scaleLengths(body.params, factor);
        for (Vec3& point : body.points) point *= f;
        body.dragTo *= f;
    }
    for (Knit& knit : scene.knits) {
        scaleLengths(knit.params, factor);
        scaleLengths(knit.pores.params, factor);
        for (Vec3& point : knit.points) point *= f;
    }
    for (Collider& collider : scene.colliders) {
        scaleLengths(collider.params, factor);
        collider.pose.position *= f;
        scaleMesh(collider.mesh, f);
    }
    for (Field& field : scene.fields) {
        scaleLengths(field.params, factor);
        field.position *= f;
    }
}

void checkScene(const Scene& scene) {
    std::set<std::string> names;
    const auto checkName = [&](const std::string& name) {
        if (!names.insert(name).second) throw Error(name + ": two bodies have this name; rename one");
    };
    checkParams("solver", scene.solver);
    for (const Fluid& fluid : scene.fluids) {
        checkName(fluid.name);
        checkParams(fluid.name, fluid.params);
        for (const TriangleMesh& volume : fluid.volumes) checkMesh(fluid.name, volume);
        for (const Emitter& emitter : fluid.emitters) {
            checkParams(emitter.name, emitter.params);
            checkPose(emitter.name, emitter.pose);
            checkMesh(emitter.name, emitter.mesh);
            checkShape(emitter);
        }
    }
    for (const Cloth& cloth : scene.cloths) {
        checkName(cloth.name);
        checkCloth(cloth);
    }
    for (const SoftBody& body : scene.softBodies) {
        checkName(body.name);
        checkSoftBody(body);
    }
    for (const Knit& knit : scene.knits) {
        checkName(knit.name);
        checkKnit(knit);
    }
    for (const Collider& collider : scene.colliders) {
        checkName(collider.name);
        checkParams(collider.name, collider.params);
        checkPose(collider.name, collider.pose);
        checkMesh(collider.name, collider.mesh);
        if (collider.params.shape == ColliderShape::mesh && collider.mesh.empty())
            throw Error(collider.name + ": mesh has no faces; connect one to inMesh or pick a primitive shape");
    }
    for (const Field& field : scene.fields) {
        checkName(field.name);
        checkParams(field.name, field.params);
        if (!isFinite(field.position)) throw Error(field.name + ": its position is not finite");
    }
}

std::string toString(const Scene& scene, const std::string& lengthUnit) {
    std::ostringstream out;
    out.exceptions(std::ios::badbit);  // otherwise running out of memory would truncate the text
    const auto print = [&](const std::string& head, const auto& params) {
        out << head << "\n";
        describe(Print{out, lengthUnit}, const_cast<std::decay_t<decltype(params)>&>(params));
    };
    print("solver", scene.solver);
    for (const Fluid& fluid : scene.fluids) {
        print("fluid " + fluid.name + " (" + std::to_string(fluid.volumes.size()) + " volumes)", fluid.params);
        for (const Emitter& emitter : fluid.emitters) print("  emitter " + emitter.name, emitter.params);
    }
    for (const Cloth& cloth : scene.cloths) {
        print("cloth " + cloth.name + " (" + std::to_string(cloth.points.size()) + " points)", cloth.params);
        if (cloth.pores.absorb()) print("  pores", cloth.pores.params);
    }
    for (const SoftBody& body : scene.softBodies)
        print("soft body " + body.name + " (" + std::to_string(body.points.size()) + " points)", body.params);
    for (const Knit& knit : scene.knits) {
        print("knit " + knit.name + " (" + std::to_string(knit.points.size()) + " points)", knit.params);
        if (knit.pores.absorb()) print("  pores", knit.pores.params);
    }
    for (const Collider& collider : scene.colliders)
        print("collider " + collider.name + " (" + std::to_string(collider.mesh.triangles.size() / 3) + " triangles)",
              collider.params);
    for (const Field& field : scene.fields) print("field " + field.name, field.params);
    return out.str();
}

std::string toString(const Scene& scene) { return toString(scene, "m"); }

}  // namespace purl
