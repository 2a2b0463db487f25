#include "solver/wet/drip.h"

#include <algorithm>
#include <cmath>

#include "solver/boundary/pointGrid.h"
#include "solver/core/error.h"
#include "solver/fluid/emission.h"
#include "solver/fluid/material.h"
#include "solver/fluid/room.h"

namespace purl {
namespace {

constexpr double kLeastShare = 0.02;  // of a drop, that its own cell must hold
constexpr float kLevel = 0.05f;       // slope that counts as level

// m, of the largest drop.
float widestDrop(const Scene& scene, const CellLayout& layout) {
    if (scene.fluids.empty()) return static_cast<float>(std::cbrt(kLoneDrop * double(layout.inverseDensity[0])));
    float widest = 0;
    for (const Fluid& fluid : scene.fluids) widest = std::max(widest, fluid.params.particleSpacing);
    return widest;
}

// Whether a particle is in the way of a drop: of those there were near where any may be let go, by a grid made when the
// first one asks, and of the drops themselves. Water that has splashed far and wide would make a grid nearly empty.
class Crowd {
  public:
    Crowd(float widest, const Bounds& drops) : widest_(widest), drops_(drops) {}

    bool isNear(const Particles& particles, Vec3 x, float distance) {
        if (known_ < 0) {
            const Vec3 margin{widest_, widest_, widest_}, low = drops_.low - margin, high = drops_.high + margin;
            for (const Vec3 p : particles.x)
                if (min(p, low) == low && max(p, high) == high) places_.push_back(p);
            grid_.build(places_, widest_);
            known_ = particles.count();
        }
        const float least = square(distance);
        const RunsAround runs = grid_.view().around(x);
        for (int r = 0; runs && r < kRunsAround; ++r) {
            const Run run = runs[r];
            for (int k = run.begin; k < run.end; ++k)
                if (lengthSquared(places_[static_cast<size_t>(k)] - x) < least) return true;
        }
        for (int i = known_; i < particles.count(); ++i)
            if (lengthSquared(particles.x[i] - x) < least) return true;
        return false;
    }

