#include "solver/initialCounts.h"

#include <string>

#include "solver/core/error.h"
#include "solver/core/fourDigits.h"

namespace purl {
namespace {

constexpr const char* kGoBack = "; go back to the start frame";

template <class Body>
std::vector<size_t> pointCounts(const std::vector<Body>& bodies) {
    std::vector<size_t> counts;
    for (const Body& body : bodies) counts.push_back(body.points.size());
    return counts;
}

void throwIfOtherNumber(const char* what, size_t now, size_t before) {
    if (now != before)
        throw Error("solver: " + std::to_string(now) + what + " where the simulation started with " +
                    std::to_string(before) + kGoBack);
}

template <class Body>
void throwIfOtherMeshes(const char* what, const std::vector<Body>& bodies, const std::vector<size_t>& points) {
    throwIfOtherNumber(what, bodies.size(), points.size());
    for (size_t i = 0; i < points.size(); ++i)
        if (bodies[i].points.size() != points[i])
            throw Error(bodies[i].name + ": mesh has " + std::to_string(bodies[i].points.size()) +
                        " points where the simulation started with " + std::to_string(points[i]) + kGoBack);
}

}  // namespace

void InitialCounts::set(const Scene& scene) {
    dimensions_ = scene.solver.dimensions;
    spacings_.clear();
    for (const Fluid& fluid : scene.fluids) spacings_.push_back(fluid.params.particleSpacing);
    clothPoints_ = pointCounts(scene.cloths);
    knitPoints_ = pointCounts(scene.knits);
    setSoftBodies(scene);
}

void InitialCounts::setSoftBodies(const Scene& scene) { softPoints_ = pointCounts(scene.softBodies); }

void InitialCounts::throwIfChanged(const Scene& scene) const {
    if (scene.solver.dimensions != dimensions_)
        throw Error("solver: dimensions changed from " + std::to_string(dimensions_) + " to " +
                    std::to_string(scene.solver.dimensions) + " after the start" + kGoBack);
    throwIfOtherNumber(" fluids", scene.fluids.size(), spacings_.size());
    throwIfOtherMeshes(" cloths", scene.cloths, clothPoints_);
    throwIfOtherMeshes(" knits", scene.knits, knitPoints_);
    if (scene.softBodies.size() < softPoints_.size())
        throw Error("solver: " + std::to_string(scene.softBodies.size()) + " soft bodies where there were " +
                    std::to_string(softPoints_.size()) + kGoBack);
    for (size_t i = 0; i < softPoints_.size(); ++i)
        if (scene.softBodies[i].points.size() != softPoints_[i])
            throw Error(scene.softBodies[i].name + ": has " + std::to_string(scene.softBodies[i].points.size()) +
                        " points where there were " + std::to_string(softPoints_[i]) + kGoBack +
                        ", and connect soft bodies that are added during the simulation last");
    // All other parameters may be edited during a simulation, but the spacing determines the mass of a particle.
    for (size_t i = 0; i < spacings_.size(); ++i)
        if (scene.fluids[i].params.particleSpacing != spacings_[i])
            throw Error(scene.fluids[i].name + ": particleSpacing changed from " + fourDigits(spacings_[i]) + " to " +
                        fourDigits(scene.fluids[i].params.particleSpacing) + " m after the start" + kGoBack +
                        ", or back to the old spacing");
}

}  // namespace purl
