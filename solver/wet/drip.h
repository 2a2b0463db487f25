// Dripping: film on fabrics that collects at low points and is released as fluid particles, together with its dye.
#pragma once
#include <vector>

#include "solver/colliders/colliders.h"
#include "solver/colliders/stepColliders.h"
#include "solver/scene.h"
#include "solver/state.h"
#include "solver/wet/flow.h"
#include "solver/wet/sheet.h"

namespace purl {

// Drop mass assumed for scenes without fluids.
constexpr double kDefaultDropMass = 5e-5;  // kg

class DropRelease {
  public:
    // References the current state of all cells of the sheet.
    DropRelease(const PoreSheet& sheet, const CellLayout& layout, const Buffer<Vec3>& x, const Buffer<float>& room,
                const Buffer<CellWater>& water)
        : sheet_(sheet), layout_(layout), x_(x), room_(room), water_(water) {}

    // Releases drops from cells that no liquid touches, where there is room for them: not inside colliders or liquid,
    // nor between layers of fabric, which would squeeze them out. `surfaces` are the fabrics among the colliders,
    // `colliders` hold their positions at the start of the step. A submerged fabric returns its water to particles that
    // it has partly absorbed. Throws Error if there is no fluid to drip as.
    void release(State& state, const Scene& scene, const std::vector<char>& touched, Span<const PlacedCollider> walls,
                 Span<const PlacedCollider> surfaces, const StepColliders& colliders);

  private:
    double excessFilm(const State& state, int cell) const;
    std::vector<int> dripSites(const State& state, const Scene& scene) const;
    void gather(int site, float reach);
    void withdraw(State& state, double mass, int fluid, double* dyes) const;
    template <class Nearby>
    void refillParticles(State& state, Nearby& nearby, Vec3 at, double available, int fluid,
                         const FluidParams& params) const;

    const PoreSheet& sheet_;
    const CellLayout& layout_;
    const Buffer<Vec3>& x_;
    const Buffer<float>& room_;
    const Buffer<CellWater>& water_;
    std::vector<int> near_;  // cells from which a drop collects water, nearest first
    std::vector<int> seen_;  // the site that visited each cell last
};

}  // namespace purl
