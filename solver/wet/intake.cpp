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

constexpr double kLast = 1e-6;  // of a particle: it goes with the rest

// What of a wall may drink.
struct SoakingSkin {
    Span<const PointCarrier> carriers;
    int firstPoint;
    int firstCell;        // −1: it is of no cloth
    float halfThickness;  // m
};

// The nearest point of any fabric that each particle lies on.
struct TouchFabrics {
    Boundary::View walls;
    int firstSkin;
    Span<const SoakingSkin> skins;
    Span<const float> reach;  // m, of each fluid; below 0 it is none that soaks
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
            const int s = walls.owners[*b] - firstSkin;
            if (s < 0 || skins[s].firstCell < 0) continue;
            const float distance = length(x[i] - walls.points[*b].x);
            if (distance >= least || distance > reach[body[i]] + skins[s].halfThickness) continue;
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

// A particle wets about a spacing's square: cells no farther than so much of a spacing along the fabric.
void Intake::set(const Scene& scene, const State& state, const PoreSheet& sheet) {
    constexpr float kReach = 0.6f;
    float spacing = 0;
    for (const Fluid& fluid : scene.fluids) spacing = std::max(spacing, fluid.params.particleSpacing);
    if (spacing == spacing_ && static_cast<int>(footprintStarts_.size()) == sheet.cells.size() + 1) return;
    spacing_ = spacing;
    footprintStarts_.assign(1, 0);
    footprints_.clear();
    footprintShares_.clear();
    const Buffer<Vec3>& rest = state.cloth.rest;
    std::vector<int> seen(static_cast<size_t>(sheet.cells.size()), -1), found;
    for (int i = 0; i < sheet.cells.size(); ++i) {
        found.assign(1, i);
        seen[static_cast<size_t>(i)] = i;
        for (size_t next = 0; next < found.size(); ++next)
            for (int k = sheet.linkStarts[found[next]]; k < sheet.linkStarts[found[next] + 1]; ++k) {
                const int j = sheet.links[k].to;
                if (seen[static_cast<size_t>(j)] == i || length(rest[j] - rest[i]) > kReach * spacing) continue;
                seen[static_cast<size_t>(j)] = i;
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

// The pores draw from particles on them: per area ρ κ p/(μ · ½ depth), p what they draw with. A particle gives by and
// by, to the cells around where it touches, and is gone when all of it is in them.
void Intake::takeUp(State& state, const Scene& scene, const FabricContact* contact, const PoreSheet& sheet,
                    const CellLayout& layout, const Buffer<float>& room, double dt) {
    touched_.assign(static_cast<size_t>(sheet.cells.size()), 0);
    if (!contact) return;
    Particles& particles = state.particles;
    WetCells& wet = state.wet;
    Buffer<SoakingSkin> skins(device_, static_cast<int>(contact->colliders.deforming.size()));
    for (int s = 0; s < skins.size(); ++s) {
        const DeformingCollider& skin = contact->colliders.deforming[s];
        const int wall = contact->firstSkin + s;
        skins[s] = {contact->walls.carriersOf(wall), contact->walls.firstPoint(wall), skin.ofCloth ? skin.first : -1,
                    contact->colliders[skin.collider].params.thickness};
    }
    Buffer<float> reach(device_, static_cast<int>(scene.fluids.size()));
    for (int f = 0; f < reach.size(); ++f) {
        const FluidParams& params = scene.fluids[static_cast<size_t>(f)].params;
        reach[f] = params.kind == FluidKind::liquid ? params.particleSpacing : -1;
    }
    touch_.renew(particles.count());
    const Boundary::View view = contact->walls.view();
    forEach(device_, "touchFabrics", particles.count(),
            TouchFabrics{view, contact->firstSkin, std::as_const(skins).span(), std::as_const(reach).span(),
                         std::as_const(particles.x).span(), std::as_const(particles.body).span(),
                         particles.soaking.values.span(), touch_.span()});
    device_.synchronize();
    std::vector<Sip> sips;
    struct Drink {
        int cell;
        double wanted;  // kg
    };
    std::vector<Drink> drinks;
    for (int i = 0; i < particles.count(); ++i) {
        if (touch_[i] < 0) continue;
        float* const soaking =
            particles.soaking.values.data() + static_cast<size_t>(kSoakings) * static_cast<size_t>(i);
        const FluidParams& params = scene.fluids[static_cast<size_t>(particles.body[i])].params;
        const SoakingSkin& skin = skins[view.owners[touch_[i]] - contact->firstSkin];
        const PointCarrier& carrier = skin.carriers[touch_[i] - skin.firstPoint];
        const double mass = particleMass(params), area = double(params.particleSpacing) * params.particleSpacing;
        drinks.clear();
        double sum = 0, wetness = 0, film = 0;
        for (int k = 0; k < 3 && carrier.vertex[k] >= 0; ++k) {
            const int center = skin.firstCell + carrier.vertex[k];
            if (sheet.cells[center].fabric < 0 || !sheet.fabrics[sheet.cells[center].fabric].soaks) continue;
            for (int m = footprintStarts_[static_cast<size_t>(center)];
                 m < footprintStarts_[static_cast<size_t>(center) + 1]; ++m) {
                const int c = footprints_[static_cast<size_t>(m)];
                const PoreCell& cell = sheet.cells[c];
                const PoreFabric& fabric = sheet.fabrics[cell.fabric];
                const double share = double(carrier.share[k]) * double(footprintShares_[static_cast<size_t>(m)]);
                touched_[static_cast<size_t>(c)] = 1;
                const double volume = layout.volumeOf(layout.of(wet.contents, c)), most = double(room[c]);
                const double s = std::min(1.0, volume / most);
                wetness += share * s;
                film += share * std::max(0.0, volume - most) / double(cell.area);
                const double rate = double(fabric.intake) * double(params.restDensity) * double(cell.permeability) *
                                    double(cell.pull) * leverett(s) /
                                    (double(fabric.viscosity) * 0.5 * double(fabric.depth));
                const double wanted =
                    std::min(rate * area * share * dt, std::max(0.0, most - volume) * double(params.restDensity));
                if (!(wanted > 0)) continue;
                drinks.push_back({c, wanted});
                sum += wanted;
            }
        }
        soaking[kTouched] = static_cast<float>(state.time + dt);
        soaking[kWetness] = static_cast<float>(wetness);
        soaking[kFilm] = static_cast<float>(film);
        if (!(sum > 0)) continue;
        const double given = soaking[kGiven], left = mass - given;
        // What is noted as given, rounded as it is, is what the cells get; all of a particle is exact.
        const auto after = static_cast<float>(given + std::min(sum, left));
        const double taken = std::min(double(after) - given, left);
        if (!(taken > 0)) continue;
        const Vec3 color = colorOf(particles, i, params);
        for (const Drink& drink : drinks) {
            const double part = taken * drink.wanted / sum;
            double* const own = layout.of(wet.contents, drink.cell);
            own[particles.body[i]] += part;
            addDye(own + layout.fluids, part, color, params.opacity);
            wet.wetAt[drink.cell] = static_cast<float>(state.time + dt);
        }
        soaking[kGiven] = after;
        sips.push_back({i, drinks.back().cell});
    }
    takeWhole(state, scene, layout, sips);
}

// Of several particles side by side that have each given a part, some are taken whole and the others are whole again:
// a puddle gets smaller, and not each of its particles.
void Intake::takeWhole(State& state, const Scene& scene, const CellLayout& layout, const std::vector<Sip>& sips) const {
    Particles& particles = state.particles;
    const auto given = [&](int i) -> float& { return particles.soaking.values[kSoakings * i + kGiven]; };
    // Side by side: in the same box of two spacings, and of one fluid.
    struct Place {
        int64_t box[4];
        float given;
        int64_t id;
        Sip sip;
    };
    std::vector<Place> places;
    for (const Sip& sip : sips) {
        const int i = sip.particle;
        const double edge = 2 * double(scene.fluids[static_cast<size_t>(particles.body[i])].params.particleSpacing);
        Place place{{}, given(i), particles.id[i], sip};
        for (int axis = 0; axis < 3; ++axis)
            place.box[axis] = static_cast<int64_t>(std::floor(double(particles.x[i][axis]) / edge));
        place.box[3] = particles.body[i];
        places.push_back(place);
    }
    std::sort(places.begin(), places.end(), [](const Place& a, const Place& b) {
        for (int k = 0; k < 4; ++k)
            if (a.box[k] != b.box[k]) return a.box[k] < b.box[k];
        return a.given != b.given ? a.given > b.given : a.id < b.id;
    });
    Buffer<int> keep(device_, particles.count());
    std::fill(keep.begin(), keep.end(), 1);
    bool anyGone = false;
    for (size_t begin = 0, end = 0; begin < places.size(); begin = end) {
        double sum = 0;
        for (; end < places.size() && std::equal(places[end].box, places[end].box + 4, places[begin].box); ++end)
            sum += double(places[end].given);
        const auto body = static_cast<size_t>(places[begin].box[3]);
        const double mass = particleMass(scene.fluids[body].params);
        for (size_t k = begin; k < end; ++k) {
            const Sip& sip = places[k].sip;
            double& content = layout.of(state.wet.contents, sip.cell)[body];
            if (sum >= mass * (1 - kLast)) {
                // A hair too little: the rest of it goes to where it drank last.
                content += std::max(0.0, mass - sum);
                sum = std::max(0.0, sum - mass);
                keep[sip.particle] = 0;
                anyGone = true;
                ++state.wet.absorbed;
            } else {
                // Rounded as it is noted; what that takes or leaves is the cell's.
                given(sip.particle) = static_cast<float>(sum);
                content += double(given(sip.particle)) - sum;
                sum = 0;
            }
        }
    }
    if (anyGone) particles.keepOnly(keep);
}

}  // namespace purl
