#include "host/graph/edits.h"

#include <algorithm>
#include <set>

namespace purl::host {

void Edits::make(Edit edit) {
    if (!edit.done) {
        edit.redo();
        edit.done = true;
    }
    edits_.push_back(std::move(edit));
}

void Edits::redo() {
    for (Edit& e : edits_) {
        if (e.done) continue;
        e.redo();
        e.done = true;
    }
}

void Edits::undo() {
    for (size_t k = edits_.size(); k-- > 0;) {
        Edit& e = edits_[k];
        if (!e.done) continue;
        e.undo();
        e.done = false;
    }
}

// --- nodes

namespace {

// What a removal deletes, for undo: nodes, DAG links, connections, selection.
struct Removed {
    struct Links {
        NodePtr node;
        std::vector<Node*> parents, children;
        bool inWorld;
    };
    std::vector<NodePtr> nodes;
    std::vector<Links> links;  // of the removed nodes and their DAG neighbours
    std::vector<std::pair<Plug, Plug>> connections;
    std::vector<std::string> selection;
};

Removed detach(Graph& graph, const NodePtr& top) {
    Removed removed;
    removed.selection = graph.selection;
    std::vector<NodePtr> below = {top};
    std::set<Node*> seen = {top.get()}, linked;
    for (size_t k = 0; k < below.size(); ++k)
        for (Node* c : std::vector<Node*>(below[k]->children))
            if (seen.insert(c).second) below.push_back(c->ptr());
    const auto keep = [&](Node& n) {
        if (linked.insert(&n).second) removed.links.push_back({n.ptr(), n.parents, n.children, n.inWorld});
    };
    std::vector<std::pair<Plug, Plug>> connections;
    for (const NodePtr& at : below) {
        keep(*at);
        for (Node* p : at->parents) keep(*p);
        for (Node* c : at->children) keep(*c);
        for (const auto& in : at->inputs) connections.emplace_back(in.second.source, in.second.plug);
        for (const auto& out : at->outputs)
            for (const Plug& d : out.second.destinations)
                if (!seen.count(d.node.get())) connections.emplace_back(out.second.plug, d);
    }
    graph.remove(top);
    // Instances with another parent remain in the graph.
    for (const NodePtr& at : below)
        if (!at->alive()) removed.nodes.push_back(at);
    for (const auto& c : connections)
        if (!c.first.node->alive() || !c.second.node->alive()) removed.connections.push_back(c);
    return removed;
}

void reattach(Graph& graph, const Removed& removed) {
    for (const NodePtr& at : removed.nodes) graph.restore(at);
    for (const Removed::Links& was : removed.links) {
        was.node->parents = was.parents;
        was.node->children = was.children;
        was.node->inWorld = was.inWorld;
    }
    for (const auto& c : removed.connections) graph.connect(c.first, c.second, true);
    for (const NodePtr& at : removed.nodes)
        if (at->isDag()) graph.dirtyWorldSpace(*at);
    graph.selection = removed.selection;
}

}  // namespace

// Undo removes the nodes together with their connections, which a plugin may have made on creation; redo restores both.
Edit creating(Graph& graph, const std::vector<NodePtr>& nodes) {
    Graph* g = &graph;
    auto removed = std::make_shared<std::vector<Removed>>();
    return {[g, removed] {
                for (size_t k = removed->size(); k-- > 0;) reattach(*g, (*removed)[k]);
                removed->clear();
            },
            [g, nodes, removed] {
                for (size_t k = nodes.size(); k-- > 0;)
                    if (nodes[k]->alive()) removed->push_back(detach(*g, nodes[k]));
            },
            true};
}

Edit removing(const NodePtr& node) {
    Graph* g = node->graph;
    auto removed = std::make_shared<Removed>();
    return {[g, node, removed] { *removed = detach(*g, node); }, [g, removed] { reattach(*g, *removed); }};
}

Edit renaming(const NodePtr& node, const std::string& name) {
    auto before = std::make_shared<std::string>();
    return {[node, name, before] {
                *before = node->name;
                node->graph->rename(node, name);
            },
            [node, before] { node->graph->rename(node, *before); }};
}

// --- the DAG

namespace {

// DAG position and name of a node, for undo: reparenting may rename the node.
struct SavedPlace {
    std::vector<Node*> parents;
    std::vector<std::vector<Node*>> siblings;  // children of each parent
    bool inWorld = false;
    std::string name;
};

Edit moving(const NodePtr& node, std::function<void()> move) {
    auto was = std::make_shared<SavedPlace>();
    return {[node, was, move = std::move(move)] {
                *was = {node->parents, {}, node->inWorld, node->name};
                for (const Node* p : node->parents) was->siblings.push_back(p->children);
                move();
            },
            [node, was] {
                for (Node* p : node->parents) {
                    auto& list = p->children;
                    list.erase(std::remove(list.begin(), list.end(), node.get()), list.end());
                }
                node->parents = was->parents;
                node->inWorld = was->inWorld;
                for (size_t k = 0; k < was->parents.size(); ++k) was->parents[k]->children = was->siblings[k];
                node->graph->rename(node, was->name);
                node->graph->dirtyWorldSpace(*node);
            }};
}

}  // namespace

Edit reparenting(const NodePtr& node, const NodePtr& parent) {
    return moving(node, [node, parent] { node->graph->setParent(node, parent); });
}

Edit instancing(const NodePtr& node, const NodePtr& parent) {
    return moving(node, [node, parent] { node->graph->addInstance(node, parent); });
}

// --- attributes and values

Edit addingAttribute(const NodePtr& node, const AttrPtr& attr) {
    return {[node, attr] { node->addDynamic(attr); }, [node, attr] { node->removeDynamic(attr); }};
}

namespace {

// Deep copy of a value tree, without the dirty flags.
struct SavedValue {
    Numbers own{};
    DataPtr data;
    std::vector<std::pair<int, SavedValue>> children, elements;
};

SavedValue copyOf(const Value& value) {
    SavedValue saved{value.own, value.data, {}, {}};
    for (size_t k = 0; k < value.children.size(); ++k)
        if (value.children[k]) saved.children.emplace_back(int(k), copyOf(*value.children[k]));
    for (const auto& e : value.elements) saved.elements.emplace_back(e.first, copyOf(*e.second));
    return saved;
}

void restoreInto(Value& value, const SavedValue& saved) {
    value.own = saved.own;
    value.data = saved.data;
    for (const auto& c : saved.children) restoreInto(value.child(c.first), c.second);
    std::set<int> there;
    for (const auto& e : saved.elements) {
        there.insert(e.first);
        restoreInto(value.element(e.first), e.second);
    }
    for (auto it = value.elements.begin(); it != value.elements.end();)
        it = there.count(it->first) ? std::next(it) : value.elements.erase(it);
}

// The plug that stores the value: for a component of a float3 that is its parent.
Plug storagePlug(const Plug& plug) {
    const Plug above = plug.parent();
    return above && above.attr->kind == Kind::Numeric && !plug.isElement() ? above : plug;
}

// Saved values of a plug, for undo.
class SavedPlug {
  public:
    explicit SavedPlug(const Plug& plug) : plug_(plug), at_(storagePlug(plug)) {
        if (const Value* value = at_.peek()) {
            there_ = true;
            values_ = copyOf(*value);
        }
    }
    void restore() const {
        Graph& graph = *plug_.node->graph;
        if (!there_ && at_.isElement()) {
            at_.array().value()->elements.erase(at_.indices.back());
            return graph.dirtyBelow(at_.array());
        }
        if (there_)
            restoreInto(*at_.value(), values_);
        else
            at_.value()->reset();
        plug_.setClean();
        graph.dirtyBelow(plug_);
        // Connected sibling components must be pulled again.
        for (int k = 0; at_ != plug_ && k < at_.childCount(); ++k)
            if (at_.child(k).isConnected()) graph.dirty(at_.child(k));
    }

