// The settings of a scene as text, with any unit of length.
#pragma once
#include <string>

#include "solver/scene.h"

namespace purl {

// One line per setting. `lengthUnit`: the unit of the scene's lengths, printed after them, such as "cm".
std::string toString(const Scene& scene, const std::string& lengthUnit);

}  // namespace purl
