#include "solver/stateFit.h"

#include <algorithm>
#include <string>

#include "solver/cloth/tear.h"
#include "solver/colliders/rigid.h"
#include "solver/core/error.h"
#include "solver/core/hostView.h"
#include "solver/wet/flow.h"

namespace purl {
namespace {

// A collider's mesh must have the same number of vertices in the state and in the scene.
void checkVertices(const Collider& collider, const std::vector<Vec3>& vertices) {
    if (vertices.size() != collider.mesh.vertices.size())
        throw Error(collider.name + ": the state holds it with " + std::to_string(vertices.size()) +
                    " vertices, the scene with " + std::to_string(collider.mesh.vertices.size()) +
                    "; restore the state with the scene it was saved from");
}

[[noreturn]] void refuseOther(const std::string& what) {
    throw Error("solver: the state holds " + what + "; restore the state with the scene it was saved from");
}

void checkClothFits(const ClothPoints& points, const Scene& simulated) {
    const std::vector<Cloth>& cloths = simulated.cloths;
    bool same = cloths.size() == static_cast<size_t>(points.counts.size());
    size_t inScene = 0;
    for (const Cloth& cloth : cloths) inScene += cloth.points.size();
    for (int c = 0, first = 0; same && c < points.counts.size(); first += points.counts[c++]) {
        const Cloth& cloth = cloths[static_cast<size_t>(c)];
        const auto vertices = static_cast<int>(cloth.points.size()), count = points.counts[c];
        // Tearing adds points; the number of face corners stays.
        same = points.corners.empty()
                   ? vertices == count
                   : vertices <= count && static_cast<int>(cloth.faces.corners.size()) == points.cornerCounts[c];
        for (int i = first; same && !points.origins.empty() && i < first + count; ++i)
            same = points.origins[i] < vertices;
    }
    if (!same) refuseOther(std::to_string(points.count()) + " points of cloth, the scene " + std::to_string(inScene));
    if (!points.origins.empty() && !mayTear(simulated))
        refuseOther("torn cloths, but cloths cannot tear in a scene with fluids or absorbing cloths");
}

void checkSoftFits(const SoftPoints& points, const Scene& scene) {
    const auto bodies = static_cast<size_t>(points.bodies());
    bool same = bodies <= scene.softBodies.size();
    for (size_t b = 0; same && b < bodies; ++b) {
        const auto vertices = static_cast<int>(scene.softBodies[b].points.size()), index = static_cast<int>(b);
        same = vertices <= points.counts[index] && points.held[index] < vertices;
    }
    if (!same) refuseOther("other soft bodies than the scene");
}

}  // namespace

void checkStateFits(const State& state, const Scene& simulated) {
    const auto fluids = static_cast<int>(simulated.fluids.size());
    for (const int body : readOnHost(state.particles.body))
        if (body < 0 || body >= fluids)
            refuseOther("particles of fluid " + std::to_string(body) + ", the scene has only " +
                        std::to_string(fluids) + " fluids");
    checkClothFits(state.cloth, simulated);
    checkSoftFits(state.soft, simulated);
    const bool absorb = std::any_of(simulated.cloths.begin(), simulated.cloths.end(),
                                    [](const Cloth& cloth) { return cloth.pores.absorb(); });
    if (absorb && state.wet.count() > 0 &&
        (state.wet.count() != state.cloth.count() || state.wet.width != layoutOf(simulated).width()))
        refuseOther("water in other fabrics or of other fluids than the scene");
    for (size_t i = 0; i < std::min(simulated.colliders.size(), state.colliders.size()); ++i) {
        const Collider& collider = simulated.colliders[i];
        if (!isRigid(collider) || !state.colliders[i].rigid || collider.params.shape != ColliderShape::mesh) continue;
        checkVertices(collider, state.colliders[i].vertices);
        checkVertices(collider, state.shapes[i].vertices);
    }
}

}  // namespace purl
