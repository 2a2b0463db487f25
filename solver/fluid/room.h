// Room: where walls let particles be born.
#pragma once
#include <vector>

#include "solver/colliders/colliders.h"

namespace purl {

// Whether a particle may be born at x: on the allowed side of every wall, and where those leave it alone.
class Room {
  public:
    Room(Span<const PlacedCollider> walls, float spacing);

    bool isFree(Vec3 x) const;
    // Moves x off walls that are nearer than half a spacing, to half a spacing. False where x is within a wall, or
    // where there is no room between walls.
    bool moveAway(Vec3& x) const;
    // Moves x along a direction until it is free. False where no such place is near.
    bool comeOut(Vec3& x, Vec3 along) const;

  private:
    float spacing_;
    std::vector<PlacedCollider> solids_;  // the walls themselves
    std::vector<PlacedCollider> walls_;   // with half a spacing around them
};

}  // namespace purl
