// Intake: fabrics gradually absorb the particles in contact with them, into the cells around each contact point.
#pragma once
#include <vector>

#include "solver/boundary/boundary.h"
#include "solver/colliders/stepColliders.h"
#include "solver/scene.h"
#include "solver/state.h"
#include "solver/wet/flow.h"
#include "solver/wet/sheet.h"

namespace purl {

// Contact of fluids with fabrics at their current positions; the boundary's lists must be those of the particles.
struct FabricContact {
    const Boundary& walls;
    int firstDeforming;  // index of the first deforming collider of the boundary
    const StepColliders& colliders;
};

class Intake {
  public:
    explicit Intake(const Device& device) : device_(device), touch_(device) {}

    // Reads the sheet's cells and the particle spacings of the fluids.
    void set(const Scene& scene, const Buffer<Vec3>& rest, const PoreSheet& sheet);
    // Absorbs fluid for dt seconds. A particle is removed when all of it has been absorbed. `contact`: null if no fluid
    // can touch any fabric. `room`, m³: pore volume of each cell.
    void absorb(State& state, const Scene& scene, const FabricContact* contact, const PoreSheet& sheet,
                const CellLayout& layout, const Buffer<float>& room, double dt);
    // Per cell, whether fluid was in contact with it in the last step.
    const std::vector<char>& touched() const { return touched_; }

  private:
    struct Uptake {
        int particle, cell;  // the source, and the last receiving cell
    };
    void consolidate(State& state, const Scene& scene, const CellLayout& layout,
                     const std::vector<Uptake>& uptakes) const;

    Device device_;
    Buffer<int> touch_;  // per particle, the boundary sample that it touches, or −1
    std::vector<char> touched_;
    // CSR lists per cell: the cells wetted by a particle on it, itself first, and their fractions.
    float spacing_ = 0;
    std::vector<int> footprintStarts_, footprints_;
    std::vector<float> footprintShares_;
};

}  // namespace purl
