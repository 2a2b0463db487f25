#include "host/host.h"

#include <maya/MArgList.h>
#include <maya/MPxCommand.h>
#include <maya/MPxNode.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <set>

#include "host/api/access.h"
#include "host/api/plugin.h"

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

void report(Severity severity, const std::string& text) {
    if (Graph* g = Graph::current()) return g->report(severity, text);
    std::lock_guard<std::mutex> guard(sinkLock);
    if (defaultSink()) defaultSink()(severity, text);
}

Graph* needGraph(const char* caller) {
    if (Graph* g = Graph::current()) return g;
    report(Severity::Error, std::string(caller) + ": no scene is current; open a Graph::Scope");
    return nullptr;
}

// Collects the first error said while something runs, so that it can be thrown on.
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
    // What was said, or something to say instead.
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
    Graph scratch;  // gives initializePlugin a scene, and its messages a place
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
    if (!plugin) throw Error("no plugin " + name + " is loaded");
    Graph scratch;
    FirstError error(scratch.sink);
    Graph::Scope scope(scratch);
    if (!uninitialize(Api::make(std::static_pointer_cast<Object>(plugin))))
        throw Error(name + ": " + error.text("the plugin failed to unload"));
    removePlugin(plugin);
}

bool pluginLoaded(const std::string& name) { return findPlugin(name) != nullptr; }

// --- interrupts and threads

static std::atomic<bool> interrupt{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler must be able to set this");
void requestInterrupt() { interrupt.store(true, std::memory_order_relaxed); }
void clearInterrupt() { interrupt.store(false, std::memory_order_relaxed); }
bool interruptRequested() { return interrupt.load(std::memory_order_relaxed); }

static std::atomic<int> threads{0};
void setThreadCount(int count) { threads = count; }
int threadCount() { return threads; }

// --- attributes

void setAttribute(Graph& graph, const std::string& assignment) {
    const size_t equal = assignment.find('=');
    if (equal == std::string::npos || equal == 0) throw Error("'" + assignment + "': node.attribute=value is expected");
    Graph::Scope scope(graph);
    graph.plug(trimmed(assignment.substr(0, equal))).setFromText(trimmed(assignment.substr(equal + 1)));
}

// --- evaluation in dependency order

// Nodes that `node` needs, then node: depth first, each once.
static void collect(const NodePtr& node, std::set<Node*>& seen, std::vector<NodePtr>& order) {
    if (!seen.insert(node.get()).second) return;
    for (const auto& in : node->inputs)
        if (in.second.plug.attr->kind != Kind::Message) collect(in.second.source.node, seen, order);
    order.push_back(node);
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

Result evaluateManaged(Graph& graph, const std::vector<Plug>& wanted) {
    Graph::Scope scope(graph);
    std::set<Node*> seen;
    std::vector<NodePtr> order;
    for (const Plug& p : wanted) collect(p.node, seen, order);
    std::vector<std::pair<NodePtr, MEvaluationNode>> prepared;
    Result result = Result::Done;
    for (const NodePtr& node : order) {
        const std::vector<Plug> dirty = dirtyPlugs(node);
        if (dirty.empty()) continue;
        const MEvaluationNode evaluationNode = Api::evaluationNode(dirty);
        if (node->user) node->user->preEvaluation(MDGContext::fsNormal, evaluationNode);
        // Only what is wanted or connected is evaluated, as the manager does.
        for (const auto& out : node->outputs)
            if (graph.evaluate(out.second.plug) == Result::Failed) result = Result::Failed;
        for (const Plug& p : wanted)
            if (p.node == node && graph.evaluate(p) == Result::Failed) result = Result::Failed;
        if (node->user) node->user->postEvaluation(MDGContext::fsNormal, evaluationNode, MPxNode::kEvaluatedIndirectly);
    }
    return result;
}

// --- commands

static thread_local UndoState undoing = UndoState::Doing;
UndoState undoState() { return undoing; }

CommandResult& currentCommandResult() {
    static thread_local CommandResult result;
    return result;
}

struct Session::Done {
    std::string name;
    std::unique_ptr<MPxCommand> command;
};

Session::Session() : graph_(std::make_unique<Graph>()) {}
Session::~Session() {
    done_.clear();
    undone_.clear();
}

void Session::newScene() {
    done_.clear();
    undone_.clear();
    auto fresh = std::make_unique<Graph>();
    fresh->sink = graph_->sink;
    fresh->progress = graph_->progress;
    graph_ = std::move(fresh);
}

CommandResult Session::command(const std::string& name, const std::vector<std::string>& args) {
    const CommandType* type = findCommand(name);
    if (!type) {
        const std::string close = nearest(name, commandNames());
        throw Error("there is no command " + name + (close.empty() ? "" : "; did you mean " + close + "?"));
    }
    Graph::Scope scope(*graph_);
    auto done = std::make_unique<Done>();
    done->name = name;
    done->command.reset(static_cast<MPxCommand*>(type->create()));
    Api::setSyntax(*done->command, type->syntax);
    MArgList list;
    for (const std::string& a : args) list.addArg(a.c_str());
    // A command may run another: keep the outer one's result.
    CommandResult outer = std::move(currentCommandResult());
    currentCommandResult() = CommandResult();
    MStatus s;
    std::string why;
    {
        FirstError error(graph_->sink);
        s = done->command->doIt(list);
        why = error.text("the command failed");
        if (s) error.pass();
    }
    CommandResult result = std::move(currentCommandResult());
    currentCommandResult() = std::move(outer);
    if (!s) throw Error(name + ": " + why);
    if (done->command->isUndoable()) {
        done_.push_back(std::move(done));
        undone_.clear();
    }
    return result;
}

void Session::undo() {
    if (done_.empty()) throw Error("there is nothing to undo");
    Graph::Scope scope(*graph_);
    undoing = UndoState::Undoing;
    const MStatus s = done_.back()->command->undoIt();
    undoing = UndoState::Doing;
    if (!s) throw Error(done_.back()->name + ": undo failed");
    undone_.push_back(std::move(done_.back()));
    done_.pop_back();
}

void Session::redo() {
    if (undone_.empty()) throw Error("there is nothing to redo");
    Graph::Scope scope(*graph_);
    undoing = UndoState::Redoing;
    const MStatus s = undone_.back()->command->redoIt();
    undoing = UndoState::Doing;
    if (!s) throw Error(undone_.back()->name + ": redo failed");
    done_.push_back(std::move(undone_.back()));
    undone_.pop_back();
}

}  // namespace purl::host
