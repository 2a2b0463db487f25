// Emulates Maya's evaluation manager and cached playback.
#pragma once
#include <maya/MTimeRange.h>

#include <future>
#include <map>
#include <memory>
#include <vector>

#include "host/graph/graph.h"

namespace purl::host {

// Evaluates like the evaluation manager: nodes in dependency order, calling preEvaluation before and postEvaluation
// after each. Gives the same values as pull evaluation.
Result evaluateManaged(Graph& graph, const std::vector<Plug>& wanted);
// The same with several threads: nodes that do not depend on each other are computed at the same time, as far as their
// schedulingType allows.
Result evaluateParallel(Graph& graph, const std::vector<Plug>& wanted, int threads);

// Whether this thread is computing a node for one of these two.
bool evaluatesManaged();

// Cached playback. Nodes that enable it are computed once per frame; afterwards the attributes that they declared in
// configCache come from memory. Before a simulation node computes a frame, its cached values of the
// previous frame are restored, as when Maya's background evaluation resumes; these values must therefore contain the
// state that the simulation needs to continue.
class CachedPlayback {
  public:
    // `wanted` are the displayed plugs. Throws Error if a node cannot be cached.
    CachedPlayback(Graph& graph, std::vector<Plug> wanted);

    bool fill(int first, int last);  // computes missing frames in order; false if a node failed
    // The same in another thread, in a context of its own: meanwhile the graph may be evaluated and its time changed,
    // but neither be edited nor this object be used.
    std::future<bool> fillInBackground(int first, int last);
    bool show(int frame);  // restores a cached frame; false if it is not cached
    // Drops cached frames that depend on `edited`, which changed within a time range.
    void invalidate(const Plug& edited, const MTimeRange& range);
    std::vector<int> frames() const;  // frames cached by every node

  private:
    using Values = std::vector<std::shared_ptr<Value>>;
    struct Point {
        NodePtr node;
        std::vector<Plug> plugs;
        bool simulates;
        std::map<int, Values> frames;
    };
    bool has(int frame) const;
    void put(const Point& point, int frame) const;

    Graph& graph_;
    std::vector<Plug> wanted_;
    std::vector<NodePtr> order_;  // sources first
    std::vector<Point> points_;
};

}  // namespace purl::host
