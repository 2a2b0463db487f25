// WetFabrics: water between fluids, fabrics and the air, and what it does to fabrics. One exchange a step: fabrics take
// up what touches them, water moves along them, dries and drips. liquid + fabric + evaporated stays as it is.
#pragma once
#include <vector>

#include "solver/boundary/boundary.h"
#include "solver/contact/colliders.h"
#include "solver/contact/skins.h"
#include "solver/core/wetting.h"
#include "solver/fluid/material.h"
#include "solver/scene.h"
#include "solver/state.h"
#include "solver/wet/flow.h"
#include "solver/wet/sheet.h"

namespace purl {

// Fills the fabrics as they are at the start. Throws Error on a startFluid that is not there.
void startWet(State& state, const Scene& scene);

// What lies on fabrics, as fluids see them where they stand; the walls' lists must be those of the particles.
struct FabricContact {
    const Boundary& walls;
    int firstSkin;  // of the walls
    const Skins& skins;
};

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

    // Takes up what lies on fabrics, lets water move along them and dry. `contact`: null where no fluid can touch any.
    // `masses`, kg: of the cloths' points, dry.
    void soak(State& state, const Scene& scene, const Materials& materials, const FabricContact* contact,
              const std::vector<float>& masses, double dt);
    // Lets fall what they cannot hold, but not into walls. Throws Error where there is no fluid to drip as.
    void drip(State& state, const Scene& scene, Span<const PlacedCollider> walls);

    // What a frame shows of a cloth's points, of a thick one of those in the middle; empty if it absorbs nothing.
    Wetting wettingOf(const State& state, const Scene& scene, int cloth);
    // Of each of its points, how much of the colour of what is in it it shows.
    std::vector<float> stainOf(const State& state, const Scene& scene, int cloth) const;
    // kg, of the water in fabrics and of the fluids' particles, without what fabrics have taken of those.
    double fabricMass(const State& state) const;
    static double liquidMass(const State& state, const Scene& scene);

  private:
    double* contentsOf(State& state, int cell) const {
        return state.wet.contents.data() + static_cast<size_t>(layout_.width()) * static_cast<size_t>(cell);
    }
    const double* contentsOf(const State& state, int cell) const {
        return state.wet.contents.data() + static_cast<size_t>(layout_.width()) * static_cast<size_t>(cell);
    }
    void takeSaturation(const State& state, const Scene& scene);
    bool soaks(int cell) const;
    void takeWhole(State& state, const Scene& scene, const std::vector<int>& drunk);
    void takeUp(State& state, const Scene& scene, const FabricContact& contact, double dt);
    void dry(State& state, double dt);
    // The documents' modes.
    void hold(State& state, const Scene& scene, const Materials& materials, const std::vector<float>& masses,
              double dt);
    void setFootprints(const Scene& scene, const State& state);

    Device device_;
    PoreSheet sheet_;
    Flow flow_;
    CellLayout layout_;
    Buffer<float> room_;  // m³, of each cell's pores as they are strained
    Buffer<float> load_;  // kg
    std::vector<float> saturation_;
    std::vector<int> drunkFrom_;  // by each particle that gave something in this step
    std::vector<char> touched_;   // cells that fluid lies on
    bool moved_ = false;          // water, in this step
    // Cells around each that a particle on it wets, itself first, and their shares of it.
    float footprintSpacing_ = 0;
    std::vector<int> footprintStarts_, footprints_;
    std::vector<float> footprintShares_;
};

}  // namespace purl
