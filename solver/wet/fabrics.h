// WetFabrics: the exchange of water between fluids, fabrics and the air, and its effects on fabrics. Once per step
// fabrics absorb what touches them; water spreads along them, evaporates and drips. liquid + fabric + evaporated mass
// is conserved.
#pragma once
#include <vector>

#include "solver/colliders/colliders.h"
#include "solver/fluid/material.h"
#include "solver/geometry/wetting.h"
#include "solver/scene.h"
#include "solver/state.h"
#include "solver/wet/compression.h"
#include "solver/wet/flow.h"
#include "solver/wet/intake.h"
#include "solver/wet/sheet.h"

namespace purl {

// Sets the initial water of the fabrics. Throws Error if a startFluid does not exist.
void startWet(State& state, const Scene& scene);

class WetFabrics {
  public:
    explicit WetFabrics(const Device& device);

    // Reads the scene's fabrics; the cells of the state must match them.
    void set(const Scene& scene, const State& state);
    bool empty() const { return sheet_.empty(); }

    // kg, weight of the absorbed water at each cloth point; empty if no fabric absorbs.
    Span<const float> load(const State& state, const Scene& scene);
    // Per cloth point, after the last exchange; empty if no fabric absorbs.
    Span<const float> saturation() const { return {saturation_.data(), static_cast<int>(saturation_.size())}; }

    // Absorbs fluid in contact with fabrics. `colliders`: deforming ones are where their cloths are now. `contact`:
    // null if no fluid can touch any. `masses`, kg: dry masses of the cloth points.
    void soak(State& state, const Scene& scene, const StepColliders& colliders, const Materials& materials,
              const FabricContact* contact, const std::vector<float>& masses, double dt);
    // Spreads water along the fabrics and evaporates it; `walls` may compress them.
    void spread(State& state, const Scene& scene, const Materials& materials, Span<const PlacedCollider> walls,
                double dt);
    // Releases the water that the fabrics cannot hold, but not into colliders or between layers of fabric; see
    // DropRelease::release. Throws Error if there is no fluid to drip as.
    void drip(State& state, const Scene& scene, Span<const PlacedCollider> walls, Span<const PlacedCollider> surfaces,
              const StepColliders& colliders);

    // The output channels of a cloth's points, for a thick cloth of its middle layer; empty if it absorbs nothing.
    Wetting wettingOf(const State& state, const Scene& scene, int cloth);
    // Per point, how much of the dye's colour shows.
    std::vector<float> stainOf(const State& state, const Scene& scene, int cloth) const;
    // kg, of the water in fabrics; and of the fluid particles without what fabrics have absorbed of them.
    double fabricMass(const State& state) const;
    static double liquidMass(const State& state, const Scene& scene);

  private:
    void updateSaturation(const State& state, const Scene& scene);
    const Buffer<Vec3>& bringPositions(const State& state, const Scene& scene, const StepColliders& colliders);
    bool anySoaks() const;  // whether any fabric retains what it absorbs
    bool soaks(int cell) const;
    void dry(State& state, double dt);

    Device device_;
    PoreSheet sheet_;
    Flow flow_;
    Intake intake_;
    CellLayout layout_;
    Compression compression_;
    Buffer<float> room_;     // m³, pore volume of each cell under the current strain
    Buffer<float> pressed_;  // m³, the same including compression, at the last spreading step
    Buffer<float> load_;     // kg
    // m, of the cloth points, where these live on another device; clothX_ of those with cells only, during a step.
    Buffer<Vec3> clothX_, clothRest_;
    std::vector<float> saturation_;
    bool moved_ = false;  // whether water spread in this step
};

}  // namespace purl
