// Stands in for attributes of unknown nodes, so that files keep the connections of plug-ins that are not loaded.
#pragma once
#include <string>

#include "host/graph/graph.h"

namespace purl::host {

// Creates a stand-in for an unknown attribute, with the type of the other end of its connection. A stand-in source
// outputs the destination's previous value, so that a shape driven by an unknown node still has the points stored with
// it. `isList`: connected with -nextAvailable. Returns a null plug if the path names no simple attribute.
Plug standIn(const NodePtr& node, const std::string& path, const Plug& other, bool isSource, bool isList = false);

}  // namespace purl::host
