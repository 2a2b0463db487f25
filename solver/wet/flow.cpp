#include "solver/wet/flow.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "solver/core/error.h"
#include "solver/core/forEach.h"
#include "solver/wet/pores.h"

namespace purl {
namespace {

constexpr float kArrived = 0.02f;       // saturation from which on water counts as come
constexpr float kThickestFilm = 5e-4f;  // m; thicker ones are turbulent, and no faster
constexpr double kMostOver = 0.05;      // of the pores
constexpr int kMostSteps = 1024, kFilmSteps = 8;
constexpr int kRings = 8;  // cells that water may pass until it is looked again which ones it may come to

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
        // What is too full pushes, but no harder than a film of millimetres would.
        const double over = s - 1 < kMostOver ? s - 1 : kMostOver;
        own.pressure = s < 1 ? -double(cell.pull) * leverett(s) : double(cell.pull) * kSteepestLeverett * over;
    }
};

// What goes from cell to cell; the same numbers for both ends but for their signs: below zero the other way.
struct Fluxes {
    Span<const PoreCell> cells;
    Span<const PoreFabric> fabrics;
    Span<const int> starts;
    Span<const PoreLink> links;
    Span<const CellWater> water;
    Span<const Vec3> x;
    Vec3 weight;             // N/m³, of the water
    Span<const float> slow;  // share of the pores' conductance that the step allows each cell

    PURL_HD double fall(int i, const PoreLink& link) const { return dot(weight, x[link.to] - x[i]); }
    PURL_HD double mobility(int i) const { return 1 / double(fabrics[cells[i].fabric].viscosity); }
    // m, of the film what runs.
    PURL_HD double loose(int i) const {
        const float film = water[i].film - fabrics[cells[i].fabric].clingingFilm;
        return film > 0 ? film : 0;
    }
    // q = κ k(s)/μ · depth · width/length · (Φᵢ − Φⱼ), Φ = p − ρ g·x, k(s) of the way   Darcy 1856; and of
    // a film δ³/(3 μ) · width/length · ρ g·(xⱼ − xᵢ)   Nusselt 1916
    PURL_HD Flux out(int i, const PoreLink& link) const {
        const CellWater &own = water[i], &other = water[link.to];
        if (own.volume == 0 && other.volume == 0) return {};
        const double down = fall(i, link), drop = own.pressure - other.pressure + down;
        const float allowed = slow[i] < slow[link.to] ? slow[i] : slow[link.to];
        Flux flux;
        const CellWater &source = drop > 0 ? own : other, &ahead = drop > 0 ? other : own;
        flux.pores = double(allowed) * double(link.conductance) * mobility(i) *
                     openShareOnTheWay(source.saturation, ahead.saturation) * drop;
        const double film = loose(down > 0 ? i : link.to);
        const double thick = film < double(kThickestFilm) ? film : double(kThickestFilm);
        flux.film = double(link.slope) * thick * thick * thick / 3 * mobility(i) * down;
        return flux;
    }
};

// 1/s: how fast the pores around a cell level out, and how fast its film runs off.
struct LevelRate {
    enum class Of { film, pores, poresAtRest };  // atRest: as if nothing were squeezed
    Fluxes fluxes;
    Span<const float> room;
    Of of;

    PURL_HD double operator()(int i) const {
        const PoreCell& cell = fluxes.cells[i];
        if (cell.fabric < 0) return 0;
        double sum = 0;
        const double own = fluxes.water[i].saturation, film = fluxes.loose(i);
        if (of == Of::film && !(film > 0)) return 0;
        for (int k = fluxes.starts[i]; k < fluxes.starts[i + 1]; ++k) {
            const PoreLink& link = fluxes.links[k];
            const double other = fluxes.water[link.to].saturation, runs = fluxes.out(i, link).film;
            if (of == Of::film)
                sum += runs > 0 ? runs : 0;
            else
                sum += double(link.conductance) * openShare(own > other ? own : other);
        }
        if (of == Of::film) return sum / (film * double(cell.area));
        const float holds = of == Of::pores ? room[i] : cell.pores();
        return sum * double(cell.pull) * kSteepestLeverett * fluxes.mobility(i) / double(holds);
    }
};

// Stable while a cell gives at most half of what would level it out in each of `steps`.
struct SlowDown {
    LevelRate rate;
    double dt;
    int steps;
    Span<float> slow;
    PURL_HD void operator()(int i) const {
        const double needed = 2 * rate(i) * dt;
        slow[i] = static_cast<float>(needed > steps ? steps / needed : 1);
    }
};

// Along each link; and of what each cell would give, the shares that it has.
struct LimitOutflow {
    Fluxes fluxes;
    double dt;
    Span<Flux> out;  // of each link
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
        const double runs = fluxes.loose(i) * double(fluxes.cells[i].area);
        if (sum.film > runs) share[i].film = runs / sum.film;
        const double left = fluxes.water[i].volume - share[i].film * sum.film;
        if (sum.pores > left) share[i].pores = left > 0 ? left / sum.pores : 0;
    }
};

