// A node: its type, name, DAG parents and children, values and connections.
#pragma once
#include <any>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "host/graph/block.h"
#include "host/graph/plug.h"
#include "host/graph/type.h"

namespace purl::host {

class Graph;

class Node : public Object {
  public:
    // Identifies a plug within its node. Ordered by creation of attributes, so that iteration is deterministic.
    struct Key {
        int attr;
        std::vector<int> indices;
        bool operator<(const Key& o) const { return attr != o.attr ? attr < o.attr : indices < o.indices; }
    };
    struct Input {
        Plug plug, source;
    };
    struct Output {
        Plug plug;
        std::vector<Plug> destinations;
    };

    Type* type = nullptr;
    Graph* graph = nullptr;  // null once the node is deleted
    std::string name, uuid;
    long long serial = 0;     // order of creation in the graph
    MPxNode* user = nullptr;  // plugin nodes
    std::any payload;         // private state of built-in types
    bool nodeLocked = false;
    bool referenced = false;  // from a file reference; see Graph::references

    // Statements of a file that the graph cannot represent, in file order, written back on save: values of unknown
    // attributes, display flags, connections between two unknown attributes.
    struct KeptStatement {
        std::string path;
        std::vector<std::string> flags, values;  // words to be written verbatim
    };
    std::vector<KeptStatement> kept;
    struct KeptConnection {
        std::string path, source;  // attribute path, and "node.attr" that drives it
        bool nextAvailable;        // -na: an element of an array whose index does not matter
        bool operator==(const KeptConnection& o) const { return path == o.path && source == o.source; }
    };
    std::vector<KeptConnection> keptConnections;

    ~Node() override;
    MFn::Type apiType() const override { return type->apiType; }
    bool hasFn(MFn::Type fn) const override { return type->hasFn(fn); }
    NodePtr ptr() { return std::static_pointer_cast<Node>(shared_from_this()); }
    bool alive() const { return graph != nullptr; }

    // --- attributes
    AttrPtr find(
        const std::string& longOrShortName) const;  // including dynamic attributes and children; null if not found
    Plug plug(const AttrPtr& attr) { return Plug(ptr(), attr); }
    // Accepts short or long names: "uvst[0].uvsp[3]", "translateX", "t.tx", ".o". Throws Error suggesting the nearest
    // attribute.
    Plug plug(const std::string& path);
    std::vector<Plug> plugs(const std::string& path);  // also accepts a range in the last index: "pt[12:14]"
    bool has(const std::string& path) const;
    AttrPtr addDynamic(AttrPtr attr);  // addAttr; throws if the name is in use
    void removeDynamic(const AttrPtr& attr);
    const std::vector<AttrPtr>& dynamic() const { return dynamic_; }
    std::vector<AttrPtr> attributes() const;     // root attributes: those of the type, then dynamic ones
    std::map<std::string, std::string> aliases;  // alias → attribute path

    // --- the DAG
    bool isDag() const { return type->dag; }
    std::vector<Node*> parents;  // empty: directly under the world
    std::vector<Node*> children;
    bool inWorld = false;  // has an instance directly under the world

    // --- storage, used by Plug and Graph: values in the current context
    const Block& block() const { return block_; }
    Value& root(const Attr* rootAttr);
    Value* peekRoot(const Attr* rootAttr) const;
    std::map<Key, Input> inputs;
    std::map<Key, Output> outputs;
    std::set<Key> lockedPlugs;

  private:
    void addNames(const AttrPtr& attr);

    std::vector<AttrPtr> dynamic_;
    std::unordered_map<std::string, AttrPtr>
        dynamicNames_;  // short and long names, including children; the first attribute wins
    Block block_;
};

}  // namespace purl::host
