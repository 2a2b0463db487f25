// Rigid registration: finds the pose of a mesh that has moved without deforming.
#pragma once
#include <vector>

#include "solver/scene.h"

namespace purl {

// The reference shape, and three of its vertices that are far apart.
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