  private:
    float widest_;
    Bounds drops_;
    int known_ = -1;  // particles that are in the grid
    std::vector<Vec3> places_;
    PointGrid grid_;
};

}  // namespace

// m³, of the film that does not cling.
double Drops::loose(const State& state, int cell) const {
    const PoreCell& own = sheet_.cells[cell];
    const double most = double(room_[cell]) + double(sheet_.fabrics[own.fabric].clingingFilm) * double(own.area);
    return std::max(0.0, layout_.volumeOf(layout_.of(state.wet.contents, cell)) - most);
}

// Cells with film that have none lower beside them, wettest first.
std::vector<int> Drops::sites(const State& state, const Scene& scene, const std::vector<char>& touched) const {
    const Buffer<Vec3>& x = state.cloth.x;
    const Vec3 down = normalized(scene.solver.gravityDirection, Vec3{0, -1, 0});
    const double drop = scene.fluids.empty() ? kLoneDrop * double(layout_.inverseDensity[0])
                                             : std::pow(double(widestDrop(scene, layout_)), 3);
    std::vector<int> found;
    for (int i = 0; i < water_.size(); ++i) {
        const int fabric = sheet_.cells[i].fabric;
        if (!(water_[i].film > 0) || !sheet_.fabrics[fabric].soaks || touched[static_cast<size_t>(i)]) continue;
        if (!scene.cloths[static_cast<size_t>(fabric)].pores.params.drips) continue;
        if (loose(state, i) < kLeastShare * drop) continue;
        bool lowest = true;
        for (int k = sheet_.linkStarts[i]; scene.solver.gravity > 0 && lowest && k < sheet_.linkStarts[i + 1]; ++k) {
            const PoreLink& link = sheet_.links[k];
            lowest = dot(down, x[link.to] - x[i]) <= kLevel * link.length;
        }
        if (lowest) found.push_back(i);
    }
    std::stable_sort(found.begin(), found.end(), [&](int a, int b) { return water_[a].film > water_[b].film; });
    return found;
}

// Cells around a site, nearest first, as far along the links as it goes.
void Drops::gather(const State& state, int site, float reach) {
    const Buffer<Vec3>& x = state.cloth.x;
    near_.assign(1, site);
    seen_[static_cast<size_t>(site)] = site;
    for (size_t next = 0; next < near_.size(); ++next)
        for (int k = sheet_.linkStarts[near_[next]]; k < sheet_.linkStarts[near_[next] + 1]; ++k) {
            const int j = sheet_.links[k].to;
            if (seen_[static_cast<size_t>(j)] == site || length(x[j] - x[site]) > reach) continue;
            seen_[static_cast<size_t>(j)] = site;
            near_.push_back(j);
        }
}

// From each as much as it can give, the nearest first; what is in the water goes along.
void Drops::take(State& state, double mass, int fluid, double* dyes) const {
    double due = mass;
    for (const int j : near_) {
        double* const own = layout_.of(state.wet.contents, j);
        const double volume = layout_.volumeOf(own), all = layout_.massOf(own);
        const double spare = volume > 0 ? loose(state, j) / volume * all : 0;
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
    // Rounding left over is the site's.
    layout_.of(state.wet.contents, near_[0])[fluid] -= due;
}

void Drops::fall(State& state, const Scene& scene, const std::vector<char>& touched, Span<const PlacedCollider> walls) {
    const Vec3 down = normalized(scene.solver.gravityDirection, Vec3{0, -1, 0});
    const float widest = widestDrop(scene, layout_);
    const std::vector<int> from = sites(state, scene, touched);
    if (from.empty()) return;
    Bounds places;
    for (const int site : from) {
        const float off =
            0.5f * (scene.cloths[static_cast<size_t>(sheet_.cells[site].fabric)].params.thickness + widest);
        places.include(state.cloth.x[site]);
        places.include(state.cloth.x[site] + off * down);
    }
    Crowd crowd(widest, places);
    seen_.assign(static_cast<size_t>(water_.size()), -1);
    for (const int site : from) {
        const Cloth& cloth = scene.cloths[static_cast<size_t>(sheet_.cells[site].fabric)];
        gather(state, site, 2 * widest);
        std::vector<double> masses(static_cast<size_t>(layout_.fluids), 0);
        double available = 0;
        for (const int j : near_) {
            const double* const own = layout_.of(state.wet.contents, j);
            const double volume = layout_.volumeOf(own);
            for (int f = 0; volume > 0 && f < layout_.fluids; ++f) {
                const double part = loose(state, j) / volume * own[f];
                masses[static_cast<size_t>(f)] += part;
                available += part;
            }
        }
        const auto fluid = static_cast<size_t>(std::max_element(masses.begin(), masses.end()) - masses.begin());
        const FluidParams params = scene.fluids.empty() ? FluidParams() : scene.fluids[fluid].params;
        const double mass = scene.fluids.empty() ? kLoneDrop : particleMass(params);
        if (available < mass) continue;
        if (scene.fluids.empty())
            throw Error(
                cloth.name +
                ": drips, and there is no fluid to drip as; connect a purlFluid to the solver or turn drips off");
        if (state.particles.count() >= scene.solver.maxParticles) return;
        const float off = 0.5f * cloth.params.thickness + 0.5f * params.particleSpacing;
        const Vec3 place = state.cloth.x[site] + off * down;
        if (crowd.isNear(state.particles, place, 0.8f * params.particleSpacing) ||
            !Room(walls, params.particleSpacing).isFree(place))
            continue;
        double dyes[kDyes] = {};
        take(state, mass, static_cast<int>(fluid), dyes);
        // Behind the fluid's volumes and emitters come the cells of fabrics.
        const size_t source = scene.fluids[fluid].volumes.size() + scene.fluids[fluid].emitters.size();
        addParticles(state, {{place, state.cloth.v[site], state.time}}, static_cast<int>(fluid),
                     source + static_cast<size_t>(site), scene);
        const int born = state.particles.count() - 1;
        const Vec3 color = dyeOf(dyes);
        for (int k = 0; k < state.particles.color.width; ++k) state.particles.color.values[3 * born + k] = color[k];
        ++state.wet.dripped;
    }
}

}  // namespace purl
