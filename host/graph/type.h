// Node types: their attributes, the affects relation, and how outputs are computed.
//
//     Type& cube = addType("polyCube");
//     cube.apiType = MFn::kPluginDependNode;
//     auto width = cube.add(range(number("width", "w", 1.0, Kind::Distance), 0));
//     auto out   = cube.add(output(typed("output", "out", DataType::Mesh)));
//     cube.affects({width}, {out});
//     cube.compute = [=](const Plug& plug) {
//         if (plug.attr != out) return Result::Unknown;
//         plug.put(makeCube(plug.node->plug(width).number()));
//         return Result::Done;
//     };
//
// Types are process-wide, because a plugin keeps its attributes in static members; graphs (graph.h) are not.
#pragma once
#include <atomic>
#include <functional>
#include <map>
#include <unordered_map>
#include <vector>

#include "host/graph/attr.h"

namespace purl::host {

class Plug;
class Node;

struct Type {
    std::string name;
    unsigned id = 0;  // MTypeId of plugin nodes
    Type* base = nullptr;
    bool dag = false;    // is a DAG node
    bool shape = false;  // DAG leaf under a transform
    bool placeholder = false;
    MFn::Type apiType = MFn::kDependencyNode;
    std::vector<MFn::Type>
        functions;  // compatible function sets, in addition to apiType, kDagNode and those of the bases
    std::string classification, plugin;
    std::atomic<int> instances{0};               // nodes of this type, in all graphs
    std::function<Result(const Plug&)> compute;  // built-in types; throwing Error means Failed with that message
    std::function<void(Node&)> created;          // built-in types: after creation
    void* (*create)() = nullptr;                 // plugin types: creates the MPxNode

    AttrPtr add(AttrPtr attr);  // throws if a name is in use
    void affects(const std::vector<AttrPtr>& from, const std::vector<AttrPtr>& to);
    void affects(const Attr* from, const Attr* to);

    AttrPtr find(const std::string& longOrShortName) const;  // including children and bases; null if not found
    std::vector<AttrPtr> attributes() const;                 // roots only, bases first
    const std::vector<const Attr*>& affectedBy(
        const Attr* from) const;                  // affected by `from`, as declared by this type; excludes bases
    bool isOutput(const Attr* attr) const;        // it or one of its parents is affected by another attribute
    bool holdsOutput(const Attr* attr) const;     // it, a parent or a child is an output
    bool isA(const std::string& typeName) const;  // this type or one of its bases
    bool has(const Attr* root) const;
    bool hasFn(MFn::Type fn) const;
    const std::vector<AttrPtr>& own() const { return own_; }

  private:
    std::vector<AttrPtr> own_;
    std::unordered_map<std::string, AttrPtr> byName_;
    std::map<const Attr*, std::vector<const Attr*>> affects_;  // lookup only: iteration order is not deterministic
    std::unordered_map<const Attr*, bool> affected_, holdsAffected_;  // sets
};

// Bases: "dependNode" (message, caching, frozen, isHistoricallyInteresting, nodeState) ⊂ everything;
// "dagNode" (adds visibility, intermediateObject, template, matrix arrays, boundingBox, …) ⊂ "transform", "shape" ⊂ ….
Type& addType(const std::string& name, const std::string& base = "dependNode");
Type* findType(const std::string& name);  // null if unknown
void removeType(const std::string& name);
std::vector<std::string> typeNames();  // in order of registration
std::string typeNameOf(unsigned id);   // type registered under an MTypeId, or empty

}  // namespace purl::host
