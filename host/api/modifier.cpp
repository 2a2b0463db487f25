#include <maya/MDGModifier.h>
#include <maya/MDagModifier.h>

#include "host/api/access.h"
#include "host/graph/edits.h"

namespace Autodesk::Maya::OpenMayaHost {

using namespace purl::host;

MStatus MDGModifier::add(const purl::host::Edit& edit) {
    edits_.push_back({edit.redo, edit.undo, edit.done});
    return MStatus::kSuccess;
}

MStatus MDGModifier::doIt() {
    for (Edit& e : edits_) {
        if (e.done) continue;
        const MStatus s = attempt(e.redo);
        if (!s) return s;
        e.done = true;
    }
    return MStatus::kSuccess;
}

MStatus MDGModifier::undoIt() {
    for (size_t k = edits_.size(); k-- > 0;) {
        Edit& e = edits_[k];
        if (!e.done) continue;
        const MStatus s = attempt(e.undo);
        if (!s) return s;
        e.done = false;
    }
    return MStatus::kSuccess;
}

// --- nodes

MObject MDGModifier::createNode(const MString& type, MStatus* status) {
    Graph* g = needGraph("MDGModifier::createNode");
    const Type* t = findType(type.asChar());
    if (!g || !t || t->dag) {
        if (t && t->dag) report(Severity::Error, std::string(type.asChar()) + " is a DAG node type; use MDagModifier");
        setStatus(status, MStatus::kInvalidParameter);
        return {};
    }
    MObject made;
    const MStatus s = attempt([&] {
        const NodePtr n = g->create(type.asChar());
        made = Api::make(n);
        add(creating(*g, {n}));
    });
    setStatus(status, s.statusCode());
    return made;
}
MObject MDGModifier::createNode(const MTypeId& id, MStatus* s) {
    return createNode(MString(typeNameOf(id.id()).c_str()), s);
}

MObject MDagModifier::createNode(const MString& type, MObject parent, MStatus* status) {
    Graph* g = needGraph("MDagModifier::createNode");
    const Type* t = findType(type.asChar());
    const NodePtr above = Api::node(parent);
    if (!g || !t || !t->dag || (!above && !parent.isNull())) {
        setStatus(status, MStatus::kInvalidParameter);
        return {};
    }
    MObject made;
    const MStatus s = attempt([&] {
        NodePtr n = above ? g->create(type.asChar(), "", above) : g->createWithParent(type.asChar());
        const NodePtr shape = n;
        if (!above && t->shape) n = n->parents.front()->ptr();
        made = Api::make(n);
        add(creating(*g, shape == n ? std::vector<NodePtr>{n} : std::vector<NodePtr>{n, shape}));
    });
    setStatus(status, s.statusCode());
    return made;
}
MObject MDagModifier::createNode(const MTypeId& id, MObject parent, MStatus* s) {
    return createNode(MString(typeNameOf(id.id()).c_str()), parent, s);
}

MStatus MDagModifier::reparentNode(const MObject& node, MObject newParent) {
    const NodePtr n = Api::node(node), to = Api::node(newParent);
    if (!n || !n->graph || !n->isDag() || (!to && !newParent.isNull())) return MStatus::kInvalidParameter;
    return add(reparenting(n, to));
}

MStatus MDGModifier::deleteNode(const MObject& node) {
    const NodePtr n = Api::node(node);
    if (!n || !n->graph) return MStatus::kInvalidParameter;
    return add(removing(n));
}

MStatus MDGModifier::renameNode(const MObject& node, const MString& name) {
    const NodePtr n = Api::node(node);
    if (!n || !n->graph) return MStatus::kInvalidParameter;
    return add(renaming(n, name.asChar()));
}

// --- connections

MStatus MDGModifier::connect(const MPlug& source, const MPlug& destination) {
    const Plug s = Api::plug(source), d = Api::plug(destination);
    if (!s || !d) return MStatus::kInvalidParameter;
    return add(connecting(s, d));
}
MStatus MDGModifier::disconnect(const MPlug& source, const MPlug& destination) {
    const Plug s = Api::plug(source), d = Api::plug(destination);
    if (!s || !d) return MStatus::kInvalidParameter;
    return add(disconnecting(s, d));
}
MStatus MDGModifier::connect(const MObject& sn, const MObject& sa, const MObject& dn, const MObject& da) {
    return connect(MPlug(sn, sa), MPlug(dn, da));
}
MStatus MDGModifier::disconnect(const MObject& sn, const MObject& sa, const MObject& dn, const MObject& da) {
    return disconnect(MPlug(sn, sa), MPlug(dn, da));
}

// --- attributes and values

MStatus MDGModifier::addAttribute(const MObject& node, const MObject& attribute) {
    const NodePtr n = Api::node(node);
    const AttrPtr a = Api::attr(attribute);
    if (!n || !a) return MStatus::kInvalidParameter;
    return add(addingAttribute(n, a));
}

MStatus MDGModifier::setNumber(const MPlug& plug, double stored) {
    const Plug p = Api::plug(plug);
    if (!p) return MStatus::kInvalidParameter;
    return add(setting(p, [p, stored] { p.set(stored); }));
}
MStatus MDGModifier::newPlugValueBool(const MPlug& p, bool v) { return setNumber(p, v); }
MStatus MDGModifier::newPlugValueShort(const MPlug& p, short v) { return setNumber(p, v); }
MStatus MDGModifier::newPlugValueInt(const MPlug& p, int v) { return setNumber(p, v); }
MStatus MDGModifier::newPlugValueFloat(const MPlug& p, float v) { return newPlugValueDouble(p, double(v)); }
static bool holds(const MPlug& plug, Kind kind) {
    const AttrPtr a = Api::attr(plug.attribute());
    return a && a->kind == kind;
}
MStatus MDGModifier::newPlugValueDouble(const MPlug& p, double v) {
    return holds(p, Kind::Time) ? MStatus(MStatus::kInvalidParameter) : setNumber(p, v);
}
MStatus MDGModifier::newPlugValueMTime(const MPlug& p, const MTime& v) {
    return holds(p, Kind::Time) ? setNumber(p, ticksOf(v)) : MStatus(MStatus::kInvalidParameter);
}
MStatus MDGModifier::newPlugValueMDistance(const MPlug& p, const MDistance& v) {
    return holds(p, Kind::Distance) ? setNumber(p, v.asCentimeters()) : MStatus(MStatus::kInvalidParameter);
}
MStatus MDGModifier::newPlugValueMAngle(const MPlug& p, const MAngle& v) {
    return holds(p, Kind::Angle) ? setNumber(p, v.asRadians()) : MStatus(MStatus::kInvalidParameter);
}
MStatus MDGModifier::newPlugValue(const MPlug& plug, const MObject& value) {
    const Plug p = Api::plug(plug);
    const DataPtr data = Api::as<Data>(value);
    if (!p || !data) return MStatus::kInvalidParameter;
    return add(setting(p, [p, data] { p.set(data); }));
}
MStatus MDGModifier::newPlugValueString(const MPlug& plug, const MString& v) {
    return newPlugValue(plug, Api::make(std::static_pointer_cast<Object>(std::make_shared<StringData>(v.asChar()))));
}

}  // namespace Autodesk::Maya::OpenMayaHost
