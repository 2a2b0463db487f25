// FreeSpace: where colliders leave space for new particles.
#pragma once
#include <vector>

#include "solver/colliders/colliders.h"

namespace purl {

// Tests whether a particle may be created at x: on the allowed side of every collider, and at rest distance from it.
class FreeSpace {
  public:
    FreeSpace(Span<const PlacedCollider> walls, float spacing);

    bool isFree(Vec3 x) const;
    // Moves x away from colliders closer than half a spacing, to half a spacing. False if x is inside a collider, or if
    // there is not enough space between colliders.
    bool pushOff(Vec3& x) const;
    // Moves x along a direction until it is free. False if there is no free position nearby.
    bool moveOut(Vec3& x, Vec3 along) const;

  private:
    float spacing_;
    std::vector<PlacedCollider> solids_;  // the colliders themselves
    std::vector<PlacedCollider> walls_;   // enlarged by half a spacing
};

}  // namespace purl
