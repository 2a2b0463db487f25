// A plug: one attribute of one node, with the indices that single it out. The way to read, compute, set and connect.
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
    std::vector<int> indices;  // one for each array on the way down; the last is missing if this is a whole array

    Plug() = default;
    Plug(NodePtr node, AttrPtr attr, std::vector<int> indices = {});
    explicit operator bool() const { return node && attr; }

    // --- where am I
    bool isArray() const;                           // a whole array, to be indexed by element()
    bool isElement() const;                         // one element of an array
    bool isCompound() const;                        // has children (Compound or Numeric) and is not a whole array
    std::string name() const;                       // "ball1.translate.translateX", "solver1.bodies[2]"
    std::string path(bool longNames = true) const;  // the same without the node
    Plug parent() const;  // of a child; invalid at the root (for an element: its array's parent)
    Plug array() const;   // of an element
    Plug child(int k) const;
    Plug child(const Attr* c) const;
    Plug child(const std::string& name) const;  // throws
    int childCount() const;
    Plug element(int index) const;
    std::vector<int> elements() const;  // indices in use, in order
    bool operator==(const Plug& o) const { return node == o.node && attr == o.attr && indices == o.indices; }
    bool operator!=(const Plug& o) const { return !(*this == o); }
    bool isOrIsBelow(const Plug& o) const;

    // --- reading: evaluates what is dirty
    Result evaluate() const;
    double number() const;  // stored units: cm, radians, ticks
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

    // --- writing a result inside compute: stores and marks clean, dirties nobody
    void put(double x) const;
    void put(double x, double y, double z) const;
    void put(const MMatrix& m) const;
    void put(DataPtr data) const;
    void setClean() const;

    // --- editing from outside, as setAttr does: checks lock, connection, range and type; dirties what depends on it.
    // All throw Error("node.attr: …") and leave the old value in place.
    void set(double x) const;
    void set(int x) const { set(double(x)); }
    void set(double x, double y, double z) const;
    void set(const MMatrix& m) const;
    void set(const std::string& text) const;
    void set(const char* text) const { set(std::string(text)); }
    void set(DataPtr data) const;
    // Numbers in the scene's units (see Graph::units), compound children flattened depth first, e.g. a ramp element
    // (position, value, interp). Throws if the count does not fit.
    void setNumbers(const double* values, int count) const;
    // Anything a person may type: "0.5", "on", "linear" (enum field), "1 2 3", a path. In the scene's units.
    void setFromText(const std::string& text) const;
    std::string asText() const;  // the reverse, for numbers, enums, vectors, strings and matrices
    bool locked() const;         // this plug or one above it
    void setLocked(bool on) const;

    // --- connections
    Plug source() const;                     // what drives exactly this plug; invalid: nothing
    Plug drivingSource() const;              // the same, but also through a connection of a parent compound
    std::vector<Plug> destinations() const;  // in order of connection

    Value* value() const;                 // made if missing
    Value* peek() const;                  // null if nobody touched it yet
    double toScene(double stored) const;  // stored units → the scene's units, by the kind of this attribute
    double fromScene(double shown) const;
};

}  // namespace purl::host
