// AddedMass: the fluid that lies on cloths and moves with them. A sheet is far lighter than the water on it; moved by
// its own mass alone it would be thrown about, and throw the water about, at every step.
#pragma once
#include "solver/coupling/boundaryBinding.h"
#include "solver/fluid/material.h"
#include "solver/particles.h"

namespace purl {

class AddedMass {
  public:
    explicit AddedMass(const Device& device);

    // Looks around the walls where they stand, with the lists they have. `normals`: unit, one a point of the rides.
    void feel(const Particles& particles, const Boundary& walls, const BoundaryBinding& rides,
              const Materials& materials, const std::vector<Vec3>& normals);

    struct Near {
        float above = 0, below = 0;  // kg: in front of the sheet, and behind
        Vec3 momentum;               // kg m/s
        float mass() const { return above + below; }
        bool operator==(const Near& other) const {
            return above == other.above && below == other.below && momentum == other.momentum;
        }
    };
    // One a point of the rides.
    const std::vector<Near>& near() const { return near_; }

    // The fluid takes part in changes of the points' velocities, m/s: each point's in as much mass as is near it.
    void moveAlong(const std::vector<Vec3>& changes, const Boundary& walls, const BoundaryBinding& rides,
                   Particles& particles);

  private:
    Device device_;
    Buffer<float> shares_;  // of a particle that moves with a wall point, as the walls' lists have them
    Buffer<Vec3> changes_;
    std::vector<Near> near_;
    // Of the wall points that ride.
    std::vector<Near> onWalls_;
    std::vector<Vec3> wallNormals_;
};

}  // namespace purl
