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

// A particle that touches a fabric; what the host reads of it.
struct TouchingParticle {
    int64_t id;
    int particle, body;
    int surface;           // index of the fabric among the deforming colliders
    PointCarrier carrier;  // of the boundary sample that it touches
    Vec3 x, color;         // m; rgb, if fluids mix
    float given;           // kg, see Soaking
};
// What the host writes of it.
struct Soaked {
    int particle;
    int keep;  // 0: nothing is left of it
    float values[kSoakings];
};

class Intake {
  public:
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
        size_t contact;  // index of the particle that gave
        int cell;        // the last one that received
    };
    void consolidate(State& state, const Scene& scene, const CellLayout& layout, const std::vector<Uptake>& uptakes,
                     const std::vector<TouchingParticle>& contacts, std::vector<Soaked>& soaked) const;

    std::vector<char> touched_;
    // CSR lists per cell: the cells wetted by a particle on it, itself first, and their fractions.
    float spacing_ = 0;
    std::vector<int> footprintStarts_, footprints_;
    std::vector<float> footprintShares_;
};

}  // namespace purl
