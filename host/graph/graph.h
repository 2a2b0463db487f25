// The dependency graph of one scene: nodes, connections, dirt, and evaluation on demand.
//
//     Graph graph;                                   // has a time1 node
//     NodePtr ball = graph.create("transform", "ball1");
//     NodePtr mesh = graph.create("mesh", "ballShape1", ball);
//     graph.find("ball1")->plug("t").set(0, 5, 0);
//     graph.connect(sphere->plug("output"), mesh->plug("inMesh"));
//     auto points = mesh->plug("worldMesh[0]").data<MeshData>();
//
// Several graphs may live in one process. A thread works on one at a time: Graph::Scope says which, for the parts of
// the Maya API that do not name one (MFnDependencyNode::create, MGlobal, MAnimControl).
#pragma once
#include <atomic>
#include <functional>
#include <list>
#include <string>
#include <unordered_map>
#include <vector>

#include "host/graph/node.h"
#include "host/graph/text.h"

namespace purl::host {

enum class Severity { Info, Warning, Error };
using MessageSink = std::function<void(Severity, const std::string&)>;

// What Maya has in front of an artist, as far as plugins ask for it; of whoever opened the scene.
struct MayaUi {
    std::function<void(const std::string& mel)> script;  // runs MEL; throws Error
    std::map<std::string, void*> controls;               // widgets of the windows, by name
};

constexpr double kTicksPerSecond = 141120000.0;

// The units people see; values are stored in cm, radians and ticks.
struct Units {
    std::string linear = "cm", angular = "deg", time = "film";
    double cmPerUnit = 1;
    double radiansPerUnit = 0.017453292519943295;
    double ticksPerFrame = kTicksPerSecond / 24;
    void setLinear(const std::string& name);   // cm centimeter m meter mm in ft yd …; throws
    void setAngular(const std::string& name);  // deg degree rad radian …; throws
    void setTime(const std::string& name);     // film pal ntsc game show ntscf palf "48fps" sec …; throws
};

// Copies numbers and shares data; units are converted where the two attributes differ in them.
void copyValue(Value& from, Value& to, const Units& units);

// One way down from the world to a node: the nodes passed, the node itself last.
using DagPath = std::vector<NodePtr>;
constexpr size_t kMaxNodes = 1 << 20;  // of a scene, about a kilobyte each
constexpr size_t kMaxPaths = 1 << 16;  // to one node: instances of instances double with each level

class Graph {
  public:
    Graph();  // with a time1 node
    ~Graph();
    Graph(const Graph&) = delete;
    Graph& operator=(const Graph&) = delete;

    Units units;
    MessageSink sink;  // empty: messages are dropped
    void report(Severity severity, const std::string& text);
    std::function<void(int value, int min, int max, const std::string& text)> progress;  // of long computations
    std::shared_ptr<MayaUi> ui;                                                          // null: batch

    // --- nodes
    // An unknown type gives a placeholder that keeps attributes and connections. A taken name gets a number; an empty
    // one is made from the type's ("purlFluid1"). A parent may be given for DAG nodes only.
    NodePtr create(const std::string& typeName, const std::string& name = {}, const NodePtr& parent = nullptr);
    // As Maya's createNode: a shape without a parent gets a transform of its own. Returns the node asked for.
    NodePtr createWithParent(const std::string& typeName, const std::string& name = {});
    void remove(const NodePtr& node);   // with DAG children; undone by restore
    void restore(const NodePtr& node);  // puts a removed node back, without its connections
    void rename(const NodePtr& node, const std::string& name);
    // "ball1", ":ball1", "|group1|ball1", "group1|ball1"; null: none, or a short name shared by several.
    NodePtr find(const std::string& name) const;
    std::vector<NodePtr> findAll(const std::string& pattern) const;       // * and ? in the name
    NodePtr get(const std::string& name) const;                           // like find, but throws and suggests
    std::vector<NodePtr> nodes() const;                                   // in order of creation
    long long lastSerial() const { return nextSerial_ - 1; }              // of the node created last
    std::vector<NodePtr> nodesSince(long long serial) const;              // created after the one of this serial
    std::vector<NodePtr> nodesOfType(const std::string& typeName) const;  // derived types too
    Plug plug(const std::string& nodeDotPath) const;                      // "ball1.tx"; throws and suggests

