// Surface of a soft body smoothed for display (Taubin). At low stiffness single points stand out from their neighbours;
// contacts and fluids use the raw points.
#pragma once
#include <vector>

#include "solver/core/buffer.h"
#include "solver/params/softBody.h"

namespace purl {

// `rest`, `x`: rest and current positions of the body's vertices. Pinned vertices stay in place.
std::vector<Vec3> displaySurface(const Device& device, const SoftBody& body, Span<const Vec3> rest, Span<const Vec3> x);

}  // namespace purl
