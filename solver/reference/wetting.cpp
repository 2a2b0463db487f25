#include "solver/reference/wetting.h"

#include <algorithm>

#include "solver/boundary/pointGrid.h"
#include "solver/core/hostView.h"
#include "solver/fluid/kernels.h"
#include "solver/wet/pores.h"

namespace purl {

std::vector<ParticleCellPair> particleCellPairs(const Particles& particles, const Buffer<Vec3>& cells,
                                                const PoreSheet& sheet, const Scene& scene, const Materials& materials,
                                                ReferenceAbsorption absorption) {
    std::vector<Vec3> places;
    std::vector<int> indices;
    for (int i = 0; i < sheet.cells.size(); ++i) {
        const int fabric = sheet.cells[i].fabric;
        if (fabric < 0 || scene.cloths[fabric].pores.params.reference.absorption != absorption) continue;
        places.push_back(cells[i]);
        indices.push_back(i);
    }
    std::vector<ParticleCellPair> pairs;
    if (places.empty()) return pairs;
    PointGrid grid;
    const std::vector<int> order = grid.build(places, materials.searchRadius);
    const PointGridView view = grid.view();
    for (int j = 0; j < particles.count(); ++j) {
        const FluidConstants& fluid = materials.fluids[particles.body[j]];
        const RunsAround runs = view.around(particles.x[j]);
        if (!runs || fluid.kind != FluidKind::liquid) continue;
        for (int r = 0; r < kRunsAround; ++r) {
            const Run run = runs[r];
            for (int k = run.begin; k < run.end; ++k) {
                const float distance = length(places[k] - particles.x[j]);
                if (distance < fluid.spiky.h) pairs.push_back({j, indices[order[k]], distance});
            }
        }
    }
    return pairs;
}

std::vector<double> sharedLoad(const std::vector<ParticleCellPair>& pairs, const Particles& particles,
                               const Materials& materials, int cells) {
    std::vector<double> load(static_cast<size_t>(cells), 0);
    const auto weight = [&](const ParticleCellPair& pair) {
        return double(materials.fluids[particles.body[pair.particle]].poly6(square(pair.distance)));
    };
    for (size_t begin = 0, end = 0; begin < pairs.size(); begin = end) {
        double all = 0;
        for (; end < pairs.size() && pairs[end].particle == pairs[begin].particle; ++end) all += weight(pairs[end]);
        const double mass = double(materials.fluids[particles.body[pairs[begin].particle]].mass);
        for (size_t k = begin; k < end && all > 0; ++k) load[pairs[k].cell] += mass * weight(pairs[k]) / all;
    }
    return load;
}

std::vector<double> rawSaturation(const std::vector<ParticleCellPair>& pairs, const Particles& particles,
                                  const PoreSheet& sheet, const Materials& materials) {
    std::vector<double> saturation(static_cast<size_t>(sheet.cells.size()), 0);
    for (const ParticleCellPair& pair : pairs) {
        const FluidConstants& fluid = materials.fluids[particles.body[pair.particle]];
        saturation[pair.cell] += double(fluid.mass) * double(fluid.poly6(square(pair.distance))) /
                                 (double(sheet.cells[pair.cell].porosity) * fluid.restDensity);
    }
    return saturation;
}

CapillaryImpulses capillaryImpulses(const std::vector<ParticleCellPair>& pairs, const std::vector<double>& saturation,
                                    const Particles& particles, const Buffer<Vec3>& cells, const PoreSheet& sheet,
                                    const Materials& materials, double dt) {
    CapillaryImpulses impulses;
    impulses.onParticles.resize(static_cast<size_t>(particles.count()));
    impulses.onCells.resize(static_cast<size_t>(sheet.cells.size()));
    for (const ParticleCellPair& pair : pairs) {
        const FluidConstants& fluid = materials.fluids[particles.body[pair.particle]];
        const PoreCell& cell = sheet.cells[pair.cell];
        const double raw = saturation[pair.cell];
        const double s = sheet.fabrics[cell.fabric].pushes ? raw : std::min(1.0, raw);
        if (!(pair.distance > 0)) continue;
        const double volume = double(fluid.mass) * double(fluid.inverseRestDensity);
        // W′ is negative, so the force is along xᵢ − xⱼ, towards the cell.
        const double force = volume * double(cell.volume) * double(cell.capillaryScale) * leverett(s) *
                             -double(fluid.spiky.gradientFactor(pair.distance));
        const Vec3 impulse = static_cast<float>(force * dt) * (cells[pair.cell] - particles.x[pair.particle]);
        impulses.onParticles[pair.particle] += fluid.inverseMass * impulse;
        impulses.onCells[pair.cell] -= impulse;
    }
    return impulses;
}

void applyReferenceWetting(State& state, const Scene& scene, const Buffer<Vec3>& x, const Materials& materials,
                           const std::vector<float>& masses, const PoreSheet& sheet, const CellLayout& layout,
                           const Buffer<float>& room, double dt) {
    Particles& particles = state.particles;
    for (const ReferenceAbsorption absorption : {ReferenceAbsorption::weight, ReferenceAbsorption::pores}) {
        const bool any = std::any_of(scene.cloths.begin(), scene.cloths.end(), [&](const Cloth& cloth) {
            return cloth.pores.params.reference.absorption == absorption;
        });
        if (!any || scene.fluids.empty()) continue;
        const ParticlesOnHost onHost(particles);
        const std::vector<ParticleCellPair> pairs =
            particleCellPairs(particles, x, sheet, scene, materials, absorption);
        const std::vector<double> saturation = rawSaturation(pairs, particles, sheet, materials);
        const std::vector<double> load = sharedLoad(pairs, particles, materials, sheet.cells.size());
        std::vector<int> fluids(static_cast<size_t>(sheet.cells.size()), 0);
        for (const ParticleCellPair& pair : pairs) fluids[pair.cell] = particles.body[pair.particle];
        for (int i = 0; i < sheet.cells.size(); ++i) {
            const auto c = static_cast<size_t>(i);
            const int fabric = sheet.cells[i].fabric;
            if (fabric < 0 || scene.cloths[fabric].pores.params.reference.absorption != absorption) continue;
            const FluidParams& params = scene.fluids[fluids[c]].params;
            // `pores` uses the local saturation, `weight` the shared load. Both are limited to what the pores hold: the
            // rest lies on the fabric and loads it through contact.
            const double capacity = double(room[i]) * double(params.restDensity);
            const double mass =
                std::min(capacity, absorption == ReferenceAbsorption::pores ? saturation[c] * capacity : load[c]);
            double* const own = layout.of(state.wet.contents, i);
            std::fill(own, own + layout.width(), 0.0);
            own[fluids[c]] = mass;
            addDye(own + layout.fluids, mass, params.color, params.opacity);
            if (mass > 0) state.wet.wetAt[i] = static_cast<float>(state.time + dt);
        }
        if (absorption != ReferenceAbsorption::pores) continue;
        const CapillaryImpulses impulses = capillaryImpulses(pairs, saturation, particles, x, sheet, materials, dt);
        for (int j = 0; j < particles.count(); ++j) {
            particles.v[j] += impulses.onParticles[j];
            if (!particles.vHalf.empty()) particles.vHalf[j] += impulses.onParticles[j];
        }
        const HostEditor<Vec3> v = editOnHost(state.cloth.v);
        for (int i = 0; i < sheet.cells.size(); ++i) {
            const auto c = static_cast<size_t>(i);
            if (masses[c] > 0) v[i] += impulses.onCells[c] / masses[c];
        }
    }
}

}  // namespace purl
