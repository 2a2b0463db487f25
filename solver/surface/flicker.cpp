#include "solver/surface/flicker.h"

#include <algorithm>
#include <cmath>

#include "solver/search/triangleTree.h"

namespace purl {
namespace {

constexpr size_t kMaxSamples = 20000;

std::vector<Vec3> advected(const Mesh& mesh, double seconds) {
    std::vector<Vec3> x = mesh.positions;
    for (size_t i = 0; i < x.size(); ++i) x[i] += static_cast<float>(seconds) * mesh.velocities[i];
    return x;
}

bool hasVelocities(const Mesh& mesh) {
    return mesh.kind == MeshKind::liquid && !mesh.positions.empty() && mesh.velocities.size() == mesh.positions.size();
}

struct Sums {
    double squares = 0;  // of distances in spacings
    double near = 0, all = 0;
};

// Adds the distances from the advected vertices of one surface to the other surface.
void add(Sums& sums, const std::vector<Vec3>& from, const TriangleTree& to, float spacing) {
    const size_t stride = from.size() / kMaxSamples + 1;
    for (size_t i = 0; i < from.size(); i += stride) {
        const ClosestPoint nearest = to.closest(from[i], spacing);
        sums.all += 1;
        if (!nearest) continue;
        sums.near += 1;
        sums.squares += static_cast<double>(square(nearest.distance / spacing));
    }
}

}  // namespace

Flicker measureFlicker(const Frame& before, const Frame& after) {
    const double half = 0.5 * (after.time - before.time);
    Sums sums;
    for (const Mesh& now : after.meshes) {
        const int body = findBody(after, now.name);
        const auto then = std::find_if(before.meshes.begin(), before.meshes.end(),
                                       [&](const Mesh& mesh) { return mesh.name == now.name; });
        if (body < 0 || then == before.meshes.end() || !hasVelocities(*then) || !hasVelocities(now)) continue;
        const float spacing = after.bodies[body].spacing;
        const std::vector<Vec3> forward = advected(*then, half), back = advected(now, -half);
        TriangleTree treeThen, treeNow;
        treeThen.build(forward, then->triangles);
        treeNow.build(back, now.triangles);
        add(sums, forward, treeNow, spacing);
        add(sums, back, treeThen, spacing);
    }
    if (sums.all == 0) return {};
    return {sums.near > 0 ? std::sqrt(sums.squares / sums.near) : 0, 1 - sums.near / sums.all};
}

}  // namespace purl
