// Geometry function sets work on data and on shape nodes alike; this finds the data behind either.
#pragma once
#include "host/api/access.h"

namespace purl::host {

// To read: the data itself, or the evaluated output of a shape. Null: none.
template <class T>
std::shared_ptr<const T> readGeometry(const MObject& object, const char* outputAttr) {
    if (auto data = Api::as<T>(object)) return data;
    const NodePtr n = Api::node(object);
    if (!n || !n->graph || !n->find(outputAttr)) return nullptr;
    return n->plug(std::string(outputAttr)).template data<T>();
}

// To write: changes the data in place, or a copy of a shape's own, undriven geometry.
template <class T, class Edit>
MStatus editGeometry(const MObject& object, const char* inputAttr, Edit edit) {
    if (auto data = Api::as<T>(object)) return edit(*data);
    const NodePtr n = Api::node(object);
    if (!n || !n->graph || !n->find(inputAttr)) return MStatus::kFailure;
    const Plug in = n->plug(std::string(inputAttr));
    if (const Plug source = in.source()) {
        report(Severity::Error, n->name + ": its geometry is driven by " + source.name());
        return MStatus::kFailure;
    }
    auto held = in.data<T>();
    auto copy = held ? std::static_pointer_cast<T>(held->clone()) : std::make_shared<T>();
    const MStatus s = edit(*copy);
    if (!s) return s;
    return attempt([&] { in.set(std::static_pointer_cast<Data>(copy)); });
}

// Puts new geometry where parentOrOwner says. Returns what create() of the function set hands back.
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

// Object → world, if a function set was given a path; false: kWorld was asked for without one.
inline bool spaceMatrix(const MObject& object, const MDagPath& path, MSpace::Space space, MMatrix& m) {
    m = MMatrix();
    if (space != MSpace::kWorld) return true;
    if (path.isValid()) {
        m = path.inclusiveMatrix();
        return true;
    }
    return object.hasFn(MFn::kData);  // data knows no world: its points are as they are
}

}  // namespace purl::host
