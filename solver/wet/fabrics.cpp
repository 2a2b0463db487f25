#include "solver/wet/fabrics.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

#include "solver/core/error.h"
#include "solver/core/forEach.h"
#include "solver/fluid/emission.h"
#include "solver/fluid/room.h"
#include "solver/wet/held.h"
#include "solver/wet/pores.h"

namespace purl {
namespace {

constexpr double kFlowInterval = 0.004;  // s: water in fabrics moves slowly, and need not every step
constexpr double kLast = 1e-6;           // of a particle: it goes with the rest
constexpr double kLoneDrop = 5e-5;       // kg, of water that is none of the scene's fluids
constexpr double kWettest = 0.2;         // saturation from which on fabric dries as fast as open water

struct Vapor {
    CellLayout layout;
    double dt;
    Span<const PoreCell> cells;
    Span<const PoreFabric> fabrics;
    Span<const CellWater> water;
    Span<double> contents;

    // kg, what evaporates from cell i; its contents are less by that.
    PURL_HD double operator()(int i) const {
        const PoreCell& cell = cells[i];
        if (cell.fabric < 0 || !fabrics[cell.fabric].soaks) return 0;
        double* const own = contents.data + static_cast<size_t>(layout.width()) * static_cast<size_t>(i);
        const double mass = layout.massOf(own);
        if (!(mass > 0)) return 0;
        const double wet = double(water[i].saturation) < kWettest ? double(water[i].saturation) / kWettest : 1;
        const double wanted = double(fabrics[cell.fabric].evaporation) * double(cell.area) * wet * dt;
        const double left = wanted < mass ? 1 - wanted / mass : 0;
        double lost = 0;
        for (int f = 0; f < layout.fluids; ++f) {
            const double before = own[f];
            own[f] = before * left;
            lost += before - own[f];
        }
        return lost;
    }
};

Vec3 colorOf(const Particles& particles, int i, const FluidParams& params) {
    if (particles.color.width != 3) return params.color;
    const float* const rgb = particles.color.values.data() + 3 * i;
    return {rgb[0], rgb[1], rgb[2]};
}

void addDye(double* dyes, double mass, Vec3 color, double opacity) {
    dyes[kRed] += mass * double(color.x);
    dyes[kGreen] += mass * double(color.y);
    dyes[kBlue] += mass * double(color.z);
    dyes[kColored] += mass;
    dyes[kPigment] += mass * opacity;
}

Vec3 dyeOf(const double* dyes) {
    const double mass = dyes[kColored];
    if (!(mass > 0)) return {};
    return {static_cast<float>(dyes[kRed] / mass), static_cast<float>(dyes[kGreen] / mass),
            static_cast<float>(dyes[kBlue] / mass)};
}

int startFluidOf(const Cloth& cloth, const Scene& scene) {
    const std::string& name = cloth.pores.params.startFluid;
    for (size_t f = 0; f < scene.fluids.size(); ++f) {
        const bool liquid = scene.fluids[f].params.kind == FluidKind::liquid;
        if (name.empty() ? liquid : scene.fluids[f].name == name) return static_cast<int>(f);
    }
    if (!name.empty())
        throw Error(cloth.name + ": startFluid \"" + name + "\" is not in the scene; connect it or leave it empty");
    return 0;
}

}  // namespace

void startWet(State& state, const Scene& scene) {
    WetCells& wet = state.wet;
    const bool any =
        std::any_of(scene.cloths.begin(), scene.cloths.end(), [](const Cloth& cloth) { return cloth.pores.absorb(); });
    if (!any) return;
    const CellLayout layout = layoutOf(scene);
    PoreSheet sheet(state.cloth.x.device());
    sheet.set(scene, state.cloth.rest);
    wet.width = layout.width();
    wet.contents.resize(wet.width * sheet.cells.size());
    wet.wetAt.resize(sheet.cells.size());
    std::fill(wet.wetAt.begin(), wet.wetAt.end(), -1.0f);
    int first = 0;
    for (const Cloth& cloth : scene.cloths) {
        const Pores& pores = cloth.pores;
        const int fluid = startFluidOf(cloth, scene);
        const FluidParams params =
            scene.fluids.empty() ? FluidParams() : scene.fluids[static_cast<size_t>(fluid)].params;
        const auto count = static_cast<size_t>(cloth.pointsOfLayer());
        for (size_t k = 0; k < count && pores.params.absorption == Absorption::soak; ++k) {
            const int i = first + cloth.middle() + static_cast<int>(k);
            const double s =
                double(pores.params.startWetness) * double(pores.wetnessMap.empty() ? 1 : pores.wetnessMap[k]);
            if (!(s > 0) || sheet.cells[i].fabric < 0) continue;
            const double mass = s * double(sheet.cells[i].pores()) * double(params.restDensity);
            double* const own = wet.contents.data() + static_cast<size_t>(wet.width) * static_cast<size_t>(i);
            own[fluid] = mass;
            addDye(own + layout.fluids, mass, params.color, params.opacity);
            wet.wetAt[i] = 0;
        }
        first += static_cast<int>(cloth.points.size());
    }
}

WetFabrics::WetFabrics(const Device& device)
    : device_(device), sheet_(device), flow_(device), room_(device), load_(device) {}

void WetFabrics::set(const Scene& scene, const State& state) {
    sheet_.set(scene, state.cloth.rest);
    saturation_.resize(static_cast<size_t>(sheet_.cells.size()));
    if (empty()) return;
    layout_ = layoutOf(scene);
    PURL_ASSERT(state.wet.count() == sheet_.cells.size() && state.wet.width == layout_.width());
    sheet_.measureRoom(state.cloth.x, room_);
    takeSaturation(state, scene);
    setFootprints(scene, state);
}

bool WetFabrics::soaks(int cell) const {
    const int fabric = sheet_.cells[cell].fabric;
    return fabric >= 0 && sheet_.fabrics[fabric].soaks;
}

// A particle wets about a spacing's square: cells no farther than so much of a spacing along the fabric.
void WetFabrics::setFootprints(const Scene& scene, const State& state) {
    constexpr float kReach = 0.6f;
    float spacing = 0;
    for (const Fluid& fluid : scene.fluids) spacing = std::max(spacing, fluid.params.particleSpacing);
    if (spacing == footprintSpacing_ && static_cast<int>(footprintStarts_.size()) == sheet_.cells.size() + 1) return;
    footprintSpacing_ = spacing;
    footprintStarts_.assign(1, 0);
    footprints_.clear();
    footprintShares_.clear();
    const Buffer<Vec3>& rest = state.cloth.rest;
    std::vector<int> seen(static_cast<size_t>(sheet_.cells.size()), -1), found;
    for (int i = 0; i < sheet_.cells.size(); ++i) {
        found.assign(1, i);
        seen[static_cast<size_t>(i)] = i;
        for (size_t next = 0; next < found.size(); ++next)
            for (int k = sheet_.linkStarts[found[next]]; k < sheet_.linkStarts[found[next] + 1]; ++k) {
                const int j = sheet_.links[k].to;
                if (seen[static_cast<size_t>(j)] == i || length(rest[j] - rest[i]) > kReach * spacing) continue;
                seen[static_cast<size_t>(j)] = i;
                found.push_back(j);
            }
        float area = 0;
        for (const int j : found) area += sheet_.cells[j].area;
        for (const int j : found) {
            footprints_.push_back(j);
            footprintShares_.push_back(area > 0 ? sheet_.cells[j].area / area : 0);
        }
        footprintStarts_.push_back(static_cast<int>(footprints_.size()));
    }
}

Span<const float> WetFabrics::load(const State& state, const Scene& scene) {
    if (empty()) return {};
    load_.renew(sheet_.cells.size());
    std::fill(load_.begin(), load_.end(), 0.0f);
    int first = 0;
    for (const Cloth& cloth : scene.cloths) {
        const int count = cloth.pointsOfLayer(), layers = cloth.layers.count;
        for (int k = 0; k < count && cloth.pores.absorb(); ++k) {
            const auto mass = static_cast<float>(layout_.massOf(contentsOf(state, first + cloth.middle() + k)));
            // All layers bear it.
            for (int layer = 0; layer < layers; ++layer)
                load_[first + layer * count + k] = cloth.pores.params.wetWeight * mass / static_cast<float>(layers);
        }
        first += static_cast<int>(cloth.points.size());
    }
    return std::as_const(load_).span();
}

void WetFabrics::takeSaturation(const State& state, const Scene& scene) {
    const Buffer<CellWater>& water = flow_.measure(state.wet, layout_, sheet_, room_);
    int first = 0;
    for (const Cloth& cloth : scene.cloths) {
        const int count = cloth.pointsOfLayer();
        for (int i = 0; i < static_cast<int>(cloth.points.size()); ++i)
            saturation_[static_cast<size_t>(first + i)] = water[first + cloth.middle() + i % count].saturation;
        first += static_cast<int>(cloth.points.size());
    }
}

void WetFabrics::soak(State& state, const Scene& scene, const Materials& materials, const FabricContact* contact,
                      const std::vector<float>& masses, double dt) {
    device_.synchronize();
    WetCells& wet = state.wet;
    touched_.assign(static_cast<size_t>(sheet_.cells.size()), 0);
    state.particles.soaking.widen(kSoakings, state.particles.count());
    const bool keeps = std::any_of(sheet_.fabrics.begin(), sheet_.fabrics.end(),
                                   [](const PoreFabric& fabric) { return fabric.soaks != 0; });
    sheet_.measureRoom(state.cloth.x, room_);
    flow_.measure(wet, layout_, sheet_, room_);
    if (contact && keeps) takeUp(state, scene, *contact, dt);
    hold(state, scene, materials, masses, dt);
    wet.waited += dt;
    moved_ = wet.waited >= kFlowInterval;
    if (moved_) {
        if (keeps) {
            flow_.move(wet, layout_, sheet_, state.cloth.x, room_, materials.gravity, state.time + dt, wet.waited);
            dry(state, wet.waited);
        }
        wet.waited = 0;
    }
    takeSaturation(state, scene);
}

// The pores draw from particles on them: per area ρ κ p/(μ · ½ depth), p what they draw with. A particle gives by and
// by, to the cells around where it touches, and is gone when all of it is in them.
void WetFabrics::takeUp(State& state, const Scene& scene, const FabricContact& contact, double dt) {
    Particles& particles = state.particles;
    WetCells& wet = state.wet;
    // Which cell each wall point rides on.
    std::vector<PointCarrier> carriers;
    std::vector<int> firstCarrier, firstCell;
    std::vector<float> halfThickness;
    for (size_t s = 0; s < contact.skins.all().size(); ++s) {
        const Skin& skin = contact.skins.all()[s];
        const int wall = contact.firstSkin + static_cast<int>(s);
        firstCarrier.push_back(static_cast<int>(carriers.size()) - contact.walls.firstPoint(wall));
        firstCell.push_back(skin.ofCloth ? skin.first : -1);
        halfThickness.push_back(skin.shape.params.thickness);
        contact.walls.carriersOf(wall, carriers);
    }
    const Boundary::View view = contact.walls.view();
    std::vector<int> drunk;  // particles that have given something
    struct Drink {
        int cell;
        double wanted;  // kg
    };
    std::vector<Drink> drinks;
    for (int i = 0; i < particles.count(); ++i) {
        float* const soaking =
            particles.soaking.values.data() + static_cast<size_t>(kSoakings) * static_cast<size_t>(i);
        soaking[kWetness] = soaking[kFilm] = 0;
        const FluidParams& params = scene.fluids[static_cast<size_t>(particles.body[i])].params;
        if (view.count(i) == 0 || params.kind != FluidKind::liquid) continue;
        int nearest = -1, skin = -1;
        float least = kUnbounded;
        for (const int *b = view.begin(i), *last = view.end(i); b != last; ++b) {
            const int s = view.owners[*b] - contact.firstSkin;
            if (s < 0 || firstCell[static_cast<size_t>(s)] < 0) continue;
            const float distance = length(particles.x[i] - view.points[*b].x);
            if (distance >= least || distance > params.particleSpacing + halfThickness[static_cast<size_t>(s)])
                continue;
            least = distance;
            nearest = *b;
            skin = s;
        }
        if (nearest < 0) continue;
        const PointCarrier& carrier = carriers[static_cast<size_t>(nearest + firstCarrier[static_cast<size_t>(skin)])];
        const double mass = particleMass(params), area = double(params.particleSpacing) * params.particleSpacing;
        drinks.clear();
        double sum = 0, wetness = 0, film = 0;
        for (int k = 0; k < 3 && carrier.vertex[k] >= 0; ++k) {
            const int center = firstCell[static_cast<size_t>(skin)] + carrier.vertex[k];
            if (!soaks(center)) continue;
            for (int m = footprintStarts_[static_cast<size_t>(center)];
                 m < footprintStarts_[static_cast<size_t>(center) + 1]; ++m) {
                const int c = footprints_[static_cast<size_t>(m)];
                const PoreCell& cell = sheet_.cells[c];
                const PoreFabric& fabric = sheet_.fabrics[cell.fabric];
                const double share = double(carrier.share[k]) * double(footprintShares_[static_cast<size_t>(m)]);
                touched_[static_cast<size_t>(c)] = 1;
                const double volume = layout_.volumeOf(contentsOf(state, c)), most = double(room_[c]);
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
            double* const own = contentsOf(state, drink.cell);
            own[particles.body[i]] += part;
            addDye(own + layout_.fluids, part, color, params.opacity);
            wet.wetAt[drink.cell] = static_cast<float>(state.time + dt);
        }
        soaking[kGiven] = after;
        drunk.push_back(i);
        drunkFrom_.push_back(drinks.back().cell);
    }
    takeWhole(state, scene, drunk);
}

// Of several particles side by side that have each given a part, some are taken whole and the others are whole again:
// a puddle gets smaller, and not each of its particles.
void WetFabrics::takeWhole(State& state, const Scene& scene, const std::vector<int>& drunk) {
    Particles& particles = state.particles;
    const auto given = [&](int i) -> float& { return particles.soaking.values[kSoakings * i + kGiven]; };
    // Side by side: in the same box of two spacings, and of one fluid.
    struct Sip {
        int64_t box[4];
        float given;
        int64_t id;
        int particle, cell;
    };
    std::vector<Sip> sips;
    for (size_t k = 0; k < drunk.size(); ++k) {
        const int i = drunk[k];
        const double edge = 2 * double(scene.fluids[static_cast<size_t>(particles.body[i])].params.particleSpacing);
        Sip sip{{}, given(i), particles.id[i], i, drunkFrom_[k]};
        for (int axis = 0; axis < 3; ++axis)
            sip.box[axis] = static_cast<int64_t>(std::floor(double(particles.x[i][axis]) / edge));
        sip.box[3] = particles.body[i];
        sips.push_back(sip);
    }
    drunkFrom_.clear();
    std::sort(sips.begin(), sips.end(), [](const Sip& a, const Sip& b) {
        for (int k = 0; k < 4; ++k)
            if (a.box[k] != b.box[k]) return a.box[k] < b.box[k];
        return a.given != b.given ? a.given > b.given : a.id < b.id;
    });
    Buffer<int> keep(device_, particles.count());
    std::fill(keep.begin(), keep.end(), 1);
    bool anyGone = false;
    for (size_t begin = 0, end = 0; begin < sips.size(); begin = end) {
        double sum = 0;
        for (; end < sips.size() && std::equal(sips[end].box, sips[end].box + 4, sips[begin].box); ++end)
            sum += double(sips[end].given);
        const auto body = static_cast<size_t>(sips[begin].box[3]);
        const double mass = particleMass(scene.fluids[body].params);
        for (size_t k = begin; k < end; ++k) {
            const Sip& sip = sips[k];
            if (sum >= mass * (1 - kLast)) {
                // A hair too little: the rest of it goes to where it drank last.
                const double rest = std::max(0.0, mass - sum);
                contentsOf(state, sip.cell)[body] += rest;
                sum = std::max(0.0, sum - mass);
                keep[sip.particle] = 0;
                anyGone = true;
                ++state.wet.absorbed;
            } else {
                // Rounded as it is noted; what that takes or leaves is the cell's.
                given(sip.particle) = static_cast<float>(sum);
                contentsOf(state, sip.cell)[body] += double(given(sip.particle)) - sum;
                sum = 0;
            }
        }
    }
    if (anyGone) particles.keepOnly(keep);
}

void WetFabrics::dry(State& state, double dt) {
    const Buffer<CellWater>& water = flow_.measure(state.wet, layout_, sheet_, room_);
    state.wet.evaporated += reduce(device_, "dry", sheet_.cells.size(), 0.0,
                                   Vapor{layout_, dt, std::as_const(sheet_.cells).span(),
                                         std::as_const(sheet_.fabrics).span(), water.span(), state.wet.contents.span()},
                                   Sum{});
}

// Film gathers to drops at cells that have none lower beside them, wettest first, from as far around as a drop is wide
// and what it takes.
void WetFabrics::drip(State& state, const Scene& scene, Span<const PlacedCollider> walls) {
    if (!moved_) return;
    device_.synchronize();
    constexpr double kLeastShare = 0.02;  // of a drop, that its own cell must hold
    constexpr float kLevel = 0.05f;       // slope that counts as level
    const Buffer<CellWater>& water = flow_.measure(state.wet, layout_, sheet_, room_);
    const Buffer<Vec3>& x = state.cloth.x;
    const Vec3 down = normalized(scene.solver.gravityDirection, Vec3{0, -1, 0});
    const bool falls = scene.solver.gravity > 0;
    float widest = 0;
    for (const Fluid& fluid : scene.fluids) widest = std::max(widest, fluid.params.particleSpacing);
    if (scene.fluids.empty()) widest = static_cast<float>(std::cbrt(kLoneDrop * double(layout_.inverseDensity[0])));
    // m³, of the film that does not cling.
    const auto loose = [&](int i) {
        const PoreCell& cell = sheet_.cells[i];
        const double most = double(room_[i]) + double(sheet_.fabrics[cell.fabric].clingingFilm) * double(cell.area);
        return std::max(0.0, layout_.volumeOf(contentsOf(state, i)) - most);
    };
    std::vector<int> sites;
    for (int i = 0; i < water.size(); ++i) {
        const int fabric = sheet_.cells[i].fabric;
        if (!(water[i].film > 0) || !soaks(i) || touched_[static_cast<size_t>(i)]) continue;
        if (!scene.cloths[static_cast<size_t>(fabric)].pores.params.drips) continue;
        const double drop =
            scene.fluids.empty() ? kLoneDrop * double(layout_.inverseDensity[0]) : std::pow(double(widest), 3);
        if (loose(i) < kLeastShare * drop) continue;
        bool lowest = true;
        for (int k = sheet_.linkStarts[i]; falls && lowest && k < sheet_.linkStarts[i + 1]; ++k) {
            const PoreLink& link = sheet_.links[k];
            lowest = dot(down, x[link.to] - x[i]) <= kLevel * link.length;
        }
        if (lowest) sites.push_back(i);
    }
    std::stable_sort(sites.begin(), sites.end(), [&](int a, int b) { return water[a].film > water[b].film; });
    std::vector<int> near;
    std::vector<int> seen(static_cast<size_t>(water.size()), -1);
    for (const int site : sites) {
        const Cloth& cloth = scene.cloths[static_cast<size_t>(sheet_.cells[site].fabric)];
        // Nearest first, as far along the links as it goes.
        near.assign(1, site);
        seen[static_cast<size_t>(site)] = site;
        double gathered = loose(site);
        std::vector<double> masses(static_cast<size_t>(layout_.fluids), 0);
        for (size_t next = 0; next < near.size(); ++next)
            for (int k = sheet_.linkStarts[near[next]]; k < sheet_.linkStarts[near[next] + 1]; ++k) {
                const int j = sheet_.links[k].to;
                if (seen[static_cast<size_t>(j)] == site || length(x[j] - x[site]) > 2 * widest) continue;
                seen[static_cast<size_t>(j)] = site;
                near.push_back(j);
                gathered += loose(j);
            }
        for (const int j : near) {
            const double* const own = contentsOf(state, j);
            const double volume = layout_.volumeOf(own);
            if (!(volume > 0)) continue;
            for (int f = 0; f < layout_.fluids; ++f) masses[static_cast<size_t>(f)] += loose(j) / volume * own[f];
        }
        const auto fluid = static_cast<size_t>(std::max_element(masses.begin(), masses.end()) - masses.begin());
        const FluidParams params = scene.fluids.empty() ? FluidParams() : scene.fluids[fluid].params;
        const double mass = scene.fluids.empty() ? kLoneDrop : particleMass(params);
        double available = 0;
        for (const double part : masses) available += part;
        if (available < mass) continue;
        if (scene.fluids.empty())
            throw Error(
                cloth.name +
                ": drips, and there is no fluid to drip as; connect a purlFluid to the solver or turn drips off");
        if (state.particles.count() >= scene.solver.maxParticles) return;
        const float off = 0.5f * cloth.params.thickness + 0.5f * params.particleSpacing;
        const Vec3 place = x[site] + off * down;
        const float least = square(0.8f * params.particleSpacing);
        const bool crowded = std::any_of(state.particles.x.begin(), state.particles.x.end(),
                                         [&](Vec3 other) { return lengthSquared(other - place) < least; });
        if (crowded || !Room(walls, params.particleSpacing).isFree(place)) continue;
        // From each as much as it can give, the nearest first; what is in the water goes along.
        double due = mass;
        double dyes[kDyes] = {};
        for (const int j : near) {
            double* const own = contentsOf(state, j);
            const double volume = layout_.volumeOf(own), all = layout_.massOf(own);
            const double spare = volume > 0 ? loose(j) / volume * all : 0;
            const double part = std::min(spare, due);
            if (!(part > 0)) continue;
            const double left = 1 - part / all;
            double gone = 0;
            for (int f = 0; f < layout_.fluids; ++f) {
                const double before = own[f];
                own[f] = before * left;
                gone += before - own[f];
            }
            for (int k = 0; k < kDyes; ++k) {
                const double before = own[layout_.fluids + k];
                own[layout_.fluids + k] = before * left;
                dyes[k] += before - own[layout_.fluids + k];
            }
            due -= gone;
            if (!(due > 1e-15 * mass)) break;
        }
        // Rounding left over is the site's.
        contentsOf(state, site)[fluid] -= due;
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

void WetFabrics::hold(State& state, const Scene& scene, const Materials& materials, const std::vector<float>& masses,
                      double dt) {
    Particles& particles = state.particles;
    for (const Absorption absorption : {Absorption::weight, Absorption::pores}) {
        const bool any = std::any_of(scene.cloths.begin(), scene.cloths.end(),
                                     [&](const Cloth& cloth) { return cloth.pores.params.absorption == absorption; });
        if (!any || scene.fluids.empty()) continue;
        const std::vector<HeldPair> pairs = heldPairs(particles, state.cloth.x, sheet_, scene, materials, absorption);
        const std::vector<double> saturation = rawSaturation(pairs, particles, sheet_, materials);
        const std::vector<double> load = sharedLoad(pairs, particles, materials, sheet_.cells.size());
        std::vector<int> fluids(static_cast<size_t>(sheet_.cells.size()), 0);
        for (const HeldPair& pair : pairs) fluids[static_cast<size_t>(pair.cell)] = particles.body[pair.particle];
        for (int i = 0; i < sheet_.cells.size(); ++i) {
            const auto c = static_cast<size_t>(i);
            const int fabric = sheet_.cells[i].fabric;
            if (fabric < 0 || scene.cloths[static_cast<size_t>(fabric)].pores.params.absorption != absorption) continue;
            const FluidParams& params = scene.fluids[static_cast<size_t>(fluids[c])].params;
            // In the pores it is what is there, on them what they share; both no more than they hold, for looks and
            // for weight: the rest lies on the fabric, and weighs on it as fluids do.
            const double most = double(room_[i]) * double(params.restDensity);
            const double mass = std::min(most, absorption == Absorption::pores ? saturation[c] * most : load[c]);
            double* const own = contentsOf(state, i);
            std::fill(own, own + layout_.width(), 0.0);
            own[fluids[c]] = mass;
            addDye(own + layout_.fluids, mass, params.color, params.opacity);
            if (mass > 0) state.wet.wetAt[i] = static_cast<float>(state.time + dt);
        }
        if (absorption != Absorption::pores) continue;
        const Pulls pulls = capillaryPulls(pairs, saturation, particles, state.cloth.x, sheet_, materials, dt);
        for (int j = 0; j < particles.count(); ++j) {
            particles.v[j] += pulls.onParticles[static_cast<size_t>(j)];
            if (!particles.vHalf.empty()) particles.vHalf[j] += pulls.onParticles[static_cast<size_t>(j)];
        }
        for (int i = 0; i < sheet_.cells.size(); ++i) {
            const auto c = static_cast<size_t>(i);
            if (masses[c] > 0) state.cloth.v[i] += pulls.onCells[c] / masses[c];
        }
    }
}

Wetting WetFabrics::wettingOf(const State& state, const Scene& scene, int cloth) {
    Wetting wetting;
    const Cloth& own = scene.cloths[static_cast<size_t>(cloth)];
    if (empty() || !own.pores.absorb()) return wetting;
    const int first = state.cloth.firstOf(cloth) + own.middle();
    sheet_.measureRoom(state.cloth.x, room_);
    const Buffer<CellWater>& water = flow_.measure(state.wet, layout_, sheet_, room_);
    for (int i = first; i < first + own.pointsOfLayer(); ++i) {
        wetting.wetness.push_back(water[i].saturation);
        wetting.filmThickness.push_back(water[i].film);
        const float at = state.wet.wetAt[i];
        wetting.timeSinceWet.push_back(at < 0 ? -1 : static_cast<float>(state.time) - at);
        wetting.dye.push_back(dyeOf(contentsOf(state, i) + layout_.fluids));
    }
    return wetting;
}

std::vector<float> WetFabrics::stainOf(const State& state, const Scene& scene, int cloth) const {
    std::vector<float> stain;
    const Cloth& own = scene.cloths[static_cast<size_t>(cloth)];
    if (empty() || !own.pores.absorb()) return stain;
    const int first = state.cloth.firstOf(cloth) + own.middle();
    for (int i = first; i < first + own.pointsOfLayer(); ++i) {
        const double pigment = contentsOf(state, i)[layout_.fluids + kPigment];
        const double full = double(sheet_.cells[i].pores()) / double(layout_.inverseDensity[0]);
        // A little stains much.
        const double clear = full > 0 ? std::max(0.0, 1 - pigment / full) : 1;
        stain.push_back(own.pores.params.staining * static_cast<float>(1 - clear * clear));
    }
    return stain;
}

double WetFabrics::fabricMass(const State& state) const {
    double sum = 0;
    for (int i = 0; i < sheet_.cells.size(); ++i)
        if (soaks(i)) sum += layout_.massOf(contentsOf(state, i));
    return sum;
}

double WetFabrics::liquidMass(const State& state, const Scene& scene) {
    const Particles& particles = state.particles;
    double sum = 0;
    for (int i = 0; i < particles.count(); ++i) {
        sum += particleMass(scene.fluids[static_cast<size_t>(particles.body[i])].params, scene.solver.dimensions);
        if (particles.soaking.width) sum -= double(particles.soaking.values[particles.soaking.width * i + kGiven]);
    }
    return sum;
}

}  // namespace purl