  private:
    Plug plug_, at_;
    bool there_ = false;
    SavedValue values_;
};

}  // namespace

Edit setting(const Plug& plug, std::function<void()> set) {
    auto before = std::make_shared<std::unique_ptr<SavedPlug>>();
    return {[plug, set = std::move(set), before] {
                auto was = std::make_unique<SavedPlug>(plug);
                set();
                *before = std::move(was);
            },
            [before] { (*before)->restore(); }};
}

// --- connections

Edit connecting(const Plug& s, const Plug& d, bool force) {
    struct Was {
        Plug source;
        std::unique_ptr<SavedPlug> value;
    };
    auto was = std::make_shared<Was>();
    return {[s, d, force, was] {
                Was now{d.source(), std::make_unique<SavedPlug>(d)};
                s.node->graph->connect(s, d, force);
                *was = std::move(now);
            },
            [s, d, was] {
                s.node->graph->disconnect(s, d);
                if (d.attr->kind != Kind::Message) was->value->restore();
                if (was->source) s.node->graph->connect(was->source, d);
            }};
}

Edit disconnecting(const Plug& s, const Plug& d) {
    return {[s, d] { s.node->graph->disconnect(s, d); }, [s, d] { s.node->graph->connect(s, d); }};
}

Edit deletingAttribute(const NodePtr& node, const AttrPtr& attr) {
    struct Gone {
        SavedValue values;
        bool there = false;
        std::vector<std::pair<Plug, Plug>> connections;
    };
    auto gone = std::make_shared<Gone>();
    return {[node, attr, gone] {
                *gone = Gone();
                if (const Value* v = node->peekRoot(attr.get())) {
                    gone->there = true;
                    gone->values = copyOf(*v);
                }
                for (const auto& in : node->inputs)
                    if (in.second.plug.attr->isOrIsBelow(attr.get()))
                        gone->connections.emplace_back(in.second.source, in.second.plug);
                for (const auto& out : node->outputs)
                    if (out.second.plug.attr->isOrIsBelow(attr.get()))
                        for (const Plug& d : out.second.destinations)
                            gone->connections.emplace_back(out.second.plug, d);
                node->removeDynamic(attr);
            },
            [node, attr, gone] {
                node->addDynamic(attr);
                if (gone->there) restoreInto(node->root(attr.get()), gone->values);
                for (const auto& c : gone->connections) node->graph->connect(c.first, c.second);
            }};
}

Edit locking(const Plug& plug, bool on) {
    auto before = std::make_shared<bool>();
    return {[plug, on, before] {
                *before = plug.node->lockedPlugs.count({plug.attr->id, plug.indices}) > 0;
                plug.setLocked(on);
            },
            [plug, before] { plug.setLocked(*before); }};
}

}  // namespace purl::host
