// Finds the geometry behind the MObject of a function set, which may be data or a shape node.
#pragma once
#include "host/api/access.h"

namespace purl::host {

// For reading: the data itself, or the evaluated output of a shape. Null if there is none.
template <class T>
std::shared_ptr<const T> readGeometry(const MObject& object, const char* outputAttr) {
    if (auto data = Api::as<T>(object)) return data;
    const NodePtr n = Api::node(object);
    if (!n || !n->graph || !n->find(outputAttr)) return nullptr;
    return n->plug(std::string(outputAttr)).template data<T>();
}

// For writing: edits the data in place, or a copy of a shape's own geometry if that is not connected.
template <class T, class Edit>
MStatus editGeometry(const MObject& object, const char* inputAttr, Edit edit) {
    if (auto data = Api::as<T>(object)) return edit(*data);
    const NodePtr n = Api::node(object);
    if (!n || !n->graph || !n->find(inputAttr)) return MStatus::kFailure;
    const Plug in = n->plug(std::string(inputAttr));
    if (const Plug source = in.source()) {
        report(Severity::Error, n->name + ": its geometry is driven by " + source.name() + "; disconnect it first");
        return MStatus::kFailure;
    }
    auto held = in.data<T>();
    auto copy = held ? std::static_pointer_cast<T>(held->clone()) : std::make_shared<T>();
    const MStatus s = edit(*copy);
    if (!s) return s;
    return attempt([&] { in.set(std::static_pointer_cast<Data>(copy)); });
}

// The input that holds the shape of a curve or surface node: "cached" if it was loaded from a file and has no history.
inline const char* controlledInput(const MObject& object) {
    const NodePtr n = Api::node(object);
    if (!n || !n->graph || !n->find("create")) return "create";
    const Plug create = n->plug("create");
    return !create.source() && !create.data() && n->plug("cached").data() ? "cached" : "create";
}

// Stores new geometry in parentOrOwner (data, a transform, or a new transform). Returns the result of the function
// set's create().
template <class T>
MObject placeGeometry(MObject& slot, std::shared_ptr<T> made, const MObject& parentOrOwner, const char* shapeType,
                      const char* inputAttr, MStatus* status) {
    if (auto owner = Api::as<T>(parentOrOwner)) {
        *owner = *made;
        slot = parentOrOwner;
        setStatus(status, MStatus::kSuccess);
        return slot;
    }
    const NodePtr parent = Api::node(parentOrOwner);
    Graph* g = parent ? parent->graph : needGraph(shapeType);
    if (!g || (!parent && !parentOrOwner.isNull())) {
        setStatus(status, MStatus::kInvalidParameter);
        return {};
    }
    MObject result;
    const MStatus s = attempt([&] {
        NodePtr shape = parent ? g->create(shapeType, parent->name + "Shape", parent) : g->createWithParent(shapeType);
        shape->plug(std::string(inputAttr)).set(std::static_pointer_cast<Data>(made));
        Api::set(slot, shape);
        result = parent ? slot : Api::make(std::static_pointer_cast<Object>(shape->parents.front()->ptr()));
    });
    setStatus(status, s.statusCode());
    return result;
}

// Object-to-world matrix of the function set's path. False if kWorld is requested without a path.
inline bool spaceMatrix(const MObject& object, const MDagPath& path, MSpace::Space space, MMatrix& m) {
    m = MMatrix();
    if (space != MSpace::kWorld) return true;
    if (path.isValid()) {
        m = path.inclusiveMatrix();
        return true;
    }
    return object.hasFn(MFn::kData);  // data has no world matrix: its points are used as they are
}

}  // namespace purl::host
