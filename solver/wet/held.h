// The documents' two ways of wetting, in which fluid that is near a fabric stays particles: there to be compared with.
#pragma once
#include <vector>

#include "solver/fluid/material.h"
#include "solver/scene.h"
#include "solver/state.h"
#include "solver/wet/sheet.h"

namespace purl {

// A particle near a cell.
struct HeldPair {
    int particle, cell;
    float distance;  // m
};

// Those within the support radius of the particles' fluids, particle by particle; cells of fabrics with this absorption
// only.
std::vector<HeldPair> heldPairs(const Particles& particles, const Buffer<Vec3>& cells, const PoreSheet& sheet,
                                const Scene& scene, const Materials& materials, Absorption absorption);

// kg, of each particle's mass what each cell seems to hold, M = Σⱼ mⱼ W(rᵢⱼ) / Σₗ W(rₗⱼ): all of it, and no more
// (Bayraktar 5.12 as a load; as printed it has no unit of mass).
std::vector<double> sharedLoad(const std::vector<HeldPair>& pairs, const Particles& particles,
                               const Materials& materials, int cells);
// s = Σⱼ mⱼ W(rᵢⱼ) / (φᵢ ρ), as it comes: 1/φ under water (Güdükbay 9 with its mass interpolated).
std::vector<double> rawSaturation(const std::vector<HeldPair>& pairs, const Particles& particles,
                                  const PoreSheet& sheet, const Materials& materials);
// m/s, what capillary pressure adds to each particle's velocity in dt; and N s, what it gives to each cell, which is
// the opposite:   Fⱼ = Vⱼ Σᵢ Vᵢ p(sᵢ) |W′(r)| (xᵢ − xⱼ)/r   Bayraktar 5.11, Güdükbay 12, with their volumes. Cells
// that hold more than their pores push only where the fabric is told so: else J of at most s = 1.
struct Pulls {
    std::vector<Vec3> onParticles;  // m/s
    std::vector<Vec3> onCells;      // N s
};
Pulls capillaryPulls(const std::vector<HeldPair>& pairs, const std::vector<double>& saturation,
                     const Particles& particles, const Buffer<Vec3>& cells, const PoreSheet& sheet,
                     const Materials& materials, double dt);

}  // namespace purl
