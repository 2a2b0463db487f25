// Writes a graph as Maya ASCII, in the order in which Maya does: header, requirements, units, nodes with what is unlike
// their type's defaults, connections. Numbers have the fewest digits that read back to the same bits, and what
// loadScene kept in words comes out in those words, so that a scene loaded, saved and loaded again is the same scene.
// References come out as nodes of their own, with their namespace.
#pragma once
#include <string>

#include "host/graph/graph.h"

namespace purl::host {

// `name` stands in the comments. Files that the scene refers to are named as they can be found from `folder`; where
// that is empty, in full.
std::string sceneText(const Graph& graph, const std::string& name, const std::string& folder = {});
// Replaces the file only once the new one is whole. Throws Error naming the path and what is wrong with it.
void saveScene(const Graph& graph, const std::string& path);

}  // namespace purl::host
