// Nodes, names, the DAG and connections; dirty propagation and evaluation are in evaluate.cpp.
#include "host/graph/graph.h"

#include "host/graph/events.h"

#include <maya/MPxNode.h>

#include <algorithm>
#include <cctype>
#include <mutex>
#include <set>

#include "host/api/access.h"

namespace purl::host {

std::string Graph::upAxis() const {
    const auto info = fileInfo.find("upAxis");
    if (info != fileInfo.end()) return info->second;
    const NodePtr top = find("|top");
    if (!top || !top->type->isA("transform")) return "y";
    const auto t = top->plug("translate").vec3();
    return std::abs(t[2]) > std::abs(t[1]) ? "z" : "y";
}

static thread_local Graph* currentGraph = nullptr;

Graph* Graph::current() { return currentGraph; }
Graph::Scope::Scope(Graph& graph) : before_(currentGraph) { currentGraph = &graph; }
Graph::Scope::~Scope() { currentGraph = before_; }

Graph::Graph() {
    time_ = create("time", "time1");
    minTicks = startTicks = units.ticksPerFrame;
    maxTicks = 120 * units.ticksPerFrame;
    endTicks = 200 * units.ticksPerFrame;
    setFrame(1);
}

Graph::~Graph() {
    Scope scope(*this);
    // Plugs and nodes own each other: clear the connections first, then delete the nodes, newest first.
    for (auto& n : nodes_) {
        n.second->inputs.clear();
        n.second->outputs.clear();
        n.second->graph = nullptr;
    }
    time_.reset();
    while (!nodes_.empty()) nodes_.erase(std::prev(nodes_.end()));
}

void Graph::report(Severity severity, const std::string& text) {
    const std::lock_guard<std::recursive_mutex> reporting(reporting_);
    if (sink) sink(severity, text);
}

// --- names

static std::string withoutNumber(const std::string& name) {
    size_t end = name.size();
    while (end > 1 && std::isdigit(static_cast<unsigned char>(name[end - 1]))) --end;
    return name.substr(0, end);
}

static bool areSiblings(const Node& a, const Node& b) {
    if (a.inWorld && b.inWorld) return true;
    return std::any_of(a.parents.begin(), a.parents.end(), [&](const Node* p) {
        return std::find(b.parents.begin(), b.parents.end(), p) != b.parents.end();
    });
}

// DAG nodes may share a name under different parents; names of other nodes are unique in the scene.
bool Graph::isTaken(const std::string& name, const Node& node) const {
    const auto it = byName_.find(name);
    if (it == byName_.end()) return false;
    const auto clashes = [&](const Node* other) {
        if (other == &node || other->name != name) return false;
        return !node.isDag() || !other->isDag() || areSiblings(node, *other);
    };
    // If several nodes have this name, all are DAG nodes, and only siblings conflict.
    const std::vector<Node*>& same = it->second;
    const bool few = node.parents.size() == 1 && !node.inWorld && node.parents[0]->children.size() < same.size();
    const std::vector<Node*>& among = few ? node.parents[0]->children : same;
    return std::any_of(among.begin(), among.end(), clashes);
}

std::string Graph::uniqueName(const std::string& wanted, const Node& node) {
    std::string name = wanted;
    while (!name.empty() && name[0] == ':') name.erase(0, 1);
    const bool numbered = !name.empty() && name.back() == '#';
    if (numbered) name.pop_back();
    if (name.empty()) name = node.type->name;
    for (char& c : name)
        if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_' && c != ':') c = '_';
    if (std::isdigit(static_cast<unsigned char>(name[0]))) name = "_" + name;
    if (!numbered && !isTaken(name, node)) return name;
    const std::string stem = numbered ? name : withoutNumber(name);
    const long long place = !node.isDag() ? -1 : node.parents.empty() ? 0 : node.parents[0]->serial;
    for (int& i = lastNumber_[{stem, place}];;) {
        const std::string candidate = stem + std::to_string(++i);
        if (!isTaken(candidate, node)) return candidate;
    }
}

void Graph::index(const NodePtr& node) {
    nodes_[node->serial] = node;
    byName_[node->name].push_back(node.get());
}

void Graph::unindex(const Node& node) {
    auto it = byName_.find(node.name);
    if (it == byName_.end()) return;
    auto& list = it->second;
    list.erase(std::remove(list.begin(), list.end(), &node), list.end());
    if (list.empty()) byName_.erase(it);
    lastNumber_.clear();  // a number is free again
}

// --- nodes

// The type of a placeholder node: from a plugin that is not loaded, or not supported by the host. It can have a parent.
static Type* placeholderType(const std::string& name) {
    static std::mutex lock;  // graphs may load concurrently
    std::lock_guard<std::mutex> guard(lock);
    if (Type* known = findType(name)) return known;
    Type& t = addType(name, "dagNode");
    t.placeholder = true;
    t.apiType = MFn::kUnknown;
    return &t;
}

NodePtr Graph::create(const std::string& typeName, const std::string& name, const NodePtr& parent) {
    if (nodes_.size() >= kMaxNodes)
        throw Error(typeName + ": cannot be created; a scene is limited to " + std::to_string(kMaxNodes) + " nodes");
    Type* type = findType(typeName);
    if (!type) type = placeholderType(typeName);
    if (parent && !type->dag) throw Error(typeName + " nodes are not in the DAG and cannot have a parent");
    if (parent && !parent->isDag()) throw Error(parent->name + " cannot have children");
    if (parent) checkDepth(*parent, 1);
    auto node = std::make_shared<Node>();
    node->type = type;
    ++type->instances;
    node->graph = this;
    node->serial = nextSerial_++;
    if (type->dag) {
        if (parent) {
            node->parents.push_back(parent.get());
            parent->children.push_back(node.get());
        } else {
            node->inWorld = true;
        }
    }
    node->name = uniqueName(name.empty() ? typeName + "#" : name, *node);
    index(node);
    Scope scope(*this);
    if (type->create) {
        node->user = static_cast<MPxNode*>(type->create());
        if (!node->user) {
            remove(node);
            throw Error(typeName + ": the plugin's creator function returned no node");
        }
        Api::attach(*node->user, node);
        node->user->postConstructor();
    }
    for (const Type* t = type; t; t = t->base)
        if (t->created) {
            t->created(*node);
            break;
        }
    announce({Event::nodeAdded, node, {}, {}, "", 0});
    return node;
}

NodePtr Graph::createWithParent(const std::string& typeName, const std::string& name) {
    const Type* type = findType(typeName);
    if (!type || !type->shape) return create(typeName, name);
    // "fooShape1" under "foo1"
    std::string above = name;
    const size_t at = above.rfind("Shape");
    if (at != std::string::npos) above.erase(at, 5);
    NodePtr transform = create("transform", above.empty() ? typeName + "#" : above);
    std::string shape = name;
    if (shape.empty() || shape == transform->name) {
        const std::string stem = withoutNumber(transform->name);
        shape = stem + "Shape" + transform->name.substr(stem.size());
    }
    return create(typeName, shape, transform);
}

void Graph::remove(const NodePtr& node) {
    if (!node || node->graph != this) return;
    if (node == time_) throw Error("time1 cannot be deleted");
    announce({Event::nodeRemoved, node, {}, {}, "", 0});
    const std::vector<size_t> selected = selectionIndices(*node);
    for (size_t k = selected.size(); k-- > 0;) selection.erase(selection.begin() + long(selected[k]));
    while (!node->children.empty()) {
        Node* child = node->children.back();
        if (child->parents.size() + child->inWorld > 1)
            unlink(*child, node.get());
        else
            remove(child->ptr());
    }
    const auto inputs = node->inputs;
    for (const auto& i : inputs) disconnect(i.second.source, i.second.plug);
    const auto outputs = node->outputs;
    for (const auto& o : outputs)
        for (const Plug& d : o.second.destinations) disconnect(o.second.plug, d);
    for (Node* p : node->parents)
        p->children.erase(std::remove(p->children.begin(), p->children.end(), node.get()), p->children.end());
    unindex(*node);
    node->graph = nullptr;
    nodes_.erase(node->serial);
}

void Graph::restore(const NodePtr& node) {
    if (!node || node->graph) return;
    node->graph = this;
    for (Node* p : node->parents) p->children.push_back(node.get());
    node->name = uniqueName(node->name, *node);
    index(node);
}

void Graph::rename(const NodePtr& node, const std::string& name) {
    if (node->name == name) return;
    const std::vector<size_t> selected = selectionIndices(*node);
    const std::string before = node->name;
    unindex(*node);
    node->name = uniqueName(name, *node);
    index(node);
    for (const size_t k : selected) {
        const size_t dot = selection[k].find('.');
        selection[k] = dagName(node) + (dot == std::string::npos ? "" : selection[k].substr(dot));
    }
    announce({Event::renamed, node, {}, {}, before, 0});
}

std::vector<size_t> Graph::selectionIndices(const Node& node) const {
    std::vector<size_t> places;
    for (size_t k = 0; k < selection.size(); ++k)
        if (find(selection[k].substr(0, selection[k].find('.'))).get() == &node) places.push_back(k);
    return places;
}

std::vector<NodePtr> Graph::nodes() const {
    std::vector<NodePtr> all;
    for (const auto& n : nodes_) all.push_back(n.second);
    return all;
}

std::vector<NodePtr> Graph::nodesSince(long long serial) const {
    std::vector<NodePtr> all;
    for (auto n = nodes_.upper_bound(serial); n != nodes_.end(); ++n) all.push_back(n->second);
    return all;
}

std::vector<NodePtr> Graph::nodesOfType(const std::string& typeName) const {
    std::vector<NodePtr> all;
    for (const auto& n : nodes_)
        if (n.second->type->isA(typeName)) all.push_back(n.second);
    return all;
}

// True if some DAG path to the node ends with these names.
static bool endsWith(const Node* node, const std::vector<std::string>& names, size_t left, bool fromWorld) {
    if (left == 0) return false;
    if (node->name != names[left - 1]) return false;
    if (left == 1) return !fromWorld || node->inWorld;
    for (const Node* p : node->parents)
        if (endsWith(p, names, left - 1, fromWorld)) return true;
    return false;
}

NodePtr Graph::find(const std::string& given) const {
    std::string name = given;
    const bool fromWorld = !name.empty() && name[0] == '|';
    std::vector<std::string> names = splitWords(name, "|");
    if (names.empty()) return nullptr;
    for (std::string& n : names)
        while (!n.empty() && n[0] == ':') n.erase(0, 1);
    const auto last = byName_.find(names.back()), above = byName_.find(names[names.size() > 1 ? names.size() - 2 : 0]);
    if (last == byName_.end() || above == byName_.end()) return nullptr;
    Node* found = nullptr;
    const auto isOnly = [&](Node* n) {
        const bool fits = n->name == names.back() &&
                          ((names.size() == 1 && !fromWorld) || endsWith(n, names, names.size(), fromWorld));
        if (!fits || n == found) return true;
        if (found) return false;
        found = n;
        return true;
    };
    // Searches from the rarer name: of many shapes called "geo", few are below a "ball".
    if (names.size() > 1 && above->second.size() < last->second.size()) {
        for (const Node* p : above->second)
            if (!std::all_of(p->children.begin(), p->children.end(), isOnly)) return nullptr;
    } else if (!std::all_of(last->second.begin(), last->second.end(), isOnly)) {
        return nullptr;
    }
    return found ? found->ptr() : nullptr;
}

std::vector<NodePtr> Graph::findAll(const std::string& pattern) const {
    if (pattern.find_first_of("*?") == std::string::npos) {
        if (NodePtr n = find(pattern)) return {n};
        std::vector<NodePtr> all;
        for (const auto& n : nodes_)
            if (n.second->name == pattern) all.push_back(n.second);
        return all;
    }
    std::vector<NodePtr> all;
    for (const auto& n : nodes_)
        if (matches(n.second->name, pattern)) all.push_back(n.second);
    return all;
}

NodePtr Graph::get(const std::string& name) const {
    if (NodePtr n = find(name)) return n;
    auto it = byName_.find(name);
    if (it != byName_.end() && it->second.size() > 1)
        throw Error("several nodes are named " + name + "; use a path such as |group1|" + name);
    std::vector<std::string> names;
    for (const auto& n : nodes_) names.push_back(n.second->name);
    const std::string close = nearest(name, names);
    throw Error("no node named " + name + (close.empty() ? "" : "; did you mean " + close + "?"));
}

Plug Graph::plug(const std::string& text) const {
    const size_t dot = text.find('.');
    if (dot == std::string::npos) throw Error(text + ": expected node.attribute");
    return get(text.substr(0, dot))->plug(text.substr(dot + 1));
}

// --- the DAG

// DAG traversals are recursive, so the depth is limited. A rope rig of joints has a few hundred levels.
void Graph::checkDepth(const Node& parent, int levels) const {
    constexpr int kMaxDagDepth = 2000;
    for (const Node* at = &parent; at; at = at->parents.empty() ? nullptr : at->parents[0])
        if (++levels > kMaxDagDepth)
            throw Error(parent.name + " is too deep in the hierarchy to add children; the limit is " +
                        std::to_string(kMaxDagDepth) + " levels");
}

// The set visits nodes with several parents once, however many paths lead to them.
static std::set<const Node*> oneLevelFrom(const std::set<const Node*>& layer, std::vector<Node*> Node::*links) {
    std::set<const Node*> next;
    for (const Node* n : layer) next.insert((n->*links).begin(), (n->*links).end());
    return next;
}

static bool isAbove(const Node& node, const Node& other) {
    std::set<const Node*> layer{&other};
    while (!layer.empty() && !layer.count(&node)) layer = oneLevelFrom(layer, &Node::parents);
    return !layer.empty();
}

static int levelsOf(const Node& node) {
    int levels = 0;
    for (std::set<const Node*> layer{&node}; !layer.empty(); ++levels) layer = oneLevelFrom(layer, &Node::children);
    return levels;
}

// Number of DAG paths to a node, saturating at kMaxPaths + 1.
static size_t pathsTo(const Node& node, std::map<const Node*, size_t>& counted) {
    const auto it = counted.find(&node);
    if (it != counted.end()) return it->second;
    size_t count = node.inWorld;
    for (const Node* p : node.parents) count = std::min(count + pathsTo(*p, counted), kMaxPaths + 1);
    return counted[&node] = count;
}

void Graph::unlink(Node& node, Node* parent) {
    lastNumber_.clear();  // its name is free there
    if (!parent) {
        node.inWorld = false;
        return;
    }
    auto& up = node.parents;
    up.erase(std::remove(up.begin(), up.end(), parent), up.end());
    auto& down = parent->children;
    down.erase(std::remove(down.begin(), down.end(), &node), down.end());
}

void Graph::addInstance(const NodePtr& node, const NodePtr& parent) {
    if (!node->isDag()) throw Error(node->name + " is not a DAG node");
    if (!parent) {
        node->inWorld = true;
    } else {
        if (!parent->isDag()) throw Error(parent->name + " cannot have children");
        if (isAbove(*node, *parent))
            throw Error(node->name + " cannot be parented under " + parent->name +
                        ": the hierarchy would form a cycle");
        checkDepth(*parent, levelsOf(*node));
        std::map<const Node*, size_t> counted;
        if (pathsTo(*node, counted) + pathsTo(*parent, counted) > kMaxPaths)
            throw Error(node->name + " cannot be parented under " + parent->name +
                        ": nested instancing would create more than " + std::to_string(kMaxPaths) + " instances");
        if (std::find(node->parents.begin(), node->parents.end(), parent.get()) != node->parents.end()) return;
        node->parents.push_back(parent.get());
        parent->children.push_back(node.get());
    }
    dirtyWorldSpace(*node);
}

void Graph::setParent(const NodePtr& node, const NodePtr& parent) {
    if (!node->isDag()) throw Error(node->name + " is not a DAG node");
    const std::vector<Node*> before = node->parents;
    const bool wasInWorld = node->inWorld;
    addInstance(node, parent);
    for (Node* p : before)
        if (p != parent.get()) unlink(*node, p);
    if (wasInWorld && parent) unlink(*node, nullptr);
    const std::string name = uniqueName(node->name, *node);
    if (name != node->name) rename(node, name);
    dirtyWorldSpace(*node);
}

std::vector<DagPath> Graph::dagPaths(const Node& node) const {
    std::vector<DagPath> all;
    NodePtr self = const_cast<Node&>(node).ptr();
    if (node.inWorld) all.push_back({self});
    for (const Node* p : node.parents)
        for (DagPath& path : dagPaths(*p)) {
            if (all.size() == kMaxPaths) return all;
            path.push_back(self);
            all.push_back(std::move(path));
        }
    return all;
}

std::string Graph::fullName(const DagPath& path) {
    std::string text;
    for (const NodePtr& n : path) text += "|" + n->name;
    return text;
}

std::string Graph::dagName(const NodePtr& node) const {
    auto it = byName_.find(node->name);
    if (!node->isDag() || it == byName_.end() || it->second.size() < 2) return node->name;
    const DagPath path = dagPaths(*node).front();
    std::string text = node->name;
    for (size_t k = path.size() - 1; k-- > 0;) {
        text = path[k]->name + "|" + text;
        if (find(text) == node) return text;
    }
    return "|" + text;
}

MMatrix Graph::worldMatrix(const DagPath& path) const {
    // A transform may insert an offsetParentMatrix, and may ignore its parents' transforms.
    MMatrix m;
    for (size_t k = path.size(); k-- > 0;) {
        m = m * path[k]->plug("matrix").matrix();
        if (!path[k]->type->isA("transform")) continue;
        m = m * path[k]->plug("offsetParentMatrix").matrix();
        if (!path[k]->plug("inheritsTransform").flag()) break;
    }
    return m;
}

MMatrix Graph::parentMatrix(const DagPath& path) const {
    if (path.empty()) return {};
    return worldMatrix(DagPath(path.begin(), path.end() - 1));
}

// --- connections

static std::string kindName(const Plug& p) {
    const Attr& a = *p.attr;
    std::string text = a.kind == Kind::Typed ? nameOf(a.dataType) : nameOf(a.kind);
    if (a.kind == Kind::Numeric) text = nameOf(a.element) + std::to_string(a.children.size());
    return p.isArray() ? text + " array" : text;
}

static bool fits(const Attr& from, const Attr& to) {
    if (to.kind == Kind::Message) return true;
    if (from.kind == Kind::Message) return false;
    if (isScalar(from.kind) && isScalar(to.kind)) return true;
    if (holdsData(from.kind) && holdsData(to.kind)) {
        if (from.dataType == DataType::Any || to.dataType == DataType::Any) return true;
        return from.dataType == to.dataType &&
               (from.dataType != DataType::Plugin || !from.dataId || !to.dataId || from.dataId == to.dataId);
    }
    if (from.children.empty() || from.children.size() != to.children.size()) return false;
    for (size_t k = 0; k < from.children.size(); ++k)
        if (!fits(*from.children[k], *to.children[k])) return false;
    return true;
}

void Graph::connect(const Plug& source, const Plug& destination, bool force) {
    const std::string both = source.name() + " to " + destination.name();
    if (source.node->graph != this || destination.node->graph != this)
        throw Error("cannot connect " + both + ": they are not in the same scene");
    if (source == destination) throw Error("cannot connect " + source.name() + " to itself");
    if (!source.attr->readable) throw Error("cannot connect " + both + ": the source is not readable");
    if (!destination.attr->writable) throw Error("cannot connect " + both + ": the destination is not writable");
    if (!source.attr->connectable || !destination.attr->connectable)
        throw Error("cannot connect " + both + ": one of them is not connectable");
    for (const Plug* p : {&source, &destination})
        for (int i : p->indices)
            if (i < 0) throw Error("cannot connect " + both + ": " + p->name() + " needs an index");
    if (!fits(*source.attr, *destination.attr) ||
        (source.isArray() != destination.isArray() && destination.attr->kind != Kind::Message))
        throw Error("cannot connect " + both + ": incompatible types " + kindName(source) + " and " +
                    kindName(destination));
    if (destination.locked()) throw Error(destination.name() + " is locked");
    if (Plug old = destination.source()) {
        if (old == source) return;
        if (!force)
            throw Error(destination.name() + " is already connected to " + old.name() +
                        "; disconnect it or use -force");
        disconnect(old, destination);
    }
    source.value();
    destination.value();
    destination.node->inputs[{destination.attr->id, destination.indices}] = {destination, source};
    Node::Output& out = source.node->outputs[{source.attr->id, source.indices}];
    out.plug = source;
    out.destinations.push_back(destination);
    if (destination.attr->kind != Kind::Message) dirty(destination);
    Scope scope(*this);
    if (MPxNode* user = source.node->user) user->connectionMade(Api::make(source), Api::make(destination), true);
    if (MPxNode* user = destination.node->user) user->connectionMade(Api::make(destination), Api::make(source), false);
    announce({Event::connected, nullptr, source, destination, "", 0});
}

void Graph::disconnect(const Plug& source, const Plug& destination) {
    if (destination.source() != source) throw Error(source.name() + " is not connected to " + destination.name());
    // The destination keeps its last value.
    if (destination.attr->kind != Kind::Message && source.node->graph) evaluate(destination);
    destination.node->inputs.erase({destination.attr->id, destination.indices});
    auto it = source.node->outputs.find({source.attr->id, source.indices});
    auto& list = it->second.destinations;
    list.erase(std::find(list.begin(), list.end(), destination));
    if (list.empty()) source.node->outputs.erase(it);
    for (Plug p = destination; p; p = p.isElement() ? p.array() : p.parent())
        if (p.isElement()) p.array().value()->firstFree = std::min(p.array().value()->firstFree, p.indices.back());
    if (destination.node->graph && destination.attr->kind != Kind::Message) {
        destination.setClean();
        dirtyBelow(destination);
        if (destination.attr->disconnectBehavior == 1) {
            destination.value()->reset();
        } else if (destination.attr->disconnectBehavior == 0 && destination.isElement()) {
            destination.array().value()->elements.erase(destination.indices.back());
        }
    }
    Scope scope(*this);
    if (MPxNode* user = source.node->user) user->connectionBroken(Api::make(source), Api::make(destination), true);
    if (MPxNode* user = destination.node->user)
        user->connectionBroken(Api::make(destination), Api::make(source), false);
    announce({Event::disconnected, nullptr, source, destination, "", 0});
}

// True if the plug or a descendant is connected.
static bool isDriven(const Node& node, const Attr& attr, const std::vector<int>& indices) {
    const auto at = node.inputs.lower_bound({attr.id, indices});
    if (at != node.inputs.end() && at->first.attr == attr.id && at->first.indices.size() >= indices.size() &&
        std::equal(indices.begin(), indices.end(), at->first.indices.begin()))
        return true;
    return std::any_of(attr.children.begin(), attr.children.end(),
                       [&](const AttrPtr& child) { return isDriven(node, *child, indices); });
}

Plug Graph::nextAvailable(const Plug& p) const {
    if (!p.isArray()) throw Error(p.name() + " is not an array");
    for (int& i = p.value()->firstFree;; ++i) {
        const Plug e = p.element(i);
        if (!isDriven(*e.node, *e.attr, e.indices)) return e;
    }
}

// --- time

double Graph::ticks() const { return time_->plug("outTime").value()->number(); }

void Graph::setTicks(double t) {
    const Plug out = time_->plug("outTime");
    out.put(t);
    time_->plug("unwarpedTime").put(t);
    dirtyBelow(out);
    announce({Event::timeChanged, nullptr, {}, {}, "", t});
}

}  // namespace purl::host
