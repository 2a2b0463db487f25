// Units in typed values: "4mm", "0.1 Pa·s", "90deg". A number without a unit is in the attribute's unit in the scene.
#pragma once
#include <string>

#include "host/graph/graph.h"

namespace purl {

// The unit of a number without a unit for this plug: "cm" (or the scene's unit of length), "deg", "frames", "Pa·s";
// empty for dimensionless numbers and non-numeric attributes.
std::string unitOf(const host::Plug& plug);

// Converts values with units to plain numbers in the plug's unit. Text that does not begin with a number is returned
// unchanged. Throws Error that lists the possible units if one does not fit.
std::string withoutUnits(const host::Plug& plug, const std::string& text);

// "water.particleSpacing = 0.4 cm (0.004 m)".
std::string valueWithUnit(const host::Plug& plug);

}  // namespace purl
