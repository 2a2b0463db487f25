#include "solver/wet/flow.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "solver/core/error.h"
#include "solver/core/forEach.h"
#include "solver/wet/pores.h"

namespace purl {
namespace {

constexpr float kWetSaturation = 0.02f;  // saturation above which a cell counts as wet
constexpr float kThickestFilm = 5e-4f;   // m; thicker films are turbulent, and not faster
constexpr double kMaxOverfill = 0.05;    // of the pore volume
constexpr int kMaxSteps = 1024, kFilmSteps = 8;
constexpr int kRings = 8;  // rings of cells that water may cross before the active cells are determined again

struct MeasureCells {
    CellLayout layout;
    Span<const PoreCell> cells;
    Span<const float> room;
    Span<const double> contents;
    Span<CellWater> water;

    PURL_HD void operator()(int i) const {
        const PoreCell& cell = cells[i];
        CellWater& own = water[i];
        own = {};
        if (cell.fabric < 0) return;
        own.volume = layout.volumeOf(contents.data + static_cast<size_t>(layout.width()) * static_cast<size_t>(i));
        const double s = own.volume / double(room[i]);
        own.saturation = static_cast<float>(s < 1 ? s : 1);
        own.film = static_cast<float>(s > 1 ? (own.volume - double(room[i])) / double(cell.area) : 0);
        // Overfull cells have a positive pressure, limited to that of a film of millimetres.
        const double over = s - 1 < kMaxOverfill ? s - 1 : kMaxOverfill;
        own.pressure =
            s < 1 ? -double(cell.capillaryScale) * leverett(s) : double(cell.capillaryScale) * kSteepestLeverett * over;
    }
};

// Flow between cells; equal and opposite at the two ends. Positive: out of cell i.
struct Fluxes {
    Span<const PoreCell> cells;
    Span<const PoreFabric> fabrics;
    Span<const int> starts;
    Span<const PoreLink> links;
    Span<const CellWater> water;
    Span<const Vec3> x;
    Vec3 weight;                         // N/m³, of the water
    Span<const float> conductanceScale;  // fraction of the pores' conductance that is stable for the step, per cell

    PURL_HD double gravityDrop(int i, const PoreLink& link) const { return dot(weight, x[link.to] - x[i]); }
    PURL_HD double mobility(int i) const { return 1 / double(fabrics[cells[i].fabric].viscosity); }
    // m, thickness of the mobile part of the film.
    PURL_HD double mobileFilm(int i) const {
        const float film = water[i].film - fabrics[cells[i].fabric].clingingFilm;
        return film > 0 ? film : 0;
    }
    // δ³/(3 μ) · width/length · ρ g·(xⱼ − xᵢ), where δ is the film of the upper cell   Nusselt 1916
    PURL_HD double filmOut(int i, const PoreLink& link) const {
        const double down = gravityDrop(i, link), film = mobileFilm(down > 0 ? i : link.to);
        const double thick = film < double(kThickestFilm) ? film : double(kThickestFilm);
        return double(link.slope) * thick * thick * thick / 3 * mobility(i) * down;
    }
    // In the pores q = κ k(s)/μ · depth · width/length · (Φᵢ − Φⱼ), Φ = p − ρ g·x, with the mean k(s) between the cells
    // Darcy 1856
    PURL_HD Flux out(int i, const PoreLink& link) const {
        const CellWater &own = water[i], &other = water[link.to];
        if (own.volume == 0 && other.volume == 0) return {};
        const double drop = own.pressure - other.pressure + gravityDrop(i, link);
        const float allowed =
            conductanceScale[i] < conductanceScale[link.to] ? conductanceScale[i] : conductanceScale[link.to];
        Flux flux;
        const CellWater &source = drop > 0 ? own : other, &ahead = drop > 0 ? other : own;
        flux.pores = double(allowed) * double(link.conductance) * mobility(i) *
                     meanRelativePermeability(source.saturation, ahead.saturation) * drop;
        flux.film = filmOut(i, link);
        return flux;
    }
};

// 1/s: rate at which the pores around a cell equalize, or its film drains.
struct EqualizationRate {
    enum class Quantity { film, pores, poresAtRest };  // atRest: without compression
    Fluxes fluxes;
    Span<const float> room;
    Quantity quantity;

