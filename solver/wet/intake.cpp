#include "solver/wet/intake.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "solver/core/copy.h"
#include "solver/core/forEach.h"
#include "solver/core/hostView.h"
#include "solver/core/mirrored.h"
#include "solver/core/sort.h"
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
    Span<int> touch;    // the sample, or −1
    Span<int> touches;  // 1 or 0

    PURL_HD void operator()(int i) const {
        touch[i] = nearest(i);
        touches[i] = touch[i] >= 0 ? 1 : 0;
        float* const own = soaking.data + static_cast<size_t>(kSoakings) * static_cast<size_t>(i);
        own[kWetness] = own[kFilm] = 0;
    }
    PURL_HD int nearest(int i) const {
        int found = -1;
        if (walls.count(i) == 0 || reach[body[i]] < 0) return found;
        float least = kUnbounded;
        for (const int *b = walls.begin(i), *last = walls.end(i); b != last; ++b) {
            const int s = walls.owners[*b] - firstDeforming;
            if (s < 0 || surfaces[s].firstCell < 0) continue;
            const float distance = length(x[i] - walls.points[*b].x);
            if (distance >= least || distance > reach[body[i]] + surfaces[s].halfThickness) continue;
            least = distance;
            found = *b;
        }
        return found;
    }
};

struct ListTouching {
    Span<const int> touch, places;
    const int* owners;
    int firstDeforming;
    Span<const AbsorbingSurface> surfaces;
    Span<const int64_t> id;
    Span<const int> body;
    Span<const Vec3> x;
    Span<const float> color;  // three per particle, or none
    Span<const float> soaking;
    Span<TouchingParticle> list;

    PURL_HD void operator()(int i) const {
        const int sample = touch[i];
        if (sample < 0) return;
        const int s = owners[sample] - firstDeforming;
        const Vec3 rgb = color.count ? Vec3{color[3 * i], color[3 * i + 1], color[3 * i + 2]} : Vec3{};
        list[places[i]] = {id[i],
                           i,
                           body[i],
                           s,
                           surfaces[s].carriers[sample - surfaces[s].firstPoint],
                           x[i],
                           rgb,
                           soaking[kSoakings * i + kGiven]};
    }
};

