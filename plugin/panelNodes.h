// Reads the nodes of a simulation for the panel through Maya's API, in Maya or in the host.
#pragma once
#include <maya/MObject.h>
#include <maya/MString.h>

#include <vector>

#include "panel/model.h"

namespace purl {

// The solver, its bodies with their emitters, and the readers of its frames; then all Purl nodes without a solver.
// Values are in scene units.
std::vector<PanelNode> panelNodes(const MObject& solver);

}  // namespace purl
