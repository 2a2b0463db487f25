#include "host/host.h"

#include <maya/MArgList.h>
#include <maya/MPxCommand.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <mutex>
#ifndef PURL_NO_PLUGIN_FILES
    #include <dlfcn.h>
#endif

#include "host/api/access.h"
#include "host/api/plugin.h"
#include "host/builtin/builtin.h"
#include "host/commands/command.h"
#include "host/graph/events.h"
#include "host/ma/addAttr.h"
#include "host/ma/load.h"
#include "host/ma/save.h"
#include "solver/core/path.h"

namespace purl::host {

// --- messages

static std::mutex sinkLock;
static MessageSink& defaultSink() {
    static MessageSink sink;
    return sink;
}

void setDefaultSink(MessageSink sink) {
    std::lock_guard<std::mutex> guard(sinkLock);
    defaultSink() = std::move(sink);
}

static void toDefaultSink(Severity severity, const std::string& text) {
    std::lock_guard<std::mutex> guard(sinkLock);
    if (defaultSink()) defaultSink()(severity, text);
}

void report(Severity severity, const std::string& text) {
    if (Graph* g = Graph::current()) return g->report(severity, text);
    toDefaultSink(severity, text);
}

Graph* needGraph(const char* caller) {
    if (Graph* g = Graph::current()) return g;
    report(Severity::Error, std::string(caller) + ": no current scene; open a Graph::Scope first");
    return nullptr;
}

// Captures the first error reported during a call, so that it can be thrown.
namespace {
class FirstError {
  public:
    explicit FirstError(MessageSink& sink) : sink_(sink), before_(sink) {
        sink_ = [this](Severity severity, const std::string& text) {
            if (severity == Severity::Error && text_.empty()) {
                text_ = text;
                return;
            }
            if (before_) before_(severity, text);
        };
    }
    ~FirstError() { sink_ = before_; }
    // The captured error, or `otherwise` if there was none.
    std::string text(const std::string& otherwise) const { return text_.empty() ? otherwise : text_; }
    void pass() const {
        if (!text_.empty() && before_) before_(Severity::Error, text_);
    }

