#include "solver/wet/drip.h"

#include <algorithm>
#include <cmath>

#include "solver/boundary/pointGrid.h"
#include "solver/core/error.h"
#include "solver/core/hostView.h"
#include "solver/core/math.h"
#include "solver/fluid/emission.h"
#include "solver/fluid/freeSpace.h"
#include "solver/fluid/material.h"

namespace purl {
namespace {

constexpr double kMinFraction = 0.02;  // least amount, as a fraction of a drop, in the cell where it forms
constexpr float kLevelSlope = 0.05f;   // slope up to which a link counts as level

// m, size of the largest drop.
float widestDrop(const Scene& scene, const CellLayout& layout) {
    if (scene.fluids.empty()) return static_cast<float>(cbrt(kDefaultDropMass * double(layout.inverseDensity[0])));
    float widest = 0;
    for (const Fluid& fluid : scene.fluids) widest = std::max(widest, fluid.params.particleSpacing);
    return widest;
}

// Fluid particles around the places where drops may be released. Built on the first query: most steps release none.
// Only particles near those places go into the grid; with all particles it would be almost empty after a splash.
class NearbyParticles {
  public:
    // `reach`, m: the largest query distance.
    NearbyParticles(const Particles& particles, float reach, const Bounds& places)
        : particles_(particles), reach_(reach), places_(places) {}

    // visit(particle, distance) for each particle within `distance` of x, in a fixed order.
    template <class Visit>
    void forEach(Vec3 x, float distance, const Visit& visit) {
        if (known_ < 0) build();
        const auto test = [&](int i) {
            const float r = length(particles_.x[i] - x);
            if (r < distance) visit(i, r);
        };
        const RunsAround runs = grid_.view().around(x);
        for (int k = 0; runs && k < kRunsAround; ++k)
            for (int at = runs[k].begin; at < runs[k].end; ++at) test(indices_[at]);
        for (int i = known_; i < particles_.count(); ++i) test(i);
    }

    // Whether a drop of this spacing can be placed at x without compressing the liquid there: no particle is closer
    // than a spacing, and the density at x due to the neighbours leaves room for the drop's own contribution.
    bool fits(Vec3 x, float spacing) {
        constexpr float kMinDistance = 0.95f;  // spacings
        constexpr float kMaxDensity = 0.35f;   // of the rest density; inside a liquid it is 0.68 or more
        const CubicSpline W(2 * double(spacing), 3);
        const auto volume = static_cast<float>(latticeVolume(spacing, W, 3));
        float density = 0;
        bool isClear = true;
        forEach(x, W.h, [&](int, float r) {
            density += volume * W(r);
            isClear = isClear && r >= kMinDistance * spacing;
        });
        return isClear && density <= kMaxDensity;
    }

  private:
    void build() {
        known_ = particles_.count();
        const Vec3 margin{reach_, reach_, reach_}, low = places_.low - margin, high = places_.high + margin;
        std::vector<Vec3> points;
        std::vector<int> found;
        for (int i = 0; i < known_; ++i) {
            const Vec3 p = particles_.x[i];
            if (min(p, low) != low || max(p, high) != high) continue;
            points.push_back(p);
            found.push_back(i);
        }
        for (const int k : grid_.build(points, reach_)) indices_.push_back(found[k]);
    }

