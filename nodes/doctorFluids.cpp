// Checks of fluids: number of particles, fit of initial volumes in their containers, position of emitters.
#include <algorithm>
#include <cmath>

#include "nodes/doctorChecks.h"
#include "nodes/doctorGeometry.h"

namespace purl {
namespace {

constexpr double kMaxParticles = 3e6, kMinParticles = 60;
constexpr double kSuggestedParticles = 2e5;  // target of the suggested spacing
// Gaps between an initial volume and its container, in spacings: smaller ones do not matter, larger ones are intended.
constexpr double kSmallGap = 0.9, kLargeGap = 2.5;

// Bounds of a collider if it is an axis-aligned box.
bool boxOf(const Collider& collider, Bounds& box) {
    if (collider.params.shape == ColliderShape::mesh) {
        box = boundsOf(collider.mesh.vertices);
        return isBox(collider.mesh);
    }
    const Mat3& axes = collider.pose.axes;
    const float level = std::min({std::abs(axes.x.x), std::abs(axes.y.y), std::abs(axes.z.z)});
    if (collider.params.shape != ColliderShape::box || level < 0.9999f) return false;
    box = Bounds();
    box.include(collider.pose.position - collider.params.halfSize);
    box.include(collider.pose.position + collider.params.halfSize);
    return true;
}

Bounds common(const Bounds& a, const Bounds& b) { return {max(a.low, b.low), min(a.high, b.high)}; }

// Water falls into a narrow gap at the wall, and the whole pool starts to slosh.
void checkFit(const Patient& patient, const Fluid& fluid, const TriangleMesh& mesh, const Collider& collider,
              Problems& found) {
    Bounds walls;
    if (!collider.params.container || collider.params.effect != ColliderEffect::collide || !isBox(mesh) ||
        !boxOf(collider, walls))
        return;
    const Bounds fill = boundsOf(mesh.vertices);
    if (common(fill, walls).empty()) return;
    const double spacing = double(fluid.params.particleSpacing);
    double gap = 0, beyond = 0;
    bool pool = true;  // false for a column with free space beside it, which is meant to collapse
    for (int axis = 0; axis < (patient.bodies.solver.dimensions == 2 ? 2 : 3); ++axis) {
        const double below = double(fill.low[axis] - walls.low[axis]);
        const double above = double(walls.high[axis] - fill.high[axis]);
        beyond = std::max({beyond, -below, -above});
        if (axis != 1) pool = pool && std::max(below, above) < kLargeGap * spacing;
        for (const double side : {below, axis == 1 ? 0.0 : above})
            if (side > kSmallGap * spacing && side < kLargeGap * spacing) gap = std::max(gap, side);
    }
    if (beyond > kSmallGap * spacing)
        found.push_back(problemOf(Harm::warning, fluid.name,
                                  "fills a mesh that extends " + lengthText(patient, beyond) + " out of " +
                                      collider.name +
                                      ": the fluid outside is pushed in and splashes; make the mesh smaller"));
    else if (pool && gap > 0)
        found.push_back(problemOf(Harm::warning, fluid.name,
                                  "fills a mesh that ends " + lengthText(patient, gap) + " short of the walls of " +
                                      collider.name +
                                      ": it falls into the gap and sloshes; extend the mesh to the walls"));
}

// Two initial volumes that overlap, so that particles of both are created in the same place.
void checkOverlap(const Patient& patient, const Fluid& a, const TriangleMesh& first, const Fluid& b,
                  const TriangleMesh& second, Problems& found) {
    const double spacing = double(std::min(a.params.particleSpacing, b.params.particleSpacing));
    const Bounds box = common(boundsOf(first.vertices), boundsOf(second.vertices));
    if (box.empty() || double(std::min({box.size().x, box.size().y, box.size().z})) < 0.5 * spacing) return;
    constexpr int kSamples = 8;  // along each axis
    int shared = 0;
    for (int i = 0; i < kSamples * kSamples * kSamples; ++i) {
        const Vec3 share{(float(i % kSamples) + 0.5f) / kSamples, (float(i / kSamples % kSamples) + 0.5f) / kSamples,
                         (float(i / kSamples / kSamples) + 0.5f) / kSamples};
        const Vec3 p{box.low.x + share.x * box.size().x, box.low.y + share.y * box.size().y,
                     box.low.z + share.z * box.size().z};
        if (isInside(first, p) && isInside(second, p)) ++shared;
    }
    const double volume =
        double(box.size().x) * double(box.size().y) * double(box.size().z) * shared / (kSamples * kSamples * kSamples);
    if (volume < 8 * spacing * spacing * spacing) return;
    const std::string others = &a == &b ? "another one of its meshes" : b.name;
    found.push_back(
        problemOf(Harm::warning, a.name,
                  "fills a mesh that overlaps " + others + " by " + text(volume * std::pow(patient.meters, 3) * 1000) +
                      " l: particles of both are created in the same place and burst apart; separate them"));
}

}  // namespace

void checkFluids(const Patient& patient, Problems& found) {
    const auto soaks = [](const auto& fabric) { return fabric.pores.absorb(); };
    const bool drips = std::any_of(patient.bodies.cloths.begin(), patient.bodies.cloths.end(), soaks) ||
                       std::any_of(patient.bodies.knits.begin(), patient.bodies.knits.end(), soaks);
    for (const Fluid& fluid : patient.bodies.fluids) {
        if (fluid.volumes.empty() && fluid.emitters.empty()) {
            if (drips) continue;  // drops that fall off fabrics belong to it
            found.push_back(
                problemOf(Harm::error, fluid.name,
                          "has no particles: connect a closed mesh to its inMesh, or an emitter to its inEmitter"));
            continue;
        }
        double volume = 0;
        for (const TriangleMesh& mesh : fluid.volumes) {
            const int open = openEdges(mesh);
            if (open > 0)
                found.push_back(problemOf(Harm::error, fluid.name,
                                          "cannot fill a mesh with " + std::to_string(open) +
                                              " open edges, which has no inside; close the holes"));
            else if (crossesItself(mesh))
                found.push_back(
                    problemOf(Harm::warning, fluid.name,
                              "fills a mesh that intersects itself, where inside and outside are undefined; "
                              "combine its parts with a boolean"));
            volume += std::abs(volumeOf(mesh));
        }
        if (fluid.volumes.empty()) continue;
        const double spacing = double(fluid.params.particleSpacing);
        const double count = volume / (spacing * spacing * spacing);
        if (count <= kMaxParticles && count >= kMinParticles) continue;
        const double better = std::cbrt(volume / (count > kMaxParticles ? kSuggestedParticles : 2e4));
        found.push_back(remedied(
            problemOf(Harm::warning, fluid.name,
                      "would have about " + text(count) + " particles: " +
                          (count > kMaxParticles ? "frames take minutes and a lot of memory" : "too few to flow")),
            "set its particleSpacing to " + lengthText(patient, better),
            {fluid.name + ".particleSpacing=" + typed(better)}));
    }
}

void checkFills(const Patient& patient, Problems& found) {
    struct Fill {
        const Fluid* fluid;
        const TriangleMesh* mesh;
    };
    std::vector<Fill> fills;
    for (const Fluid& fluid : patient.bodies.fluids)
        for (const TriangleMesh& mesh : fluid.volumes)
            if (openEdges(mesh) == 0) fills.push_back({&fluid, &mesh});
    for (size_t i = 0; i < fills.size(); ++i) {
        for (const Collider& collider : patient.bodies.colliders)
            checkFit(patient, *fills[i].fluid, *fills[i].mesh, collider, found);
        for (size_t j = i + 1; j < fills.size(); ++j)
            checkOverlap(patient, *fills[i].fluid, *fills[i].mesh, *fills[j].fluid, *fills[j].mesh, found);
    }
}

void checkEmitters(const Patient& patient, Problems& found) {
    for (const Fluid& fluid : patient.bodies.fluids)
        for (const Emitter& emitter : fluid.emitters) {
            if (emitter.params.shape != EmitterShape::disc) continue;
            const float spacing = fluid.params.particleSpacing;
            const Vec3 outside = emitter.pose.position + spacing * emitter.pose.axes.y;
            for (const Collider& collider : patient.bodies.colliders) {
                if (collider.params.effect != ColliderEffect::collide) continue;
                if (isInside(collider, outside) != collider.params.container)
                    found.push_back(
                        problemOf(Harm::warning, emitter.name,
                                  (collider.params.container ? "emits outside of the walls of " : "emits inside of ") +
                                      collider.name + ": the fluid is pushed through the surface; move the emitter"));
            }
            if (double(emitter.params.radius) < 0.5 * double(spacing))
                found.push_back(remedied(
                    problemOf(Harm::warning, emitter.name,
                              "has a radius of " + lengthText(patient, double(emitter.params.radius)) +
                                  ", less than half the particle spacing of " + lengthText(patient, double(spacing)) +
                                  ": it emits single drops instead of a jet"),
                    "set " + fluid.name + "'s particleSpacing to " +
                        lengthText(patient, double(emitter.params.radius) / 2),
                    {fluid.name + ".particleSpacing=" + typed(double(emitter.params.radius) / 2)}));
        }
}

}  // namespace purl
