// How Maya plays a scene: its evaluation manager, and cached playback.
#pragma once
#include <maya/MTimeRange.h>

#include <map>
#include <memory>
#include <vector>

#include "host/graph/graph.h"

namespace purl::host {

// Evaluates as the evaluation manager would: nodes in dependency order, with preEvaluation before and postEvaluation
// after. The values are those of plain pulling.
Result evaluateManaged(Graph& graph, const std::vector<Plug>& wanted);

// Cached playback, on one thread: nodes that ask for it are computed once a frame and give what they named in
// configCache from memory after that. A node that simulates gets its values of the frame before back first, as it does
// in Maya when the background takes up work again; so what it needs to go on has to be among them.
class CachedPlayback {
  public:
    // `wanted` is what would be seen. Throws Error where a node cannot be cached.
    CachedPlayback(Graph& graph, std::vector<Plug> wanted);

    bool fill(int first, int last);  // computes what is missing, in order; false: a node failed
    bool show(int frame);            // from memory; false: it is not there
    // `edited` has other values in a range of times: what depends on them is forgotten.
    void invalidate(const Plug& edited, const MTimeRange& range);
    std::vector<int> frames() const;  // those that every node has

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
