// Dirty propagation and pull evaluation.
//
// Dirty flags propagate downstream: from an input to the outputs it affects and along connections, stopping at plugs
// that are already dirty. Values are pulled: a dirty plug evaluates its source or has its node compute it, and is then
// clean.
#include <maya/MDataBlock.h>
#include <maya/MPlugArray.h>
#include <maya/MPxNode.h>

#include <algorithm>
#include <unordered_set>

#include "host/api/access.h"
#include "host/graph/context.h"
#include "host/graph/graph.h"

namespace purl::host {

// --- dirty propagation

// The plug of `target` with the same array indices as `from`, for the arrays that both share.
static Plug relatedPlug(const Plug& from, const Attr* target) {
    Plug p;
    p.node = from.node;
    p.attr = std::static_pointer_cast<Attr>(const_cast<Attr*>(target)->shared_from_this());
    const Attr* common = target;
    while (common && !from.attr->isOrIsBelow(common)) common = common->parent;
    const size_t shared = common ? size_t(common->arrayDepth()) : 0;
    p.indices.assign(from.indices.begin(), from.indices.begin() + long(std::min(shared, from.indices.size())));
    // Below an array that is not shared, all elements are affected: return the whole array.
    std::vector<const Attr*> chain;
    for (const Attr* a = target; a; a = a->parent) chain.insert(chain.begin(), a);
    size_t depth = 0;
    for (const Attr* a : chain) {
        depth += a->array;
        if (a->array && depth > p.indices.size()) {
            p.attr = std::static_pointer_cast<Attr>(const_cast<Attr*>(a)->shared_from_this());
            break;
        }
    }
    return p;
}

static void affectedBelow(const Type& type, const Attr* attr, const Plug& from, std::vector<Plug>& next) {
    for (const Attr* target : type.affectedBy(attr)) next.push_back(relatedPlug(from, target));
    for (const AttrPtr& c : attr->children) affectedBelow(type, c.get(), from, next);
}

// Maps `p`, a descendant of source plug s, to the corresponding descendant of destination d.
static Plug follow(const Plug& s, const Plug& d, const Plug& p) {
    std::vector<const Attr*> chain;
    for (const Attr* a = p.attr.get(); a != s.attr.get(); a = a->parent) chain.insert(chain.begin(), a);
    Plug at = d;
    size_t i = s.indices.size();
    if (s.isArray() && p.indices.size() > i && at.isArray()) at = at.element(p.indices[i++]);
    for (const Attr* a : chain) {
        const int k = a->childIndex();
        if (k >= at.childCount() || at.isArray()) return at;
        at = at.child(k);
        if (a->array && i < p.indices.size() && at.isArray()) at = at.element(p.indices[i++]);
    }
    return at;
}

static void worldSpaceBelow(Node& node, std::vector<Plug>& next) {
    std::unordered_set<const Node*> visited;  // instances have several parents
    for (std::vector<Node*> stack{&node}; !stack.empty();) {
        Node& at = *stack.back();
        stack.pop_back();
        if (!visited.insert(&at).second) continue;
        for (const AttrPtr& a : at.attributes())
            if (a->worldSpace) next.push_back(at.plug(a));
        stack.insert(stack.end(), at.children.rbegin(), at.children.rend());
    }
}

// Appends the direct dependents of a plug.
void Graph::appendDependents(const Plug& plug, std::vector<Plug>& next) {
    Node& node = *plug.node;
    for (const Type* t = node.type; t; t = t->base) {
        affectedBelow(*t, plug.attr.get(), plug, next);
        for (const Attr* a = plug.attr->parent; a; a = a->parent)
            for (const Attr* target : t->affectedBy(a)) next.push_back(relatedPlug(plug, target));
    }
    if (plug.attr->affectsWorldSpace && node.isDag()) worldSpaceBelow(node, next);
    if (node.user) {
        Scope scope(*this);
        MPlugArray affected;
        node.user->setDependentsDirty(Api::make(plug), affected);
        for (unsigned i = 0; i < affected.length(); ++i) next.push_back(Api::plug(affected[i]));
    }
    for (const auto& out : node.outputs) {
        const Plug& s = out.second.plug;
        const bool inside = plug.isOrIsBelow(s);
        if (!inside && !s.isOrIsBelow(plug)) continue;
        for (const Plug& d : out.second.destinations)
            if (d.attr->kind != Kind::Message)
                // Of a connected compound all is dirty at the other end, of an array the element only.
                next.push_back(inside && plug.indices.size() > s.indices.size() ? follow(s, d, plug) : d);
    }
}

// True if a value that does not exist yet would be created dirty. Such values need not be created just to be marked;
// they would dominate the memory of large scenes.
static bool startsDirty(const Plug& plug) {
    Plug above = plug.isElement() ? plug.array() : plug.parent();
    if (!above) return plug.node->type->holdsOutput(plug.attr.get());
    const Value* const v = above.peek();
    return v ? v->dirty : startsDirty(above);
}

static void propagateDirty(std::vector<Plug>& stack,
                           const std::function<void(const Plug&, std::vector<Plug>&)>& appendDependents) {
    while (!stack.empty()) {
        const Plug p = std::move(stack.back());
        stack.pop_back();
        if (!p || !p.node->graph) continue;
        if (std::count(p.indices.begin(), p.indices.end(), -1)) continue;
        const Value* const v = p.peek();
        if (v ? v->allDirty() : startsDirty(p)) continue;
        p.value()->mark(true);
        appendDependents(p, stack);
    }
}

void Graph::dirty(const Plug& plug) {
    plug.value()->mark(true);
    dirtyBelow(plug);
}

void Graph::dirtyBelow(const Plug& plug) {
    std::vector<Plug> stack;
    appendDependents(plug, stack);
    propagateDirty(stack, [](const Plug& p, std::vector<Plug>& next) { p.node->graph->appendDependents(p, next); });
}

void Graph::dirtyWorldSpace(Node& node) {
    std::vector<Plug> stack;
    worldSpaceBelow(node, stack);
    propagateDirty(stack, [](const Plug& p, std::vector<Plug>& next) { p.node->graph->appendDependents(p, next); });
}

// --- evaluation

namespace {
// The graph that this thread has access to.
thread_local const Graph* accessed = nullptr;
}  // namespace

Graph::Access::Access(Graph& graph) : graph_(graph), before_(accessed) {
    if (before_ == &graph) return;
    graph_.access_.lock();
    accessed = &graph;
}
Graph::Access::~Access() {
    if (before_ == &graph_) return;
    accessed = before_;
    graph_.access_.unlock();
}
Graph::Access::Released::Released(Graph& graph) : graph_(graph) {
    accessed = nullptr;
    graph_.access_.unlock();
}
Graph::Access::Released::~Released() {
    graph_.access_.lock();
    accessed = &graph_;
}

// Size of one scene unit in internal units; 1 for plain numbers.
static double unitSize(Kind kind, const Units& u) {
    switch (kind) {
        case Kind::Time: return u.ticksPerFrame;
        case Kind::Distance: return u.cmPerUnit;
        case Kind::Angle: return u.radiansPerUnit;
        default: return 1;
    }
}

static double convert(double x, Kind from, Kind to, const Units& units) {
    return from == to
               ? x
               : x * unitSize(to, units) / unitSize(from, units);  // multiplying first keeps frame numbers integral
}

static double childNumber(const Value& v, int k) {
    if (v.attr->kind == Kind::Numeric) return v.component(k);
    return const_cast<Value&>(v).child(k).number();
}

void copyValue(Value& from, Value& to, const Units& units) {
    if (to.wholeArray) {
        for (auto it = to.elements.begin(); it != to.elements.end();)
            it = from.elements.count(it->first) ? std::next(it) : to.elements.erase(it);
        for (auto& e : from.elements) copyValue(*e.second, to.element(e.first), units);
        return;
    }
    const Attr& a = *to.attr;
    if (a.kind == Kind::Numeric) {
        for (int k = 0; k < int(a.children.size()); ++k)
            to.setComponent(k, convert(childNumber(from, k), from.attr->children[k]->kind, a.children[k]->kind, units));
    } else if (isScalar(a.kind)) {
        const bool raw = a.rawUnits || from.attr->rawUnits;
        to.setNumber(raw ? from.number() : convert(from.number(), from.attr->kind, a.kind, units));
    } else if (holdsData(a.kind)) {
        const bool typed = from.data && a.dataType != DataType::Any && from.data->type() != a.dataType;
        to.data = typed ? nullptr : from.data;
    } else {
        for (int k = 0; k < int(a.children.size()); ++k) copyValue(from.child(k), to.child(k), units);
    }
}

// The source of the connection above a plug that drives it, across compounds but not arrays.
static Plug connectedSource(const Plug& plug) {
    for (Plug p = plug; p; p = p.parent()) {
        if (Plug source = p.source()) return source;
        if (p.isElement()) break;
    }
    return {};
}

// Cleans one value without its descendants: pulls it through its connection or has the node compute it.
Result Graph::refresh(const Plug& plug, Value& value) {
    if (Plug source = plug.drivingSource()) {
        // A connection is evaluated as a whole: the node may compute a child together with its siblings only.
        const Plug whole = connectedSource(plug);
        const Result r = evaluate(whole ? whole : source);
        copyValue(*source.value(), value, units);
        if (r != Result::Failed) value.mark(false);
        Evaluation& underway = evaluation();
        if (underway.chainTooLong) underway.computedFromPartial.push_back(plug);
        return r;
    }
    // A plugin may compute any attribute that setDependentsDirty names, also one that was added to its node.
    if (plug.node->user || plug.node->type->isOutput(plug.attr.get())) {
        for (Plug p = plug; p; p = p.isElement() ? p.array() : p.parent()) {
            const Result r = compute(p);
            if (r != Result::Unknown) return r;
        }
    }
    return Result::Unknown;
}

namespace {
struct DepthGuard {
    int& count;
    explicit DepthGuard(int& c) : count(c) { ++count; }
    ~DepthGuard() { --count; }
};
}  // namespace

// Recursion limit of evaluate(). Each level takes about 800 bytes of stack, 1 MB in total.
constexpr int kMaxChain = 1200;

// Not inlined, to keep the stack frame of the recursive evaluate() small.
[[gnu::noinline]] static void reportChain(Graph& graph, const Plug& plug) {
    graph.report(Severity::Error,
                 plug.name() + ": more than " + std::to_string(kMaxChain) +
                     " plugs depend on each other in a chain, or the connections form a cycle; break the chain");
}

// Plugs computed from incomplete inputs must not count as clean.
[[gnu::noinline]] static void markAllDirty(const Graph& graph, std::vector<Plug>& plugs) {
    for (const Plug& p : plugs)
        if (p.node->graph == &graph) p.value()->mark(true);
    plugs.clear();
}

Result Graph::evaluate(const Plug& plug) {
    if (plug.attr->kind == Kind::Message) return Result::Done;
    if (plug.node->graph != this) return Result::Failed;
    const Access access(*this);
    Evaluation& underway = evaluation();
    if (underway.depth >= kMaxChain) {
        if (!underway.chainTooLong) reportChain(*this, plug);
        underway.chainTooLong = true;
        return Result::Failed;
    }
    Result result = Result::Failed;
    {
        const DepthGuard guard(underway.depth);
        result = evaluateInside(plug);
    }
    if (underway.depth > 0 || !underway.chainTooLong) return result;
    underway.chainTooLong = false;
    markAllDirty(*this, underway.computedFromPartial);
    return Result::Failed;
}

Result Graph::evaluateInside(const Plug& plug) {
    Value& v = *plug.value();
    if (!plug.isArray() && !plug.isCompound()) {
        if (!v.dirty) return Result::Done;
        const Result r = refresh(plug, v);
        if (r == Result::Unknown) v.dirty = false;
        return r == Result::Failed ? r : Result::Done;
    }
    const Type& type = *plug.node->type;
    if (v.dirty) {
        if (!plug.isArray())  // create output children, so that they can be dirty
            for (int k = 0; k < plug.childCount(); ++k)
                if (type.isOutput(plug.attr->children[k].get())) v.child(k);
        const Result r = refresh(plug, v);
        if (r == Result::Failed) return r;
        // An array that is computed per element stays dirty as a whole, so that new elements start dirty.
        if (!plug.isArray() || !type.isOutput(plug.attr.get())) v.dirty = false;
    }
    Result result = Result::Done;
    if (plug.isArray()) {
        for (int i : plug.elements())
            if (evaluate(plug.element(i)) == Result::Failed) result = Result::Failed;
    } else {
        for (int k = 0; k < plug.childCount(); ++k) {
            if (v.children.empty() || !v.children[k]) continue;
            if (evaluate(plug.child(k)) == Result::Failed) result = Result::Failed;
        }
    }
    return result;
}

static Result resultOf(const MStatus& s) {
    if (s == MStatus::kSuccess) return Result::Done;
    return s == MStatus::kUnknownParameter ? Result::Unknown : Result::Failed;
}

static Result run(const Plug& plug) {
    Node& node = *plug.node;
    if (node.user) {
        MDataBlock block = Api::block(plug.node);
        const Result r = [&] {
            const Graph::Access::Released released(*node.graph);
            return resultOf(node.user->compute(Api::make(plug), block));
        }();
        if (r != Result::Unknown) return r;
    }
    for (const Type* t = node.type; t; t = t->base)
        if (t->compute) {
            const Result r = t->compute(plug);
            if (r != Result::Unknown) return r;
        }
    return Result::Unknown;
}

Result Graph::compute(const Plug& plug) {
    Evaluation& underway = evaluation();
    if (std::find(underway.computing.begin(), underway.computing.end(), plug) != underway.computing.end()) {
        report(Severity::Error, plug.name() + " depends on itself: the connections form a cycle");
        return Result::Failed;
    }
    Scope scope(*this);
    underway.computing.push_back(plug);
    Result r = Result::Failed;
    try {
        r = run(plug);
    } catch (const std::bad_alloc&) {
        report(Severity::Error, plug.node->name + ": out of memory");
    } catch (const std::exception& e) { report(Severity::Error, plug.node->name + ": " + e.what()); }
    underway.computing.pop_back();
    if (r != Result::Unknown) ++computeCount;
    if (underway.chainTooLong) underway.computedFromPartial.push_back(plug);
    return r;
}

}  // namespace purl::host
