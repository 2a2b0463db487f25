// The surface of a soft body as it is shown: its vertices without what each has for itself alone. Low stiffness lets
// single points stand out of their neighbours; contacts and fluids go by the points, pictures by this.
#pragma once
#include <vector>

#include "solver/core/buffer.h"
#include "solver/params/softBody.h"

namespace purl {

// `rest`, `x`: where the body's vertices are without strain, and now. What is pinned stays where it is.
std::vector<Vec3> displaySurface(const Device& device, const SoftBody& body, Span<const Vec3> rest, Span<const Vec3> x);

}  // namespace purl
