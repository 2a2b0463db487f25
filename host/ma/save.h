// Writes a graph as Maya ASCII, in the order in which Maya does: header, requirements, units, nodes with what is unlike
// their type's defaults, connections. Numbers have the fewest digits that read back to the same bits, and what
// loadScene kept in words comes out in those words, so that a scene loaded, saved and loaded again is the same scene.
// References come out as nodes of their own, with their namespace.
#pragma once
#include <string>

#include "host/graph/graph.h"

namespace purl::host {

// `name` stands in the comments.
std::string sceneText(const Graph& graph, const std::string& name);
// Replaces the file only once the new one is whole. Throws Error naming the path and what is wrong with it.
void saveScene(const Graph& graph, const std::string& path);

}  // namespace purl::host
