// Node commands: createNode, delete, rename, select, ls and others.
#include <algorithm>
#include <set>

#include "host/commands/command.h"

namespace purl::host {
namespace {

CommandResult createNode(CommandContext& d) {
    const std::vector<std::string> words = d.call.words();
    if (words.size() != 1) throw Error("expected one node type");
    const std::string &type = words[0], name = d.call.text("name");
    const Type* known = findType(type);
    if (!known || known->placeholder) {
        std::vector<std::string> names;
        for (const std::string& n : typeNames())
            if (!findType(n)->placeholder) names.push_back(n);
        const std::string close = nearest(type, names);
        throw Error("unknown node type " + type + (close.empty() ? "" : "; did you mean " + close + "?"));
    }
    if (d.call.on("shared") && !name.empty())
        if (const NodePtr there = d.graph.find(name)) return nameOf(d.graph, there);
    const NodePtr parent = d.call.has("parent") ? d.graph.get(d.call.text("parent")) : nullptr;
    NodePtr node;
    if (known->shape && !parent) {
        node = d.graph.createWithParent(type, name);
        d.edits.make(creating(d.graph, {node->parents.front()->ptr(), node}));
    } else {
        node = createdNode(d, type, name, parent);
    }
    if (!d.call.on("skipSelect")) d.edits.make(selecting(d.graph, {nameOf(d.graph, node)}));
    return nameOf(d.graph, node);
}

bool isDefault(const Graph& graph, const NodePtr& node) {
    static const std::set<std::string> kNames = {"time1",
                                                 "persp",
                                                 "perspShape",
                                                 "top",
                                                 "topShape",
                                                 "front",
                                                 "frontShape",
                                                 "side",
                                                 "sideShape",
                                                 "lambert1",
                                                 "standardSurface1",
                                                 "initialShadingGroup",
                                                 "initialParticleSE",
                                                 "defaultRenderGlobals",
                                                 "defaultResolution",
                                                 "defaultLightSet",
                                                 "defaultObjectSet"};
    return node == graph.time1() || kNames.count(node->name) > 0;
}

bool isHistory(const Node& node) {
    const std::string& type = node.type->name;
    return type.rfind("animCurve", 0) == 0 || type == "unitConversion" || type == "transformGeometry" ||
           type == "groupParts" || type == "groupId" || type == "tweak" || type == "deleteComponent" ||
           (type.rfind("poly", 0) == 0 && !node.isDag());
}

// Deletes the sources of a deleted node that no longer drive anything, such as its primitive and animation curves, as
// Maya does.
void removeLeftovers(CommandContext& d, const std::vector<NodePtr>& feeders) {
    for (const NodePtr& node : feeders) {
        if (!node->alive() || !isHistory(*node) || !node->outputs.empty()) continue;
        std::vector<NodePtr> above;
        for (const auto& in : node->inputs) above.push_back(in.second.source.node);
        d.edits.make(removing(node));
        removeLeftovers(d, above);
    }
}

void collectFeeders(const Node& node, std::vector<NodePtr>& feeders) {
    for (const auto& in : node.inputs) feeders.push_back(in.second.source.node);
    for (const Node* c : node.children) collectFeeders(*c, feeders);
}

// Replaces a shape's construction history by its current mesh.
void bakeHistory(CommandContext& d, const NodePtr& node) {
    const NodePtr shape = node->isDag() ? firstShape(node) : nullptr;
    if (!shape || !shape->type->isA("mesh")) return;
    const Plug in = shape->plug("inMesh");
    const Plug source = in.source();
    if (!source) return;
    const DataPtr mesh = in.data();
    d.edits.make(disconnecting(source, in));
    d.edits.make(setting(in, [in, mesh] { in.set(mesh); }));
    removeLeftovers(d, {source.node});
}

CommandResult deleteNodes(CommandContext& d) {
    if (d.call.on("constructionHistory")) {
        for (const NodePtr& node : targets(d)) bakeHistory(d, node);
        return {};
    }
    const std::vector<std::string> words = targetWords(d);
    if (words.empty()) throw Error("nothing is specified or selected");
    std::vector<std::string> nodes, faces;
    for (const std::string& word : words) (word.find('.') == std::string::npos ? nodes : faces).push_back(word);
    deleteFaces(d, faces, {"deleteComponent", "inputGeometry", "outputGeometry", "deleteComponents"});
    for (const NodePtr& node : nodesNamed(d.graph, nodes)) {
        if (!node->alive()) continue;  // deleted together with an earlier node
        if (isDefault(d.graph, node)) throw Error(node->name + " is a default node and cannot be deleted");
        if (node->nodeLocked) throw Error(node->name + " is locked");
        std::vector<NodePtr> feeders;
        collectFeeders(*node, feeders);
        d.edits.make(removing(node));
        removeLeftovers(d, feeders);
    }
    return {};
}

// --- duplicate

// Copies values, computing those that are driven; the copy has no connections.
void copyAttributes(CommandContext& d, const NodePtr& from, const NodePtr& to) {
    for (const AttrPtr& attr : from->dynamic()) to->addDynamic(attr);
    for (const AttrPtr& attr : from->attributes()) {
        if (!attr->storable || !attr->writable || attr->kind == Kind::Message || from->type->isOutput(attr.get()))
            continue;
        const Plug source = from->plug(attr);
        if (!source.peek()) continue;
        source.evaluate();
        copyValue(*source.value(), *to->plug(attr).value(), d.graph.units);
        d.graph.dirtyBelow(to->plug(attr));
    }
}

// The copy of a node and everything below it, under `parent`.
NodePtr duplicated(CommandContext& d, const NodePtr& node, const std::string& name, const NodePtr& parent,
                   bool withChildren) {
    if (node->type->placeholder)
        throw Error(node->name + ": nodes of the unknown type " + node->type->name + " cannot be copied");
    const NodePtr copy = createdNode(d, node->type->name, name, parent);
    copyAttributes(d, node, copy);
    // A shape stays in its shading groups.
    if (node->type->shape) {
        for (const Plug& to : node->plug("instObjGroups").element(0).destinations())
            if (to.node->type->isA("shadingEngine")) addToSet(d, to.node, copy);
    }
    const std::vector<Node*> children = node->children;
    for (Node* c : children)
        if (c->type->shape || withChildren) {
            const bool named = c->type->shape && c->name == shapeName(node->name);
            duplicated(d, c->ptr(), named ? shapeName(copy->name) : c->name, copy, withChildren);
        }
    return copy;
}

void addAllBelow(const Graph& graph, const NodePtr& node, std::vector<std::string>& names) {
    for (Node* c : node->children)
        if (!c->type->shape) {
            names.push_back(nameOf(graph, c->ptr()));
            addAllBelow(graph, c->ptr(), names);
        }
}

CommandResult duplicate(CommandContext& d) {
    std::vector<std::string> names;
    std::vector<NodePtr> originals = targets(d), copies;
    for (NodePtr node : originals) {
        if (isDefault(d.graph, node)) throw Error(node->name + " is a default node and cannot be copied");
        if (node->type->shape && !node->parents.empty()) node = node->parents.front()->ptr();
        const NodePtr parent = node->parents.empty() ? nullptr : node->parents.front()->ptr();
        const NodePtr copy =
            duplicated(d, node, d.call.text("name", node->name + "#"), parent, !d.call.on("parentOnly"));
        copies.push_back(copy);
        names.push_back(nameOf(d.graph, copy));
        if (!d.call.on("returnRootsOnly")) addAllBelow(d.graph, copy, names);
    }
    d.edits.make(selecting(d.graph, namesOf(d.graph, copies)));
    return names;
}

CommandResult rename(CommandContext& d) {
    const std::vector<std::string> words = d.call.words();
    if (words.empty() || words.size() > 2) throw Error("expected a node and its new name");
    const std::vector<std::string>& selected = d.graph.selection;
    if (words.size() == 1 && selected.size() != 1) throw Error("expected a node and its new name");
    const NodePtr node = d.graph.get(words.size() == 2 ? words[0] : selected[0]);
    if (node->nodeLocked || isDefault(d.graph, node))
        throw Error(node->name + " is locked or a default node and cannot be renamed");
    const std::string& wanted = words.back();
    // A shape named after its transform is renamed with it: ball1, ballShape1.
    std::vector<NodePtr> shapes;
    if (!d.call.on("ignoreShape"))
        for (Node* c : node->children)
            if (c->type->shape && c->name == shapeName(node->name)) shapes.push_back(c->ptr());
    d.edits.make(renaming(node, wanted));
    for (const NodePtr& shape : shapes) d.edits.make(renaming(shape, shapeName(node->name)));
    return nameOf(d.graph, node);
}

void addBelow(const Graph& graph, const Node& node, std::vector<std::string>& names) {
    for (Node* c : node.children) {
        names.push_back(nameOf(graph, c->ptr()));
        addBelow(graph, *c, names);
    }
}

CommandResult select(CommandContext& d) {
    if (d.call.on("clear")) {
        d.edits.make(selecting(d.graph, {}));
        return {};
    }
    std::vector<std::string> given;
    if (d.call.on("all")) {
        for (const NodePtr& n : d.graph.nodes())
            if (n->isDag() && n->inWorld && !isDefault(d.graph, n)) given.push_back(nameOf(d.graph, n));
    }
    for (const std::string& word : d.call.words()) {
        const size_t dot = word.find('.');
        for (const NodePtr& n : nodesNamed(d.graph, {word.substr(0, dot)})) {
            if (dot != std::string::npos && word.find(".vtx[") == std::string::npos &&
                word.find(".f[") == std::string::npos && word.find(".e[") == std::string::npos)
                n->plugs(word.substr(dot + 1));  // throws if there is no such attribute
            given.push_back(nameOf(d.graph, n) + (dot == std::string::npos ? "" : word.substr(dot)));
            if (d.call.on("hierarchy")) addBelow(d.graph, *n, given);
        }
    }
    std::vector<std::string> now = d.graph.selection;
    const auto drop = [&](const std::string& name) {
        const auto it = std::find(now.begin(), now.end(), name);
        if (it == now.end()) return false;
        now.erase(it);
        return true;
    };
    const bool adds = d.call.on("add") || d.call.on("addFirst");
    if (!adds && !d.call.on("deselect") && !d.call.on("toggle")) now.clear();
    for (const std::string& name : given) {
        const bool there = drop(name);
        if (d.call.on("deselect") || (d.call.on("toggle") && there)) continue;
        now.push_back(name);
    }
    d.edits.make(selecting(d.graph, now));
    return {};
}

// DAG nodes from the world down, then all others in creation order.
void hierarchy(const NodePtr& node, std::set<Node*>& seen, std::vector<NodePtr>& out) {
    if (!seen.insert(node.get()).second) return;
    out.push_back(node);
    for (Node* c : node->children) hierarchy(c->ptr(), seen, out);
}

std::vector<NodePtr> inOrder(const Graph& graph) {
    std::vector<NodePtr> out, others;
    std::set<Node*> seen;
    for (const NodePtr& n : graph.nodes()) {
        if (n->isDag() && n->inWorld) hierarchy(n, seen, out);
    }
    for (const NodePtr& n : graph.nodes())
        if (!seen.count(n.get())) out.push_back(n);
    return out;
}

CommandResult ls(CommandContext& d) {
    const Invocation& call = d.call;
    const bool longNames = call.on("long");
    std::vector<std::string> words = call.words(), suffixes;
    std::vector<NodePtr> nodes;
    if (call.on("selection")) { words = d.graph.selection; }
    if (!words.empty() || call.on("selection")) {
        for (const std::string& word : words) {
            const size_t dot = word.find('.');
            const std::string name = word.substr(0, dot);
            std::vector<NodePtr> found = d.graph.findAll(name);
            for (const NodePtr& n : found) {
                if (dot != std::string::npos && word.find(".vtx[") == std::string::npos &&
                    word.find(".f[") == std::string::npos && word.find(".e[") == std::string::npos &&
                    !n->has(word.substr(dot + 1)))
                    continue;
                nodes.push_back(n);
                suffixes.push_back(dot == std::string::npos || call.on("objectsOnly") ? "" : word.substr(dot));
            }
        }
    } else {
        nodes = inOrder(d.graph);
        suffixes.assign(nodes.size(), "");
    }
    if (call.on("dag") && !words.empty()) {
        std::vector<NodePtr> below;
        std::set<Node*> seen;
        for (const NodePtr& n : nodes)
            if (n->isDag()) hierarchy(n, seen, below);
        nodes = below;
        suffixes.assign(nodes.size(), "");
    }
    const auto types = call.values("type");
    std::vector<std::string> out;
    for (size_t k = 0; k < nodes.size(); ++k) {
        const Node& n = *nodes[k];
        bool fits = true;
        if (!types.empty()) {
            fits = false;
            for (const auto& t : types) fits = fits || n.type->isA(t[0]);
        }
        for (const auto& t : call.values("exactType")) fits = fits && n.type->name == t[0];
        if (call.on("dag")) fits = fits && n.isDag() && !n.type->placeholder;
        if (call.on("dependencyNodes")) fits = fits && !n.isDag();
        if (call.on("shapes")) fits = fits && n.type->shape;
        if (call.on("geometry"))
            fits = fits && (n.type->isA("mesh") || n.type->isA("nurbsCurve") || n.type->isA("nurbsSurface"));
        if (call.on("transforms")) fits = fits && n.type->isA("transform");
        if (call.on("cameras")) fits = fits && n.type->isA("camera");
        if (call.on("lights")) fits = fits && n.type->isA("light");
        if (call.on("materials")) fits = fits && (n.type->isA("lambert") || n.type->isA("standardSurface"));
        if (call.on("sets")) fits = fits && n.type->isA("objectSet");
        if (call.on("assemblies")) fits = fits && n.isDag() && n.inWorld && !n.type->placeholder;
        if (call.on("noIntermediate") && n.isDag()) fits = fits && !nodes[k]->plug("intermediateObject").flag();
        if (call.on("intermediateObjects")) fits = fits && n.isDag() && nodes[k]->plug("intermediateObject").flag();
        if (call.on("defaultNodes")) fits = fits && isDefault(d.graph, nodes[k]);
        if (call.on("referencedNodes")) fits = fits && n.name.find(':') != std::string::npos;
        if (!fits) continue;
        if (call.on("uuid")) {
            out.push_back(n.uuid);
        } else {
            std::vector<std::string> names = {nameOf(d.graph, nodes[k], longNames)};
            if (call.on("allPaths") && n.isDag()) {
                names.clear();
                for (const DagPath& path : d.graph.dagPaths(n)) names.push_back(Graph::fullName(path));
            }
            for (const std::string& name : names) out.push_back(name + suffixes[k]);
        }
        if (call.on("showType")) out.push_back(n.type->name);
    }
    if (call.has("head")) out.resize(std::min(out.size(), size_t(call.number("head"))));
    if (call.has("tail")) out.erase(out.begin(), out.end() - long(std::min(out.size(), size_t(call.number("tail")))));
    return out;
}

CommandResult objExists(CommandContext& d) {
    const std::vector<std::string> words = d.call.words();
    if (words.size() != 1) throw Error("expected one name");
    const size_t dot = words[0].find('.');
    const std::vector<NodePtr> found = d.graph.findAll(words[0].substr(0, dot));
    if (dot == std::string::npos) return !found.empty();
    for (const NodePtr& n : found) {
        if (n->has(words[0].substr(dot + 1))) return true;
        try {
            NodePtr shape;
            std::vector<int> vertices;
            if (verticesNamed(d.graph, words[0], shape, vertices)) return true;
        } catch (const Error&) { return false; }
    }
    return false;
}

CommandResult nodeType(CommandContext& d) {
    const std::vector<std::string> words = d.call.words();
    if (words.size() != 1) throw Error("expected one node");
    const Type* type =
        d.call.on("isTypeName") ? findType(words[0]) : d.graph.get(words[0].substr(0, words[0].find('.')))->type;
    if (!type) throw Error("unknown node type " + words[0]);
    if (!d.call.on("inherited")) return type->name;
    std::vector<std::string> line;
    for (const Type* t = type; t; t = t->base)
        if (t->name != "dependNode") line.insert(line.begin(), t->name);
    return line;
}

CommandResult allNodeTypes(CommandContext&) {
    std::vector<std::string> names;
    for (const std::string& n : typeNames())
        if (!findType(n)->placeholder) names.push_back(n);
    std::sort(names.begin(), names.end());
    return names;
}

CommandResult lockNode(CommandContext& d) {
    const bool on = d.call.on("lock", true);
    std::vector<int> locked;
    for (const NodePtr& node : targets(d)) {
        locked.push_back(node->nodeLocked);
        if (d.call.query) continue;
        d.edits.make(
            {[node, on] { node->nodeLocked = on; }, [node, was = node->nodeLocked] { node->nodeLocked = was; }});
    }
    return locked;
}

// listHistory, also with -future: the node itself, then the nodes upstream or downstream of it.
CommandResult listHistory(CommandContext& d) {
    std::vector<NodePtr> found;
    for (NodePtr node : targets(d)) {
        if (const NodePtr shape = node->isDag() ? firstShape(node) : nullptr) node = shape;
        found.push_back(node);
    }
    const bool future = d.call.on("future");
    for (size_t k = 0; k < found.size(); ++k) {
        std::vector<NodePtr> next;
        if (future)
            for (const auto& out : found[k]->outputs)
                for (const Plug& p : out.second.destinations) {
                    if (p.attr->kind != Kind::Message) next.push_back(p.node);
                }
        else
            for (const auto& in : found[k]->inputs)
                if (in.second.plug.attr->kind != Kind::Message) next.push_back(in.second.source.node);
        for (const NodePtr& n : next)
            if (n != d.graph.time1() && std::find(found.begin(), found.end(), n) == found.end()) found.push_back(n);
    }
    return listOrNothing(namesOf(d.graph, found));
}

}  // namespace

std::vector<Command> nodeCommands() {
    return {
        {"createNode",
         "Creates a node.",
         {"name n string", "parent p string", "shared s", "skipSelect ss"},
         createNode},
        {"delete",
         "Deletes nodes, faces of a mesh, or with constructionHistory the history of meshes.",
         {"constructionHistory ch"},
         deleteNodes},
        {"rename", "Renames a node.", {"ignoreShape is"}, rename},
        {"duplicate",
         "Copies objects and what is below them, without history.",
         {"name n string", "returnRootsOnly rr", "parentOnly po", "upstreamNodes un !", "inputConnections ic !",
          "instanceLeaf ilf !", "smartTransform st !", "renameChildren rc !"},
         duplicate},
        {"select",
         "Selects nodes, attributes and components.",
         {"replace r", "add add", "addFirst af", "deselect d", "toggle tgl", "clear cl", "all all", "noExpand ne",
          "hierarchy hi"},
         select},
        {"ls",
         "Lists nodes by name, type or kind.",
         {"type typ string ...",
          "exactType et string ...",
          "selection sl",
          "long l",
          "dag dag",
          "dagObjects do",
          "shapes s",
          "geometry g",
          "transforms tr",
          "cameras ca",
          "lights lt",
          "materials mat",
          "sets set",
          "assemblies as",
          "noIntermediate ni",
          "intermediateObjects io",
          "defaultNodes dn",
          "referencedNodes rn",
          "allPaths ap",
          "uuid uid",
          "showType st",
          "head hd int",
          "tail tl int",
          "flatten fl",
          "recursive r !",
          "dependencyNodes dep",
          "objectsOnly o"},
         ls},
        {"objExists", "Returns whether there is a node, an attribute or a component of this name.", {}, objExists},
        {"nodeType", "Returns the type of a node.", {"inherited i", "isTypeName itn", "apiType api !"}, nodeType},
        {"objectType", "Returns the type of a node.", {"inherited i", "isTypeName itn", "apiType api !"}, nodeType},
        {"allNodeTypes", "Lists the node types that can be created.", {}, allNodeTypes},
        {"lockNode", "Locks nodes, so that they cannot be deleted or renamed.", {"lock l bool"}, lockNode},
        {"listHistory",
         "Lists the nodes upstream of others, or downstream with future.",
         {"future f", "pruneDagObjects pdo !", "leaf lf !"},
         listHistory},
    };
}

}  // namespace purl::host
