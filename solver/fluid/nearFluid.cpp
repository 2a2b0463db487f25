#include "solver/fluid/nearFluid.h"

#include <algorithm>

#include "solver/boundary/forEachOnHost.h"
#include "solver/boundary/wallSums.h"
#include "solver/core/forEach.h"
#include "solver/fluid/density.h"

namespace purl {
namespace {

// A particle half a spacing off a wall or nearer moves with it, farther ones by as much less as they see less of it.
struct NearShares {
    Boundary::View walls;
    CubicSpline W;
    float whole;  // Σ V W half a spacing off
    Rides::View rides;
    Span<const Vec3> x;
    Span<float> shares;

    PURL_HD void operator()(int i) const {
        if (walls.count(i) == 0) return;
        float sum = 0;
        for (const int *b = walls.begin(i), *last = walls.end(i); b != last; ++b)
            sum += walls.points[*b].volume * W(length(x[i] - walls.points[*b].x));
        const float felt = sum < whole ? 1 / whole : 1 / sum;
        for (const int *b = walls.begin(i), *last = walls.end(i); b != last; ++b)
            shares[static_cast<int>(b - walls.indices)] =
                rides.of(*b) ? felt * walls.points[*b].volume * W(length(x[i] - walls.points[*b].x)) : 0;
    }
};

struct MoveAlong {
    Boundary::View walls;
    Rides::View rides;
    Span<const float> shares;
    Span<const Vec3> changes;
    Span<Vec3> v, vHalf;  // vHalf: or none

    PURL_HD void operator()(int i) const {
        Vec3 sum;
        for (const int *b = walls.begin(i), *last = walls.end(i); b != last; ++b)
            if (const PointCarrier* carrier = rides.of(*b)) {
                const float share = shares[static_cast<int>(b - walls.indices)];
                for (int k = 0; k < 3 && carrier->vertex[k] >= 0; ++k)
                    sum += (share * carrier->share[k]) * changes[carrier->vertex[k]];
            }
        v[i] += sum;
        if (vHalf.count) vHalf[i] += sum;
    }
};

}  // namespace

NearFluid::NearFluid(const Device& device) : device_(device), shares_(device), changes_(device) {}

void NearFluid::feel(const Particles& particles, const Boundary& walls, const Rides& rides, const Materials& materials,
                     const std::vector<Vec3>& normals) {
    near_.assign(static_cast<size_t>(rides.points()), {});
    if (walls.empty() || rides.empty()) return;
    shares_.renew(walls.entries());
    const auto whole = static_cast<float>(0.5 * shareOfLayers(materials.wallSpline, materials.spacing));
    const Boundary::View view = walls.view();
    const Rides::View ride = rides.view();
    forEach(device_, "nearShares", particles.count(),
            NearShares{view, materials.wallSpline, whole, ride, particles.x.span(), shares_.span()});
    const auto wallNormal = [&](const PointCarrier& carrier) {
        Vec3 sum;
        for (int k = 0; k < 3 && carrier.vertex[k] >= 0; ++k)
            sum += carrier.share[k] * normals[static_cast<size_t>(carrier.vertex[k])];
        return sum;
    };
    onWalls_.assign(static_cast<size_t>(ride.count), {});
    wallNormals_.resize(static_cast<size_t>(ride.count));
    forEachOnHost(device_, "wallNormals", ride.count,
                  [&](int k) { wallNormals_[static_cast<size_t>(k)] = wallNormal(ride.carriers[k]); });
    sumOnWalls(device_, "nearFluid", view, particles.count(), ride.first, Span<Near>{onWalls_.data(), ride.count},
               [&](int i, const int* b, Near& near) {
                   const float mass =
                       materials.fluids[particles.body[i]].mass * shares_[static_cast<int>(b - view.indices)];
                   const Vec3 normal = wallNormals_[static_cast<size_t>(*b - ride.first)];
                   (dot(particles.x[i] - view.points[*b].x, normal) > 0 ? near.above : near.below) += mass;
                   near.momentum += mass * particles.v[i];
               });
    ride.forEachEntry(device_, onWalls_, [&](int point, float share, const Near& near) {
        Near& own = near_[static_cast<size_t>(point)];
        own.above += share * near.above;
        own.below += share * near.below;
        own.momentum += share * near.momentum;
    });
}

void NearFluid::moveAlong(const std::vector<Vec3>& changes, const Boundary& walls, const Rides& rides,
                          Particles& particles) {
    if (walls.empty() || rides.empty()) return;
    changes_.renew(static_cast<int>(changes.size()));
    std::copy(changes.begin(), changes.end(), changes_.begin());
    forEach(device_, "moveAlong", particles.count(),
            MoveAlong{walls.view(), rides.view(), shares_.span(), changes_.span(), particles.v.span(),
                      particles.vHalf.span()});
    device_.synchronize();
}

}  // namespace purl
