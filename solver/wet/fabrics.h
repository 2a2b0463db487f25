// WetFabrics: water between fluids, fabrics and the air, and what it does to fabrics. One exchange a step: fabrics take
// up what touches them, water moves along them, dries and drips. liquid + fabric + evaporated stays as it is.
#pragma once
#include <vector>

#include "solver/colliders/colliders.h"
#include "solver/core/wetting.h"
#include "solver/fluid/material.h"
#include "solver/scene.h"
#include "solver/state.h"
#include "solver/wet/flow.h"
#include "solver/wet/intake.h"
#include "solver/wet/pressing.h"
#include "solver/wet/sheet.h"

namespace purl {

// Fills the fabrics as they are at the start. Throws Error on a startFluid that is not there.
void startWet(State& state, const Scene& scene);

class WetFabrics {
  public:
    explicit WetFabrics(const Device& device);

    // Takes up the scene's fabrics; the state's cells must be theirs.
    void set(const Scene& scene, const State& state);
    bool empty() const { return sheet_.empty(); }

    // kg, what the water in it adds to each of the cloths' points; none where no fabric absorbs.
    Span<const float> load(const State& state, const Scene& scene);
    // Of each of the cloths' points, as of the last exchange; none where no fabric absorbs.
    Span<const float> saturation() const { return {saturation_.data(), static_cast<int>(saturation_.size())}; }

    // Takes up what lies on fabrics. `contact`: null where no fluid can touch any. `masses`, kg: of the cloths' points,
    // dry.
    void soak(State& state, const Scene& scene, const Materials& materials, const FabricContact* contact,
              const std::vector<float>& masses, double dt);
    // Lets water move along them and dry; `walls` may press on them.
    void spread(State& state, const Scene& scene, const Materials& materials, Span<const PlacedCollider> walls,
                double dt);
    // Lets fall what they cannot hold, but not into walls nor between layers of fabric; see Drops::fall. Throws Error
    // where there is no fluid to drip as.
    void drip(State& state, const Scene& scene, Span<const PlacedCollider> walls, Span<const PlacedCollider> surfaces,
              const StepColliders& colliders);

    // What a frame shows of a cloth's points, of a thick one of those in the middle; empty if it absorbs nothing.
    Wetting wettingOf(const State& state, const Scene& scene, int cloth);
    // Of each of its points, how much of the colour of what is in it it shows.
    std::vector<float> stainOf(const State& state, const Scene& scene, int cloth) const;
    // kg, of the water in fabrics and of the fluids' particles, without what fabrics have taken of those.
    double fabricMass(const State& state) const;
    static double liquidMass(const State& state, const Scene& scene);

  private:
    void takeSaturation(const State& state, const Scene& scene);
    bool keeps() const;  // whether any fabric keeps what it takes up
    bool soaks(int cell) const;
    void dry(State& state, double dt);
    // The documents' modes.
    void hold(State& state, const Scene& scene, const Materials& materials, const std::vector<float>& masses,
              double dt);

    Device device_;
    PoreSheet sheet_;
    Flow flow_;
    Intake intake_;
    CellLayout layout_;
    Pressing pressing_;
    Buffer<float> room_;     // m³, of each cell's pores as they are strained
    Buffer<float> pressed_;  // m³, the same where they are pressed, too, when water moved last
    Buffer<float> load_;     // kg
    std::vector<float> saturation_;
    bool moved_ = false;  // water, in this step
};

}  // namespace purl
