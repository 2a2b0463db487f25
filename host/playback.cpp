#include "host/playback.h"

#include <maya/MPxNode.h>

#include <algorithm>
#include <atomic>
#include <set>
#include <shared_mutex>
#include <thread>
#include <utility>

#include "host/api/access.h"
#include "host/graph/context.h"

namespace purl::host {

// Appends the nodes upstream of `node`, then node, in depth-first post-order, each once. Iterative, because long chains
// would overflow the call stack.
static void collect(const NodePtr& node, std::set<Node*>& seen, std::vector<NodePtr>& order) {
    struct Visit {
        NodePtr node;
        decltype(Node::inputs)::const_iterator next;
    };
    if (!seen.insert(node.get()).second) return;
    for (std::vector<Visit> visits{{node, node->inputs.begin()}}; !visits.empty();) {
        Visit& at = visits.back();
        if (at.next == at.node->inputs.end()) {
            order.push_back(std::move(at.node));
            visits.pop_back();
            continue;
        }
        const auto& input = (at.next++)->second;
        const NodePtr& source = input.source.node;
        if (input.plug.attr->kind != Kind::Message && seen.insert(source.get()).second)
            visits.push_back({source, source->inputs.begin()});
    }
}

static std::vector<Plug> dirtyPlugs(const NodePtr& node) {
    std::vector<Plug> all;
    for (const auto& in : node->inputs)
        if (const Value* v = in.second.plug.peek())
            if (v->dirty) all.push_back(in.second.plug);
    for (const AttrPtr& a : node->attributes())
        if (const Value* v = node->peekRoot(a.get()))
            if (v->dirty) all.push_back(node->plug(a));
    return all;
}

namespace {

thread_local bool evaluating = false;
struct Evaluating {
    const bool before = std::exchange(evaluating, true);
    ~Evaluating() { evaluating = before; }
};

}  // namespace

bool evaluatesManaged() { return evaluating; }

// Evaluates one node like the evaluation manager: its connected outputs and wanted plugs.
static Result evaluateNode(Graph& graph, const NodePtr& node, const std::vector<Plug>& wanted) {
    const std::vector<Plug> dirty = dirtyPlugs(node);
    if (dirty.empty()) return Result::Done;
    const Evaluating here;
    const MDGContext context = MDGContext::current();
    const MEvaluationNode evaluationNode = Api::evaluationNode(dirty);
    if (node->user) node->user->preEvaluation(context, evaluationNode);
    Result result = Result::Done;
    for (const auto& out : node->outputs)
        if (graph.evaluate(out.second.plug) == Result::Failed) result = Result::Failed;
    for (const Plug& p : wanted)
        if (p.node == node && graph.evaluate(p) == Result::Failed) result = Result::Failed;
    if (node->user) node->user->postEvaluation(context, evaluationNode, MPxNode::kEvaluatedIndirectly);
    return result;
}

Result evaluateManaged(Graph& graph, const std::vector<Plug>& wanted) {
    Graph::Scope scope(graph);
    std::set<Node*> seen;
    std::vector<NodePtr> order;
    for (const Plug& p : wanted) collect(p.node, seen, order);
    Result result = Result::Done;
    for (const NodePtr& node : order)
        if (evaluateNode(graph, node, wanted) == Result::Failed) result = Result::Failed;
    return result;
}

namespace {

// Keeps nodes apart as their scheduling types say.
class Scheduling {
  public:
    template <class Work>
    void run(const Node& node, Work&& work) {
        const auto type = node.user ? node.user->schedulingType() : MPxNode::kParallel;
        if (type == MPxNode::kUntrusted) {  // nothing else meanwhile
            const std::unique_lock<std::shared_mutex> alone(all_);
            return work();
        }
        const std::shared_lock<std::shared_mutex> beside(all_);
        if (type == MPxNode::kParallel) return work();
        // Serial nodes exclude those of their own node type, globally serial ones each other.
        const std::lock_guard<std::mutex> excluding(type == MPxNode::kGloballySerialize ? global_ : ofType(node.type));
        work();
    }

