#include "solver/coupling/clothFluidCoupling.h"

#include <algorithm>

#include "solver/boundary/forEachOnHost.h"

namespace purl {
namespace {

// Unit, of each cloth's points where they are; zero for all others.
std::vector<Vec3> clothNormals(const Device& device, const State& state, const DeformingColliders& skins) {
    std::vector<Vec3> normals(static_cast<size_t>(state.cloth.count() + state.soft.count()));
    for (const DeformingCollider& skin : skins.all()) {
        if (!skin.ofCloth) continue;
        const Vec3* const x = state.cloth.x.data() + skin.first;
        Vec3* const n = normals.data() + skin.first;
        const std::vector<int>& corners = skin.shape.mesh.triangles;
        forEachOnHost(device, "clothNormals", skin.count, [&](int i) {
            Vec3 sum;
            const auto p = static_cast<size_t>(i);
            for (int f = skin.fanStarts[p]; f < skin.fanStarts[p + 1]; ++f) {
                const auto t = static_cast<size_t>(3 * skin.fans[static_cast<size_t>(f)]);
                sum += cross(x[corners[t + 1]] - x[corners[t]], x[corners[t + 2]] - x[corners[t]]);
            }
            n[i] = normalized(sum, {0, 0, 0});
        });
    }
    return normals;
}

}  // namespace

void LadenCloths::feel(const Scene& scene, const StepSpan& span) {
    ClothPoints& cloth = state.cloth;
    before.assign(cloth.v.begin(), cloth.v.end());
    if (work.walls.any) {
        work.walls.moveTo(span.shareBefore, span.shareBefore, 0);
        work.walls.findNeighbors(state.particles.x, work.walls.firstSkin);
        work.rides.set(work.skins, work.walls.firstSkin, work.walls.boundary, state);
        work.nearFluid.feel(state.particles, work.walls.boundary, work.rides, work.materials,
                            clothNormals(work.device, state, work.skins));
    }
    work.burden.renew(cloth.count());
    const Span<const float> water = work.wet.load(state, scene);
    int first = 0;
    for (size_t c = 0; c < scene.cloths.size(); ++c) {
        const Buffer<float>& masses = work.cloths.masses(static_cast<int>(c));
        forEachOnHost(work.device, "burdenCloths", masses.size(), [&](int k) {
            const int i = first + k;
            AddedMass::Near near;
            if (work.walls.any) near = work.nearFluid.near()[static_cast<size_t>(i)];
            const float soaked = water.count ? water[i] : 0;
            const float burden = std::max(near.mass(), cloth.burden[i]), own = masses[k] + soaked;
            const float between = std::min(near.above, near.below);
            work.burden[i] = burden + soaked;
            if (!(masses[k] > 0)) return;
            Vec3 force = (own + between) * work.pull[i];
            if (state.lastStep > 0) force += cloth.push[i] / static_cast<float>(state.lastStep);
            work.pull[i] = force / (own + burden);
        });
        first += masses.size();
    }
}

void LadenCloths::takeAlong() {
    ClothPoints& cloth = state.cloth;
    std::vector<Vec3> along(static_cast<size_t>(cloth.count() + state.soft.count()));
    forEachOnHost(work.device, "changesOfCloths", cloth.count(),
                  [&](int i) { along[static_cast<size_t>(i)] = cloth.v[i] - before[static_cast<size_t>(i)]; });
    if (work.walls.any) work.nearFluid.moveAlong(along, work.walls.boundary, work.rides, state.particles);
}

void pushCloths(State& state, const Workspace& work, const SolverParams& params, float dt) {
    constexpr float kFarTooLittle = 0.05f, kMostAtOnce = 0.05f;
    const bool weakly = params.pressureSolver == PressureSolver::wcsph;
    const Vec3 fall = dt * work.materials.gravity;
    // m/s; slower than this nothing can be told from what it would have moved.
    const float still = std::max(0.5f * length(fall), 1e-3f * work.materials.spacing / dt);
    const float most = std::max(still, kMostAtOnce * work.materials.spacing / dt);
    ClothPoints& cloth = state.cloth;
    forEachOnHost(work.device, "pushCloths", cloth.count(), [&](int i) {
        const auto p = static_cast<size_t>(i);
        cloth.push[i] = work.reaction.onPoints()[p];
        const float push = length(cloth.push[i]), touching = work.reaction.touching()[p];
        AddedMass::Near near;
        if (work.walls.any) near = work.nearFluid.near()[p];
        float stopped = still;
        if (near.mass() > 0)
            stopped = std::max(still, length(near.momentum / near.mass() + fall - cloth.v[i]));
        else if (touching > 0)
            stopped = std::max(still, push / touching);
        stopped = std::min(stopped, most);
        const float behind = std::max(push / stopped, near.mass() > 0 ? 0 : touching);
        cloth.burden[i] = !weakly || near.mass() < kFarTooLittle * behind ? behind : 0;
    });
}

}  // namespace purl
