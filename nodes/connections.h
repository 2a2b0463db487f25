// Queries of Maya's dependency graph: plugs, names and connections of nodes. All throw Error naming what is missing.
#pragma once
#include <maya/MObject.h>
#include <maya/MPlug.h>
#include <maya/MString.h>

#include <string>
#include <vector>

namespace purl {

MPlug plugOf(const MObject& node, const char* attribute);
MString nameOf(const MObject& node);
std::string typeOf(const MObject& node);
MObject nodeNamed(const MString& name);
std::vector<MObject> nodesOfType(const char* type);
MPlug sourceOf(const MPlug& plug);                          // null if not connected
std::vector<MPlug> destinationsOf(const MPlug& plug);       // in order of connection
bool isAttribute(const MPlug& plug, const char* longName);  // whether the plug is of this attribute

// The chain of nodes that pass the frames of a solver on: solver → purlCache → purlFoam → purlSurface …
struct FrameChain {
    MPlug end;      // the frame with all meshes
    MObject cache;  // the purlCache after the end, where frames are written or played; null if there is none
};
// A purlCache belongs to the chain if another node follows it.
FrameChain frameChain(const MObject& solver);

}  // namespace purl
