// Fluids: how many particles they have, whether their fills fit, and whether their emitters are in the open.
#include <algorithm>
#include <cmath>

#include "nodes/doctorChecks.h"
#include "nodes/doctorGeometry.h"

namespace purl {
namespace {

constexpr double kManyParticles = 3e6, kFewParticles = 60;
constexpr double kUsualParticles = 2e5;  // what a remedy aims at
// Gaps between a fill and its container, in spacings: less is hardly seen, more is meant.
constexpr double kSmallGap = 0.9, kLargeGap = 2.5;

// The box that a container is, if it is one along the axes.
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

// A gap narrower than a few particles is filled by water that falls into it: the whole pool heaves.
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
    bool pool = true;  // a column with room beside it is to break, and moves anyway
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
                                  "fills a mesh that reaches " + lengthText(patient, beyond) + " out of " +
                                      collider.name +
                                      ": what is outside is pressed in, and splashes; make it smaller"));
    else if (pool && gap > 0)
        found.push_back(problemOf(Harm::warning, fluid.name,
                                  "fills a mesh that ends " + lengthText(patient, gap) + " short of the walls of " +
                                      collider.name + ": it falls into the gap and heaves; make it reach the walls"));
}

// Both lattices of particles in the space that two fills share.
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
    found.push_back(problemOf(Harm::warning, a.name,
                              "fills a mesh that overlaps " + others + " by " +
                                  text(volume * std::pow(patient.meters, 3) * 1000) +
                                  " l: both are pressed into one place and burst; pull them apart"));
}

}  // namespace

void checkFluids(const Patient& patient, Problems& found) {
    const auto soaks = [](const auto& fabric) { return fabric.pores.absorb(); };
    const bool drips = std::any_of(patient.bodies.cloths.begin(), patient.bodies.cloths.end(), soaks) ||
                       std::any_of(patient.bodies.knits.begin(), patient.bodies.knits.end(), soaks);
    for (const Fluid& fluid : patient.bodies.fluids) {
        if (fluid.volumes.empty() && fluid.emitters.empty()) {
            if (drips) continue;  // what falls off fabrics is of it
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
                                          "is to fill a mesh with " + std::to_string(open) +
                                              " open edges: it has no inside; fill the holes"));
            else if (crossesItself(mesh))
                found.push_back(problemOf(Harm::warning, fluid.name,
                                          "fills a mesh that crosses itself: inside and outside are mixed up there; "
                                          "unite its parts"));
            volume += std::abs(volumeOf(mesh));
        }
        if (fluid.volumes.empty()) continue;
        const double spacing = double(fluid.params.particleSpacing);
        const double count = volume / (spacing * spacing * spacing);
        if (count <= kManyParticles && count >= kFewParticles) continue;
        const double better = std::cbrt(volume / (count > kManyParticles ? kUsualParticles : 2e4));
        found.push_back(remedied(
            problemOf(Harm::warning, fluid.name,
                      "would have about " + text(count) + " particles: " +
                          (count > kManyParticles ? "frames take minutes and much memory" : "too few to flow")),
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
                    found.push_back(problemOf(Harm::warning, emitter.name,
                                              (collider.params.container ? "lets liquid out outside of the walls of "
                                                                         : "lets liquid out inside of ") +
                                                  collider.name + ": it is pushed through the wall; move it"));
            }
            if (double(emitter.params.radius) < 0.5 * double(spacing))
                found.push_back(
                    remedied(problemOf(Harm::warning, emitter.name,
                                       "has a radius of " + lengthText(patient, double(emitter.params.radius)) +
                                           ", less than half a particle of " + lengthText(patient, double(spacing)) +
                                           ": it is no jet but a string of drops"),
                             "set " + fluid.name + "'s particleSpacing to " +
                                 lengthText(patient, double(emitter.params.radius) / 2),
                             {fluid.name + ".particleSpacing=" + typed(double(emitter.params.radius) / 2)}));
        }
}

}  // namespace purl
