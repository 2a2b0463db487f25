// A gas as soft splats, sorted for blending, with the light that reaches each of them through the rest of the gas.
#pragma once
#include <vector>

#include "render/view.h"

namespace purl {

// Attributes 0 to 3 of gas.vert.
struct GasVertex {
    Vec3 position, color;
    float radius;
    float opticalDepth;        // through the middle of the splat
    float keyShare, skyShare;  // of the key light and of the sky's light, what the gas lets through to here
};

// Optical depth between the points of a gas and the outside, along one direction.
class GasShadow {
  public:
    // `extinction`: per length at rest density; `towards`: unit vector to the light.
    GasShadow(const Points& points, float restVolume, float cell, float extinction, Vec3 towards);
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

// Far to near as the view's camera sees them. `viewRadius`: of what the view shows.
std::vector<GasVertex> gasSplats(const GasLook& look, const View& view, float viewRadius);

}  // namespace purl
