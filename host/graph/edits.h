// Undoable edits of a graph: the building blocks of MDGModifier and the commands.
//
//     Edits edits;
//     edits.make(connecting(a, b));       // executed immediately
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

// Executing an edit throws Error if it is not possible, and then leaves the graph unchanged.
Edit creating(Graph& graph, const std::vector<NodePtr>& nodes);  // nodes that already exist in the graph
Edit removing(const NodePtr& node);                              // with its descendants and all connections
Edit renaming(const NodePtr& node, const std::string& name);
Edit reparenting(const NodePtr& node, const NodePtr& parent);  // null: the world
Edit instancing(const NodePtr& node, const NodePtr& parent);
Edit connecting(const Plug& source, const Plug& destination, bool force = false);
Edit disconnecting(const Plug& source, const Plug& destination);
Edit addingAttribute(const NodePtr& node, const AttrPtr& attr);
Edit deletingAttribute(const NodePtr& node, const AttrPtr& attr);
// Runs `set`, which may change any value at or below the plug; undo restores the previous values.
Edit setting(const Plug& plug, std::function<void()> set);
Edit locking(const Plug& plug, bool on);

class Edits {
  public:
    // Executes the edit, unless it is already done, and records it. An edit that throws is not recorded.
    void make(Edit edit);
    void add(Edit edit) { edits_.push_back(std::move(edit)); }  // executed by redo()
    void redo();                                                // executes pending edits in order
    void undo();                                                // reverts executed edits, last first
    bool empty() const { return edits_.empty(); }

  private:
    std::vector<Edit> edits_;
};

}  // namespace purl::host