    // --- the DAG
    void setParent(const NodePtr& node, const NodePtr& parent);  // null: the world
    void addInstance(const NodePtr& node, const NodePtr& parent);
    std::vector<DagPath> dagPaths(const Node& node) const;  // all instances, in order; at most kMaxPaths
    std::string dagName(const NodePtr& node) const;         // shortest path that is unique ("ball1", "a|ball1")
    static std::string fullName(const DagPath& path);       // "|group1|ball1"
    // Product of the `matrix` attributes along the path, the last node included; evaluates.
    MMatrix worldMatrix(const DagPath& path) const;
    MMatrix parentMatrix(const DagPath& path) const;

    // --- connections. Throw Error if the plugs do not fit or the destination is taken (unless force).
    void connect(const Plug& source, const Plug& destination, bool force = false);
    void disconnect(const Plug& source, const Plug& destination);
    Plug nextAvailable(const Plug& arrayPlug) const;  // its first element that nothing drives

    // --- dirt and evaluation
    void dirty(const Plug& plug);       // the plug itself and all that depends on it
    void dirtyBelow(const Plug& plug);  // only what depends on it: its value was just set
    void dirtyWorldSpace(Node& node);   // the node moved, or got another parent
    Result evaluate(const Plug& plug);  // makes plug, and what it needs, clean
    long long computeCount = 0;         // how often any node computed: lets tests prove laziness

    // --- time
    NodePtr time1() const { return time_; }
    double ticks() const;  // current time
    void setTicks(double ticks);
    double frame() const { return ticks() / units.ticksPerFrame; }
    void setFrame(double frame) { setTicks(frame * units.ticksPerFrame); }
    double minTicks = 0, maxTicks = 0;            // playback range
    double startTicks = 0, endTicks = 0;          // animation range
    std::map<std::string, std::string> playback;  // what only a window would play by: loop, view, by, playbackSpeed

    std::string scenePath;               // the file it was read from or is saved to, as given; empty: none yet
    std::vector<std::string> selection;  // names of nodes, plugs and components; follows renaming and deletion
    // Plug-ins that the scene's file asked for, with the types it expects of them.
    struct Requirement {
        std::string plugin, version;
        std::vector<std::string> nodeTypes, dataTypes;
    };
    std::vector<Requirement> required;
    // Files that the scene refers to, as its own file says it; a scene is saved with what differs from them.
    struct Reference {
        std::string statement;        // file -rdi … or file -r …
        std::string path, nameSpace;  // of one that was read; else empty
    };
    std::vector<Reference> references;
    std::map<std::string, std::string> fileInfo;

    // --- which graph the API means on this thread
    static Graph* current();
    class Scope {
      public:
        explicit Scope(Graph& graph);
        ~Scope();
        Scope(const Scope&) = delete;

      private:
        Graph* before_;
    };

  private:
    void spread(const Plug& plug, std::vector<Plug>& next);
    Result evaluateInside(const Plug& plug);
    Result refresh(const Plug& plug, Value& value);
    Result compute(const Plug& plug);
    bool isTaken(const std::string& name, const Node& node) const;
    std::string uniqueName(const std::string& wanted, const Node& node);
    void checkDepth(const Node& parent, int levels) const;  // throws where `levels` more are too many
    void unlink(Node& node, Node* parent);
    void index(const NodePtr& node);
    void unindex(const Node& node);
    std::vector<size_t> selectedPlaces(const Node& node) const;  // where the selection names it

    std::map<long long, NodePtr> nodes_;  // by serial
    std::unordered_map<std::string, std::vector<Node*>> byName_;
    // Of names that were taken, by stem and parent: numbers up to this one are taken too.
    std::map<std::pair<std::string, long long>, int> lastNumber_;
    long long nextSerial_ = 1;
    NodePtr time_;
    std::vector<Plug> computing_;
    int evaluating_ = 0;                     // plugs under way, each for the one before
    bool chainTooLong_ = false;              // there were too many of them
    std::vector<Plug> computedFromPartial_;  // and these were computed nevertheless
};

}  // namespace purl::host