// Every cell's new contents: what it keeps, and from each neighbour what that gives. All that is in a cell goes along
// in like parts.
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
        if (kept < 0) kept = 0;  // by rounding: it gave all
        for (size_t c = 0; c < width; ++c) next[c] += kept * own[c];
        if (fluxes.cells[i].fabric >= 0 && fluxes.water[i].saturation < kArrived &&
            layout.volumeOf(next) >= double(kArrived) * double(room[i]))
            wetAt[i] = time;
    }
};

// A kernel of some cells only.
template <class Kernel>
struct OfCells {
    Span<const int> cells;
    Kernel kernel;
    PURL_HD void operator()(int k) const { kernel(cells[k]); }
};

}  // namespace

CellLayout layoutOf(const Scene& scene) {
    CellLayout layout;
    const auto fluids = static_cast<int>(scene.fluids.size());
    if (fluids > CellLayout::kMostFluids)
        throw Error("solver: fabrics soak up " + std::to_string(CellLayout::kMostFluids) + " fluids at most, not " +
                    std::to_string(fluids));
    layout.fluids = std::max(1, fluids);
    layout.inverseDensity[0] = 1 / FluidParams().restDensity;
    for (int f = 0; f < fluids; ++f) layout.inverseDensity[f] = 1 / scene.fluids[f].params.restDensity;
    return layout;
}

Flow::Flow(const Device& device)
    : device_(device), water_(device), out_(device), share_(device), next_(device), slow_(device), awake_(device) {}

const Buffer<CellWater>& Flow::measure(const WetCells& wet, const CellLayout& layout, const PoreSheet& sheet,
                                       const Buffer<float>& room) {
    water_.renew(sheet.cells.size());
    forEach(device_, "measureCells", sheet.cells.size(),
            MeasureCells{layout, sheet.cells.span(), room.span(), wet.contents.span(), water_.span()});
    device_.synchronize();
    return water_;
}

// Those that are wet, and those that water may come to.
void Flow::wake(const PoreSheet& sheet) {
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
    awake_.renew(static_cast<int>(found_.size()));
    int next = 0;
    for (int i = 0; i < sheet.cells.size(); ++i)
        if (ring_[i] >= 0) awake_[next++] = i;
}

void Flow::move(WetCells& wet, const CellLayout& layout, const PoreSheet& sheet, const Buffer<Vec3>& x,
                const Buffer<float>& room, Vec3 pull, double time, double dt) {
    const int count = sheet.cells.size();
    measure(wet, layout, sheet, room);
    slow_.renew(count);
    std::fill(slow_.begin(), slow_.end(), 1.0f);
    const Fluxes fluxes{sheet.cells.span(),
                        sheet.fabrics.span(),
                        sheet.linkStarts.span(),
                        sheet.links.span(),
                        std::as_const(water_).span(),
                        x.span(),
                        pull / layout.inverseDensity[0],
                        std::as_const(slow_).span()};
    const auto rate = [&](LevelRate::Of of) {
        return reduce(device_, "levelRate", count, 0.0, LevelRate{fluxes, room.span(), of}, Largest{});
    };
    // Explicit steps are so many that cells at rest are stable. What is crushed levels out sooner than any step: it
    // goes as fast as the steps let it, for a few of them are enough and all others would wait for it; and so does all
    // where the most steps are not enough. A film's need only be so many that it does not come in gulps: it gives no
    // more than it has.
    const double needed = 2 * rate(LevelRate::Of::poresAtRest) * dt;
    const double wanted = std::min(rate(LevelRate::Of::film) * dt, double(kFilmSteps));
    const int steps = std::clamp(static_cast<int>(std::ceil(std::max(std::min(needed, 1e6), wanted))), 1, kMostSteps);
    forEach(device_, "slowDown", count, SlowDown{{fluxes, room.span(), LevelRate::Of::pores}, dt, steps, slow_.span()});
    out_.renew(sheet.links.size());
    share_.renew(count);
    next_ = wet.contents;
    const double part = dt / steps;
    for (int s = 0; s < steps; ++s) {
        device_.synchronize();
        if (s % kRings == 0) wake(sheet);
        const Span<const int> awake = std::as_const(awake_).span();
        forEach(device_, "limitOutflow", awake.count,
                OfCells<LimitOutflow>{awake, {fluxes, part, out_.span(), share_.span()}});
        forEach(device_, "moveWater", awake.count,
                OfCells<MoveWater>{awake,
                                   {fluxes, layout, part, static_cast<float>(time), room.span(),
                                    std::as_const(out_).span(), std::as_const(share_).span(),
                                    std::as_const(wet.contents).span(), next_.span(), wet.wetAt.span()}});
        device_.synchronize();
        wet.contents.swap(next_);
        forEach(
            device_, "measureCells", awake.count,
            OfCells<MeasureCells>{
                awake, {layout, sheet.cells.span(), room.span(), std::as_const(wet.contents).span(), water_.span()}});
    }
    device_.synchronize();
}

}  // namespace purl
