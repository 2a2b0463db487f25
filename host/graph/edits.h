// Edits of a graph that can be undone and done again: what MDGModifier and the commands are made of.
//
//     Edits edits;
//     edits.make(connecting(a, b));       // done at once
//     edits.undo();
//     edits.redo();
#pragma once
#include <functional>
#include <vector>

#include "host/graph/graph.h"

namespace purl::host {

struct Edit {
    std::function<void()> redo, undo;
    bool done = false;
};

// Each throws Error when done where it cannot be, and leaves the graph as it was.
Edit creating(Graph& graph, const std::vector<NodePtr>& nodes);  // that were just created: they are there already
Edit removing(const NodePtr& node);                              // with what hangs below, and all its connections
Edit renaming(const NodePtr& node, const std::string& name);
Edit reparenting(const NodePtr& node, const NodePtr& parent);  // null: the world
Edit instancing(const NodePtr& node, const NodePtr& parent);
Edit connecting(const Plug& source, const Plug& destination, bool force = false);
Edit disconnecting(const Plug& source, const Plug& destination);
Edit addingAttribute(const NodePtr& node, const AttrPtr& attr);
Edit deletingAttribute(const NodePtr& node, const AttrPtr& attr);
// Runs `set`, which may change anything at or below the plug; undone, the plug has the values it had.
Edit setting(const Plug& plug, std::function<void()> set);
Edit locking(const Plug& plug, bool on);

class Edits {
  public:
    // Does the edit, unless it is done, and keeps it. One that throws is not kept.
    void make(Edit edit);
    void add(Edit edit) { edits_.push_back(std::move(edit)); }  // to be done by redo()
    void redo();                                                // those not done, in order
    void undo();                                                // those done, last first
    bool empty() const { return edits_.empty(); }

  private:
    std::vector<Edit> edits_;
};

}  // namespace purl::host
