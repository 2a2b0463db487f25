#include <maya/MDGModifier.h>
#include <maya/MDagModifier.h>

#include "host/api/access.h"

namespace Autodesk::Maya::OpenMayaHost {

using namespace purl::host;

static MObject wrap(const NodePtr& n) { return Api::make(std::static_pointer_cast<Object>(n)); }

MStatus MDGModifier::add(std::function<void()> redo, std::function<void()> undo, bool done) {
    edits_.push_back({std::move(redo), std::move(undo), done});
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

static std::string typeNamed(const MTypeId& id) {
    for (const std::string& name : typeNames())
        if (findType(name)->id == id.id() && id.id() != 0) return name;
    return "";
}

MObject MDGModifier::createNode(const MString& type, MStatus* status) {
    Graph* g = needGraph("MDGModifier::createNode");
    const Type* t = findType(type.asChar());
    if (!g || !t || t->dag) {
        if (t && t->dag)
            report(Severity::Error, std::string(type.asChar()) + " has a place in the DAG: use MDagModifier");
        setStatus(status, MStatus::kInvalidParameter);
        return {};
    }
    MObject made;
    const MStatus s = attempt([&] {
        const NodePtr n = g->create(type.asChar());
        made = wrap(n);
        add([g, n] { g->restore(n); }, [g, n] { g->remove(n); }, true);
    });
    setStatus(status, s.statusCode());
    return made;
}
MObject MDGModifier::createNode(const MTypeId& id, MStatus* s) { return createNode(MString(typeNamed(id).c_str()), s); }

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
        made = wrap(n);
        add(
            [g, n, shape] {
                g->restore(n);
                if (shape != n) g->restore(shape);
            },
            [g, n] { g->remove(n); }, true);
    });
    setStatus(status, s.statusCode());
    return made;
}
MObject MDagModifier::createNode(const MTypeId& id, MObject parent, MStatus* s) {
    return createNode(MString(typeNamed(id).c_str()), parent, s);
}

MStatus MDagModifier::reparentNode(const MObject& node, MObject newParent) {
    const NodePtr n = Api::node(node), to = Api::node(newParent);
    if (!n || !n->graph || !n->isDag() || (!to && !newParent.isNull())) return MStatus::kInvalidParameter;
    auto before = std::make_shared<NodePtr>();
    return add(
        [n, to, before] {
            *before = n->parents.empty() ? nullptr : n->parents.front()->ptr();
            n->graph->setParent(n, to);
        },
        [n, before] { n->graph->setParent(n, *before); });
}

MStatus MDGModifier::deleteNode(const MObject& node) {
    const NodePtr n = Api::node(node);
    if (!n || !n->graph) return MStatus::kInvalidParameter;
    // What hangs below goes too, and comes back, each with its connections.
    struct Removed {
        std::vector<NodePtr> nodes;
        std::vector<std::pair<Plug, Plug>> connections;
    };
    auto removed = std::make_shared<Removed>();
    Graph* g = n->graph;
    return add(
        [g, n, removed] {
            *removed = Removed();
            removed->nodes.push_back(n);
            for (size_t k = 0; k < removed->nodes.size(); ++k) {
                const NodePtr at = removed->nodes[k];
                for (Node* c : at->children)
                    if (c->parents.size() + c->inWorld == 1) removed->nodes.push_back(c->ptr());
            }
            for (const NodePtr& at : removed->nodes) {
                for (const auto& in : at->inputs) removed->connections.emplace_back(in.second.source, in.second.plug);
                for (const auto& out : at->outputs)
                    for (const Plug& d : out.second.destinations) removed->connections.emplace_back(out.second.plug, d);
            }
            g->remove(n);
        },
        [g, removed] {
            for (const NodePtr& at : removed->nodes) g->restore(at);
            for (const auto& c : removed->connections) g->connect(c.first, c.second);
        });
}

MStatus MDGModifier::renameNode(const MObject& node, const MString& name) {
    const NodePtr n = Api::node(node);
    if (!n || !n->graph) return MStatus::kInvalidParameter;
    auto before = std::make_shared<std::string>();
    const std::string wanted = name.asChar();
    return add(
        [n, wanted, before] {
            *before = n->name;
            n->graph->rename(n, wanted);
        },
        [n, before] { n->graph->rename(n, *before); });
}

// --- connections

MStatus MDGModifier::connect(const MPlug& source, const MPlug& destination) {
    const Plug s = Api::plug(source), d = Api::plug(destination);
    if (!s || !d) return MStatus::kInvalidParameter;
    return add([s, d] { s.node->graph->connect(s, d); }, [s, d] { s.node->graph->disconnect(s, d); });
}
MStatus MDGModifier::disconnect(const MPlug& source, const MPlug& destination) {
    const Plug s = Api::plug(source), d = Api::plug(destination);
    if (!s || !d) return MStatus::kInvalidParameter;
    return add([s, d] { s.node->graph->disconnect(s, d); }, [s, d] { s.node->graph->connect(s, d); });
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
    return add([n, a] { n->addDynamic(a); }, [n, a] { n->removeDynamic(a); });
}

MStatus MDGModifier::setNumber(const MPlug& plug, double stored) {
    const Plug p = Api::plug(plug);
    if (!p) return MStatus::kInvalidParameter;
    auto before = std::make_shared<double>();
    return add(
        [p, stored, before] {
            const double old = p.number();
            p.set(stored);
            *before = old;
        },
        [p, before] { p.set(*before); });
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
    auto before = std::make_shared<DataPtr>();
    return add(
        [p, data, before] {
            const DataPtr old = p.data();
            p.set(data);
            *before = old;
        },
        [p, before] { p.set(*before); });
}
MStatus MDGModifier::newPlugValueString(const MPlug& plug, const MString& v) {
    return newPlugValue(plug, Api::make(std::static_pointer_cast<Object>(std::make_shared<StringData>(v.asChar()))));
}

}  // namespace Autodesk::Maya::OpenMayaHost
