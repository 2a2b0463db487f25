// AddedMass: the fluid around cloths that moves with them. A sheet is far lighter than the water on it; accelerated by
// its own mass alone it would be thrown about, and throw the water about, at every step.
#pragma once
#include "solver/coupling/boundaryBinding.h"
#include "solver/fluid/material.h"
#include "solver/particles.h"

namespace purl {

// The fluid that moves with a point of cloth.
struct NearbyFluid {
    float above = 0, below = 0;  // kg: in front of the sheet, and behind
    Vec3 momentum;               // kg m/s

    float mass() const { return above + below; }
    bool operator==(const NearbyFluid& other) const {
        return above == other.above && below == other.below && momentum == other.momentum;
    }
};

class AddedMass {
  public:
    explicit AddedMass(const Device& device);

    // Measures the fluid around each point of the binding, where the boundary stands and by the neighbour lists it has.
    // `normals`: unit, of each point.
    const std::vector<NearbyFluid>& measure(const Particles& particles, const Boundary& boundary,
                                            const BoundaryBinding& binding, const Materials& materials,
                                            const std::vector<Vec3>& normals);

    // Gives velocity changes of the points, m/s, to the fluid that was measured with them: to each particle by the
    // share of it that moves with a point. Boundary and binding must be those of measure().
    void apply(const std::vector<Vec3>& changes, const Boundary& boundary, const BoundaryBinding& binding,
               Particles& particles);

  private:
    Device device_;
    Buffer<float> shares_;  // of a particle that moves with a sample, one for each entry of the boundary's lists
    Buffer<Vec3> changes_;
    std::vector<NearbyFluid> nearby_;
    // Of the samples of the binding.
    std::vector<NearbyFluid> atSamples_;
    std::vector<Vec3> sampleNormals_;
};

}  // namespace purl