    const Particles& particles_;
    float reach_;
    Bounds places_;
    int known_ = -1;            // number of particles when the grid was built
    std::vector<int> indices_;  // of the particles, in grid order
    PointGrid grid_;
};

// Mixes `part` kg of water with these dyes into the `mass` kg of a particle.
void blendColor(Particles& particles, int i, double mass, double part, const double* dyes) {
    const Vec3 color = dyeOf(dyes);
    const auto fraction = static_cast<float>(part / (mass + part));
    for (int k = 0; k < particles.color.width; ++k) {
        float& own = particles.color.values[3 * i + k];
        own = lerp(own, color[k], fraction);
    }
}

// A drop is placed a spacing below its own sheet. If fabric is closer than that, it is another layer or a fold.
bool isBetweenLayers(Span<const PlacedCollider> surfaces, Vec3 place, float spacing) {
    constexpr float kClear = 0.95f;  // spacings
    for (const PlacedCollider& surface : surfaces) {
        if (surface.shape != ColliderShape::mesh) continue;
        const TriangleTreeView mesh = surface.mesh.moves ? surface.mesh.before() : surface.mesh;
        if (mesh.closest(place, kClear * spacing)) return true;
    }
    return false;
}

// m, position of a cell at the start of the step. When drops are released, cloths have already moved and particles have
// not. A drop that takes part in the step must be placed relative to the start of it, or a fast fabric would run into
// it.
Vec3 startPosition(const Buffer<Vec3>& x, const StepColliders& colliders, int cell) {
    for (const DeformingCollider& cloth : colliders.deforming)
        if (cloth.isCloth && cell >= cloth.first && cell < cloth.first + cloth.count)
            return colliders[cloth.collider].before.vertices[cell - cloth.first];
    return x[cell];
}

}  // namespace

// m³, the part of the film that does not cling.
double DropRelease::excessFilm(const State& state, int cell) const {
    const PoreCell& own = sheet_.cells[cell];
    const double most = double(room_[cell]) + double(sheet_.fabrics[own.fabric].clingingFilm) * double(own.area);
    return std::max(0.0, layout_.volumeOf(layout_.of(state.wet.contents, cell)) - most);
}

// Cells with film and no lower neighbour, thickest film first.
std::vector<int> DropRelease::dripSites(const State& state, const Scene& scene) const {
    const Vec3 down = normalized(scene.solver.gravityDirection, Vec3{0, -1, 0});
    const double drop = scene.fluids.empty() ? kDefaultDropMass * double(layout_.inverseDensity[0])
                                             : pow(double(widestDrop(scene, layout_)), 3);
    std::vector<int> found;
    for (int i = 0; i < water_.size(); ++i) {
        const int fabric = sheet_.cells[i].fabric;
        if (!(water_[i].film > 0) || !sheet_.fabrics[fabric].soaks) continue;
        if (!scene.cloths[fabric].pores.params.drips) continue;
        if (excessFilm(state, i) < kMinFraction * drop) continue;
        bool lowest = true;
        for (int k = sheet_.linkStarts[i]; scene.solver.gravity > 0 && lowest && k < sheet_.linkStarts[i + 1]; ++k) {
            const PoreLink& link = sheet_.links[k];
            lowest = dot(down, x_[link.to] - x_[i]) <= kLevelSlope * link.length;
        }
        if (lowest) found.push_back(i);
    }
    std::stable_sort(found.begin(), found.end(), [&](int a, int b) { return water_[a].film > water_[b].film; });
    return found;
}

// Cells around a site within reach, breadth first along the links.
void DropRelease::gather(int site, float reach) {
    near_.assign(1, site);
    seen_[site] = site;
    for (size_t next = 0; next < near_.size(); ++next)
        for (int k = sheet_.linkStarts[near_[next]]; k < sheet_.linkStarts[near_[next] + 1]; ++k) {
            const int j = sheet_.links[k].to;
            if (seen_[j] == site || length(x_[j] - x_[site]) > reach) continue;
            seen_[j] = site;
            near_.push_back(j);
        }
}

// Withdraws as much as possible from each cell, nearest first, with the dissolved dye.
void DropRelease::withdraw(State& state, double mass, int fluid, double* dyes) const {
    double due = mass;
    for (const int j : near_) {
        double* const own = layout_.of(state.wet.contents, j);
        const double volume = layout_.volumeOf(own), all = layout_.massOf(own);
        const double spare = volume > 0 ? excessFilm(state, j) / volume * all : 0;
        const double part = std::min(spare, due);
        if (!(part > 0)) continue;
        const double left = 1 - part / all;
        const auto give = [&](double& content) {
            const double before = content;
            content = before * left;
            return before - content;
        };
        for (int f = 0; f < layout_.fluids; ++f) due -= give(own[f]);
        for (int k = 0; k < kDyes; ++k) dyes[k] += give(own[layout_.fluids + k]);
        if (!(due > 1e-15 * mass)) break;
    }
    // The rounding error is charged to the site.
    layout_.of(state.wet.contents, near_[0])[fluid] -= due;
}

// Refills particles around `at` that the fabric has partly absorbed, nearest first.
template <class Nearby>
void DropRelease::refillParticles(State& state, Nearby& nearby, Vec3 at, double available, int fluid,
                                  const FluidParams& params) const {
    struct Depleted {
        float distance;
        int64_t id;
        int particle;
    };
    Particles& particles = state.particles;
    const auto given = [&](int i) -> float& { return particles.soaking.values[kSoakings * i + kGiven]; };
    std::vector<Depleted> found;
    nearby.forEach(at, 2 * params.particleSpacing, [&](int i, float distance) {
        if (particles.body[i] == fluid && given(i) > 0) found.push_back({distance, particles.id[i], i});
    });
    std::sort(found.begin(), found.end(), [](const Depleted& a, const Depleted& b) {
        return a.distance != b.distance ? a.distance < b.distance : a.id < b.id;
    });
    for (const Depleted& to : found) {
        const float before = given(to.particle);
        // The cells lose exactly what the particle gains after rounding to float.
        const auto after = static_cast<float>(double(before) - std::min(double(before), available));
        const double part = double(before) - double(after);
        if (!(part > 0) || part > available) continue;
        double dyes[kDyes] = {};
        withdraw(state, part, fluid, dyes);
        blendColor(particles, to.particle, particleMass(params) - double(before), part, dyes);
        given(to.particle) = after;
        available -= part;
    }
}

void DropRelease::release(State& state, const Scene& scene, const std::vector<char>& touched,
                          Span<const PlacedCollider> walls, Span<const PlacedCollider> surfaces,
                          const StepColliders& colliders) {
    const Vec3 down = normalized(scene.solver.gravityDirection, Vec3{0, -1, 0});
    const float widest = widestDrop(scene, layout_);
    const std::vector<int> from = dripSites(state, scene);
    if (from.empty()) return;
    const ParticlesOnHost onHost(state.particles);
    // Fluid keeps a spacing from a sheet: a closer drop would be repelled as if it were compressed.
    const auto placeOf = [&](int site, float spacing) {
        const float thickness = scene.cloths[sheet_.cells[site].fabric].params.thickness;
        return startPosition(x_, colliders, site) + std::max(spacing, 0.5f * (thickness + spacing)) * down;
    };
    Bounds places;
    for (const int site : from) {
        places.include(startPosition(x_, colliders, site));
        places.include(placeOf(site, widest));
    }
    NearbyParticles nearby(state.particles, 2 * widest, places);
    seen_.assign(static_cast<size_t>(water_.size()), -1);
    for (const int site : from) {
        const Cloth& cloth = scene.cloths[sheet_.cells[site].fabric];
        gather(site, 2 * widest);
        std::vector<double> masses(static_cast<size_t>(layout_.fluids), 0);
        double available = 0;
        for (const int j : near_) {
            const double* const own = layout_.of(state.wet.contents, j);
            const double volume = layout_.volumeOf(own);
            for (int f = 0; volume > 0 && f < layout_.fluids; ++f) {
                const double part = excessFilm(state, j) / volume * own[f];
                masses[f] += part;
                available += part;
            }
        }
        const auto fluid = static_cast<size_t>(std::max_element(masses.begin(), masses.end()) - masses.begin());
        const FluidParams params = scene.fluids.empty() ? FluidParams() : scene.fluids[fluid].params;
        const double mass = scene.fluids.empty() ? kDefaultDropMass : particleMass(params);
        if (scene.fluids.empty()) {
            if (available < mass) continue;
            throw Error(
                cloth.name +
                ": drips, but there is no fluid to drip as; connect a purlFluid to the solver or turn drips off");
        }
        const Vec3 place = placeOf(site, params.particleSpacing);
        // Submerged: the water returns to the surrounding liquid; the rest stays in the film until the fabric emerges.
        if (touched[site] || !nearby.fits(place, params.particleSpacing)) {
            refillParticles(state, nearby, startPosition(x_, colliders, site), available, static_cast<int>(fluid),
                            params);
            continue;
        }
        if (available < mass || !FreeSpace(walls, params.particleSpacing).isFree(place)) continue;
        if (isBetweenLayers(surfaces, place, params.particleSpacing)) continue;
        if (state.particles.count() >= scene.solver.maxParticles) return;
        double dyes[kDyes] = {};
        withdraw(state, mass, static_cast<int>(fluid), dyes);
        // Sources are numbered: volumes, emitters, then fabric cells.
        const size_t source = scene.fluids[fluid].volumes.size() + scene.fluids[fluid].emitters.size();
        addParticles(state, {{place, readElement(state.cloth.v, site), state.time}}, static_cast<int>(fluid),
                     source + static_cast<size_t>(site), scene);
        blendColor(state.particles, state.particles.count() - 1, 0, mass, dyes);
        ++state.wet.dripped;
    }
}

}  // namespace purl
