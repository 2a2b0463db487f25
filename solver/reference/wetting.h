// The documents' two wetting modes, in which fluid near a fabric stays particles.
#pragma once
#include <vector>

#include "solver/fluid/material.h"
#include "solver/scene.h"
#include "solver/state.h"
#include "solver/wet/flow.h"
#include "solver/wet/sheet.h"

namespace purl {

// A particle near a cell.
struct ParticleCellPair {
    int particle, cell;
    float distance;  // m
};

// All pairs within the support radius of the particles' fluids, particle by particle; only cells of fabrics with this
// absorption mode.
std::vector<ParticleCellPair> particleCellPairs(const Particles& particles, const Buffer<Vec3>& cells,
                                                const PoreSheet& sheet, const Scene& scene, const Materials& materials,
                                                ReferenceAbsorption absorption);

// kg, the load of each cell: each particle's mass distributed over its cells, M = Σⱼ mⱼ W(rᵢⱼ) / Σₗ W(rₗⱼ), which
// conserves mass (Bayraktar 5.12 as a load; as printed it does not have the unit of mass).
std::vector<double> sharedLoad(const std::vector<ParticleCellPair>& pairs, const Particles& particles,
                               const Materials& materials, int cells);
// s = Σⱼ mⱼ W(rᵢⱼ) / (φᵢ ρ), unlimited: 1/φ under water (Güdükbay 9 with interpolated mass).
std::vector<double> rawSaturation(const std::vector<ParticleCellPair>& pairs, const Particles& particles,
                                  const PoreSheet& sheet, const Materials& materials);
// Capillary forces: m/s, the velocity change of each particle in dt, and N s, the opposite impulse on each cell.   Fⱼ =
// Vⱼ Σᵢ Vᵢ p(sᵢ) |W′(r)| (xᵢ − xⱼ)/r   Bayraktar 5.11, Güdükbay 12, with their volumes. Overfull cells repel only if
// the fabric's `pushes` is set; otherwise s is limited to 1.
struct CapillaryImpulses {
    std::vector<Vec3> onParticles;  // m/s
    std::vector<Vec3> onCells;      // N s
};
CapillaryImpulses capillaryImpulses(const std::vector<ParticleCellPair>& pairs, const std::vector<double>& saturation,
                                    const Particles& particles, const Buffer<Vec3>& cells, const PoreSheet& sheet,
                                    const Materials& materials, double dt);

// Sets the water of every fabric with a referenceAbsorption from the particles near it, and applies capillary forces to
// both. `masses`, kg: dry masses of the cloth points; `room`, m³: pore volume of each cell.
void applyReferenceWetting(State& state, const Scene& scene, const Buffer<Vec3>& x, const Materials& materials,
                           const std::vector<float>& masses, const PoreSheet& sheet, const CellLayout& layout,
                           const Buffer<float>& room, double dt);

}  // namespace purl
