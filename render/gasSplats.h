// Gas rendered as depth-sorted soft splats, with self-shadowing from the gas itself.
#pragma once
#include <vector>

#include "render/view.h"

namespace purl {

// Vertex attributes 0 to 3 of gas.vert.
struct GasVertex {
    Vec3 position, color;
    float radius;
    float opticalDepth;                        // through the splat's centre
    float keyTransmittance, skyTransmittance;  // transmittance of the gas towards the key light and the sky
};

// Optical depth from any point of a gas to the outside along one direction, on a grid.
class GasShadow {
  public:
    // `extinction`: per unit length at rest density; `toLight`: unit vector towards the light.
    GasShadow(const Points& points, float restVolume, float cell, float extinction, Vec3 toLight);
    float at(Vec3 position) const;
    Vec3 low() const { return low_; }
    float cell() const { return cell_; }

  private:
    float value(int x, int y, int z) const;

    Vec3 low_;
    float cell_ = 1;
    int size_[3] = {0, 0, 0};
    std::vector<float> depth_;
};

// Splats sorted back to front for the view's camera. `viewRadius`: radius of the view's contents.
std::vector<GasVertex> gasSplats(const GasLook& look, const View& view, float viewRadius);

}  // namespace purl
