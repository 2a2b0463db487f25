// InitialCounts: what a scene may not change after the start frame: the numbers of bodies and points, dimensions and
// particle spacings.
#pragma once
#include <vector>

#include "solver/scene.h"

namespace purl {

class InitialCounts {
  public:
    void set(const Scene& scene);
    // Soft bodies may be added during a simulation, after the existing ones.
    void setSoftBodies(const Scene& scene);
    // Throws Error naming what changed.
    void throwIfChanged(const Scene& scene) const;

  private:
    int dimensions_ = 3;
    std::vector<float> spacings_;                                // m, of the fluids
    std::vector<size_t> clothPoints_, knitPoints_, softPoints_;  // soft: as of the last frame
};

}  // namespace purl
