#define MNoVersionString  // the version symbols belong to plugin.cpp
#include "nodes/connections.h"

#include <maya/MFnDagNode.h>
#include <maya/MFnDependencyNode.h>
#include <maya/MItDependencyNodes.h>
#include <maya/MPlugArray.h>
#include <maya/MSelectionList.h>

#include "nodes/cacheNode.h"
#include "nodes/nodes.h"
#include "solver/core/error.h"

namespace purl {

MPlug plugOf(const MObject& node, const char* attribute) {
    MStatus status;
    const MPlug plug = MFnDependencyNode(node).findPlug(MString(attribute), false, &status);
    if (!status || plug.isNull()) throw Error(nameOf(node).asChar() + std::string(" has no attribute ") + attribute);
    return plug;
}

MString nameOf(const MObject& node) {
    if (node.hasFn(MFn::kDagNode)) return MFnDagNode(node).partialPathName();
    return MFnDependencyNode(node).name();
}

std::string typeOf(const MObject& node) { return MFnDependencyNode(node).typeName().asChar(); }

MObject nodeNamed(const MString& name) {
    MSelectionList list;
    MObject node;
    if (!list.add(name) || !list.getDependNode(0, node)) throw Error(std::string("there is no node ") + name.asChar());
    return node;
}

std::vector<MObject> nodesOfType(const char* type) {
    std::vector<MObject> found;
    for (MItDependencyNodes nodes; !nodes.isDone(); nodes.next())
        if (typeOf(nodes.thisNode()) == type) found.push_back(nodes.thisNode());
    return found;
}

// MPlug::source is newer than the oldest Maya we build for.
MPlug sourceOf(const MPlug& plug) {
    MPlugArray sources;
    plug.connectedTo(sources, true, false);
    return sources.length() > 0 ? sources[0] : MPlug();
}

std::vector<MPlug> destinationsOf(const MPlug& plug) {
    MPlugArray plugs;
    plug.connectedTo(plugs, false, true);
    std::vector<MPlug> found;
    for (unsigned i = 0; i < plugs.length(); ++i) found.push_back(plugs[i]);
    return found;
}

bool isAttribute(const MPlug& plug, const char* longName) {
    return plug.partialName(false, false, false, false, false, true) == longName;
}

FrameChain frameChain(const MObject& solver) {
    FrameChain chain{plugOf(solver, "outFrame"), MObject()};
    for (bool moved = true; moved;) {
        moved = false;
        chain.cache = MObject();
        for (const MPlug& next : destinationsOf(chain.end)) {
            const std::string type = typeOf(next.node());
            if (!isAttribute(next, "inFrame") || !isFrameFilter(type)) continue;
            const MPlug out = plugOf(next.node(), "outFrame");
            if (type == CacheNode::kName && destinationsOf(out).empty()) {
                chain.cache = next.node();
                continue;
            }
            chain.end = out;
            moved = true;
            break;
        }
    }
    return chain;
}

}  // namespace purl
