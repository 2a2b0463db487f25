// The settings of a scene as text, in a unit of length of one's choice.
#pragma once
#include <string>

#include "solver/scene.h"

namespace purl {

// One line a setting. The lengths of `scene` are in `lengthUnit`, which stands behind them: "cm".
std::string toString(const Scene& scene, const std::string& lengthUnit);

}  // namespace purl