  private:
    MessageSink& sink_;
    MessageSink before_;
    std::string text_;
};
}  // namespace

// --- plugins

void loadPlugin(const std::string& name, PluginEntry initialize, const std::string& path) {
    if (findPlugin(name)) return;
    auto plugin = std::make_shared<Plugin>();
    plugin->name = name;
    plugin->path = path;
    Graph scratch;  // the current scene during initializePlugin; receives its messages
    scratch.sink = toDefaultSink;
    FirstError error(scratch.sink);
    Graph::Scope scope(scratch);
    addPlugin(plugin);
    if (!initialize(Api::make(std::static_pointer_cast<Object>(plugin)))) {
        removePlugin(plugin);
        throw Error(name + ": " + error.text("the plugin failed to initialize"));
    }
}

void unloadPlugin(const std::string& name, PluginEntry uninitialize) {
    auto plugin = findPlugin(name);
    if (!plugin) throw Error("plugin " + name + " is not loaded");
    // Checked before the plugin's own uninitialize, as in Maya.
    for (const std::string& type : typeNames())
        if (findType(type)->plugin == name && findType(type)->instances > 0)
            throw Error(name + ": " + "the scene still has nodes of type " + type + "; delete them before unloading");
    Graph scratch;
    FirstError error(scratch.sink);
    Graph::Scope scope(scratch);
    if (!uninitialize(Api::make(std::static_pointer_cast<Object>(plugin))))
        throw Error(name + ": " + error.text("the plugin failed to unload"));
    std::string left;
    for (const std::string& each : leftoverRegistrations(*plugin)) left += (left.empty() ? "" : ", ") + each;
    removePlugin(plugin);
    if (!left.empty()) throw Error(name + ": unloaded, but it did not deregister " + left);
}

bool pluginLoaded(const std::string& name) { return findPlugin(name) != nullptr; }

UiProcedures pluginUi(const std::string& name) {
    const auto plugin = findPlugin(name);
    return plugin ? UiProcedures{plugin->createUi, plugin->deleteUi, plugin->stringsProc} : UiProcedures();
}

void translate(const std::string& name, const std::string& key, const std::string& text) {
    const auto plugin = findPlugin(name);
    if (!plugin || !plugin->texts.count(key)) throw Error(name + ": has no UI string " + key);
    plugin->texts[key] = text;
}

namespace {
struct LinkedPlugin {
    std::string name;
    PluginEntry initialize, uninitialize;
};
std::vector<LinkedPlugin>& linkedPlugins() {
    static std::vector<LinkedPlugin> all;
    return all;
}
const LinkedPlugin& linkedPlugin(const std::string& name) {
    std::string names;
    for (const LinkedPlugin& p : linkedPlugins()) {
        if (p.name == name) return p;
        names += (names.empty() ? "; available: " : ", ") + p.name;
    }
    throw Error("plugin " + name + " is not part of this program" + names);
}
}  // namespace

void linkPlugin(const std::string& name, PluginEntry initialize, PluginEntry uninitialize) {
    for (const LinkedPlugin& p : linkedPlugins())
        if (p.name == name) return;
    linkedPlugins().push_back({name, initialize, uninitialize});
}
bool loadLinkedPlugin(const std::string& name) {
    const LinkedPlugin& plugin = linkedPlugin(name);
    if (pluginLoaded(name)) return false;
    loadPlugin(name, plugin.initialize);
    return true;
}

#ifndef PURL_NO_PLUGIN_FILES
void loadPluginFile(const std::string& path) {
    namespace fs = std::filesystem;
    if (!fs::is_regular_file(toPath(path))) throw Error(path + ": there is no such plugin");
    // Never closed: types and commands point into it.
    void* const library = dlopen(fs::absolute(toPath(path)).c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) throw Error("the plugin cannot be loaded: " + std::string(dlerror()));
    const auto entry = [&](const char* symbol) { return reinterpret_cast<PluginEntry>(dlsym(library, symbol)); };
    // MStatus initializePlugin(MObject), with the namespace of the host.
    const PluginEntry initialize = entry("_Z16initializePluginN8Autodesk4Maya12OpenMayaHost7MObjectE"),
                      uninitialize = entry("_Z18uninitializePluginN8Autodesk4Maya12OpenMayaHost7MObjectE");
    if (!initialize || !uninitialize)
        throw Error(path + ": is not a plugin for this program; compile it against host/include");
    const std::string name = toText(toPath(path).stem());
    linkPlugin(name, initialize, uninitialize);
    loadLinkedPlugin(name);
}
#else
void loadPluginFile(const std::string& path) {
    throw Error(path + ": this program cannot load plugins; use one that was built for Linux with shared libraries");
}
#endif
void unloadLinkedPlugin(const std::string& name) { unloadPlugin(name, linkedPlugin(name).uninitialize); }

// --- threads

static std::atomic<int> threads{0};
void setThreadCount(int count) { threads = count; }
int threadCount() { return threads; }

// --- attributes

void setAttribute(Graph& graph, const std::string& assignment) {
    const size_t equal = assignment.find('=');
    if (equal == std::string::npos || equal == 0) throw Error("'" + assignment + "': expected node.attribute=value");
    Graph::Scope scope(graph);
    graph.plug(trimmed(assignment.substr(0, equal))).setFromText(trimmed(assignment.substr(equal + 1)));
}

// --- commands

static thread_local UndoState undoing = UndoState::Doing;
UndoState undoState() { return undoing; }

CommandResult& currentCommandResult() {
    static thread_local CommandResult result;
    return result;
}

// One entry of the undo history: a plugin command, the edits of a built-in command, or a chunk of several entries.
struct Session::UndoStep {
    std::string name;
    std::unique_ptr<MPxCommand> command;
    Edits edits;
    std::vector<std::unique_ptr<UndoStep>> parts;