    PURL_HD double operator()(int i) const {
        const PoreCell& cell = fluxes.cells[i];
        if (cell.fabric < 0) return 0;
        double sum = 0;
        const double own = fluxes.water[i].saturation, film = fluxes.mobileFilm(i);
        if (quantity == Quantity::film && !(film > 0)) return 0;
        for (int k = fluxes.starts[i]; k < fluxes.starts[i + 1]; ++k) {
            const PoreLink& link = fluxes.links[k];
            if (quantity == Quantity::film) {
                const double runs = fluxes.filmOut(i, link);
                sum += runs > 0 ? runs : 0;
            } else {
                const double other = fluxes.water[link.to].saturation;
                sum += double(link.conductance) * relativePermeability(own > other ? own : other);
            }
        }
        if (quantity == Quantity::film) return sum / (film * double(cell.area));
        const float holds = quantity == Quantity::pores ? room[i] : cell.pores();
        return sum * double(cell.capillaryScale) * kSteepestLeverett * fluxes.mobility(i) / double(holds);
    }
};

// Stability: in each of `steps` a cell gives at most half of what would equalize it.
struct LimitConductance {
    EqualizationRate rate;
    double dt;
    int steps;
    Span<float> conductanceScale;
    PURL_HD void operator()(int i) const {
        const double needed = 2 * rate(i) * dt;
        conductanceScale[i] = static_cast<float>(needed > steps ? steps / needed : 1);
    }
};

// Fluxes along each link, and per cell the factors that limit its outflow to what it has.
struct LimitOutflow {
    Fluxes fluxes;
    double dt;
    Span<Flux> out;  // per link
    Span<Flux> share;

    PURL_HD void operator()(int i) const {
        share[i] = {1, 1};
        if (fluxes.cells[i].fabric < 0) return;
        Flux sum;
        for (int k = fluxes.starts[i]; k < fluxes.starts[i + 1]; ++k) {
            const Flux flux = out[k] = fluxes.out(i, fluxes.links[k]);
            if (flux.pores > 0) sum.pores += dt * flux.pores;
            if (flux.film > 0) sum.film += dt * flux.film;
        }
        const double runs = fluxes.mobileFilm(i) * double(fluxes.cells[i].area);
        if (sum.film > runs) share[i].film = runs / sum.film;
        const double left = fluxes.water[i].volume - share[i].film * sum.film;
        if (sum.pores > left) share[i].pores = left > 0 ? left / sum.pores : 0;
    }
};

// New contents of every cell: what it keeps plus what its neighbours give. All contents are advected in proportion.
struct MoveWater {
    Fluxes fluxes;
    CellLayout layout;
    double dt;
    float time;
    Span<const float> room;
    Span<const Flux> out, share;
    Span<const double> from;
    Span<double> to;
    Span<float> wetAt;

