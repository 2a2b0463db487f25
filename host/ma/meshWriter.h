// Writes the geometry of a mesh node as setAttr statements, the inverse of MeshReader.
#pragma once
#include <string>

#include "host/graph/graph.h"

namespace purl::host {

// Approximate number of values per statement, like Maya: keeps lines readable in editors.
constexpr int kNumbersPerStatement = 500;

// The setAttr statements, each starting with a tab.
std::string meshStatements(const MeshData& mesh, const Units& units);
// The same, as the value list of a single setAttr -type "mesh".
std::string labelledMeshText(const MeshData& mesh, const Units& units);

}  // namespace purl::host
