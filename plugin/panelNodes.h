// The nodes of a simulation as the panel shows them, read through Maya's API: from Maya itself, or from the host.
#pragma once
#include <maya/MObject.h>
#include <maya/MString.h>

#include <vector>

#include "panel/model.h"

namespace purl {

// The solver, the bodies connected to it with their emitters, and what reads its frames; all of Purl's nodes that no
// solver knows come last. Values are in the scene's units.
std::vector<PanelNode> panelNodes(const MObject& solver);

}  // namespace purl
