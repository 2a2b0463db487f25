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
#include "host/commands/call.h"
#include "host/graph/graph.h"
#include "host/interrupt.h"
#include "host/playback.h"

namespace purl::host {

// --- plugins, process-wide as node types are. Linked in, or opened from a shared library by the caller.
using PluginEntry = MStatus (*)(MObject);
void loadPlugin(const std::string& name, PluginEntry initialize, const std::string& path = {});  // throws
void unloadPlugin(const std::string& name, PluginEntry uninitialize);  // throws; also where something is left behind
bool pluginLoaded(const std::string& name);
std::vector<std::string> pluginNames();
struct UiProcedures {
    std::string create, remove, strings;
};
UiProcedures pluginUi(const std::string& name);  // MEL procedures that it registered for its windows and texts
void translate(const std::string& plugin, const std::string& key, const std::string& text);  // throws: no such text
std::vector<std::string> commandNames();                                                     // those of plugins
// A plugin that is part of this program: the commands loadPlugin and unloadPlugin know it by its name.
void linkPlugin(const std::string& name, PluginEntry initialize, PluginEntry uninitialize);
bool loadLinkedPlugin(const std::string& name);    // false: it is loaded already; throws where there is none
void unloadLinkedPlugin(const std::string& name);  // throws

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

class AttrBuilder;
struct LoadReport;

// One scene and what was step to it: the commands of maya.cmds and of the plugins, each undoable. One that throws
// leaves the scene as it was.
class Session {
  public:
    Session();
    ~Session();
    Graph& graph() { return *graph_; }
    const Graph& graph() const { return *graph_; }

    void set(const std::string& assignment) { setAttribute(*graph_, assignment); }
    std::string get(const std::string& plug) const { return graph_->plug(plug).asText(); }

    // All throw Error with the command's own message if it fails.
    CommandResult command(const std::string& name, const std::vector<std::string>& words = {});  // -flags among them
    CommandResult runWords(const std::string& name, const std::vector<Word>& words);             // as MEL has them
    CommandResult run(const Call& call);                                                         // as Python has them
    static bool knowsCommand(const std::string& name);

    void undo();  // throws if there is nothing to undo
    void redo();
    std::string undoName() const;  // of the command that undo would undo; empty: none
    std::string redoName() const;
    // What is step between the two is undone at once; they may be nested.
    void openChunk();
    void closeChunk();
    void forgetHistory();

    // --- files
    void newScene();  // what every new scene of Maya holds; messages go where they went, history goes
    void open(const std::string& path);
    void importScene(const std::string& path, const std::string& nameSpace);
    void save();  // to sceneName
    const std::string& sceneName() const { return graph_->scenePath; }
    void setSceneName(const std::string& path) { graph_->scenePath = path; }
    bool modified() const { return modified_; }

    std::map<std::string, CommandResult> optionVars;
    bool interactive = false;  // there are windows, or stand-ins for them (about -batch)

    AttrBuilder& attributeBuilder();  // addAttr: compounds come in several commands

  private:
    struct UndoStep;
    CommandResult runPlugin(const std::string& name, const std::vector<std::string>& words);
    template <class Given>
    CommandResult runBuiltin(const std::string& name, const Given& given);
    void pushUndo(std::unique_ptr<UndoStep> step);
    void replaceGraph(std::unique_ptr<Graph> graph);
    void reportLoad(const LoadReport& report);

    std::unique_ptr<Graph> graph_;
    std::vector<std::unique_ptr<UndoStep>> undoSteps_, redoSteps_;
    std::unique_ptr<UndoStep> chunk_;
    int chunkDepth_ = 0;
    std::unique_ptr<AttrBuilder> attributes_;
    bool modified_ = false;
};

}  // namespace purl::host
