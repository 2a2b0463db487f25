#include "solver/wet/fabrics.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

#include "solver/boundary/forEachOnHost.h"
#include "solver/core/downloads.h"
#include "solver/core/error.h"
#include "solver/core/forEach.h"
#include "solver/core/hostView.h"
#include "solver/fluid/emission.h"
#include "solver/reference/wetting.h"
#include "solver/wet/drip.h"
#include "solver/wet/pores.h"

namespace purl {
namespace {

constexpr double kFlowInterval = 0.004;      // s: water in fabrics moves slowly and need not be advanced every step
constexpr double kFullRateSaturation = 0.2;  // saturation above which fabric dries as fast as open water

struct Evaporate {
    CellLayout layout;
    double dt;
    Span<const PoreCell> cells;
    Span<const PoreFabric> fabrics;
    Span<const CellWater> water;
    Span<double> contents;

    // Evaporates from cell i; returns the mass, kg.
    PURL_HD double operator()(int i) const {
        const PoreCell& cell = cells[i];
        if (cell.fabric < 0 || !fabrics[cell.fabric].soaks) return 0;
        double* const own = contents.data + static_cast<size_t>(layout.width()) * static_cast<size_t>(i);
        const double mass = layout.massOf(own);
        if (!(mass > 0)) return 0;
        const double wet =
            double(water[i].saturation) < kFullRateSaturation ? double(water[i].saturation) / kFullRateSaturation : 1;
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

// kg, mass of a particle minus what fabrics have absorbed of it.
struct RemainingMass {
    Span<const double> masses;  // per fluid
    Span<const int> body;
    Span<const float> soaking;
    int width;
    PURL_HD double operator()(int i) const {
        return masses[body[i]] - (width ? double(soaking[width * i + kGiven]) : 0.0);
    }
};

int findStartFluid(const Cloth& cloth, const Scene& scene) {
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
    PoreSheet sheet(wet.contents.device());
    Buffer<Vec3> rest(wet.contents.device());
    sheet.set(scene, bufferOnHost(state.cloth.rest, rest));
    wet.width = layout.width();
    wet.contents.resize(wet.width * sheet.cells.size());
    wet.wetAt.resize(sheet.cells.size());
    std::fill(wet.wetAt.begin(), wet.wetAt.end(), -1.0f);
    int first = 0;
    for (const Cloth& cloth : scene.cloths) {
        const Pores& pores = cloth.pores;
        const int fluid = findStartFluid(cloth, scene);
        const FluidParams params = scene.fluids.empty() ? FluidParams() : scene.fluids[fluid].params;
        const auto count = static_cast<size_t>(cloth.pointsOfLayer());
        for (size_t k = 0; k < count && pores.params.soaks(); ++k) {
            const int i = first + cloth.middle() + static_cast<int>(k);
            const double s =
                double(pores.params.startWetness) * double(pores.wetnessMap.empty() ? 1 : pores.wetnessMap[k]);
            if (!(s > 0) || sheet.cells[i].fabric < 0) continue;
            const double mass = s * double(sheet.cells[i].pores()) * double(params.restDensity);
            double* const own = layout.of(wet.contents, i);
            own[fluid] = mass;
            addDye(own + layout.fluids, mass, params.color, params.opacity);
            wet.wetAt[i] = 0;
        }
        first += static_cast<int>(cloth.points.size());
    }
}

WetFabrics::WetFabrics(const Device& device)
    : device_(device),
      sheet_(device),
      flow_(device),
      compression_(device),
      room_(device),
      pressed_(device),
      load_(device),
      clothX_(device),
      clothRest_(device) {}

void WetFabrics::set(const Scene& scene, const State& state) {
    const Buffer<Vec3>& rest = bufferOnHost(state.cloth.rest, clothRest_);
    sheet_.set(scene, rest);
    saturation_.resize(static_cast<size_t>(sheet_.cells.size()));
    if (empty()) return;
    layout_ = layoutOf(scene);
    if (state.wet.count() != sheet_.cells.size() || state.wet.width != layout_.width())
        throw Error("solver: the absorbing fabrics or the fluids changed after the start; go back to the start frame");
    compression_.set(scene, sheet_);
    sheet_.measureRoom(bufferOnHost(state.cloth.x, clothX_), room_);
    updateSaturation(state, scene);
    intake_.set(scene, rest, sheet_);
}

bool WetFabrics::anySoaks() const {
    return std::any_of(sheet_.fabrics.begin(), sheet_.fabrics.end(),
                       [](const PoreFabric& fabric) { return fabric.soaks != 0; });
}

bool WetFabrics::soaks(int cell) const {
    const int fabric = sheet_.cells[cell].fabric;
    return fabric >= 0 && sheet_.fabrics[fabric].soaks;
}

Span<const float> WetFabrics::load(const State& state, const Scene& scene) {
    if (empty()) return {};
    load_.resizeDiscard(sheet_.cells.size());
    std::fill(load_.begin(), load_.end(), 0.0f);
    int first = 0;
    for (const Cloth& cloth : scene.cloths) {
        const int count = cloth.pointsOfLayer(), layers = cloth.layers.count;
        forEachOnHost(device_, "loadOfWater", cloth.pores.absorb() ? count : 0, [&](int k) {
            const auto mass =
                static_cast<float>(layout_.massOf(layout_.of(state.wet.contents, first + cloth.middle() + k)));
            // Distributed over all layers.
            for (int layer = 0; layer < layers; ++layer)
                load_[first + layer * count + k] = cloth.pores.params.wetWeight * mass / static_cast<float>(layers);
        });
        first += static_cast<int>(cloth.points.size());
    }
    return std::as_const(load_).span();
}

void WetFabrics::updateSaturation(const State& state, const Scene& scene) {
    const Buffer<CellWater>& water = flow_.measure(state.wet, layout_, sheet_, room_);
    int first = 0;
    for (const Cloth& cloth : scene.cloths) {
        const int count = cloth.pointsOfLayer();
        forEachOnHost(device_, "takeSaturation", static_cast<int>(cloth.points.size()),
                      [&](int i) { saturation_[first + i] = water[first + cloth.middle() + i % count].saturation; });
        first += static_cast<int>(cloth.points.size());
    }
}

// The positions of the points that have cells, on the host. Those of cloths that collide with fluids are there already.
const Buffer<Vec3>& WetFabrics::bringPositions(const State& state, const Scene& scene, const StepColliders& colliders) {
    const Buffer<Vec3>& x = state.cloth.x;
    if (x.device().isCpu()) return x;
    clothX_.resize(x.size());
    Downloads others(x.device());
    for (size_t c = 0; c < scene.cloths.size(); ++c) {
        const Cloth& cloth = scene.cloths[c];
        if (!cloth.pores.absorb()) continue;
        const int first = state.cloth.firstOf(static_cast<int>(c)) + cloth.middle(), count = cloth.pointsOfLayer();
        const auto same = [&](const DeformingCollider& one) {
            return one.isCloth && one.first == first && one.count == count;
        };
        const auto found = std::find_if(colliders.deforming.begin(), colliders.deforming.end(), same);
        if (found == colliders.deforming.end()) {
            others.add(clothX_.data() + first, Span<const Vec3>{x.data() + first, count});
            continue;
        }
        const Channel<Vec3>& known = colliders[found->collider].after.vertices;
        std::copy(known.begin(), known.end(), clothX_.data() + first);
    }
    others.wait();
    return clothX_;
}

void WetFabrics::soak(State& state, const Scene& scene, const StepColliders& colliders, const Materials& materials,
                      const FabricContact* contact, const std::vector<float>& masses, double dt) {
    WetCells& wet = state.wet;
    state.particles.soaking.widen(kSoakings, state.particles.count());
    const Buffer<Vec3>& x = bringPositions(state, scene, colliders);
    sheet_.measureRoom(x, room_);
    flow_.measure(wet, layout_, sheet_, room_);
    intake_.absorb(state, scene, anySoaks() ? contact : nullptr, sheet_, layout_, room_, dt);
    applyReferenceWetting(state, scene, x, materials, masses, sheet_, layout_, room_, dt);
}

void WetFabrics::spread(State& state, const Scene& scene, const Materials& materials, Span<const PlacedCollider> walls,
                        double dt) {
    WetCells& wet = state.wet;
    wet.waited += dt;
    moved_ = wet.waited >= kFlowInterval;
    if (moved_) {
        if (anySoaks()) {
            const bool onHost = state.cloth.x.device().isCpu();
            if (!onHost && compression_.readsAllPoints()) clothX_ = state.cloth.x;
            const Buffer<Vec3>& x = onHost ? state.cloth.x : clothX_;  // since soak()
            compression_.measureLayers(state.cloth.x);
            const Buffer<Vec3>& rest = state.cloth.rest.device().isCpu() ? state.cloth.rest : clothRest_;
            sheet_.compressRoom(compression_.measure(x, rest, sheet_, walls), room_, pressed_);
            flow_.move(wet, layout_, sheet_, x, pressed_, materials.gravity, state.time + dt, wet.waited);
            dry(state, wet.waited);
        }
        wet.waited = 0;
    }
    updateSaturation(state, scene);
}

void WetFabrics::dry(State& state, double dt) {
    const Buffer<CellWater>& water = flow_.measure(state.wet, layout_, sheet_, room_);
    state.wet.evaporated +=
        reduce(device_, "dry", sheet_.cells.size(), 0.0,
               Evaporate{layout_, dt, std::as_const(sheet_.cells).span(), std::as_const(sheet_.fabrics).span(),
                         water.span(), state.wet.contents.span()},
               Sum{});
}

void WetFabrics::drip(State& state, const Scene& scene, Span<const PlacedCollider> walls,
                      Span<const PlacedCollider> surfaces, const StepColliders& colliders) {
    if (!moved_ || !anySoaks()) return;
    // The positions of spread(), since cloths do not move in between.
    const Buffer<Vec3>& x = state.cloth.x.device().isCpu() ? state.cloth.x : clothX_;
    DropRelease(sheet_, layout_, x, pressed_, flow_.measure(state.wet, layout_, sheet_, pressed_))
        .release(state, scene, intake_.touched(), walls, surfaces, colliders);
}

Wetting WetFabrics::wettingOf(const State& state, const Scene& scene, int cloth) {
    const Cloth& own = scene.cloths[cloth];
    if (empty() || !own.pores.absorb()) return {};
    const int first = state.cloth.firstOf(cloth) + own.middle();
    sheet_.measureRoom(bufferOnHost(state.cloth.x, clothX_), room_);
    const Buffer<CellWater>& water = flow_.measure(state.wet, layout_, sheet_, room_);
    std::vector<float> wetness, filmThickness, timeSinceWet;
    std::vector<Vec3> dye;
    for (int i = first; i < first + own.pointsOfLayer(); ++i) {
        wetness.push_back(water[i].saturation);
        filmThickness.push_back(water[i].film);
        const float at = state.wet.wetAt[i];
        timeSinceWet.push_back(at < 0 ? -1 : static_cast<float>(state.time) - at);
        dye.push_back(dyeOf(layout_.of(state.wet.contents, i) + layout_.fluids));
    }
    return {std::move(wetness), std::move(filmThickness), std::move(timeSinceWet), std::move(dye)};
}

std::vector<float> WetFabrics::stainOf(const State& state, const Scene& scene, int cloth) const {
    std::vector<float> stain;
    const Cloth& own = scene.cloths[cloth];
    if (empty() || !own.pores.absorb()) return stain;
    const int first = state.cloth.firstOf(cloth) + own.middle();
    for (int i = first; i < first + own.pointsOfLayer(); ++i) {
        const double pigment = layout_.of(state.wet.contents, i)[layout_.fluids + kPigment];
        const double full = double(sheet_.cells[i].pores()) / double(layout_.inverseDensity[0]);
        // Small amounts stain strongly.
        const double clear = full > 0 ? std::max(0.0, 1 - pigment / full) : 1;
        stain.push_back(own.pores.params.staining * static_cast<float>(1 - clear * clear));
    }
    return stain;
}

double WetFabrics::fabricMass(const State& state) const {
    double sum = 0;
    for (int i = 0; i < sheet_.cells.size(); ++i)
        if (soaks(i)) sum += layout_.massOf(layout_.of(state.wet.contents, i));
    return sum;
}

double WetFabrics::liquidMass(const State& state, const Scene& scene) {
    const Particles& particles = state.particles;
    const Device& device = particles.x.device();
    std::vector<double> ofFluids;
    for (const Fluid& fluid : scene.fluids) ofFluids.push_back(particleMass(fluid.params, scene.solver.dimensions));
    Buffer<double> masses(device, "particle masses");
    upload(masses, ofFluids);
    return reduce(device, "liquidMass", particles.count(), 0.0,
                  RemainingMass{std::as_const(masses).span(), particles.body.span(), particles.soaking.values.span(),
                                particles.soaking.width},
                  Sum{});
}

}  // namespace purl
