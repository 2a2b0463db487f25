// The geometry that a mesh stores of itself, as the statements of a scene file: what MeshReader reads.
#pragma once
#include <string>

#include "host/graph/graph.h"

namespace purl::host {

// A statement holds about so many numbers, as Maya's do: a line that an editor can still show.
constexpr int kNumbersInStatement = 500;

// setAttr statements, a line or more each, beginning with a tab.
std::string meshStatements(const MeshData& mesh, const Units& units);
// The same as values of one setAttr -type "mesh".
std::string labelledMeshText(const MeshData& mesh, const Units& units);

}  // namespace purl::host
