#define MNoVersionString  // the version symbols belong to plugin.cpp
#include "nodes/nodes.h"

#include <maya/MFnDependencyNode.h>
#include <maya/MGlobal.h>
#include <maya/MItDependencyNodes.h>

#include <algorithm>
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
#include "nodes/mainThread.h"
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
    NodeRole role;
    const char* fileAttribute;  // attribute that names the files the node reads; null: none
    std::vector<std::string> (*inputFiles)(const MPxNode&);
};

template <class Node>
NodeEntry entry() {
    NodeEntry entry{Node::kName,
                    Node::kId,
                    []() -> void* { return new Node; },
                    [] { return addPlugs<Node>(); },
                    std::is_base_of_v<MPxLocatorNode, Node> ? MPxNode::kLocatorNode : MPxNode::kDependNode,
                    referenceOf<Node>,
                    roleOf<Node>(),
                    nullptr,
                    nullptr};
    if constexpr (ReadsFiles<Node>::value) {
        entry.fileAttribute = Node::kFileAttribute;
        entry.inputFiles = [](const MPxNode& node) { return static_cast<const Node&>(node).inputFiles(); };
    }
    return entry;
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

MStatus reported(const MStatus& status, const char* what, const char* name) {
    if (!status) MGlobal::displayError(MString("purl: cannot ") + what + " " + name + ": " + status.errorString());
    return status;
}

// The first `data` data types and the first `nodes` nodes. Continues after a failure.
MStatus deregisterFirst(MFnPlugin& plugin, size_t data, size_t nodes) {
    MStatus all;
    for (size_t k = 0; k < nodes; ++k) {
        const MStatus status = plugin.deregisterNode(MTypeId(kNodes[k].id));
        if (!reported(status, "deregister", kNodes[k].name)) all = status;
    }
    for (size_t k = 0; k < data; ++k) {
        const MStatus status = plugin.deregisterData(MTypeId(kData[k].id));
        if (!reported(status, "deregister", kData[k].name)) all = status;
    }
    return all;
}

}  // namespace

MStatus registerNodes(MFnPlugin& plugin) {
    rememberMainThread();
    size_t data = 0, nodes = 0;  // registered so far
    MStatus status;
    for (; status && data < std::size(kData); data += bool(status)) {
        status = plugin.registerData(kData[data].name, MTypeId(kData[data].id), kData[data].create);
        reported(status, "register", kData[data].name);
    }
    for (; status && nodes < std::size(kNodes); nodes += bool(status)) {
        const NodeEntry& node = kNodes[nodes];
        // Viewport 2.0 finds the draw override by this classification.
        const bool drawn = node.type == MPxNode::kLocatorNode;
        const MString classification = drawn ? MString("dynamics:drawdb/geometry/") + node.name : MString("dynamics");
        status =
            plugin.registerNode(node.name, MTypeId(node.id), node.create, node.initialize, node.type, &classification);
        reported(status, "register", node.name);
    }
    if (!status) deregisterFirst(plugin, data, nodes);
    return status;
}

MStatus deregisterNodes(MFnPlugin& plugin) { return deregisterFirst(plugin, std::size(kData), std::size(kNodes)); }

bool isFrameFilter(const std::string& nodeType) {
    return std::any_of(std::begin(kNodes), std::end(kNodes), [&](const NodeEntry& node) {
        return node.role == NodeRole::frameFilter && nodeType == node.name;
    });
}

std::vector<InputFile> inputFilesOfScene() {
    std::vector<InputFile> files;
    for (MItDependencyNodes nodes; !nodes.isDone(); nodes.next()) {
        const MFnDependencyNode node(nodes.thisNode());
        const auto entry = std::find_if(std::begin(kNodes), std::end(kNodes), [&](const NodeEntry& e) {
            return e.fileAttribute && node.typeName() == e.name;
        });
        const MPxNode* own = entry == std::end(kNodes) ? nullptr : node.userNode();
        if (!own) continue;
        for (const std::string& path : entry->inputFiles(*own))
            files.push_back(inputFileAt(std::string(node.name().asUTF8()) + "." + entry->fileAttribute, path));
    }
    std::stable_sort(files.begin(), files.end(), [](const InputFile& a, const InputFile& b) { return a.use < b.use; });
    return files;
}

std::vector<NodeReference> nodeReferences() {
    std::vector<NodeReference> references;
    for (const NodeEntry& node : kNodes) references.push_back(node.reference());
    return references;
}

}  // namespace purl