  private:
    std::mutex& ofType(const Type* type) {
        const std::lock_guard<std::mutex> adding(adding_);
        return types_[type];
    }
    std::shared_mutex all_;
    std::mutex global_, adding_;
    std::map<const Type*, std::mutex> types_;
};

// Nodes by the longest chain of nodes upstream of them: those of one level do not depend on each other.
std::vector<std::vector<NodePtr>> levelsOf(const std::vector<NodePtr>& order) {
    std::map<const Node*, size_t> levels;
    std::vector<std::vector<NodePtr>> all;
    for (const NodePtr& node : order) {
        size_t level = 0;
        for (const auto& in : node->inputs) {
            const auto source = levels.find(in.second.source.node.get());
            if (in.second.plug.attr->kind != Kind::Message && source != levels.end())
                level = std::max(level, source->second + 1);
        }
        levels[node.get()] = level;
        if (all.size() <= level) all.resize(level + 1);
        all[level].push_back(node);
    }
    return all;
}

}  // namespace

Result evaluateParallel(Graph& graph, const std::vector<Plug>& wanted, int threads) {
    std::set<Node*> seen;
    std::vector<NodePtr> order;
    for (const Plug& p : wanted) collect(p.node, seen, order);
    Scheduling scheduling;
    std::atomic<bool> failed{false};
    const std::shared_ptr<Context> context = Context::current();
    for (const std::vector<NodePtr>& level : levelsOf(order)) {
        std::atomic<size_t> next{0};
        const auto work = [&] {
            const Graph::Scope scope(graph);
            const Context::Scope same(context);
            for (size_t k; (k = next++) < level.size();)
                scheduling.run(*level[k], [&] {
                    if (evaluateNode(graph, level[k], wanted) == Result::Failed) failed = true;
                });
        };
        std::vector<std::thread> workers;
        for (size_t k = 1; k < std::min(level.size(), static_cast<size_t>(std::max(1, threads))); ++k)
            workers.emplace_back(work);
        work();
        for (std::thread& worker : workers) worker.join();
    }
    return failed ? Result::Failed : Result::Done;
}

// --- cached playback

CachedPlayback::CachedPlayback(Graph& graph, std::vector<Plug> wanted) : graph_(graph), wanted_(std::move(wanted)) {
    Graph::Scope scope(graph_);
    std::set<Node*> seen;
    for (const Plug& p : wanted_) collect(p.node, seen, order_);
    // Playback dirties everything that depends on time.
    graph_.dirty(graph_.time1()->plug("outTime"));
    for (const NodePtr& node : order_) {
        if (!node->user) continue;
        const MEvaluationNode evaluationNode = Api::evaluationNode(dirtyPlugs(node));
        MNodeCacheDisablingInfo disabling;
        MNodeCacheSetupInfo setup;
        MObjectArray monitored;
        node->user->getCacheSetup(evaluationNode, disabling, setup, monitored);
        if (disabling.getCacheDisabled())
            throw Error(node->name + " cannot be cached: " + disabling.getReason().asChar());
        // A simulation cannot be evaluated out of order, and so must be cached.
        const bool simulates = setup.getRequirement(MNodeCacheSetupInfo::kSimulationSupport);
        if (!simulates && !setup.getPreference(MNodeCacheSetupInfo::kWantToCacheByDefault)) continue;
        MCacheSchema schema;
        node->user->configCache(evaluationNode, schema);
        Point point{node, {}, simulates, {}};
        for (const MObject& attribute : Api::attributes(schema))
            point.plugs.push_back(node->plug(Api::attr(attribute)));
        points_.push_back(std::move(point));
    }
}

void CachedPlayback::put(const Point& point, int frame) const {
    const Values& values = point.frames.at(frame);
    for (size_t k = 0; k < point.plugs.size(); ++k) {
        Value& to = *point.plugs[k].value();
        copyValue(*values[k], to, graph_.units);
        to.mark(false);
    }
}

bool CachedPlayback::has(int frame) const {
    for (const Point& point : points_)
        if (!point.frames.count(frame)) return false;
    return true;
}

bool CachedPlayback::fill(int first, int last) {
    Graph::Scope scope(graph_);
    for (int frame = first; frame <= last; ++frame) {
        if (has(frame)) continue;
        for (const Point& point : points_)
            if (point.simulates && point.frames.count(frame - 1)) put(point, frame - 1);
        graph_.setFrame(frame);
        if (evaluateManaged(graph_, wanted_) == Result::Failed) return false;
        for (Point& point : points_) {
            Values values;
            for (const Plug& plug : point.plugs) {
                values.push_back(std::make_shared<Value>(plug.attr.get(), plug.isArray(), nullptr, point.node.get()));
                copyValue(*plug.value(), *values.back(), graph_.units);
            }
            point.frames[frame] = std::move(values);
        }
    }
    return true;
}

std::future<bool> CachedPlayback::fillInBackground(int first, int last) {
    return std::async(std::launch::async, [this, first, last, context = std::make_shared<Context>(graph_)] {
        const Context::Scope scope(context);
        return fill(first, last);
    });
}

bool CachedPlayback::show(int frame) {
    if (!has(frame)) return false;
    Graph::Scope scope(graph_);
    graph_.setFrame(frame);
    for (const Point& point : points_) {
        put(point, frame);
        point.node->user->postEvaluation(MDGContext::current(), Api::evaluationNode(point.plugs),
                                         MPxNode::kEvaluatedDirectly);
    }
    return evaluateManaged(graph_, wanted_) == Result::Done;
}

void CachedPlayback::invalidate(const Plug& edited, const MTimeRange& range) {
    Graph::Scope scope(graph_);
    std::map<Node*, MTimeRange> at;  // time range in which each node's outputs are invalid
    for (const NodePtr& node : order_) {
        MTimeRange stale;
        const auto touch = [&](const Plug& plug, const MTimeRange& input) {
            stale = stale | (node->user ? node->user->transformInvalidationRange(Api::make(plug), input) : input);
        };
        if (edited.node == node) touch(edited, range);
        for (const auto& in : node->inputs) {
            const auto from = at.find(in.second.source.node.get());
            if (from != at.end()) touch(in.second.plug, from->second);
        }
        at[node.get()] = stale;
        for (Point& point : points_) {
            if (point.node != node) continue;
            for (auto it = point.frames.begin(); it != point.frames.end();) {
                const MTime time(it->first, MTime::uiUnit());
                it = stale.intersects(time, time) ? point.frames.erase(it) : std::next(it);
            }
        }
    }
}

std::vector<int> CachedPlayback::frames() const {
    std::vector<int> all;
    if (points_.empty()) return all;
    for (const auto& each : points_.front().frames)
        if (has(each.first)) all.push_back(each.first);
    return all;
}

}  // namespace purl::host
