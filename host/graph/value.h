// The value of one attribute of one node: a tree that mirrors the attribute (compound → children, array → elements).
#pragma once
#include <map>
#include <memory>
#include <vector>

#include "host/graph/attr.h"

namespace purl::host {

// Up to four contiguous numbers; the attribute's storage kind says which member is active.
union Numbers {
    double d[4];
    float f[4];
    int i[4];
    short s[4];
    signed char c[4];
    unsigned char u[4];
    bool b[4];
    long long l[4];
};

class Node;

struct Value {
    const Attr* attr;
    bool wholeArray;  // is the whole array, not one of its elements
    bool dirty = false;
    Value* above;  // parent value: the compound or array that contains this
    const Node* node;
    Numbers own{};
    void* cell = &own;  // storage of the number: own, or inside the parent for a child of a Numeric
    DataPtr data;
    std::vector<std::unique_ptr<Value>> children;    // created on first access
    std::map<int, std::unique_ptr<Value>> elements;  // by logical index; sparse
    int firstFree = 0;                               // all elements before it are connected; see Graph::nextAvailable

    Value(const Attr* attr, bool wholeArray, Value* above, const Node* node);
    Value(const Value&) = delete;
    Value& operator=(const Value&) = delete;

    Value& child(int k);
    Value& element(int index);      // created if missing
    Kind storage() const;           // storage type of the numbers: Double, Float, Int, Short, Bool, …
    double number() const;          // scalars
    void setNumber(double x);       // scalars; rounds for integer kinds
    double component(int k) const;  // Numeric
    void setComponent(int k, double x);
    void mark(bool dirty);  // with all existing descendants
    bool allDirty() const;  // this and all existing descendants
    void reset();           // to the attribute's default
};

Kind storageOf(Kind kind);  // Time, Distance, Angle → Double; Enum → Short

}  // namespace purl::host