    void undo() {
        for (size_t k = parts.size(); k-- > 0;) parts[k]->undo();
        if (command && !command->undoIt()) throw Error(name + ": undo failed");
        edits.undo();
    }
    void redo() {
        for (const auto& part : parts) part->redo();
        if (command && !command->redoIt()) throw Error(name + ": redo failed");
        edits.redo();
    }
};

Session::Session() : graph_(std::make_unique<Graph>()) {}
Session::~Session() {
    forgetHistory();
    attributes_.reset();
}

AttrBuilder& Session::attributeBuilder() {
    if (!attributes_) attributes_ = std::make_unique<AttrBuilder>();
    return *attributes_;
}

// --- calls

bool Session::knowsCommand(const std::string& name) { return findBuiltinCommand(name) || findCommand(name); }

[[noreturn]] static void unknownCommand(const std::string& name) {
    std::vector<std::string> names = commandNames();
    for (const std::string& n : builtinCommandNames()) names.push_back(n);
    const std::string close = nearest(name, names);
    throw Error("unknown command " + name + (close.empty() ? "" : "; did you mean " + close + "?"));
}

CommandResult Session::command(const std::string& name, const std::vector<std::string>& words) {
    if (!findBuiltinCommand(name)) return runPlugin(name, words);
    return runBuiltin(name, std::vector<Word>(words.begin(), words.end()));
}

CommandResult Session::runWords(const std::string& name, const std::vector<Word>& words) {
    if (findBuiltinCommand(name)) return runBuiltin(name, words);
    std::vector<std::string> texts;
    for (const Word& w : words) texts.push_back(w.text);
    return runPlugin(name, texts);
}

CommandResult Session::run(const Call& call) {
    if (findBuiltinCommand(call.name)) return runBuiltin(call.name, call);
    const CommandType* type = findCommand(call.name);
    if (!type) unknownCommand(call.name);
    return runPlugin(call.name, Api::words(type->syntax ? type->syntax() : MSyntax(), call));
}

template <class Given>
CommandResult Session::runBuiltin(const std::string& name, const Given& given) {
    const Command& builtin = *findBuiltinCommand(name);
    Graph::Scope scope(*graph_);
    const Invocation call = parseInvocation(builtin, given);
    auto step = std::make_unique<UndoStep>();
    step->name = name;
    CommandContext context{*this, *graph_, step->edits, call};
    CommandResult result;
    try {
        result = builtin.run(context);
    } catch (const Error& e) {
        if (graph_.get() == &context.graph) step->edits.undo();
        const std::string what = e.what();
        throw Error(what.compare(0, name.size() + 1, name + ":") == 0 ? what : name + ": " + what);
    }
    if (!step->edits.empty()) pushUndo(std::move(step));
    return result;
}

CommandResult Session::runPlugin(const std::string& name, const std::vector<std::string>& words) {
    const CommandType* type = findCommand(name);
    if (!type) unknownCommand(name);
    Graph::Scope scope(*graph_);
    auto step = std::make_unique<UndoStep>();
    step->name = name;
    step->command.reset(static_cast<MPxCommand*>(type->create()));
    Api::setSyntax(*step->command, type->syntax);
    MArgList list;
    for (const std::string& w : words) list.addArg(w.c_str());
    // Commands can be nested: preserve the outer command's result.
    CommandResult outer = std::move(currentCommandResult());
    currentCommandResult() = CommandResult();
    MStatus s;
    std::string why;
    {
        FirstError error(graph_->sink);
        s = step->command->doIt(list);
        why = error.text("the command failed");
        if (s) error.pass();
    }
    CommandResult result = std::move(currentCommandResult());
    currentCommandResult() = std::move(outer);
    if (!s) throw Error(why.compare(0, name.size() + 1, name + ":") == 0 ? why : name + ": " + why);
    if (step->command->isUndoable()) pushUndo(std::move(step));
    return result;
}

// --- undo

constexpr size_t kMaxUndo = 10000;  // minimum number of undoable commands kept; trimmed at twice this

void Session::pushUndo(std::unique_ptr<UndoStep> step) {
    modified_ = true;
    redoSteps_.clear();
    (chunk_ ? chunk_->parts : undoSteps_).push_back(std::move(step));
    // Bounds the memory of the undo history of long-running scripts.
    if (undoSteps_.size() >= 2 * kMaxUndo)
        undoSteps_.erase(undoSteps_.begin(), undoSteps_.end() - std::ptrdiff_t(kMaxUndo));
}

void Session::openChunk() {
    if (chunkDepth_++ == 0) chunk_ = std::make_unique<UndoStep>();
}

void Session::closeChunk() {
    if (chunkDepth_ == 0 || --chunkDepth_ > 0) return;
    auto chunk = std::move(chunk_);
    if (chunk->parts.empty()) return;
    chunk->name = chunk->parts.back()->name;
    undoSteps_.push_back(std::move(chunk));
}

void Session::forgetHistory() {
    redoSteps_.clear();
    while (!undoSteps_.empty()) undoSteps_.pop_back();
    if (chunk_) chunk_->parts.clear();
}

std::string Session::undoName() const { return undoSteps_.empty() ? "" : undoSteps_.back()->name; }
std::string Session::redoName() const { return redoSteps_.empty() ? "" : redoSteps_.back()->name; }

namespace {
class Undoing {
  public:
    explicit Undoing(UndoState state) { undoing = state; }
    ~Undoing() { undoing = UndoState::Doing; }
};
}  // namespace

void Session::undo() {
    if (undoSteps_.empty()) throw Error("nothing to undo");
    Graph::Scope scope(*graph_);
    const Undoing state(UndoState::Undoing);
    undoSteps_.back()->undo();
    redoSteps_.push_back(std::move(undoSteps_.back()));
    undoSteps_.pop_back();
}

void Session::redo() {
    if (redoSteps_.empty()) throw Error("nothing to redo");
    Graph::Scope scope(*graph_);
    const Undoing state(UndoState::Redoing);
    redoSteps_.back()->redo();
    undoSteps_.push_back(std::move(redoSteps_.back()));
    redoSteps_.pop_back();
}

// --- files

void Session::replaceGraph(std::unique_ptr<Graph> graph) {
    forgetHistory();
    attributes_.reset();
    graph->sink = graph_->sink;
    graph->progress = graph_->progress;
    graph->ui = graph_->ui;
    {
        Graph::Scope scope(*graph_);
        Graph* const before = graph_.release();
        graph_ = std::move(graph);
        delete before;
    }
    modified_ = false;
}

void Session::newScene() {
    announce({Event::beforeNew, nullptr, {}, {}, "", 0});
    auto fresh = std::make_unique<Graph>();
    addDefaultNodes(*fresh);
    replaceGraph(std::move(fresh));
    announce({Event::afterNew, nullptr, {}, {}, "", 0});
}

void Session::reportLoad(const LoadReport& report) {
    for (const std::string& warning : report.warnings) graph_->report(Severity::Warning, warning);
    if (report.skippedCount() > 0 || !report.unknownTypes.empty()) graph_->report(Severity::Info, report.summary());
}

void Session::open(const std::string& path) {
    announce({Event::beforeOpen, nullptr, {}, {}, path, 0});
    auto fresh = std::make_unique<Graph>();
    fresh->sink = graph_->sink;
    const LoadReport report = loadScene(*fresh, path);
    replaceGraph(std::move(fresh));
    reportLoad(report);
    announce({Event::afterOpen, nullptr, {}, {}, path, 0});
}

void Session::importScene(const std::string& path, const std::string& nameSpace) {
    forgetHistory();  // as Maya does
    announce({Event::beforeImport, nullptr, {}, {}, path, 0});
    reportLoad(loadInto(*graph_, path, nameSpace));
    modified_ = true;
    announce({Event::afterImport, nullptr, {}, {}, path, 0});
}

void Session::save() {
    if (sceneName().empty()) throw Error("the scene has no file name; set one with file -rename");
    announce({Event::beforeSave, nullptr, {}, {}, sceneName(), 0});
    saveScene(*graph_, sceneName());
    modified_ = false;
    announce({Event::afterSave, nullptr, {}, {}, sceneName(), 0});
}

}  // namespace purl::host