    PURL_HD void operator()(int i) const {
        const auto width = static_cast<size_t>(layout.width());
        const double* const own = from.data + width * static_cast<size_t>(i);
        double* const next = to.data + width * static_cast<size_t>(i);
        double kept = 1;
        for (size_t c = 0; c < width; ++c) next[c] = 0;
        for (int k = fluxes.starts[i]; k < fluxes.starts[i + 1]; ++k) {
            const int j = fluxes.links[k].to;
            const Flux flux = out[k];
            const double gives =
                (flux.pores > 0 ? share[i].pores * flux.pores : 0) + (flux.film > 0 ? share[i].film * flux.film : 0);
            const double takes =
                (flux.pores < 0 ? share[j].pores * -flux.pores : 0) + (flux.film < 0 ? share[j].film * -flux.film : 0);
            if (gives > 0) kept -= dt * gives / fluxes.water[i].volume;
            if (!(takes > 0)) continue;
            const double part = dt * takes / fluxes.water[j].volume;
            const double* const other = from.data + width * static_cast<size_t>(j);
            for (size_t c = 0; c < width; ++c) next[c] += part * other[c];
        }
        if (kept < 0) kept = 0;  // rounding: it gave everything
        for (size_t c = 0; c < width; ++c) next[c] += kept * own[c];
        if (fluxes.cells[i].fabric >= 0 && fluxes.water[i].saturation < kWetSaturation &&
            layout.volumeOf(next) >= double(kWetSaturation) * double(room[i]))
            wetAt[i] = time;
    }
};

// Runs a kernel for a subset of the cells.
template <class Kernel>
struct ForCells {
    Span<const int> cells;
    Kernel kernel;
    PURL_HD void operator()(int k) const { kernel(cells[k]); }
};

}  // namespace

CellLayout layoutOf(const Scene& scene) {
    CellLayout layout;
    const auto fluids = static_cast<int>(scene.fluids.size());
    if (fluids > CellLayout::kMaxFluids)
        throw Error("solver: fabrics can absorb at most " + std::to_string(CellLayout::kMaxFluids) +
                    " fluids; the scene has " + std::to_string(fluids));
    layout.fluids = std::max(1, fluids);
    layout.inverseDensity[0] = 1 / FluidParams().restDensity;
    for (int f = 0; f < fluids; ++f) layout.inverseDensity[f] = 1 / scene.fluids[f].params.restDensity;
    return layout;
}

Flow::Flow(const Device& device)
    : device_(device),
      water_(device),
      out_(device),
      share_(device),
      next_(device),
      conductanceScale_(device),
      active_(device) {}

const Buffer<CellWater>& Flow::measure(const WetCells& wet, const CellLayout& layout, const PoreSheet& sheet,
                                       const Buffer<float>& room) {
    water_.resizeDiscard(sheet.cells.size());
    forEach(device_, "measureCells", sheet.cells.size(),
            MeasureCells{layout, sheet.cells.span(), room.span(), wet.contents.span(), water_.span()});
    return water_;
}

// The wet cells, and those that water may reach within kRings substeps.
void Flow::findActiveCells(const PoreSheet& sheet) {
    ring_.assign(static_cast<size_t>(sheet.cells.size()), -1);
    found_.clear();
    for (int i = 0; i < sheet.cells.size(); ++i)
        if (water_[i].volume > 0) {
            ring_[i] = 0;
            found_.push_back(i);
        }
    for (size_t next = 0; next < found_.size(); ++next) {
        const int i = found_[next], ring = ring_[i];
        for (int k = sheet.linkStarts[i]; ring < kRings && k < sheet.linkStarts[i + 1]; ++k) {
            int& other = ring_[sheet.links[k].to];
            if (other >= 0) continue;
            other = ring + 1;
            found_.push_back(sheet.links[k].to);
        }
    }
    active_.resizeDiscard(static_cast<int>(found_.size()));
    int next = 0;
    for (int i = 0; i < sheet.cells.size(); ++i)
        if (ring_[i] >= 0) active_[next++] = i;
}

void Flow::move(WetCells& wet, const CellLayout& layout, const PoreSheet& sheet, const Buffer<Vec3>& x,
                const Buffer<float>& room, Vec3 gravity, double time, double dt) {
    const int count = sheet.cells.size();
    measure(wet, layout, sheet, room);
    conductanceScale_.resizeDiscard(count);
    std::fill(conductanceScale_.begin(), conductanceScale_.end(), 1.0f);
    const Fluxes fluxes{sheet.cells.span(),
                        sheet.fabrics.span(),
                        sheet.linkStarts.span(),
                        sheet.links.span(),
                        std::as_const(water_).span(),
                        x.span(),
                        gravity / layout.inverseDensity[0],
                        std::as_const(conductanceScale_).span()};
    const auto rate = [&](EqualizationRate::Quantity quantity) {
        return reduce(device_, "levelRate", count, 0.0, EqualizationRate{fluxes, room.span(), quantity}, Largest{});
    };
    // The number of explicit substeps keeps uncompressed cells stable. Compressed cells would need far more: their
    // conductance is reduced to what the substeps allow, because a few of them would slow down everything; the same
    // holds for all cells if kMaxSteps is not enough. Films only need enough substeps to look smooth: their outflow is
    // limited to what they have.
    const double needed = 2 * rate(EqualizationRate::Quantity::poresAtRest) * dt;
    const double wanted = std::min(rate(EqualizationRate::Quantity::film) * dt, double(kFilmSteps));
    const int steps = std::clamp(static_cast<int>(std::ceil(std::max(std::min(needed, 1e6), wanted))), 1, kMaxSteps);
    forEach(device_, "slowDown", count,
            LimitConductance{
                {fluxes, room.span(), EqualizationRate::Quantity::pores}, dt, steps, conductanceScale_.span()});
    out_.resizeDiscard(sheet.links.size());
    share_.resizeDiscard(count);
    next_ = wet.contents;
    const double part = dt / steps;
    for (int s = 0; s < steps; ++s) {
        if (s % kRings == 0) findActiveCells(sheet);
        const Span<const int> active = std::as_const(active_).span();
        forEach(device_, "limitOutflow", active.count,
                ForCells<LimitOutflow>{active, {fluxes, part, out_.span(), share_.span()}});
        forEach(device_, "moveWater", active.count,
                ForCells<MoveWater>{active,
                                    {fluxes, layout, part, static_cast<float>(time), room.span(),
                                     std::as_const(out_).span(), std::as_const(share_).span(),
                                     std::as_const(wet.contents).span(), next_.span(), wet.wetAt.span()}});
        wet.contents.swap(next_);
        forEach(
            device_, "measureCells", active.count,
            ForCells<MeasureCells>{
                active, {layout, sheet.cells.span(), room.span(), std::as_const(wet.contents).span(), water_.span()}});
    }
}

}  // namespace purl
