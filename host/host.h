// The headless Maya as its owner sees it: plugins, scenes, time, attributes, commands, messages and interrupts.
//
//     host::loadPlugin("purl", initializePlugin);
//     host::Session session;
//     session.graph().sink = [](host::Severity, const std::string& text) { … };
//     session.set("water.viscosity=0.5");
//     session.graph().setFrame(24);
//     session.graph().plug("solver1.outFrame").evaluate();
#pragma once
#include <maya/MObject.h>

#include <memory>
#include <string>
#include <vector>

#include "host/api/commandResult.h"
#include "host/graph/graph.h"

namespace purl::host {

// --- plugins, process-wide as node types are. Linked in, or opened from a shared library by the caller.
using PluginEntry = MStatus (*)(MObject);
void loadPlugin(const std::string& name, PluginEntry initialize, const std::string& path = {});  // throws
void unloadPlugin(const std::string& name, PluginEntry uninitialize);                            // throws
bool pluginLoaded(const std::string& name);
std::vector<std::string> commandNames();

// --- interrupts. Safe to call from a signal handler; seen by MComputation::isInterruptRequested.
void requestInterrupt();
void clearInterrupt();
bool interruptRequested();

// --- how many threads nodes may use (MThreadUtils::getNumThreads); 0: as many as the machine has
void setThreadCount(int count);
int threadCount();

// --- messages without a scene, e.g. while a plugin loads; empty: dropped
void setDefaultSink(MessageSink sink);
void report(Severity severity, const std::string& text);

enum class UndoState { Doing, Undoing, Redoing };
UndoState undoState();  // of this thread

// "node.attr=value", as `--set` takes it. Throws Error: unknown node or attribute (with the nearest name), bad value,
// out of range.
void setAttribute(Graph& graph, const std::string& assignment);

// Evaluates as the evaluation manager would: nodes in dependency order, with preEvaluation before and postEvaluation
// after. The values are those of plain pulling.
Result evaluateManaged(Graph& graph, const std::vector<Plug>& wanted);

// One scene and what was done to it.
class Session {
  public:
    Session();
    ~Session();
    Graph& graph() { return *graph_; }
    const Graph& graph() const { return *graph_; }
    void newScene();  // an empty graph; sinks stay, history goes

    void set(const std::string& assignment) { setAttribute(*graph_, assignment); }
    std::string get(const std::string& plug) const { return graph_->plug(plug).asText(); }

    // Runs a command that a plugin registered. Throws Error with the command's own message if it fails.
    CommandResult command(const std::string& name, const std::vector<std::string>& args = {});
    void undo();  // throws if there is nothing to undo
    void redo();

  private:
    struct Done;
    std::unique_ptr<Graph> graph_;
    std::vector<std::unique_ptr<Done>> done_, undone_;
};

}  // namespace purl::host
