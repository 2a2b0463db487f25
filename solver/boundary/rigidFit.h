// Rigid registration: whether a mesh has only moved, or deformed too.
#pragma once
#include <vector>

#include "solver/scene.h"

namespace purl {

// The shape a mesh is compared with, and three of its vertices that lie far from one another.
class RigidShape {
  public:
    void set(const std::vector<Vec3>& vertices);
    const std::vector<Vec3>& vertices() const { return vertices_; }

    // Finds the pose that maps the shape to these vertices, within `tolerance` metres each. Returns false if there is
    // none, because the mesh has deformed. Identical vertices give exactly the identity pose.
    bool fit(const std::vector<Vec3>& vertices, float tolerance, Pose& pose) const;

  private:
    std::vector<Vec3> vertices_;
    int anchors_[3] = {0, 0, 0};
};

}  // namespace purl
