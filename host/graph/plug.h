// A plug: one attribute of one node, with its array indices. Reads, evaluates, sets and connects it.
#pragma once
#include <array>
#include <string>
#include <vector>

#include "host/graph/value.h"

namespace purl::host {

class Node;
using NodePtr = std::shared_ptr<Node>;

class Plug {
  public:
    NodePtr node;
    AttrPtr attr;
    std::vector<int> indices;  // one per array from the root down; the last is missing for a whole array

    Plug() = default;
    Plug(NodePtr node, AttrPtr attr, std::vector<int> indices = {});
    explicit operator bool() const { return node && attr; }

    // --- position in the attribute tree
    bool isArray() const;                           // a whole array, to be indexed by element()
    bool isElement() const;                         // one element of an array
    bool isCompound() const;                        // has children (Compound or Numeric) and is not a whole array
    std::string name() const;                       // "ball1.translate.translateX", "solver1.bodies[2]"
    std::string path(bool longNames = true) const;  // without the node name
    Plug parent() const;  // of a child (for an element: its array's parent); invalid at the root
    Plug array() const;   // of an element
    Plug child(int k) const;
    Plug child(const Attr* c) const;
    Plug child(const std::string& name) const;  // throws
    int childCount() const;
    Plug element(int index) const;
    std::vector<int> elements() const;  // existing logical indices, ascending
    bool operator==(const Plug& o) const { return node == o.node && attr == o.attr && indices == o.indices; }
    bool operator!=(const Plug& o) const { return !(*this == o); }
    bool isOrIsBelow(const Plug& o) const;

    // --- reading: evaluates what is dirty
    Result evaluate() const;
    double number() const;  // internal units: cm, radians, ticks
    bool flag() const { return number() != 0; }
    std::array<double, 3> vec3() const;
    MMatrix matrix() const;    // identity if none
    std::string text() const;  // string data
    DataPtr data() const;      // null if none
    template <class T>
    std::shared_ptr<const T> data() const {
        return std::dynamic_pointer_cast<const T>(data());
    }
    bool isConnected() const { return bool(source()); }

    // --- writing a result in compute: stores it and marks it clean, without dirtying dependents
    void put(double x) const;
    void put(double x, double y, double z) const;
    void put(const MMatrix& m) const;
    void put(DataPtr data) const;
    void setClean() const;

    // --- editing, like setAttr: checks lock, connection, range and type, and dirties dependents. All throw
    // Error("node.attr: …") and then keep the old value.
    void set(double x) const;
    void set(int x) const { set(double(x)); }
    void set(double x, double y, double z) const;
    void set(const MMatrix& m) const;
    void set(const std::string& text) const;
    void set(const char* text) const { set(std::string(text)); }
    void set(DataPtr data) const;
    // Numbers in the scene's units (see Graph::units), compound children flattened depth first, e.g. a ramp element
    // (position, value, interp). Throws if the count does not match.
    void setNumbers(const double* values, int count) const;
    // Parses user input, in the scene's units: "0.5", "on", "linear" (enum field), "1 2 3", a path.
    void setFromText(const std::string& text) const;
    std::string asText() const;  // inverse of setFromText, for numbers, enums, vectors, strings and matrices
    bool locked() const;         // this plug or one of its parents
    void setLocked(bool on) const;

    // --- connections
    Plug source() const;                     // source connected to exactly this plug; invalid if none
    Plug drivingSource() const;              // also considers connections of parent compounds
    std::vector<Plug> destinations() const;  // in order of connection

    Value* value() const;                 // created if missing
    Value* peek() const;                  // null if it does not exist yet
    double toScene(double stored) const;  // internal units → scene units, according to the attribute's kind
    double fromScene(double shown) const;
};

}  // namespace purl::host
