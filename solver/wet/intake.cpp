#include "solver/wet/intake.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "solver/core/forEach.h"
#include "solver/fluid/emission.h"
#include "solver/fluid/material.h"
#include "solver/wet/pores.h"

namespace purl {
namespace {

constexpr double kNegligibleRest = 1e-6;  // remaining fraction of a particle below which it is removed

// A fabric among the boundaries that may absorb.
struct AbsorbingSurface {
    Span<const PointCarrier> carriers;
    int firstPoint;
    int firstCell;        // −1: not a cloth
    float halfThickness;  // m
};

// Finds the nearest boundary sample of any fabric that each particle touches.
struct TouchFabrics {
    Boundary::View walls;
    int firstDeforming;
    Span<const AbsorbingSurface> surfaces;
    Span<const float> reach;  // m, per fluid; negative: not absorbable
    Span<const Vec3> x;
    Span<const int> body;
    Span<float> soaking;
    Span<int> touch;

    PURL_HD void operator()(int i) const {
        touch[i] = -1;
        float* const own = soaking.data + static_cast<size_t>(kSoakings) * static_cast<size_t>(i);
        own[kWetness] = own[kFilm] = 0;
        if (walls.count(i) == 0 || reach[body[i]] < 0) return;
        float least = kUnbounded;
        for (const int *b = walls.begin(i), *last = walls.end(i); b != last; ++b) {
            const int s = walls.owners[*b] - firstDeforming;
            if (s < 0 || surfaces[s].firstCell < 0) continue;
            const float distance = length(x[i] - walls.points[*b].x);
            if (distance >= least || distance > reach[body[i]] + surfaces[s].halfThickness) continue;
            least = distance;
            touch[i] = *b;
        }
    }
};

Vec3 colorOf(const Particles& particles, int i, const FluidParams& params) {
    if (particles.color.width != 3) return params.color;
    const float* const rgb = particles.color.values.data() + 3 * i;
    return {rgb[0], rgb[1], rgb[2]};
}

}  // namespace

// A particle wets an area of about spacing²: cells within this fraction of a spacing along the fabric.
void Intake::set(const Scene& scene, const Buffer<Vec3>& rest, const PoreSheet& sheet) {
    constexpr float kReach = 0.6f;
    float spacing = 0;
    for (const Fluid& fluid : scene.fluids) spacing = std::max(spacing, fluid.params.particleSpacing);
    if (spacing == spacing_ && static_cast<int>(footprintStarts_.size()) == sheet.cells.size() + 1) return;
    spacing_ = spacing;
    footprintStarts_.assign(1, 0);
    footprints_.clear();
    footprintShares_.clear();
    std::vector<int> seen(static_cast<size_t>(sheet.cells.size()), -1), found;
    for (int i = 0; i < sheet.cells.size(); ++i) {
        found.assign(1, i);
        seen[i] = i;
        for (size_t next = 0; next < found.size(); ++next)
            for (int k = sheet.linkStarts[found[next]]; k < sheet.linkStarts[found[next] + 1]; ++k) {
                const int j = sheet.links[k].to;
                if (seen[j] == i || length(rest[j] - rest[i]) > kReach * spacing) continue;
                seen[j] = i;
                found.push_back(j);
            }
        float area = 0;
        for (const int j : found) area += sheet.cells[j].area;
        for (const int j : found) {
            footprints_.push_back(j);
            footprintShares_.push_back(area > 0 ? sheet.cells[j].area / area : 0);
        }
        footprintStarts_.push_back(static_cast<int>(footprints_.size()));
    }
}

// Suction of the pores from particles in contact: mass flux ρ κ p/(μ · ½ depth), with capillary pressure p. A particle
// is absorbed gradually by the cells around its contact point and removed when nothing is left.
void Intake::absorb(State& state, const Scene& scene, const FabricContact* contact, const PoreSheet& sheet,
                    const CellLayout& layout, const Buffer<float>& room, double dt) {
    touched_.assign(static_cast<size_t>(sheet.cells.size()), 0);
    if (!contact) return;
    Particles& particles = state.particles;
    WetCells& wet = state.wet;
    const Boundary::OnHost lists(contact->walls);
    const ParticlesOnHost onHost(particles);
    Buffer<AbsorbingSurface> surfaces(device_, static_cast<int>(contact->colliders.deforming.size()));
    for (int s = 0; s < surfaces.size(); ++s) {
        const DeformingCollider& fabric = contact->colliders.deforming[s];
        const int wall = contact->firstDeforming + s;
        surfaces[s] = {contact->walls.carriersOf(wall).onHost().span(), contact->walls.firstPoint(wall),
                       fabric.isCloth ? fabric.first : -1, contact->colliders[fabric.collider].params.thickness};
    }
    Buffer<float> reach(device_, static_cast<int>(scene.fluids.size()));
    for (int f = 0; f < reach.size(); ++f) {
        const FluidParams& params = scene.fluids[f].params;
        reach[f] = params.kind == FluidKind::liquid ? params.particleSpacing : -1;
    }
    touch_.resizeDiscard(particles.count());
    const Boundary::View view = lists.view();
    forEach(device_, "touchFabrics", particles.count(),
            TouchFabrics{view, contact->firstDeforming, std::as_const(surfaces).span(), std::as_const(reach).span(),
                         std::as_const(particles.x).span(), std::as_const(particles.body).span(),
                         particles.soaking.values.span(), touch_.span()});
    std::vector<Uptake> uptakes;
    struct UptakeRequest {
        int cell;
        double wanted;  // kg
    };
    std::vector<UptakeRequest> requests;
    for (int i = 0; i < particles.count(); ++i) {
        if (touch_[i] < 0) continue;
        float* const soaking =
            particles.soaking.values.data() + static_cast<size_t>(kSoakings) * static_cast<size_t>(i);
        const FluidParams& params = scene.fluids[particles.body[i]].params;
        const AbsorbingSurface& surface = surfaces[view.owners[touch_[i]] - contact->firstDeforming];
        const PointCarrier& carrier = surface.carriers[touch_[i] - surface.firstPoint];
        const double mass = particleMass(params), area = double(params.particleSpacing) * params.particleSpacing;
        requests.clear();
        double sum = 0, wetness = 0, film = 0;
        for (int k = 0; k < 3 && carrier.vertex[k] >= 0; ++k) {
            const int center = surface.firstCell + carrier.vertex[k];
            if (sheet.cells[center].fabric < 0 || !sheet.fabrics[sheet.cells[center].fabric].soaks) continue;
            for (int m = footprintStarts_[center]; m < footprintStarts_[static_cast<size_t>(center) + 1]; ++m) {
                const int c = footprints_[m];
                const PoreCell& cell = sheet.cells[c];
                const PoreFabric& fabric = sheet.fabrics[cell.fabric];
                const double share = double(carrier.share[k]) * double(footprintShares_[m]);
                touched_[c] = 1;
                const double volume = layout.volumeOf(layout.of(wet.contents, c)), capacity = double(room[c]);
                const double s = std::min(1.0, volume / capacity);
                wetness += share * s;
                film += share * std::max(0.0, volume - capacity) / double(cell.area);
                const double rate = double(fabric.intake) * double(params.restDensity) * double(cell.permeability) *
                                    double(cell.capillaryScale) * leverett(s) /
                                    (double(fabric.viscosity) * 0.5 * double(fabric.depth));
                const double wanted =
                    std::min(rate * area * share * dt, std::max(0.0, capacity - volume) * double(params.restDensity));
                if (!(wanted > 0)) continue;
                requests.push_back({c, wanted});
                sum += wanted;
            }
        }
        soaking[kTouched] = static_cast<float>(state.time + dt);
        soaking[kWetness] = static_cast<float>(wetness);
        soaking[kFilm] = static_cast<float>(film);
        if (!(sum > 0)) continue;
        const double given = soaking[kGiven], left = mass - given;
        // The recorded amount is rounded to float; exactly that amount goes to the cells, and a complete particle is
        // exact.
        const auto after = static_cast<float>(given + std::min(sum, left));
        const double taken = std::min(double(after) - given, left);
        if (!(taken > 0)) continue;
        const Vec3 color = colorOf(particles, i, params);
        for (const UptakeRequest& request : requests) {
            const double part = taken * request.wanted / sum;
            double* const own = layout.of(wet.contents, request.cell);
            own[particles.body[i]] += part;
            addDye(own + layout.fluids, part, color, params.opacity);
            wet.wetAt[request.cell] = static_cast<float>(state.time + dt);
        }
        soaking[kGiven] = after;
        uptakes.push_back({i, requests.back().cell});
    }
    consolidate(state, scene, layout, uptakes);
}

// Consolidates partly absorbed particles that are close together: some are removed, the others become whole again. So
// the number of particles of a puddle shrinks, not the mass of each.
void Intake::consolidate(State& state, const Scene& scene, const CellLayout& layout,
                         const std::vector<Uptake>& uptakes) const {
    Particles& particles = state.particles;
    const auto given = [&](int i) -> float& { return particles.soaking.values[kSoakings * i + kGiven]; };
    // Close together: in the same cube of two spacings, and of the same fluid.
    struct Entry {
        int64_t box[4];
        float given;
        int64_t id;
        Uptake uptake;
    };
    std::vector<Entry> entries;
    for (const Uptake& uptake : uptakes) {
        const int i = uptake.particle;
        const double edge = 2 * double(scene.fluids[particles.body[i]].params.particleSpacing);
        Entry entry{{}, given(i), particles.id[i], uptake};
        for (int axis = 0; axis < 3; ++axis)
            entry.box[axis] = static_cast<int64_t>(std::floor(double(particles.x[i][axis]) / edge));
        entry.box[3] = particles.body[i];
        entries.push_back(entry);
    }
    std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
        for (int k = 0; k < 4; ++k)
            if (a.box[k] != b.box[k]) return a.box[k] < b.box[k];
        return a.given != b.given ? a.given > b.given : a.id < b.id;
    });
    Buffer<int> keep(device_, particles.count());
    std::fill(keep.begin(), keep.end(), 1);
    bool anyGone = false;
    for (size_t begin = 0, end = 0; begin < entries.size(); begin = end) {
        double sum = 0;
        for (; end < entries.size() && std::equal(entries[end].box, entries[end].box + 4, entries[begin].box); ++end)
            sum += double(entries[end].given);
        const auto body = static_cast<size_t>(entries[begin].box[3]);
        const double mass = particleMass(scene.fluids[body].params);
        for (size_t k = begin; k < end; ++k) {
            const Uptake& uptake = entries[k].uptake;
            double& content = layout.of(state.wet.contents, uptake.cell)[body];
            if (sum >= mass * (1 - kNegligibleRest)) {
                // The tiny remainder goes to the last receiving cell.
                content += std::max(0.0, mass - sum);
                sum = std::max(0.0, sum - mass);
                keep[uptake.particle] = 0;
                anyGone = true;
                ++state.wet.absorbed;
            } else {
                // The rounding error of the recorded amount goes to the cell.
                given(uptake.particle) = static_cast<float>(sum);
                content += double(given(uptake.particle)) - sum;
                sum = 0;
            }
        }
    }
    if (anyGone) particles.keepOnly(keep);
}

}  // namespace purl
