// Values of a node's attributes, for function sets whose calls each stand for one.
#pragma once
#include "host/api/access.h"

namespace purl::host {

inline double numberOf(const MObject& object, const char* attribute, MStatus* status) {
    const NodePtr n = Api::node(object);
    setStatus(status, n ? MStatus::kSuccess : MStatus::kFailure);
    return n ? n->plug(attribute).number() : 0;
}

// Fails with a message if the attribute is locked, driven, or the value is out of its range.
inline MStatus setNumber(const MObject& object, const char* attribute, double value) {
    const NodePtr n = Api::node(object);
    return n ? attempt([&] { n->plug(attribute).set(value); }) : MStatus(MStatus::kFailure);
}

// Creates a shape below `parent`, or with a transform, which is returned. `slot` is the shape.
inline MObject createShape(MObject& slot, const char* type, const MObject& parent, bool withTransform,
                           MStatus* status) {
    const NodePtr above = Api::node(parent);
    Graph* g = above ? above->graph : needGraph(type);
    if (!g || (!above && !parent.isNull())) {
        setStatus(status, MStatus::kInvalidParameter);
        return {};
    }
    MObject result;
    const MStatus s = attempt([&] {
        NodePtr holder = above;
        if (above && withTransform) holder = g->create("transform", std::string(type) + "#", above);
        const NodePtr shape = holder ? g->create(type, holder->name + "Shape", holder) : g->createWithParent(type);
        slot = Api::make(shape);
        result = above && !withTransform ? slot : Api::make(shape->parents.front()->ptr());
    });
    setStatus(status, s.statusCode());
    return result;
}

}  // namespace purl::host
