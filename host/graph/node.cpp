#include "host/graph/node.h"

#include <maya/MPxNode.h>

#include <algorithm>
#include <cctype>

#include "host/graph/context.h"
#include "host/graph/graph.h"

namespace purl::host {

Node::~Node() {
    delete user;
    if (type) --type->instances;
}

AttrPtr Node::find(const std::string& wanted) const {
    if (AttrPtr a = type->find(wanted)) return a;
    const auto it = dynamicNames_.find(wanted);
    return it == dynamicNames_.end() ? nullptr : it->second;
}

static void allNames(const AttrPtr& attr, std::vector<std::string>& names) {
    names.push_back(attr->name);
    for (const AttrPtr& c : attr->children) allNames(c, names);
}

[[noreturn]] static void unknown(const Node& node, const std::string& wanted, const std::vector<AttrPtr>& among) {
    std::vector<std::string> names;
    for (const AttrPtr& a : among) allNames(a, names);
    const std::string close = nearest(wanted, names);
    throw Error(node.name + " (" + node.type->name + ") has no attribute " + wanted +
                (close.empty() ? "" : "; did you mean " + close + "?"));
}

static int parseIndex(const Node& node, const std::string& path, const std::string& digits) {
    if (digits.empty() || digits.size() > 9 ||
        !std::all_of(digits.begin(), digits.end(), [](unsigned char c) { return std::isdigit(c); }))
        throw Error(node.name + "." + path + ": bad index [" + digits + "]");
    return std::stoi(digits);
}

constexpr int kMaxRange = 1 << 20;  // elements of an index range, one plug each; bounds the memory of [0:999999999]

std::vector<Plug> Node::plugs(const std::string& given) {
    std::string path = given;
    if (!path.empty() && path[0] == '.') path.erase(0, 1);
    auto alias = aliases.find(path);
    if (alias != aliases.end()) path = alias->second;

    Plug plug;
    plug.node = ptr();
    std::vector<Plug> all;
    size_t at = 0;
    while (at <= path.size()) {
        size_t end = path.find_first_of(".[", at);
        if (end == std::string::npos) end = path.size();
        const std::string word = path.substr(at, end - at);
        if (!all.empty()) throw Error(name + "." + path + ": an index range is only allowed in the last index");
        if (!plug.attr) {
            plug.attr = find(word);
            if (!plug.attr) unknown(*this, word, attributes());
            // a child given by its name alone: parent arrays have no index yet
            plug.indices.assign(size_t(plug.attr->arrayDepth() - plug.attr->array), -1);
        } else {
            if (plug.isArray()) plug.indices.push_back(-1);
            Attr* c = plug.attr->child(word);
            if (!c) unknown(*this, word, plug.attr->children);
            plug.attr = plug.attr->children[c->childIndex()];
        }
        at = end;
        if (at < path.size() && path[at] == '[') {
            const size_t close = path.find(']', at);
            if (close == std::string::npos) throw Error(name + "." + path + ": missing ]");
            if (!plug.attr->array) throw Error(name + "." + plug.path() + " is not an array");
            const std::string inside = path.substr(at + 1, close - at - 1);
            const size_t colon = inside.find(':');
            if (colon == std::string::npos) {
                plug.indices.push_back(parseIndex(*this, path, inside));
            } else {
                const int first = parseIndex(*this, path, inside.substr(0, colon));
                const int last = parseIndex(*this, path, inside.substr(colon + 1));
                if (last - first >= kMaxRange)
                    throw Error(name + "." + path + ": index ranges are limited to " + std::to_string(kMaxRange) +
                                " elements");
                for (int i = first; i <= last; ++i) all.push_back(plug.element(i));
            }
            at = close + 1;
        }
        if (at >= path.size()) break;
        if (path[at] != '.') throw Error(name + "." + path + ": unexpected " + path.substr(at));
        ++at;
    }
    if (all.empty()) all.push_back(plug);
    return all;
}

Plug Node::plug(const std::string& path) {
    std::vector<Plug> all = plugs(path);
    if (all.size() != 1) throw Error(name + "." + path + ": expected a single element, not a range");
    return all[0];
}

bool Node::has(const std::string& path) const {
    try {
        const_cast<Node*>(this)->plugs(path);
        return true;
    } catch (const Error&) { return false; }
}

void Node::addNames(const AttrPtr& attr) {
    dynamicNames_.emplace(attr->name, attr);
    dynamicNames_.emplace(attr->shortName, attr);
    for (const AttrPtr& c : attr->children) addNames(c);
}

static void markDynamic(const AttrPtr& attr) {
    attr->dynamic = true;
    for (const AttrPtr& c : attr->children) markDynamic(c);
}

AttrPtr Node::addDynamic(AttrPtr attr) {
    for (const std::string& n : {attr->name, attr->shortName})
        if (find(n)) throw Error(name + " already has an attribute " + n);
    markDynamic(attr);
    dynamic_.push_back(attr);
    addNames(attr);
    return attr;
}

void Node::removeDynamic(const AttrPtr& attr) {
    auto it = std::find(dynamic_.begin(), dynamic_.end(), attr);
    if (it == dynamic_.end()) throw Error(name + "." + attr->name + " is not a dynamic attribute");
    if (graph) {
        std::vector<std::pair<Plug, Plug>> gone;
        for (const auto& in : inputs)
            if (in.second.plug.attr->isOrIsBelow(attr.get())) gone.emplace_back(in.second.source, in.second.plug);
        for (const auto& out : outputs)
            if (out.second.plug.attr->isOrIsBelow(attr.get()))
                for (const Plug& d : out.second.destinations) gone.emplace_back(out.second.plug, d);
        for (const auto& c : gone) graph->disconnect(c.first, c.second);
    }
    dynamic_.erase(it);
    dynamicNames_.clear();
    for (const AttrPtr& a : dynamic_) addNames(a);
    block_.erase(attr.get());
}

std::vector<AttrPtr> Node::attributes() const {
    std::vector<AttrPtr> all = type->attributes();
    all.insert(all.end(), dynamic_.begin(), dynamic_.end());
    return all;
}

Value& Node::root(const Attr* attr) {
    const auto& context = Context::current();
    return (context ? context->of(*this) : block_).root(*this, attr);
}

Value* Node::peekRoot(const Attr* attr) const {
    const auto& context = Context::current();
    return (context ? context->of(*this) : block_).peek(attr);
}

}  // namespace purl::host
