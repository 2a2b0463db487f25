// Intake: what fabrics take up of the particles that lie on them, by and by, to the cells around where each touches.
#pragma once
#include <vector>

#include "solver/boundary/boundary.h"
#include "solver/colliders/stepColliders.h"
#include "solver/scene.h"
#include "solver/state.h"
#include "solver/wet/flow.h"
#include "solver/wet/sheet.h"

namespace purl {

// What lies on fabrics, as fluids see them where they stand; the walls' lists must be those of the particles.
struct FabricContact {
    const Boundary& walls;
    int firstSkin;  // of the walls
    const StepColliders& colliders;
};

class Intake {
  public:
    explicit Intake(const Device& device) : device_(device), touch_(device) {}

    // Takes up the sheet's cells and how wide the fluids' particles are.
    void set(const Scene& scene, const State& state, const PoreSheet& sheet);
    // A particle is gone when all of it is in fabrics. `contact`: null where no fluid can touch any. `room`, m³: of
    // each cell's pores.
    void takeUp(State& state, const Scene& scene, const FabricContact* contact, const PoreSheet& sheet,
                const CellLayout& layout, const Buffer<float>& room, double dt);
    // By cell, whether fluid lay on it in the last step.
    const std::vector<char>& touched() const { return touched_; }

  private:
    struct Sip {
        int particle, cell;  // who gave, and where to last
    };
    void takeWhole(State& state, const Scene& scene, const CellLayout& layout, const std::vector<Sip>& sips) const;

    Device device_;
    Buffer<int> touch_;  // of each particle the wall's point that it lies on, or −1
    std::vector<char> touched_;
    // Cells around each that a particle on it wets, itself first, and their shares of it.
    float spacing_ = 0;
    std::vector<int> footprintStarts_, footprints_;
    std::vector<float> footprintShares_;
};

}  // namespace purl
