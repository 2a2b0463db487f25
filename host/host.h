// The public interface of the headless Maya: plugins, scenes, time, attributes, commands, messages and interrupts.
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

// --- plugins: process-wide, like node types. Linked in, or opened from a shared library by the caller.
using PluginEntry = MStatus (*)(MObject);
void loadPlugin(const std::string& name, PluginEntry initialize, const std::string& path = {});  // throws
void unloadPlugin(const std::string& name, PluginEntry uninitialize);  // throws, also if registrations are left over
bool pluginLoaded(const std::string& name);
std::vector<std::string> pluginNames();
struct UiProcedures {
    std::string create, remove, strings;
};
UiProcedures pluginUi(const std::string& name);  // MEL procedures registered for its windows and UI strings
void translate(const std::string& plugin, const std::string& key,
               const std::string& text);  // throws if there is no such UI string
std::vector<std::string> commandNames();  // plugin commands only
// Registers a plugin that is linked into this program, so that the commands loadPlugin and unloadPlugin find it by
// name.
void linkPlugin(const std::string& name, PluginEntry initialize, PluginEntry uninitialize);
// Loads a plugin from a shared library that was compiled against host/include, by the name of its file. The program
// must export the symbols of the host. Throws Error if it cannot be loaded.
void loadPluginFile(const std::string& path);
bool loadLinkedPlugin(const std::string& name);    // false if already loaded; throws if not linked in
void unloadLinkedPlugin(const std::string& name);  // throws

// --- number of threads that nodes may use (MThreadUtils::getNumThreads); 0: all hardware threads
void setThreadCount(int count);
int threadCount();

// --- sink for messages without a scene, e.g. while a plugin loads; an empty sink drops them
void setDefaultSink(MessageSink sink);
void report(Severity severity, const std::string& text);

enum class UndoState { Doing, Undoing, Redoing };
UndoState undoState();  // of this thread

// Applies "node.attr=value", the syntax of `--set`. Throws Error for an unknown node or attribute (suggesting the
// nearest name), a bad value or a value out of range.
void setAttribute(Graph& graph, const std::string& assignment);

class AttrBuilder;
struct LoadReport;

// One scene with its undo history. Runs the commands of maya.cmds and of plugins, each undoable; a command that throws
// leaves the scene unchanged.
class Session {
  public:
    Session();
    ~Session();
    Graph& graph() { return *graph_; }
    const Graph& graph() const { return *graph_; }

    void set(const std::string& assignment) { setAttribute(*graph_, assignment); }
    std::string get(const std::string& plug) const { return graph_->plug(plug).asText(); }

    // All throw Error with the command's own message on failure.
    CommandResult command(const std::string& name, const std::vector<std::string>& words = {});  // arguments and -flags
    CommandResult runWords(const std::string& name, const std::vector<Word>& words);             // called from MEL
    CommandResult run(const Call& call);                                                         // called from Python
    static bool knowsCommand(const std::string& name);

    void undo();  // throws if there is nothing to undo
    void redo();
    std::string undoName() const;  // name of the command that undo() would revert, or empty
    std::string redoName() const;
    // Commands between the two are undone as a single step. Chunks may be nested.
    void openChunk();
    void closeChunk();
    void forgetHistory();

    // --- files
    void newScene();  // with Maya's default nodes; keeps the message sink, clears the undo history
    void open(const std::string& path);
    void importScene(const std::string& path, const std::string& nameSpace);
    void save();  // to sceneName
    const std::string& sceneName() const { return graph_->scenePath; }
    void setSceneName(const std::string& path) { graph_->scenePath = path; }
    bool modified() const { return modified_; }

    std::map<std::string, CommandResult> optionVars;
    bool interactive = false;  // windows, or stand-ins for them, are available (about -batch)

    AttrBuilder& attributeBuilder();  // for addAttr, which builds a compound over several commands

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
