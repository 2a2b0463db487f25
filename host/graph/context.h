// Contexts: evaluations at times of their own, with a data block of their own for every node. Cached playback computes
// frames that way in other threads, while the scene stays at the current time.
#pragma once
#include <memory>
#include <unordered_map>
#include <vector>

#include "host/graph/block.h"
#include "host/graph/plug.h"

namespace purl::host {

class Graph;

// What an evaluation has underway.
struct Evaluation {
    std::vector<Plug> computing;
    int depth = 0;                          // recursion depth of Graph::evaluate()
    bool chainTooLong = false;              // the recursion limit was reached
    std::vector<Plug> computedFromPartial;  // plugs computed from incomplete inputs; marked dirty at the end
};

class Context {
  public:
    // With copies of the values of all nodes, so that the graph itself may be evaluated meanwhile. It must not be
    // edited.
    explicit Context(Graph& graph);
    Block& of(const Node& node);

    static const std::shared_ptr<Context>& current();  // of this thread; null: the graph's own values
    class Scope {
      public:
        explicit Scope(std::shared_ptr<Context> context);
        ~Scope();
        Scope(const Scope&) = delete;
        Scope& operator=(const Scope&) = delete;

      private:
        std::shared_ptr<Context> before_;
    };
    static std::shared_ptr<Context> makeCurrent(std::shared_ptr<Context> context);  // returns the one before

  private:
    std::unordered_map<const Node*, Block> blocks_;  // lookup only
};

// That of this thread in the current context.
Evaluation& evaluation();

}  // namespace purl::host
