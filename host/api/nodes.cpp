// Function sets and iterators over nodes and the DAG.
#include <maya/MDagPath.h>
#include <maya/MFnDagNode.h>
#include <maya/MFnDependencyNode.h>
#include <maya/MFnTransform.h>
#include <maya/MItDependencyNodes.h>
#include <maya/MPlugArray.h>
#include <maya/MSelectionList.h>
#include <maya/MStringArray.h>

#include <algorithm>

#include "host/api/access.h"

namespace Autodesk::Maya::OpenMayaHost {

using namespace purl::host;

static NodePtr openNode(const MObject& o, MStatus* status) {
    NodePtr n = Api::node(o);
    setStatus(status, n ? MStatus::kSuccess : MStatus::kFailure);
    return n;
}

// Nodes created through the API must have a known type: only scene files create placeholders.
static MObject createNode(MObject& slot, const std::string& type, const std::string& name, MStatus* status) {
    Graph* g = needGraph("MFnDependencyNode::create");
    if (!g || type.empty() || !findType(type)) {
        setStatus(status, g ? MStatus::kInvalidParameter : MStatus::kFailure);
        return {};
    }
    const MStatus s = attempt([&] { slot = Api::make(g->create(type, name)); });
    setStatus(status, s.statusCode());
    return s ? slot : MObject();
}

MObject MFnDependencyNode::create(const MTypeId& id, MStatus* s) {
    return createNode(object_, typeNameOf(id.id()), "", s);
}
MObject MFnDependencyNode::create(const MTypeId& id, const MString& name, MStatus* s) {
    return createNode(object_, typeNameOf(id.id()), name.asChar(), s);
}
MObject MFnDependencyNode::create(const MString& type, MStatus* s) { return createNode(object_, type.asChar(), "", s); }
MObject MFnDependencyNode::create(const MString& type, const MString& name, MStatus* s) {
    return createNode(object_, type.asChar(), name.asChar(), s);
}

MTypeId MFnDependencyNode::typeId(MStatus* s) const {
    const NodePtr n = openNode(object_, s);
    return MTypeId(n ? n->type->id : 0u);
}
MString MFnDependencyNode::typeName(MStatus* s) const {
    const NodePtr n = openNode(object_, s);
    return n ? MString(n->type->name.c_str()) : MString();
}
MString MFnDependencyNode::name(MStatus* s) const {
    const NodePtr n = openNode(object_, s);
    return n ? MString(n->name.c_str()) : MString();
}
MString MFnDependencyNode::absoluteName(MStatus* s) const {
    const NodePtr n = openNode(object_, s);
    return n ? MString((":" + n->name).c_str()) : MString();
}
MString MFnDependencyNode::setName(const MString& name, bool, MStatus* s) {
    const NodePtr n = openNode(object_, s);
    if (!n || !n->graph) {
        setStatus(s, MStatus::kFailure);
        return {};
    }
    n->graph->rename(n, name.asChar());
    return n->name.c_str();
}
bool MFnDependencyNode::hasUniqueName(MStatus* s) const {
    const NodePtr n = openNode(object_, s);
    return n && n->graph && n->graph->find(n->name) == n;
}
MPxNode* MFnDependencyNode::userNode(MStatus* s) const {
    const NodePtr n = openNode(object_, s);
    return n ? n->user : nullptr;
}
MString MFnDependencyNode::pluginName(MStatus* s) const {
    const NodePtr n = openNode(object_, s);
    return n ? MString(n->type->plugin.c_str()) : MString();
}
MString MFnDependencyNode::classification(const MString& typeName) {
    const Type* t = findType(typeName.asChar());
    return t ? MString(t->classification.c_str()) : MString();
}

static void flatten(const std::vector<AttrPtr>& roots, std::vector<AttrPtr>& all) {
    for (const AttrPtr& a : roots) {
        all.push_back(a);
        flatten(a->children, all);
    }
}
unsigned int MFnDependencyNode::attributeCount(MStatus* s) const {
    const NodePtr n = openNode(object_, s);
    std::vector<AttrPtr> all;
    if (n) flatten(n->attributes(), all);
    return static_cast<unsigned int>(all.size());
}
static MObject attributeOrFail(const AttrPtr& a, MStatus* s) {
    setStatus(s, a ? MStatus::kSuccess : MStatus::kInvalidParameter);
    return Api::make(std::static_pointer_cast<Object>(a));
}
MObject MFnDependencyNode::attribute(unsigned int index, MStatus* s) const {
    const NodePtr n = openNode(object_, s);
    std::vector<AttrPtr> all;
    if (n) flatten(n->attributes(), all);
    return attributeOrFail(index < all.size() ? all[index] : nullptr, s);
}
MObject MFnDependencyNode::attribute(const MString& name, MStatus* s) const {
    const NodePtr n = openNode(object_, s);
    return attributeOrFail(n ? n->find(name.asChar()) : nullptr, s);
}
bool MFnDependencyNode::hasAttribute(const MString& name, MStatus* s) const {
    const NodePtr n = openNode(object_, s);
    return n && n->find(name.asChar());
}
MStatus MFnDependencyNode::addAttribute(const MObject& attribute) {
    const NodePtr n = Api::node(object_);
    const AttrPtr a = Api::attr(attribute);
    if (!n || !a) return MStatus::kInvalidParameter;
    return attempt([&] { n->addDynamic(a); });
}
MStatus MFnDependencyNode::removeAttribute(const MObject& attribute) {
    const NodePtr n = Api::node(object_);
    const AttrPtr a = Api::attr(attribute);
    if (!n || !a) return MStatus::kInvalidParameter;
    return attempt([&] { n->removeDynamic(a); });
}

MPlug MFnDependencyNode::findPlug(const MObject& attribute, bool, MStatus* s) const {
    const NodePtr n = openNode(object_, s);
    const AttrPtr a = Api::attr(attribute);
    const bool there = n && a && (n->type->has(a->root()) || n->find(a->name) == a);
    setStatus(s, there ? MStatus::kSuccess : MStatus::kInvalidParameter);
    return there ? Api::make(n->plug(a)) : MPlug();
}
MPlug MFnDependencyNode::findPlug(const MString& name, bool, MStatus* s) const {
    const NodePtr n = openNode(object_, s);
    if (n && n->has(name.asChar())) return Api::make(n->plug(std::string(name.asChar())));
    setStatus(s, MStatus::kInvalidParameter);
    return {};
}
MStatus MFnDependencyNode::getConnections(MPlugArray& plugs) const {
    const NodePtr n = Api::node(object_);
    plugs.clear();
    if (!n) return MStatus::kFailure;
    for (const auto& in : n->inputs) plugs.append(Api::make(in.second.plug));
    for (const auto& out : n->outputs) plugs.append(Api::make(out.second.plug));
    return MStatus::kSuccess;
}

// --- the DAG

MFnDagNode::MFnDagNode(const MDagPath& path, MStatus* status) { init(path, status); }
void MFnDagNode::init(const MDagPath& path, MStatus* status) {
    const MStatus s = setObject(path);
    if (status) *status = s;
}
MStatus MFnDagNode::setObject(const MObject& object) {
    path_ = MDagPath();
    return MFnBase::setObject(object);
}
MStatus MFnDagNode::setObject(const MDagPath& path) {
    const MStatus s = MFnBase::setObject(path.node());
    path_ = s ? path : MDagPath();
    return s;
}

// Like MDagModifier: a shape is created with a transform, which is returned.
static MObject createDag(MObject& slot, const MString& type, const MString& name, const MObject& parent,
                         MStatus* status) {
    Graph* g = needGraph("MFnDagNode::create");
    const Type* t = findType(type.asChar());
    const NodePtr above = Api::node(parent);
    if (!g || !t || !t->dag) {
        setStatus(status, MStatus::kInvalidParameter);
        return {};
    }
    MObject result;
    const MStatus s = attempt([&] {
        NodePtr n =
            above ? g->create(type.asChar(), name.asChar(), above) : g->createWithParent(type.asChar(), name.asChar());
        slot = Api::make(n);
        result = !above && t->shape ? Api::make(n->parents.front()->ptr()) : slot;
    });
    setStatus(status, s.statusCode());
    return result;
}
MObject MFnDagNode::create(const MString& type, MObject parent, MStatus* s) {
    return createDag(object_, type, "", parent, s);
}
MObject MFnDagNode::create(const MString& type, const MString& name, MObject parent, MStatus* s) {
    return createDag(object_, type, name, parent, s);
}

unsigned int MFnDagNode::parentCount(MStatus* s) const {
    const NodePtr n = openNode(object_, s);
    return n ? static_cast<unsigned int>(n->parents.size() + n->inWorld) : 0u;
}
MObject MFnDagNode::parent(unsigned int index, MStatus* s) const {
    const NodePtr n = openNode(object_, s);
    if (!n || index >= n->parents.size() + n->inWorld) {
        setStatus(s, MStatus::kInvalidParameter);
        return {};
    }
    return index < n->parents.size() ? Api::make(n->parents[index]->ptr()) : MObject();
}
unsigned int MFnDagNode::childCount(MStatus* s) const {
    const NodePtr n = openNode(object_, s);
    return n ? static_cast<unsigned int>(n->children.size()) : 0u;
}
MObject MFnDagNode::child(unsigned int index, MStatus* s) const {
    const NodePtr n = openNode(object_, s);
    if (n && index < n->children.size()) return Api::make(n->children[index]->ptr());
    setStatus(s, MStatus::kInvalidParameter);
    return {};
}
MStatus MFnDagNode::addChild(MObject& child, unsigned int index, bool keepExistingParents) {
    const NodePtr n = Api::node(object_), c = Api::node(child);
    if (!n || !n->graph || !c || index != kNextPos) return MStatus::kInvalidParameter;
    return attempt([&] {
        if (keepExistingParents)
            n->graph->addInstance(c, n);
        else
            n->graph->setParent(c, n);
    });
}
static size_t pathCount(const NodePtr& n) { return n && n->graph ? n->graph->dagPaths(*n).size() : 0; }
bool MFnDagNode::isInstanced(bool indirect, MStatus* s) const {
    const NodePtr n = openNode(object_, s);
    return n && (indirect ? pathCount(n) > 1 : n->parents.size() + n->inWorld > 1);
}
unsigned int MFnDagNode::instanceCount(bool total, MStatus* s) const {
    const NodePtr n = openNode(object_, s);
    if (!n) return 0;
    return static_cast<unsigned int>(total ? pathCount(n) : n->parents.size() + n->inWorld);
}
bool MFnDagNode::isIntermediateObject(MStatus* s) const {
    const NodePtr n = openNode(object_, s);
    return n && n->plug("intermediateObject").flag();
}
MStatus MFnDagNode::setIntermediateObject(bool on) {
    const NodePtr n = Api::node(object_);
    if (!n) return MStatus::kFailure;
    return attempt([&] { n->plug("intermediateObject").set(on); });
}
MString MFnDagNode::fullPathName(MStatus* s) const { return dagPath(s).fullPathName(); }
MString MFnDagNode::partialPathName(MStatus* s) const {
    const NodePtr n = openNode(object_, s);
    return n && n->graph ? MString(n->graph->dagName(n).c_str()) : MString();
}
MDagPath MFnDagNode::dagPath(MStatus* s) const {
    MDagPath p = path_;
    MStatus status;
    if (!p.isValid()) status = MDagPath::getAPathTo(object_, p);
    setStatus(s, status.statusCode());
    return p;
}
MStatus MFnDagNode::getPath(MDagPath& path) {
    MStatus s;
    path = dagPath(&s);
    return s;
}
MMatrix MFnDagNode::transformationMatrix(MStatus* s) const {
    const NodePtr n = openNode(object_, s);
    return n ? n->plug("matrix").matrix() : MMatrix();
}

// --- MFnTransform

MTransformationMatrix MFnTransform::transformation(MStatus* s) const { return transformationMatrix(s); }

static MStatus setVector(const MObject& o, const char* attr, double x, double y, double z) {
    const NodePtr n = Api::node(o);
    if (!n) return MStatus::kFailure;
    return attempt([&] { n->plug(attr).set(x, y, z); });
}
MVector MFnTransform::getTranslation(MSpace::Space space, MStatus* s) const {
    const NodePtr n = openNode(object_, s);
    if (!n) return {};
    if (space == MSpace::kWorld) return MVector(dagPath(s).inclusiveMatrix()[3]);
    const auto t = n->plug("translate").vec3();
    return {t[0], t[1], t[2]};
}
MStatus MFnTransform::setTranslation(const MVector& v, MSpace::Space space) {
    if (space == MSpace::kWorld) return MStatus::kInvalidParameter;
    return setVector(object_, "translate", v.x, v.y, v.z);
}
MStatus MFnTransform::getRotation(MEulerRotation& r) const {
    const NodePtr n = Api::node(object_);
    if (!n) return MStatus::kFailure;
    const auto v = n->plug("rotate").vec3();
    r = MEulerRotation(v[0], v[1], v[2], MEulerRotation::RotationOrder(int(n->plug("rotateOrder").number())));
    return MStatus::kSuccess;
}
MStatus MFnTransform::setRotation(const MEulerRotation& given) {
    const NodePtr n = Api::node(object_);
    if (!n) return MStatus::kFailure;
    // Keeps the node's rotation order and converts the angles to it.
    const auto order = MEulerRotation::RotationOrder(int(n->plug("rotateOrder").number()));
    const MEulerRotation r = order == given.order ? given : MEulerRotation::decompose(given.asMatrix(), order);
    return setVector(object_, "rotate", r.x, r.y, r.z);
}
MStatus MFnTransform::getScale(double scale[3]) const {
    const NodePtr n = Api::node(object_);
    if (!n) return MStatus::kFailure;
    const auto v = n->plug("scale").vec3();
    std::copy(v.begin(), v.end(), scale);
    return MStatus::kSuccess;
}
MStatus MFnTransform::setScale(const double s[3]) { return setVector(object_, "scale", s[0], s[1], s[2]); }
MStatus MFnTransform::set(const MTransformationMatrix& m) {
    const MVector t = m.getTranslation(MSpace::kTransform);
    double scale[3], shear[3];
    m.getScale(scale, MSpace::kTransform);
    m.getShear(shear, MSpace::kTransform);
    MStatus s = setVector(object_, "translate", t.x, t.y, t.z);
    if (s) s = setRotation(m.eulerRotation());
    if (s) s = setScale(scale);
    if (s) s = setVector(object_, "shear", shear[0], shear[1], shear[2]);
    return s;
}

// --- MDagPath

bool MDagPath::isValid(MStatus* s) const {
    setStatus(s, MStatus::kSuccess);
    if (nodes_.empty()) return false;
    for (const MObject& o : nodes_)
        if (!Api::node(o)->alive()) return false;
    return true;
}
MObject MDagPath::node(MStatus* s) const {
    setStatus(s, nodes_.empty() ? MStatus::kFailure : MStatus::kSuccess);
    return nodes_.empty() ? MObject() : nodes_.back();
}
MObject MDagPath::transform(MStatus* s) const {
    for (size_t k = nodes_.size(); k-- > 0;)
        if (nodes_[k].hasFn(MFn::kTransform)) {
            setStatus(s, MStatus::kSuccess);
            return nodes_[k];
        }
    setStatus(s, MStatus::kFailure);
    return {};
}
bool MDagPath::hasFn(MFn::Type fn, MStatus* s) const { return node(s).hasFn(fn); }
MFn::Type MDagPath::apiType(MStatus* s) const { return node(s).apiType(); }
unsigned int MDagPath::length(MStatus* s) const {
    setStatus(s, MStatus::kSuccess);
    return static_cast<unsigned int>(nodes_.size());
}
unsigned int MDagPath::childCount(MStatus* s) const {
    const NodePtr n = openNode(node(), s);
    return n ? static_cast<unsigned int>(n->children.size()) : 0u;
}
MObject MDagPath::child(unsigned int index, MStatus* s) const {
    const NodePtr n = openNode(node(), s);
    if (n && index < n->children.size()) return Api::make(n->children[index]->ptr());
    setStatus(s, MStatus::kInvalidParameter);
    return {};
}
MStatus MDagPath::push(const MObject& child) {
    const NodePtr n = Api::node(node()), c = Api::node(child);
    if (!n || !c || std::find(n->children.begin(), n->children.end(), c.get()) == n->children.end())
        return MStatus::kInvalidParameter;
    nodes_.push_back(child);
    return MStatus::kSuccess;
}
MStatus MDagPath::pop(unsigned int count) {
    if (count > nodes_.size()) return MStatus::kInvalidParameter;
    nodes_.resize(nodes_.size() - count);
    return MStatus::kSuccess;
}
MStatus MDagPath::extendToShape() {
    const NodePtr n = Api::node(node());
    if (!n) return MStatus::kFailure;
    if (n->type->shape) return MStatus::kSuccess;
    Node* shape = nullptr;
    for (Node* c : n->children)
        if (c->type->shape) {
            if (shape) return MStatus::kFailure;
            shape = c;
        }
    if (!shape) return MStatus::kFailure;
    nodes_.push_back(Api::make(shape->ptr()));
    return MStatus::kSuccess;
}
MMatrix MDagPath::inclusiveMatrix(MStatus* s) const {
    const bool valid = isValid();
    setStatus(s, valid ? MStatus::kSuccess : MStatus::kFailure);
    return valid ? Api::node(node())->graph->worldMatrix(Api::path(*this)) : MMatrix();
}
MMatrix MDagPath::exclusiveMatrix(MStatus* s) const {
    const bool valid = isValid();
    setStatus(s, valid ? MStatus::kSuccess : MStatus::kFailure);
    return valid ? Api::node(node())->graph->parentMatrix(Api::path(*this)) : MMatrix();
}
MMatrix MDagPath::inclusiveMatrixInverse(MStatus* s) const { return inclusiveMatrix(s).inverse(); }
MMatrix MDagPath::exclusiveMatrixInverse(MStatus* s) const { return exclusiveMatrix(s).inverse(); }
unsigned int MDagPath::instanceNumber(MStatus* s) const {
    const NodePtr n = openNode(node(), s);
    if (!n || !n->graph) return 0;
    const std::vector<purl::host::DagPath> all = n->graph->dagPaths(*n);
    const auto it = std::find(all.begin(), all.end(), Api::path(*this));
    return it == all.end() ? 0u : static_cast<unsigned int>(it - all.begin());
}
MString MDagPath::fullPathName(MStatus* s) const {
    setStatus(s, nodes_.empty() ? MStatus::kFailure : MStatus::kSuccess);
    return Graph::fullName(Api::path(*this)).c_str();
}
MString MDagPath::partialPathName(MStatus* s) const {
    const NodePtr n = openNode(node(), s);
    if (!n || !n->graph) return {};
    if (pathCount(n) > 1) return fullPathName(s);
    return n->graph->dagName(n).c_str();
}
MStatus MDagPath::getAPathTo(const MObject& node, MDagPath& path) {
    const NodePtr n = Api::node(node);
    if (!n || !n->graph || !n->isDag()) return MStatus::kInvalidParameter;
    path = Api::make(n->graph->dagPaths(*n).front());
    return MStatus::kSuccess;
}

// --- MSelectionList

MStatus MSelectionList::add(const MString& given, bool) {
    Graph* g = needGraph("MSelectionList::add");
    if (!g) return MStatus::kFailure;
    const std::string text = given.asChar();
    const size_t dot = text.find('.');
    if (dot != std::string::npos) {
        const NodePtr n = g->find(text.substr(0, dot));
        if (!n || !n->has(text.substr(dot + 1))) return MStatus::kInvalidParameter;
        return add(Api::make(n->plug(text.substr(dot + 1))));
    }
    const std::vector<NodePtr> found = g->findAll(text);
    for (const NodePtr& n : found) {
        // A full path identifies one instance.
        MDagPath path;
        if (n->isDag()) {
            path = Api::make(g->dagPaths(*n).front());
            for (const purl::host::DagPath& p : g->dagPaths(*n))
                if (Graph::fullName(p) == text) path = Api::make(p);
        }
        items_.push_back({Api::make(n), path, MPlug()});
    }
    return found.empty() ? MStatus::kInvalidParameter : MStatus::kSuccess;
}
bool MSelectionList::hasItem(const MObject& node, MStatus* s) const {
    setStatus(s, MStatus::kSuccess);
    for (const Item& i : items_)
        if (i.node == node && i.plug.isNull()) return true;
    return false;
}
MStatus MSelectionList::add(const MObject& node, bool merge) {
    if (!node.hasFn(MFn::kDependencyNode)) return MStatus::kInvalidParameter;
    if (merge && hasItem(node)) return MStatus::kSuccess;
    MDagPath path;
    MDagPath::getAPathTo(node, path);
    items_.push_back({node, path, MPlug()});
    return MStatus::kSuccess;
}
MStatus MSelectionList::add(const MDagPath& path, const MObject& component, bool merge) {
    if (!path.isValid() || !component.isNull()) return MStatus::kInvalidParameter;
    if (merge)
        for (const Item& i : items_)
            if (i.path == path) return MStatus::kSuccess;
    items_.push_back({path.node(), path, MPlug()});
    return MStatus::kSuccess;
}
MStatus MSelectionList::add(const MPlug& plug, bool merge) {
    if (plug.isNull()) return MStatus::kInvalidParameter;
    if (merge)
        for (const Item& i : items_)
            if (i.plug == plug) return MStatus::kSuccess;
    MDagPath path;
    MDagPath::getAPathTo(plug.node(), path);
    items_.push_back({plug.node(), path, plug});
    return MStatus::kSuccess;
}
MStatus MSelectionList::remove(unsigned int index) {
    if (index >= items_.size()) return MStatus::kInvalidParameter;
    items_.erase(items_.begin() + index);
    return MStatus::kSuccess;
}
MStatus MSelectionList::clear() {
    items_.clear();
    return MStatus::kSuccess;
}
unsigned int MSelectionList::length(MStatus* s) const {
    setStatus(s, MStatus::kSuccess);
    return static_cast<unsigned int>(items_.size());
}
MStatus MSelectionList::getDependNode(unsigned int index, MObject& node) const {
    if (index >= items_.size()) return MStatus::kInvalidParameter;
    node = items_[index].node;
    return MStatus::kSuccess;
}
MStatus MSelectionList::getDagPath(unsigned int index, MDagPath& path) const {
    if (index >= items_.size() || !items_[index].path.isValid()) return MStatus::kInvalidParameter;
    path = items_[index].path;
    return MStatus::kSuccess;
}
MStatus MSelectionList::getDagPath(unsigned int index, MDagPath& path, MObject& component) const {
    component = MObject();
    return getDagPath(index, path);
}
MStatus MSelectionList::getPlug(unsigned int index, MPlug& plug) const {
    if (index >= items_.size() || items_[index].plug.isNull()) return MStatus::kInvalidParameter;
    plug = items_[index].plug;
    return MStatus::kSuccess;
}
MStatus MSelectionList::getSelectionStrings(unsigned int index, MStringArray& names) const {
    names.clear();
    if (index >= items_.size()) return MStatus::kInvalidParameter;
    const Item& i = items_[index];
    const NodePtr n = Api::node(i.node);
    if (!i.plug.isNull())
        names.append(i.plug.name());
    else if (i.path.isValid())
        names.append(i.path.partialPathName());
    else
        names.append(n->name.c_str());
    return MStatus::kSuccess;
}
MStatus MSelectionList::getSelectionStrings(MStringArray& names) const {
    MStringArray all;
    for (unsigned int k = 0; k < items_.size(); ++k) {
        getSelectionStrings(k, names);
        all.append(names[0]);
    }
    names = all;
    return MStatus::kSuccess;
}

// --- MItDependencyNodes

MItDependencyNodes::MItDependencyNodes(MFn::Type filter, MStatus* status) {
    const MStatus s = reset(filter);
    if (status) *status = s;
}
MStatus MItDependencyNodes::reset(MFn::Type filter) {
    nodes_.clear();
    at_ = 0;
    const Graph* g = needGraph("MItDependencyNodes");
    if (!g) return MStatus::kFailure;
    for (const NodePtr& n : g->nodes())
        if (filter == MFn::kInvalid || n->hasFn(filter)) nodes_.push_back(Api::make(n));
    return MStatus::kSuccess;
}
MObject MItDependencyNodes::item(MStatus* s) {
    setStatus(s, at_ < nodes_.size() ? MStatus::kSuccess : MStatus::kFailure);
    return at_ < nodes_.size() ? nodes_[at_] : MObject();
}
MStatus MItDependencyNodes::next() {
    if (at_ < nodes_.size()) ++at_;
    return MStatus::kSuccess;
}
bool MItDependencyNodes::isDone(MStatus* s) {
    setStatus(s, MStatus::kSuccess);
    return at_ >= nodes_.size();
}

}  // namespace Autodesk::Maya::OpenMayaHost
