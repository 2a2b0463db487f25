#include "solver/coupling/clothFluidCoupling.h"

#include <algorithm>
#include <utility>

#include "solver/core/forEach.h"
#include "solver/core/hostView.h"

namespace purl {
namespace {

struct SubtractVelocities {
    Span<const Vec3> after, before;
    Span<Vec3> changes;
    PURL_HD void operator()(int i) const { changes[i] = after[i] - before[i]; }
};

// The summed area vectors of the triangles around a point.
struct NormalOfPoint {
    const int *fanStarts, *fans, *corners;
    const Vec3* x;
    Vec3* normals;
    PURL_HD void operator()(int i) const {
        Vec3 sum;
        for (int f = fanStarts[i]; f < fanStarts[i + 1]; ++f) {
            const int* const t = corners + 3 * fans[f];
            sum += cross(x[t[1]] - x[t[0]], x[t[2]] - x[t[0]]);
        }
        normals[i] = normalized(sum, {0, 0, 0});
    }
};

struct CoupleCloth {
    int first;
    Span<const float> masses;        // kg, of the cloth
    Span<const float> water;         // kg, per point, or empty
    Span<const NearbyFluid> nearby;  // per point, or empty
    Span<const Vec3> reaction;       // N s
    Span<const float> reactingMass;  // kg
    float lastStep;                  // s
    Span<Vec3> acceleration;
    Span<float> addedMass;

    PURL_HD void operator()(int k) const {
        const int i = first + k;
        const NearbyFluid near = nearby.count ? nearby[i] : NearbyFluid{};
        const float soaked = water.count ? water[i] : 0;
        const float moving = Largest()(near.mass(), reactingMass[i]), own = masses[k] + soaked;
        const float between = near.below < near.above ? near.below : near.above;
        addedMass[i] = moving + soaked;
        if (!(masses[k] > 0)) return;
        Vec3 force = (own + between) * acceleration[i];
        if (lastStep > 0) force += reaction[i] / lastStep;
        acceleration[i] = force / (own + moving);
    }
};

struct KeepReaction {
    Span<const Vec3> onPoints;       // N s
    Span<const float> touching;      // kg
    Span<const NearbyFluid> nearby;  // per point, or empty
    Span<const Vec3> v;
    Vec3 fall;             // m/s, by gravity in the step
    float still, fastest;  // m/s
    bool weakly;
    Span<Vec3> reaction;
    Span<float> addedMass;

    PURL_HD void operator()(int i) const {
        constexpr float kMinShare = 0.05f;  // of the added mass that must be nearby
        reaction[i] = onPoints[i];
        const float impulse = length(reaction[i]);
        const NearbyFluid near = nearby.count ? nearby[i] : NearbyFluid{};
        float stopped = still;
        if (near.mass() > 0)
            stopped = Largest()(still, length(near.momentum / near.mass() + fall - v[i]));
        else if (touching[i] > 0)
            stopped = Largest()(still, impulse / touching[i]);
        stopped = fastest < stopped ? fastest : stopped;
        const float behind = Largest()(impulse / stopped, near.mass() > 0 ? 0.0f : touching[i]);
        addedMass[i] = !weakly || near.mass() < kMinShare * behind ? behind : 0;
    }
};

}  // namespace

ClothNormals::ClothNormals(const Device& device)
    : fanStarts_(device, "cloth.fanStarts"),
      fans_(device, "cloth.fans"),
      corners_(device, "cloth.corners"),
      normals_(device, "cloth.normals") {}

void ClothNormals::set(const StepColliders& colliders) {
    sheets_.clear();
    std::vector<int> fanStarts, fans, corners;
    for (const DeformingCollider& cloth : colliders.deforming) {
        if (!cloth.isCloth) continue;
        sheets_.push_back({cloth.first, cloth.count, static_cast<int>(fanStarts.size()), static_cast<int>(fans.size()),
                           static_cast<int>(corners.size())});
        const std::vector<int>& own = colliders[cloth.collider].triangles;
        fanStarts.insert(fanStarts.end(), cloth.fanStarts.begin(), cloth.fanStarts.end());
        fans.insert(fans.end(), cloth.fans.begin(), cloth.fans.end());
        corners.insert(corners.end(), own.begin(), own.end());
    }
    upload(fanStarts_, fanStarts);
    upload(fans_, fans);
    upload(corners_, corners);
}

const Buffer<Vec3>& ClothNormals::measure(const State& state) {
    normals_.resize(0);
    normals_.resize(state.cloth.count() + state.soft.count());  // all zero
    for (const Sheet& sheet : sheets_)
        forEach(normals_.device(), "clothNormals", sheet.count,
                NormalOfPoint{fanStarts_.data() + sheet.firstStart, fans_.data() + sheet.firstFan,
                              corners_.data() + sheet.firstCorner, state.cloth.x.data() + sheet.first,
                              normals_.data() + sheet.first});
    return normals_;
}

void couple(const State& state, const Cloths& cloths, Span<const float> water, Span<const NearbyFluid> nearby,
            Buffer<Vec3>& acceleration, Buffer<float>& addedMass) {
    const ClothPoints& cloth = state.cloth;
    addedMass.resizeDiscard(cloth.count());
    int first = 0;
    for (int c = 0; c < cloth.counts.size(); ++c) {
        const Mirrored<float>& masses = cloths.masses(c);
        forEach(addedMass.device(), "coupleCloths", masses.size(),
                CoupleCloth{first, masses.span(), water, nearby, cloth.reaction.span(), cloth.addedMass.span(),
                            static_cast<float>(state.lastStep), acceleration.span(), addedMass.span()});
        first += masses.size();
    }
}

void velocityChanges(const State& state, const Buffer<Vec3>& before, Buffer<Vec3>& changes) {
    changes.resize(0);
    changes.resize(state.cloth.count() + state.soft.count());  // all zero
    forEach(changes.device(), "velocityChanges", state.cloth.count(),
            SubtractVelocities{state.cloth.v.span(), before.span(), changes.span()}, 4096);
}

void keepReaction(State& state, const Reaction& reaction, Span<const NearbyFluid> nearby, const Materials& materials,
                  PressureSolver solver, float dt) {
    constexpr float kMaxDisplacement = 0.05f;  // spacings per step
    const bool weakly = solver == PressureSolver::wcsph;
    const Vec3 fall = dt * materials.gravity;
    // m/s; below this speed, stopped fluid cannot be distinguished from fluid that moves with the cloth.
    const float still = std::max(0.5f * length(fall), 1e-3f * materials.spacing / dt);
    const float fastest = std::max(still, kMaxDisplacement * materials.spacing / dt);
    ClothPoints& cloth = state.cloth;
    forEach(cloth.x.device(), "keepReaction", cloth.count(),
            KeepReaction{reaction.onPoints().span(), reaction.touching().span(), nearby, std::as_const(cloth.v).span(),
                         fall, still, fastest, weakly, cloth.reaction.span(), cloth.addedMass.span()});
}

}  // namespace purl
