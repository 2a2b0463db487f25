// Units in values that a person types: "4mm", "0.1 Pa·s", "90deg". A bare number is in the unit that the attribute has
// in the scene.
#pragma once
#include <string>

#include "host/graph/graph.h"

namespace purl {

// The unit of a bare number for this plug: "cm" or what lengths have in the scene, "deg", "frames", "Pa·s"; empty for
// pure numbers and for what is not a number.
std::string unitOf(const host::Plug& plug);

// `text` without units, converted to the plug's own. Text that does not begin with a number stays as it is. Throws
// Error where a unit does not fit, and says which do.
std::string withoutUnits(const host::Plug& plug, const std::string& text);

// "water.particleSpacing = 0.4 cm".
std::string valueWithUnit(const host::Plug& plug);

}  // namespace purl
