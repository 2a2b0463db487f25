// The dependency graph of one scene: nodes, connections, dirty propagation and pull evaluation.
//
//     Graph graph;                                   // has a time1 node
//     NodePtr ball = graph.create("transform", "ball1");
//     NodePtr mesh = graph.create("mesh", "ballShape1", ball);
//     graph.find("ball1")->plug("t").set(0, 5, 0);
//     graph.connect(sphere->plug("output"), mesh->plug("inMesh"));
//     auto points = mesh->plug("worldMesh[0]").data<MeshData>();
//
// Several graphs may exist in one process. Graph::Scope sets the thread's current graph for the parts of the Maya API
// that do not name one (MFnDependencyNode::create, MGlobal, MAnimControl).
#pragma once
#include <atomic>
#include <functional>
#include <list>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "host/graph/node.h"
#include "host/graph/text.h"

namespace purl::host {

enum class Severity { Info, Warning, Error };
using MessageSink = std::function<void(Severity, const std::string&)>;

// The part of Maya's user interface that plugins use; provided by the application that owns the scene.
struct MayaUi {
    std::function<void(const std::string& mel)> script;  // runs MEL; throws Error
    std::map<std::string, void*> controls;               // widgets by control name
};

constexpr double kTicksPerSecond = 141120000.0;

// The scene's working units; values are stored in cm, radians and ticks.
struct Units {
    std::string linear = "cm", angular = "deg", time = "film";
    double cmPerUnit = 1;
    double radiansPerUnit = 0.017453292519943295;
    double ticksPerFrame = kTicksPerSecond / 24;
    void setLinear(const std::string& name);   // cm centimeter m meter mm in ft yd …; throws
    void setAngular(const std::string& name);  // deg degree rad radian …; throws
    void setTime(const std::string& name);     // film pal ntsc game show ntscf palf "48fps" sec …; throws
};

// Copies numbers and shares data. Converts units if the kinds of the two attributes differ.
void copyValue(Value& from, Value& to, const Units& units);

// The nodes on a path from the world down to a node, the node itself last.
using DagPath = std::vector<NodePtr>;
constexpr size_t kMaxNodes = 1 << 20;  // per scene, about 1 kB each
constexpr size_t kMaxPaths = 1 << 16;  // DAG paths to one node: nested instancing doubles them with each level

class Graph {
  public:
    Graph();  // with a time1 node
    ~Graph();
    Graph(const Graph&) = delete;
    Graph& operator=(const Graph&) = delete;

    Units units;
    MessageSink sink;  // an empty sink drops messages
    void report(Severity severity, const std::string& text);
    std::function<void(int value, int min, int max, const std::string& text)>
        progress;                // reported by long computations
    std::shared_ptr<MayaUi> ui;  // null: batch

    // --- nodes An unknown type creates a placeholder that preserves attributes and connections. A name already in use
    // gets a number appended; an empty name is derived from the type ("purlFluid1"). Only DAG nodes can have a parent.
    NodePtr create(const std::string& typeName, const std::string& name = {}, const NodePtr& parent = nullptr);
    // Like Maya's createNode: also creates a parent transform for a shape. Returns the requested node.
    NodePtr createWithParent(const std::string& typeName, const std::string& name = {});
    void remove(const NodePtr& node);   // with DAG children; see restore
    void restore(const NodePtr& node);  // reinserts a removed node, without its connections
    void rename(const NodePtr& node, const std::string& name);
    // Accepts "ball1", ":ball1", "|group1|ball1", "group1|ball1". Null if not found or ambiguous.
    NodePtr find(const std::string& name) const;
    std::vector<NodePtr> findAll(const std::string& pattern) const;       // wildcards * and ?
    NodePtr get(const std::string& name) const;                           // like find, but throws with a suggestion
    std::vector<NodePtr> nodes() const;                                   // in order of creation
    long long lastSerial() const { return nextSerial_ - 1; }              // of the most recently created node
    std::vector<NodePtr> nodesSince(long long serial) const;              // created after the node with this serial
    std::vector<NodePtr> nodesOfType(const std::string& typeName) const;  // including derived types
    Plug plug(const std::string& nodeDotPath) const;                      // "ball1.tx"; throws with a suggestion

    // --- the DAG
    void setParent(const NodePtr& node, const NodePtr& parent);  // null: the world
    void addInstance(const NodePtr& node, const NodePtr& parent);
    std::vector<DagPath> dagPaths(const Node& node) const;  // one per instance, in order; at most kMaxPaths
    std::string dagName(const NodePtr& node) const;         // shortest unique path ("ball1", "a|ball1")
    static std::string fullName(const DagPath& path);       // "|group1|ball1"
    // Product of the `matrix` attributes along the path, including the last node. Evaluates them.
    MMatrix worldMatrix(const DagPath& path) const;
    MMatrix parentMatrix(const DagPath& path) const;

