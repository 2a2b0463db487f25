// Writes a graph as Maya ASCII in Maya's order: header, requirements, units, nodes with their non-default values,
// connections. Numbers have the fewest digits that round-trip, and statements that loadScene preserved are written
// verbatim, so a scene survives load, save and load unchanged.
#pragma once
#include <string>

#include "host/graph/graph.h"

namespace purl::host {

// `name` appears in the header comment. Paths of references are written relative to `folder`, or absolute if it is
// empty.
std::string sceneText(const Graph& graph, const std::string& name, const std::string& folder = {});
// Replaces the file atomically once the new one is complete. Throws Error with the path and the cause.
void saveScene(const Graph& graph, const std::string& path);

}  // namespace purl::host
