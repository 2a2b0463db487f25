#define MNoVersionString  // the version symbols belong to plugin.cpp
#include "nodes/nodes.h"

#include <maya/MGlobal.h>

#include <iterator>

#include "nodes/cacheNode.h"
#include "nodes/clothMeshNode.h"
#include "nodes/clothNode.h"
#include "nodes/colliderNode.h"
#include "nodes/data.h"
#include "nodes/emitterNode.h"
#include "nodes/fieldNode.h"
#include "nodes/fluidNode.h"
#include "nodes/foamNode.h"
#include "nodes/knitNode.h"
#include "nodes/meshSequenceNode.h"
#include "nodes/pointsNode.h"
#include "nodes/rigidNode.h"
#include "nodes/softBodyNode.h"
#include "nodes/solverNode.h"
#include "nodes/surfaceNode.h"
#include "nodes/viewNode.h"
#include "nodes/yarnNode.h"

namespace purl {
namespace {

struct NodeEntry {
    const char* name;
    unsigned id;
    void* (*create)();
    MStatus (*initialize)();
    MPxNode::Type type;
    NodeReference (*reference)();
};

template <class Node>
NodeEntry entry() {
    return {Node::kName,
            Node::kId,
            []() -> void* { return new Node; },
            [] { return addPlugs<Node>(); },
            std::is_base_of_v<MPxLocatorNode, Node> ? MPxNode::kLocatorNode : MPxNode::kDependNode,
            referenceOf<Node>};
}

const NodeEntry kNodes[] = {
    entry<FluidNode>(),     entry<EmitterNode>(),      entry<ClothNode>(),  entry<SoftBodyNode>(), entry<KnitNode>(),
    entry<ColliderNode>(),  entry<FieldNode>(),        entry<SolverNode>(), entry<PointsNode>(),   entry<SurfaceNode>(),
    entry<ClothMeshNode>(), entry<YarnNode>(),         entry<CacheNode>(),  entry<RigidNode>(),    entry<FoamNode>(),
    entry<ViewNode>(),      entry<MeshSequenceNode>(),
};

struct DataEntry {
    const char* name;
    unsigned id;
    void* (*create)();
};

const DataEntry kData[] = {
    {BodyTraits::kName, BodyTraits::kId, BodyData::creator},
    {EmitterTraits::kName, EmitterTraits::kId, EmitterData::creator},
    {FrameTraits::kName, FrameTraits::kId, FrameData::creator},
    {StateTraits::kName, StateTraits::kId, StateData::creator},
    {FoamTraits::kName, FoamTraits::kId, FoamData::creator},
};

MStatus said(const MStatus& status, const char* what, const char* name) {
    if (!status) MGlobal::displayError(MString("purl: cannot ") + what + " " + name + ": " + status.errorString());
    return status;
}

// The first so many of each; whatever of it fails.
MStatus takeBack(MFnPlugin& plugin, size_t data, size_t nodes) {
    MStatus all;
    for (size_t k = 0; k < nodes; ++k) {
        const MStatus status = plugin.deregisterNode(MTypeId(kNodes[k].id));
        if (!said(status, "deregister", kNodes[k].name)) all = status;
    }
    for (size_t k = 0; k < data; ++k) {
        const MStatus status = plugin.deregisterData(MTypeId(kData[k].id));
        if (!said(status, "deregister", kData[k].name)) all = status;
    }
    return all;
}

}  // namespace

MStatus registerNodes(MFnPlugin& plugin) {
    size_t data = 0, nodes = 0;  // registered so far
    MStatus status;
    for (; status && data < std::size(kData); data += bool(status)) {
        status = plugin.registerData(kData[data].name, MTypeId(kData[data].id), kData[data].create);
        said(status, "register", kData[data].name);
    }
    for (; status && nodes < std::size(kNodes); nodes += bool(status)) {
        const NodeEntry& node = kNodes[nodes];
        // What the viewport draws it finds by this name.
        const bool drawn = node.type == MPxNode::kLocatorNode;
        const MString classification = drawn ? MString("dynamics:drawdb/geometry/") + node.name : MString("dynamics");
        status =
            plugin.registerNode(node.name, MTypeId(node.id), node.create, node.initialize, node.type, &classification);
        said(status, "register", node.name);
    }
    if (!status) takeBack(plugin, data, nodes);
    return status;
}

MStatus deregisterNodes(MFnPlugin& plugin) { return takeBack(plugin, std::size(kData), std::size(kNodes)); }

std::vector<NodeReference> nodeReferences() {
    std::vector<NodeReference> references;
    for (const NodeEntry& node : kNodes) references.push_back(node.reference());
    return references;
}

}  // namespace purl