struct StoreSoaked {
    Span<const Soaked> soaked;
    Span<float> soaking;
    PURL_HD void operator()(int k) const {
        for (int value = 0; value < kSoakings; ++value)
            soaking[kSoakings * soaked[k].particle + value] = soaked[k].values[value];
    }
};
struct MarkAbsorbed {
    Span<const Soaked> soaked;
    Span<int> keep;
    PURL_HD void operator()(int k) const { keep[soaked[k].particle] = soaked[k].keep; }
};

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
    const Device& device = particles.x.device();
    const int count = particles.count();
    if (count == 0) return;
    Mirrored<AbsorbingSurface> surfaces(device, "fabrics that absorb");
    surfaces.onHost().resize(static_cast<int>(contact->colliders.deforming.size()));
    for (int s = 0; s < surfaces.size(); ++s) {
        const DeformingCollider& fabric = contact->colliders.deforming[s];
        const int wall = contact->firstDeforming + s;
        surfaces.onHost()[s] = {contact->walls.carriersOf(wall).span(), contact->walls.firstPoint(wall),
                                fabric.isCloth ? fabric.first : -1,
                                contact->colliders[fabric.collider].params.thickness};
    }
    surfaces.upload();
    Mirrored<float> reach(device, "reach of fluids");
    reach.onHost().resize(static_cast<int>(scene.fluids.size()));
    for (int f = 0; f < reach.size(); ++f) {
        const FluidParams& params = scene.fluids[f].params;
        reach.onHost()[f] = params.kind == FluidKind::liquid ? params.particleSpacing : -1;
    }
    reach.upload();
    Buffer<int> touch(device, "samples that particles touch"), touches(device, "whether particles touch fabrics"),
        places(device, "places of touching particles");
    touch.resizeDiscard(count);
    touches.resizeDiscard(count);
    const Boundary::View view = contact->walls.view();
    forEach(device, "touchFabrics", count,
            TouchFabrics{view, contact->firstDeforming, surfaces.span(), reach.span(),
                         std::as_const(particles.x).span(), std::as_const(particles.body).span(),
                         particles.soaking.values.span(), touch.span(), touches.span()});
    scan(touches, places);
    Buffer<TouchingParticle> list(device, "particles that touch fabrics");
    list.resizeDiscard(readElement(places, count));
    if (list.empty()) return;
    const bool mixes = particles.color.width == 3;
    forEach(device, "listTouching", count,
            ListTouching{std::as_const(touch).span(), std::as_const(places).span(), view.owners,
                         contact->firstDeforming, surfaces.span(), std::as_const(particles.id).span(),
                         std::as_const(particles.body).span(), std::as_const(particles.x).span(),
                         mixes ? std::as_const(particles.color.values).span() : Span<const float>{},
                         std::as_const(particles.soaking.values).span(), list.span()});
    std::vector<TouchingParticle> contacts;
    {
        const HostReader<TouchingParticle> onHost = readOnHost(list);
        contacts.assign(onHost.begin(), onHost.end());
    }
    std::vector<Soaked> soaked;
    std::vector<Uptake> uptakes;
    struct UptakeRequest {
        int cell;
        double wanted;  // kg
    };
    std::vector<UptakeRequest> requests;
    for (size_t t = 0; t < contacts.size(); ++t) {
        const TouchingParticle& own = contacts[t];
        const FluidParams& params = scene.fluids[own.body].params;
        const int firstCell = surfaces[own.surface].firstCell;
        const PointCarrier& carrier = own.carrier;
        const double mass = particleMass(params), area = double(params.particleSpacing) * params.particleSpacing;
        requests.clear();
        double sum = 0, wetness = 0, film = 0;
        for (int k = 0; k < 3 && carrier.vertex[k] >= 0; ++k) {
            const int center = firstCell + carrier.vertex[k];
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
        soaked.push_back(
            {own.particle,
             1,
             {own.given, static_cast<float>(state.time + dt), static_cast<float>(wetness), static_cast<float>(film)}});
        if (!(sum > 0)) continue;
        const double given = own.given, left = mass - given;
        // The recorded amount is rounded to float; exactly that amount goes to the cells, and a complete particle is
        // exact.
        const auto after = static_cast<float>(given + std::min(sum, left));
        const double taken = std::min(double(after) - given, left);
        if (!(taken > 0)) continue;
        const Vec3 color = mixes ? own.color : params.color;
        for (const UptakeRequest& request : requests) {
            const double part = taken * request.wanted / sum;
            double* const content = layout.of(wet.contents, request.cell);
            content[own.body] += part;
            addDye(content + layout.fluids, part, color, params.opacity);
            wet.wetAt[request.cell] = static_cast<float>(state.time + dt);
        }
        soaked.back().values[kGiven] = after;
        uptakes.push_back({t, requests.back().cell});
    }
    consolidate(state, scene, layout, uptakes, contacts, soaked);

    Buffer<Soaked> stored(device, "what fabrics absorbed");
    upload(stored, soaked);
    forEach(device, "storeSoaked", stored.size(),
            StoreSoaked{std::as_const(stored).span(), particles.soaking.values.span()});
    if (std::all_of(soaked.begin(), soaked.end(), [](const Soaked& one) { return one.keep != 0; })) return;
    Buffer<int> keep(device, "particles to keep");
    keep.resizeDiscard(count);
    setElements(keep, 0, count, 1);
    forEach(device, "markAbsorbed", stored.size(), MarkAbsorbed{std::as_const(stored).span(), keep.span()});
    particles.keepOnly(keep);
}

// Consolidates partly absorbed particles that are close together: some are removed, the others become whole again. So
// the number of particles of a puddle shrinks, not the mass of each.
void Intake::consolidate(State& state, const Scene& scene, const CellLayout& layout, const std::vector<Uptake>& uptakes,
                         const std::vector<TouchingParticle>& contacts, std::vector<Soaked>& soaked) const {
    const auto given = [&](const Uptake& uptake) -> float& { return soaked[uptake.contact].values[kGiven]; };
    // Close together: in the same cube of two spacings, and of the same fluid.
    struct Entry {
        int64_t box[4];
        float given;
        int64_t id;
        Uptake uptake;
    };
    std::vector<Entry> entries;
    for (const Uptake& uptake : uptakes) {
        const TouchingParticle& own = contacts[uptake.contact];
        const double edge = 2 * double(scene.fluids[own.body].params.particleSpacing);
        Entry entry{{}, given(uptake), own.id, uptake};
        for (int axis = 0; axis < 3; ++axis)
            entry.box[axis] = static_cast<int64_t>(std::floor(double(own.x[axis]) / edge));
        entry.box[3] = own.body;
        entries.push_back(entry);
    }
    std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
        for (int k = 0; k < 4; ++k)
            if (a.box[k] != b.box[k]) return a.box[k] < b.box[k];
        return a.given != b.given ? a.given > b.given : a.id < b.id;
    });
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
                soaked[uptake.contact].keep = 0;
                ++state.wet.absorbed;
            } else {
                // The rounding error of the recorded amount goes to the cell.
                given(uptake) = static_cast<float>(sum);
                content += double(given(uptake)) - sum;
                sum = 0;
            }
        }
    }
}

}  // namespace purl
