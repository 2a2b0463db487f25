#include "host/graph/builtin.h"

#include <maya/MPxNode.h>

#include "host/api/access.h"
#include "host/builtin/builtin.h"
#include "host/graph/graph.h"

namespace purl::host {

static void registerDependNode() {
    Type& node = addType("dependNode", "");
    Api::set(MPxNode::message, node.add(message("message", "msg")));
    Api::set(MPxNode::caching, node.add(boolean("caching", "cch")));
    Api::set(MPxNode::frozen, node.add(boolean("frozen", "fzn")));
    Api::set(MPxNode::isHistoricallyInteresting, node.add(number("isHistoricallyInteresting", "ihi", 2, Kind::Byte)));
    Api::set(MPxNode::state, node.add(enumeration("nodeState", "nds",
                                                  {"Normal", "HasNoEffect", "Blocking", "Waiting-Normal",
                                                   "Waiting-HasNoEffect", "Waiting-Blocking"})));
}

// The DAG path that corresponds to an element of a world-space array.
static DagPath instance(const Plug& plug) {
    const std::vector<DagPath> paths = plug.node->graph->dagPaths(*plug.node);
    const size_t i = size_t(plug.indices.back());
    if (i >= paths.size())
        throw Error(plug.name() + ": the node has only " + std::to_string(paths.size()) + " instances");
    return paths[i];
}

static void registerDagNode() {
    Type& dag = addType("dagNode");
    dag.dag = true;
    dag.apiType = MFn::kDagNode;
    dag.add(affectsWorldSpace(keyable(boolean("visibility", "v", true))));
    dag.add(boolean("intermediateObject", "io"));
    dag.add(boolean("template", "tmp"));
    AttrPtr members = array(compound("instObjGroups", "iog",
                                     {array(compound("objectGroups", "og",
                                                     {typed("objectGrpCompList", "gcl", DataType::ComponentList),
                                                      number("objectGroupId", "gid", 0, Kind::Int),
                                                      number("objectGrpColor", "gco", 0, Kind::Short)}))}));
    dag.add(members);

    // The transform type (host/builtin) adds the inputs of `matrix` and computes it; the derived matrices are computed
    // here.
    AttrPtr local = dag.add(affectsWorldSpace(output(matrix("matrix", "m"))));
    AttrPtr inverse = dag.add(output(matrix("inverseMatrix", "im")));
    AttrPtr world = dag.add(worldSpace(output(matrix("worldMatrix", "wm"))));
    AttrPtr worldInverse = dag.add(worldSpace(output(matrix("worldInverseMatrix", "wim"))));
    AttrPtr parent = dag.add(worldSpace(output(matrix("parentMatrix", "pm"))));
    AttrPtr parentInverse = dag.add(worldSpace(output(matrix("parentInverseMatrix", "pim"))));
    dag.affects({local}, {inverse, world, worldInverse, parent, parentInverse});
    dag.compute = [=](const Plug& plug) {
        if (plug.attr == inverse) {
            plug.put(plug.node->plug(local).matrix().inverse());
            return Result::Done;
        }
        if (!plug.isElement()) return Result::Unknown;
        const Graph& graph = *plug.node->graph;
        if (plug.attr == world)
            plug.put(graph.worldMatrix(instance(plug)));
        else if (plug.attr == worldInverse)
            plug.put(graph.worldMatrix(instance(plug)).inverse());
        else if (plug.attr == parent)
            plug.put(graph.parentMatrix(instance(plug)));
        else if (plug.attr == parentInverse)
            plug.put(graph.parentMatrix(instance(plug)).inverse());
        else
            return Result::Unknown;
        return Result::Done;
    };
}

static void registerTime() {
    Type& time = addType("time");
    time.apiType = MFn::kTime;
    time.add(number("outTime", "o", 0, Kind::Time));
    time.add(number("unwarpedTime", "unw", 0, Kind::Time));
    time.add(boolean("enableTimewarp", "etw"));
}

void registerBuiltinTypes() {
    registerDependNode();
    registerDagNode();
    registerTime();
    registerSceneTypes();
}

}  // namespace purl::host
