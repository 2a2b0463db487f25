// Points of cloths that are fixed to colliders: at the start each finds its place on a primitive, or on the nearest
// triangle of a mesh, and goes where that goes, a rigid body's too. Cloth does not pull at what it is fixed to.
#pragma once
#include <vector>

#include "solver/colliders/colliders.h"

namespace purl {

class Attachments {
  public:
    // Finds what the scene's cloths fix to which collider; `shapes`: where colliders stood at the start, `rest`: where
    // all cloths' points did. Throws Error naming the cloth on a collider that is none.
    void set(const Scene& scene, const std::vector<Cloth>& cloths, const std::vector<ColliderPlace>& shapes,
             Span<const Vec3> rest);

    bool empty() const { return holds_.empty(); }
    // Pins what is fixed; the cloths must be those that were set.
    void pin(std::vector<Cloth>& cloths) const;
    // Writes where each is as the small step ends that the colliders are placed for.
    void lead(Span<const PlacedCollider> placed, Vec3* from, Vec3* to) const;

  private:
    struct Hold {
        int point, collider;
        int triangle = -1;  // of a mesh
        Vec3 local;         // in the primitive's frame; of a triangle u, v and height
    };
    std::vector<Hold> holds_;
};

}  // namespace purl
