// Drops: film on fabrics that gathers at low places and falls as particles, which take along what is in it.
#pragma once
#include <vector>

#include "solver/colliders/colliders.h"
#include "solver/scene.h"
#include "solver/state.h"
#include "solver/wet/flow.h"
#include "solver/wet/sheet.h"

namespace purl {

// What hangs in fabrics without fluids in the scene is told apart in drops of this mass.
constexpr double kLoneDrop = 5e-5;  // kg

class Drops {
  public:
    // All of the sheet's cells, as they are now.
    Drops(const PoreSheet& sheet, const CellLayout& layout, const Buffer<float>& room, const Buffer<CellWater>& water)
        : sheet_(sheet), layout_(layout), room_(room), water_(water) {}

    // Releases drops from cells that no liquid touches, where there is room for them: not into walls, nor into liquid,
    // nor between layers of fabric, which would press them out; `surfaces` are the fabrics' among the colliders,
    // `colliders` know where fabrics come from. A fabric in a liquid hands its water to particles that it has taken up
    // in part. Throws Error where there is no fluid to drip as.
    void fall(State& state, const Scene& scene, const std::vector<char>& touched, Span<const PlacedCollider> walls,
              Span<const PlacedCollider> surfaces, const StepColliders& colliders);

  private:
    double loose(const State& state, int cell) const;
    std::vector<int> sites(const State& state, const Scene& scene) const;
    void gather(const State& state, int site, float reach);
    void take(State& state, double mass, int fluid, double* dyes) const;
    template <class Nearby>
    void handOver(State& state, Nearby& nearby, Vec3 at, double available, int fluid, const FluidParams& params) const;

    const PoreSheet& sheet_;
    const CellLayout& layout_;
    const Buffer<float>& room_;
    const Buffer<CellWater>& water_;
    std::vector<int> near_,
        seen_;  // cells that a drop may gather from, nearest first; by which site each was seen last
};

}  // namespace purl
