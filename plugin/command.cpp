#include "plugin/command.h"

#include <maya/MFnDagNode.h>
#include <maya/MFnDependencyNode.h>
#include <maya/MGlobal.h>
#include <maya/MPlugArray.h>
#include <maya/MSelectionList.h>

#include <algorithm>

#include "nodes/cacheNode.h"
#include "nodes/solverNode.h"
#include "solver/core/error.h"

namespace purl {

MStatus PurlCommand::doIt(const MArgList& list) {
    MStatus status;
    const MArgDatabase arguments(syntax(), list, &status);
    if (!status) return status;
    try {
        run(arguments);
        return MS::kSuccess;
    } catch (const Cancelled&) { displayError(MString(name()) + ": cancelled"); } catch (const std::exception& error) {
        displayError(MString(name()) + ": " + error.what());
    } catch (...) { displayError(MString(name()) + ": failed for an unknown reason"); }
    if (edited_) modifier_.undoIt();
    edited_ = false;
    return MS::kFailure;
}

void PurlCommand::done(const MStatus& status, const MString& what) {
    if (!status) throw Error(std::string("cannot ") + what.asChar());
}

void PurlCommand::commit() {
    edited_ = true;
    done(modifier_.doIt(), "edit the scene");
}

MObject PurlCommand::create(const char* type, const MString& name) {
    MStatus status;
    const MObject node = modifier_.MDGModifier::createNode(MString(type), &status);
    done(status, MString("create a ") + type);
    if (name.length() > 0) modifier_.renameNode(node, name);
    commit();
    return node;
}

MObject PurlCommand::createTransform(const MString& name) {
    MStatus status;
    const MObject node = modifier_.createNode("transform", MObject::kNullObj, &status);
    done(status, "create a transform");
    modifier_.renameNode(node, name);
    commit();
    return node;
}

MObject PurlCommand::createShape(const char* type, const MString& name, const MObject& parent) {
    MStatus status;
    const MObject node = modifier_.createNode(type, parent, &status);
    done(status, MString("create a ") + type);
    modifier_.renameNode(node, name);
    commit();
    return node;
}

void PurlCommand::connect(const MPlug& source, const MPlug& destination) {
    modifier_.connect(source, destination);
    commit();
}
void PurlCommand::disconnect(const MPlug& source, const MPlug& destination) {
    modifier_.disconnect(source, destination);
    commit();
}
void PurlCommand::set(const MPlug& plug, const MString& text) {
    modifier_.newPlugValueString(plug, text);
    commit();
}
void PurlCommand::set(const MPlug& plug, int value) {
    modifier_.newPlugValueInt(plug, value);
    commit();
}
void PurlCommand::set(const MPlug& plug, bool value) {
    modifier_.newPlugValueBool(plug, value);
    commit();
}
void PurlCommand::set(const MPlug& plug, float x, float y, float z) {
    const float values[] = {x, y, z};
    for (unsigned i = 0; i < 3; ++i) modifier_.newPlugValueFloat(plug.child(i), values[i]);
    commit();
}
void PurlCommand::set(const MPlug& plug, const MAngle& value) {
    modifier_.newPlugValueMAngle(plug, value);
    commit();
}
void PurlCommand::remove(const MObject& node) {
    modifier_.deleteNode(node);
    commit();
}

void PurlCommand::simulate(const MObject& solver) {
    const MObject cache = cacheBehind(solver);
    if (!cache.isNull()) set(plugOf(cache, "mode"), int(CacheMode::pass));
    set(plugOf(solver, "playFromCache"), false);
}
void PurlCommand::playCache(const MObject& solver) {
    set(plugOf(cacheBehind(solver), "mode"), int(CacheMode::read));
    set(plugOf(solver, "playFromCache"), true);
}

// --- the graph

MPlug nextElement(const MPlug& array) {
    for (unsigned i = 0;; ++i) {
        const MPlug element = array.elementByLogicalIndex(i);
        if (sourceOf(element).isNull()) return element;
    }
}

MObject timeNode() {
    const std::vector<MObject> times = nodesOfType("time");
    if (times.empty()) throw Error("the scene has no time1");
    return times.front();
}

// Follows a node's outgoing connections to a solver.
static MObject solverFrom(const MObject& node, int depth) {
    if (typeOf(node) == SolverNode::kName) return node;
    if (depth == 0) return MObject();
    MPlugArray plugs;
    MFnDependencyNode(node).getConnections(plugs);
    for (unsigned i = 0; i < plugs.length(); ++i) {
        for (const MPlug& to : destinationsOf(plugs[i])) {
            const std::string type = typeOf(to.node());
            if (type.compare(0, 4, "purl") != 0) continue;
            const MObject found = solverFrom(to.node(), depth - 1);
            if (!found.isNull()) return found;
        }
        // A mesh driven by purlClothMesh belongs to the solver upstream of it.
        const MPlug from = sourceOf(plugs[i]);
        if (!from.isNull() && typeOf(from.node()).compare(0, 4, "purl") == 0) {
            if (isAttribute(plugs[i], "inFrame") || isAttribute(plugs[i], "inMesh")) {
                const MObject found = solverFrom(from.node(), depth - 1);
                if (!found.isNull()) return found;
            }
        }
    }
    return MObject();
}

MObject findSolver(const MString& name, const std::vector<MObject>& selected) {
    if (name.length() > 0) {
        const MObject node = nodeNamed(name);
        if (typeOf(node) != SolverNode::kName) throw Error(std::string(name.asChar()) + " is not a purlSolver");
        return node;
    }
    constexpr int kMaxChainLength = 6;  // the longest chain: mesh, cloth, solver, cache, surface, shape
    for (const MObject& object : selected) {
        for (const MObject& start : {object, shapeOf(object)}) {
            if (start.isNull()) continue;
            const MObject found = solverFrom(start, kMaxChainLength);
            if (!found.isNull()) return found;
        }
    }
    const std::vector<MObject> solvers = nodesOfType(SolverNode::kName);
    if (solvers.size() > 1) {
        std::string names;
        for (const MObject& s : solvers) names += (names.empty() ? "" : ", ") + std::string(nameOf(s).asChar());
        throw Error("the scene has several solvers; choose one with -solver: " + names);
    }
    return solvers.empty() ? MObject() : solvers.front();
}

MObject requireSolver(const MArgDatabase& arguments) {
    MString name;
    if (arguments.isFlagSet("-solver")) arguments.getFlagArgument("-solver", 0, name);
    const MObject solver = findSolver(name, objectsOf(arguments));
    if (solver.isNull()) throw Error("the scene has no purlSolver; make one with purlCreate");
    return solver;
}

MObject cacheBehind(const MObject& solver) {
    for (const MPlug& to : destinationsOf(plugOf(solver, "outFrame")))
        if (typeOf(to.node()) == "purlCache" && isAttribute(to, "inFrame")) return to.node();
    return MObject();
}

bool cachePlays(const MObject& solver) {
    const MObject cache = cacheBehind(solver);
    return !cache.isNull() && plugOf(cache, "mode").asInt() == int(CacheMode::read);
}

MPlug frameSource(const MObject& solver) {
    const MObject cache = cacheBehind(solver);
    return plugOf(cache.isNull() ? solver : cache, "outFrame");
}

MPlug lastFrame(const MObject& solver) {
    const FrameChain chain = frameChain(solver);
    return chain.end.node() == solver ? frameSource(solver) : chain.end;
}

std::vector<MObject> objectsOf(const MArgDatabase& arguments) {
    MSelectionList list;
    arguments.getObjects(list);
    std::vector<MObject> objects;
    for (unsigned i = 0; i < list.length(); ++i) {
        MObject object;
        if (list.getDependNode(i, object)) objects.push_back(object);
    }
    return objects;
}

MObject shapeOf(const MObject& object) {
    if (!object.hasFn(MFn::kDagNode)) return MObject();
    if (!object.hasFn(MFn::kTransform)) return object;
    const MFnDagNode dag(object);
    for (unsigned i = 0; i < dag.childCount(); ++i) {
        const MObject child = dag.child(i);
        if (!child.hasFn(MFn::kTransform) && !MFnDagNode(child).isIntermediateObject()) return child;
    }
    return MObject();
}

}  // namespace purl
