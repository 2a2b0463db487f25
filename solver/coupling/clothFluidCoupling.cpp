#include "solver/coupling/clothFluidCoupling.h"

#include <algorithm>

#include "solver/boundary/forEachOnHost.h"
#include "solver/core/forEach.h"
#include "solver/core/hostView.h"

namespace purl {
namespace {

struct SubtractVelocities {
    Span<const Vec3> after, before;
    Span<Vec3> changes;
    PURL_HD void operator()(int i) const { changes[i] = after[i] - before[i]; }
};

}  // namespace

std::vector<Vec3> clothNormals(const Device& device, const State& state, const StepColliders& colliders) {
    std::vector<Vec3> normals(static_cast<size_t>(state.cloth.count() + state.soft.count()));
    for (const DeformingCollider& cloth : colliders.deforming) {
        if (!cloth.isCloth) continue;
        const HostReader<Vec3> x =
            readOnHost(state.cloth.x.device(), Span<const Vec3>{state.cloth.x.data() + cloth.first, cloth.count});
        Vec3* const n = normals.data() + cloth.first;
        const std::vector<int>& corners = colliders[cloth.collider].triangles;
        forEachOnHost(device, "clothNormals", cloth.count, [&](int i) {
            Vec3 sum;
            for (int f = cloth.fanStarts[i]; f < cloth.fanStarts[i + 1]; ++f) {
                const int t = 3 * cloth.fans[f];
                sum += cross(x[corners[t + 1]] - x[corners[t]], x[corners[t + 2]] - x[corners[t]]);
            }
            n[i] = normalized(sum, {0, 0, 0});
        });
    }
    return normals;
}

void couple(const Device& device, const State& state, const Scene& scene, const Cloths& cloths, Span<const float> water,
            Span<const NearbyFluid> nearby, Buffer<Vec3>& acceleration, Buffer<float>& addedMass) {
    const ClothPoints& cloth = state.cloth;
    addedMass.resizeDiscard(cloth.count());
    const HostReader<Vec3> reaction = readOnHost(cloth.reaction);
    const HostReader<float> before = readOnHost(cloth.addedMass);
    const HostEditor<Vec3> ownAcceleration = editOnHost(acceleration);
    const HostEditor<float> ownMass = writeOnHost(addedMass);
    int first = 0;
    for (size_t c = 0; c < scene.cloths.size(); ++c) {
        const Buffer<float>& masses = cloths.masses(static_cast<int>(c)).onHost();
        forEachOnHost(device, "coupleCloths", masses.size(), [&](int k) {
            const int i = first + k;
            const NearbyFluid near = nearby.count ? nearby[i] : NearbyFluid{};
            const float soaked = water.count ? water[i] : 0;
            const float moving = std::max(near.mass(), before[i]), own = masses[k] + soaked;
            const float between = std::min(near.above, near.below);
            ownMass[i] = moving + soaked;
            if (!(masses[k] > 0)) return;
            Vec3 force = (own + between) * ownAcceleration[i];
            if (state.lastStep > 0) force += reaction[i] / static_cast<float>(state.lastStep);
            ownAcceleration[i] = force / (own + moving);
        });
        first += masses.size();
    }
}

void velocityChanges(const State& state, const Buffer<Vec3>& before, Buffer<Vec3>& changes) {
    changes.resize(0);
    changes.resize(state.cloth.count() + state.soft.count());  // all zero
    forEach(changes.device(), "velocityChanges", state.cloth.count(),
            SubtractVelocities{state.cloth.v.span(), before.span(), changes.span()}, 4096);
}

void keepReaction(const Device& device, State& state, const Reaction& reaction, Span<const NearbyFluid> nearby,
                  const Materials& materials, PressureSolver solver, float dt) {
    constexpr float kMinShare = 0.05f;         // of the added mass that must be nearby
    constexpr float kMaxDisplacement = 0.05f;  // spacings per step
    const bool weakly = solver == PressureSolver::wcsph;
    const Vec3 fall = dt * materials.gravity;
    // m/s; below this speed, stopped fluid cannot be distinguished from fluid that moves with the cloth.
    const float still = std::max(0.5f * length(fall), 1e-3f * materials.spacing / dt);
    const float fastest = std::max(still, kMaxDisplacement * materials.spacing / dt);
    ClothPoints& cloth = state.cloth;
    const HostReader<Vec3> v = readOnHost(cloth.v);
    const HostEditor<Vec3> kept = writeOnHost(cloth.reaction);
    const HostEditor<float> addedMass = writeOnHost(cloth.addedMass);
    forEachOnHost(device, "keepReaction", cloth.count(), [&](int i) {
        kept[i] = reaction.onPoints()[i];
        const float impulse = length(kept[i]), touching = reaction.touching()[i];
        const NearbyFluid near = nearby.count ? nearby[i] : NearbyFluid{};
        float stopped = still;
        if (near.mass() > 0)
            stopped = std::max(still, length(near.momentum / near.mass() + fall - v[i]));
        else if (touching > 0)
            stopped = std::max(still, impulse / touching);
        stopped = std::min(stopped, fastest);
        const float behind = std::max(impulse / stopped, near.mass() > 0 ? 0 : touching);
        addedMass[i] = !weakly || near.mass() < kMinShare * behind ? behind : 0;
    });
}

}  // namespace purl
