// Checks of colliders: closed meshes, thickness relative to the particle spacing, friction.
#include <algorithm>
#include <cmath>

#include "nodes/doctorChecks.h"
#include "nodes/doctorGeometry.h"

namespace purl {
namespace {

constexpr double kSuggestedFriction = 0.5;

// Thickness of a plate with the same volume and surface: twice the volume divided by the area.
double depthOf(const Collider& collider) {
    const ColliderParams& p = collider.params;
    switch (p.shape) {
        case ColliderShape::mesh: return 2 * std::abs(volumeOf(collider.mesh)) / std::max(1e-30, areaOf(collider.mesh));
        case ColliderShape::box: return 2 * double(std::min({p.halfSize.x, p.halfSize.y, p.halfSize.z}));
        case ColliderShape::plane: return kUnbounded;
        default: return 2 * double(p.radius);
    }
}

void checkDepth(const Patient& patient, const Collider& collider, Problems& found) {
    const double spacing = largestSpacing(patient);
    if (spacing <= 0 || collider.params.container) return;
    const double depth = depthOf(collider) + 2 * double(collider.params.thickness);
    if (depth >= 0.5 * spacing) return;
    found.push_back(
        remedied(problemOf(Harm::warning, collider.name,
                           "is " + lengthText(patient, depth) + " thick, less than half the particle spacing of " +
                               lengthText(patient, spacing) + ": liquid on one side interacts with the other side"),
                 "keep particles half a spacing away from it", {collider.name + ".thickness=" + typed(0.5 * spacing)}));
}

// Whether at least an eighth of the surface faces upwards. A cube has a sixth; walls and paddles have less.
bool isFloor(const Collider& collider) {
    if (collider.params.container || collider.params.effect != ColliderEffect::collide ||
        collider.params.motion != ColliderMotion::keyed)
        return false;
    if (collider.params.shape == ColliderShape::plane) return true;
    const TriangleMesh mesh = outlineOf(collider);
    double all = 0, up = 0;
    for (size_t t = 0; t + 2 < mesh.triangles.size(); t += 3) {
        const auto at = [&](size_t k) { return mesh.vertices[mesh.triangles[t + k]]; };
        const Vec3 normal = cross(at(1) - at(0), at(2) - at(0));
        const double area = double(length(normal));
        all += area;
        if (double(normal.y) > 0.7 * area) up += area;
    }
    return up >= all / 8;
}

// Liquids use the friction of the collider, cloths and rigid bodies the larger of both.
void checkFriction(const Patient& patient, const Collider& collider, Problems& found) {
    if (patient.bodies.fluids.empty() || collider.params.friction > 0 || !isFloor(collider)) return;
    const double usual = ColliderParams().friction > 0 ? double(ColliderParams().friction) : kSuggestedFriction;
    // The ground plane belongs to the solver node.
    const bool ground = collider.name == patient.name + "Plane";
    const std::string attribute = ground ? patient.name + ".planeFriction" : collider.name + ".friction";
    found.push_back(remedied(problemOf(Harm::warning, ground ? patient.name : collider.name,
                                       std::string(ground ? "has a ground without" : "has no") +
                                           " friction: liquid that lands on it never slows down"),
                             "set it to " + text(usual), {attribute + "=" + text(usual)}));
}

void checkMesh(const Patient& patient, const Collider& collider, Problems& found) {
    if (collider.mesh.empty()) {
        found.push_back(problemOf(Harm::error, collider.name, "has no faces: nothing collides with it"));
        return;
    }
    const int open = openEdges(collider.mesh);
    const bool dynamic = collider.params.motion == ColliderMotion::dynamic;
    if (open > 0 && (dynamic || collider.params.container)) {
        found.push_back(problemOf(Harm::error, collider.name,
                                  "has " + std::to_string(open) + " open edges: it has no inside and cannot " +
                                      (dynamic ? "be a rigid body" : "be a container") + "; close the holes"));
        return;
    }
    if (open > 0) {
        // A sheet without thickness lets fast particles through.
        const double spacing = largestSpacing(patient);
        Problem problem = problemOf(Harm::note, collider.name,
                                    "is open (" + std::to_string(open) + " edges): it is treated as a thin sheet");
        if (spacing > 0 && double(collider.params.thickness) < 0.25 * spacing)
            problem = remedied(problem, "keep particles half a spacing away from it",
                               {collider.name + ".thickness=" + typed(0.5 * spacing)});
        found.push_back(problem);
        return;
    }
    const double side = largestSide(boundsOf(collider.mesh.vertices));
    if (volumeOf(collider.mesh) < 0)
        found.push_back(
            problemOf(Harm::warning, collider.name, "is inside out: its faces point inwards; reverse its normals"));
    else if (volumeOf(collider.mesh) < 1e-9 * side * side * side)
        found.push_back(problemOf(Harm::warning, collider.name, "is closed but has no volume; give it some depth"));
    else
        checkDepth(patient, collider, found);
    if (crossesItself(collider.mesh))
        found.push_back(problemOf(Harm::warning, collider.name,
                                  "has a mesh that intersects itself, where inside and outside are undefined; combine "
                                  "its parts with a boolean"));
}

}  // namespace

void checkColliders(const Patient& patient, Problems& found) {
    for (const Collider& collider : patient.bodies.colliders) {
        if (collider.params.shape == ColliderShape::mesh)
            checkMesh(patient, collider, found);
        else
            checkDepth(patient, collider, found);
        checkFriction(patient, collider, found);
    }
}

}  // namespace purl
