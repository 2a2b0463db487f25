// Cloth points attached to colliders. At the start each is bound to a primitive's frame or to the nearest triangle of a
// mesh, and follows it from then on, rigid bodies included. The attachment is one-way: cloth does not pull on the
// collider.
#pragma once
#include <vector>

#include "solver/colliders/colliders.h"
#include "solver/core/mirrored.h"

namespace purl {

struct Attachment {
    int point, collider;
    int triangle = -1;  // of a mesh collider
    Vec3 local;         // in the primitive's frame, or triangle coordinates u, v and height
};

class Attachments {
  public:
    explicit Attachments(const Device& device) : attachments_(device, "attachments") {}

    // Binds the points. `shapes`: colliders at the start; `rest`: rest positions of all cloths' points. Throws Error
    // with the cloth's name if its collider does not exist.
    void set(const Scene& scene, const std::vector<Cloth>& cloths, const std::vector<ColliderPlace>& shapes,
             Span<const Vec3> rest);

    bool empty() const { return attachments_.empty(); }
    // Pins the attached points; pass the same cloths as to set.
    void pin(std::vector<Cloth>& cloths) const;
    // Writes the targets of attached points at the end of the substep that the colliders are placed for.
    void moveTargets(const Colliders& colliders, Vec3* from, Vec3* to) const;

  private:
    Mirrored<Attachment> attachments_;
};

}  // namespace purl
