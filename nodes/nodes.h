// The table of nodes and data types. A new node is one row in nodes.cpp.
#pragma once
#include <maya/MFnPlugin.h>
#include <maya/MStatus.h>

#include <string>
#include <vector>

#include "nodes/reference.h"
#include "solver/cache/runIdentity.h"

namespace purl {

// Registers every node and data type; if one fails, deregisters those before it. Displays an error for each failure.
MStatus registerNodes(MFnPlugin& plugin);
// Deregisters all of them, even if some fail.
MStatus deregisterNodes(MFnPlugin& plugin);

// The attributes of every node, for docs/attributes.md, `purl describe`, the panel and Python's docstrings.
std::vector<NodeReference> nodeReferences();

// Whether nodes of this type take a frame and pass it on, as purlCache, purlFoam and purlSurface do.
bool isFrameFilter(const std::string& nodeType);

// The files that nodes of the current scene read (charts, states, meshes, caches), in a fixed order, with the hashes of
// their contents.
std::vector<InputFile> inputFilesOfScene();

}  // namespace purl
