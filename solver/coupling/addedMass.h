// AddedMass: the fluid around cloths that moves with them. A sheet is far lighter than the water on it; coupled
// explicitly with only its own mass, cloth and water would oscillate and become unstable.
#pragma once
#include "solver/coupling/boundaryBinding.h"
#include "solver/fluid/material.h"
#include "solver/particles.h"

namespace purl {

// Fluid that moves with a point of cloth.
struct NearbyFluid {
    float above = 0, below = 0;  // kg, on either side of the sheet; above: where the normal points
    Vec3 momentum;               // kg m/s

    PURL_HD float mass() const { return above + below; }
    PURL_HD bool operator==(const NearbyFluid& other) const {
        return above == other.above && below == other.below && momentum == other.momentum;
    }
};

class AddedMass {
  public:
    explicit AddedMass(const Device& device);

    // Sums the fluid around each point of the binding, from the current samples and neighbour lists of the boundary.
    // `normals`: unit, per point.
    const Buffer<NearbyFluid>& measure(const Particles& particles, const Boundary& boundary,
                                       const BoundaryBinding& binding, const Materials& materials,
                                       const Buffer<Vec3>& normals);

    // Applies velocity changes of the points, m/s, to the fluid measured around them: to each particle in proportion to
    // its share that moves with a point. Boundary and binding must be those of measure().
    void apply(const Buffer<Vec3>& changes, const Boundary& boundary, const BoundaryBinding& binding,
               Particles& particles);

  private:
    Device device_;
    Buffer<float> shares_;  // of a particle that moves with a sample; per entry of the boundary's neighbour lists
    Buffer<NearbyFluid> nearby_;
    // Per sample of the binding.
    Buffer<NearbyFluid> atSamples_;
    Buffer<Vec3> sampleNormals_;
};

}  // namespace purl
