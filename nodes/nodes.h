// The table of nodes: adding one is one line in nodes.cpp.
#pragma once
#include <maya/MFnPlugin.h>
#include <maya/MStatus.h>

#include <string>
#include <vector>

#include "nodes/reference.h"
#include "solver/cache/runIdentity.h"

namespace purl {

// Registers every node and data type, or none: the first failure takes back what was there. Takes all of them back,
// whichever fails. With a message each.
MStatus registerNodes(MFnPlugin& plugin);
MStatus deregisterNodes(MFnPlugin& plugin);

// What every node has, as docs/attributes.md, `purl describe` and Python's docstrings tell it.
std::vector<NodeReference> nodeReferences();

// "purl 0.1.0", as caches name what wrote them.
std::string toolVersion();

// The files that nodes of the current scene read as attributes name them now: charts, states, meshes, caches. In a
// fixed order. Reads them all.
std::vector<InputFile> inputFilesOfScene();

}  // namespace purl