    // --- connections. Throw Error if the plugs are incompatible or the destination is already connected (unless
    // force).
    void connect(const Plug& source, const Plug& destination, bool force = false);
    void disconnect(const Plug& source, const Plug& destination);
    Plug nextAvailable(const Plug& arrayPlug) const;  // its first unconnected element

    // --- dirty propagation and evaluation
    void dirty(const Plug& plug);       // the plug and everything that depends on it
    void dirtyBelow(const Plug& plug);  // only what depends on the plug, after its value was set
    void dirtyWorldSpace(Node& node);   // the node moved or was reparented
    Result evaluate(const Plug& plug);  // cleans the plug and its upstream dependencies
    long long computeCount = 0;         // number of node computes; lets tests verify lazy evaluation

    // --- time
    NodePtr time1() const { return time_; }
    double ticks() const;  // current time
    void setTicks(double ticks);
    double frame() const { return ticks() / units.ticksPerFrame; }
    void setFrame(double frame) { setTicks(frame * units.ticksPerFrame); }
    double minTicks = 0, maxTicks = 0;            // playback range
    double startTicks = 0, endTicks = 0;          // animation range
    std::map<std::string, std::string> playback;  // settings without effect in batch: loop, view, by, playbackSpeed

    std::string scenePath;  // file it was read from or is saved to; empty if untitled
    // Where the files that a scene names are on this machine; applied to references while they load. Empty: unchanged.
    std::function<std::string(const std::string&)> mapPath;
    std::vector<std::string> selection;  // names of nodes, plugs and components; updated on rename and delete
    // A plugin required by the scene file, with the node and data types expected from it.
    struct Requirement {
        std::string plugin, version;
        std::vector<std::string> nodeTypes, dataTypes;
    };
    std::vector<Requirement> required;
    // A statement of a scene file about the scene as a whole (light links, metadata), which is written back on save.
    struct KeptCommand {
        struct Word {
            std::string text;          // verbatim, or what follows the name of the node
            std::weak_ptr<Node> node;  // the node that the word names, if any
            bool named = false;
        };
        std::string command;
        std::vector<Word> words;
    };
    std::vector<KeptCommand> kept;
    // A file reference, as stated in the scene file. Saving a scene writes only the edits relative to its references.
    struct Reference {
        std::string statement;        // file -rdi … or file -r …
        std::string path, nameSpace;  // of a loaded reference; else empty
    };
    std::vector<Reference> references;
    std::map<std::string, std::string> fileInfo;
    std::string upAxis() const;  // "y" or "z": what was set, else the axis that the scene's top camera looks along

    // --- the current graph of this thread, used by the API
    static Graph* current();
    class Scope {
      public:
        explicit Scope(Graph& graph);
        ~Scope();
        Scope(const Scope&) = delete;

      private:
        Graph* before_;
    };
    // Access of this thread to the values of a graph; may be nested.
    class Access {
      public:
        explicit Access(Graph& graph);
        ~Access();
        Access(const Access&) = delete;
        Access& operator=(const Access&) = delete;
        // Lets other threads have it meanwhile.
        class Released {
          public:
            explicit Released(Graph& graph);
            ~Released();
            Released(const Released&) = delete;
            Released& operator=(const Released&) = delete;

          private:
            Graph& graph_;
        };

      private:
        Graph& graph_;
        const Graph* before_;
    };

  private:
    void appendDependents(const Plug& plug, std::vector<Plug>& next);
    Result evaluateInside(const Plug& plug);
    Result refresh(const Plug& plug, Value& value);
    Result compute(const Plug& plug);
    bool isTaken(const std::string& name, const Node& node) const;
    std::string uniqueName(const std::string& wanted, const Node& node);
    void checkDepth(const Node& parent, int levels) const;  // throws if `levels` more exceed the limit
    void unlink(Node& node, Node* parent);
    void index(const NodePtr& node);
    void unindex(const Node& node);
    std::vector<size_t> selectionIndices(const Node& node) const;  // indices of its entries in the selection

    std::map<long long, NodePtr> nodes_;  // by serial
    std::unordered_map<std::string, std::vector<Node*>> byName_;
    // By name stem and parent: all numbers up to this one are in use.
    std::map<std::pair<std::string, long long>, int> lastNumber_;
    long long nextSerial_ = 1;
    NodePtr time_;
    // Held while values are evaluated, and let go while a plugin's node computes: several threads may evaluate the same
    // graph, each in its own context, or different nodes of one level; see host/playback.h.
    std::mutex access_;
    std::recursive_mutex reporting_;
};

}  // namespace purl::host
