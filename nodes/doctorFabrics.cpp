// Checks of cloths and knits: self-intersection, and particles that are too large to be absorbed evenly.
#include <algorithm>

#include "nodes/doctorChecks.h"
#include "nodes/doctorGeometry.h"

namespace purl {
namespace {

// A particle wets an area of s³ / (porosity · depth). Rule 2 of docs/wetting.md recommends 8 s²; above 12 s², wetness
// looks blotchy.
constexpr double kMaxWettedSquares = 12, kSuggestedSquares = 8;

bool allPinned(const std::vector<float>& pins, size_t points) {
    return pins.size() == points && std::all_of(pins.begin(), pins.end(), [](float pin) { return pin >= 1; });
}

void checkCrossings(const std::string& name, const TriangleMesh& mesh, SelfCollision selfCollision, Problems& found) {
    if (crossesItself(mesh))
        found.push_back(problemOf(Harm::warning, name,
                                  "starts with a mesh that intersects itself and stays tangled there; separate its "
                                  "layers in the model"));
    if (selfCollision == SelfCollision::none && foldsOntoItself(mesh))
        found.push_back(remedied(problemOf(Harm::warning, name,
                                           "has no self-collision, but its layers will touch and pass through each "
                                           "other"),
                                 "set its selfCollision to robust", {name + ".selfCollision=robust"}));
}

void checkPortions(const Patient& patient, const std::string& name, const Pores& pores, Problems& found) {
    if (!pores.params.soaks()) return;
    const double holds = double(pores.params.porosity) * double(pores.params.soakDepth);
    for (const Fluid& fluid : patient.bodies.fluids) {
        const double spacing = double(fluid.params.particleSpacing);
        if (fluid.params.kind != FluidKind::liquid || spacing <= kMaxWettedSquares * holds) continue;
        found.push_back(remedied(problemOf(Harm::warning, fluid.name,
                                           "has particles of " + lengthText(patient, spacing) + ", too large for " +
                                               name + ": one particle wets " + text(spacing / holds) +
                                               " times its own area of fabric, so wetness looks blotchy"),
                                 "set its particleSpacing to " + lengthText(patient, kSuggestedSquares * holds),
                                 {fluid.name + ".particleSpacing=" + typed(kSuggestedSquares * holds)}));
    }
}

}  // namespace

void checkFabrics(const Patient& patient, Problems& found) {
    for (const Cloth& cloth : patient.bodies.cloths) {
        if (!allPinned(cloth.pins, cloth.points.size()))
            checkCrossings(cloth.name, meshOf(cloth.points, cloth.faces), cloth.params.selfCollision, found);
        checkPortions(patient, cloth.name, cloth.pores, found);
    }
    for (const Knit& knit : patient.bodies.knits) {
        if (knit.params.motion == KnitMotion::simulated && !allPinned(knit.pins, knit.points.size()))
            checkCrossings(knit.name, meshOf(knit.points, knit.faces), knit.params.selfCollision, found);
        checkPortions(patient, knit.name, knit.pores, found);
    }
}

}  // namespace purl
