// One attribute's value in one node: a tree that follows the attribute (compound → children, array → elements).
#pragma once
#include <map>
#include <memory>
#include <vector>

#include "host/graph/attr.h"

namespace purl::host {

// Numbers side by side; which member is in use follows from the attribute.
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
    bool whole;  // the array itself, not one of its elements
    bool dirty = false;
    Value* above;  // the compound or the array this is part of
    const Node* node;
    Numbers own{};
    void* cell = &own;  // where the number is: here, or inside the parent's for a child of a Numeric
    DataPtr data;
    std::vector<std::unique_ptr<Value>> children;    // made when first asked for
    std::map<int, std::unique_ptr<Value>> elements;  // by logical index; sparse
    int firstFree = 0;                               // elements before it are driven; see Graph::nextAvailable

    Value(const Attr* attr, bool whole, Value* above, const Node* node);
    Value(const Value&) = delete;
    Value& operator=(const Value&) = delete;

    Value& child(int k);
    Value& element(int index);      // made if missing
    Kind storage() const;           // how the numbers are kept: Double, Float, Int, Short, Bool, …
    double number() const;          // scalars
    void setNumber(double x);       // scalars; rounds for whole-number kinds
    double component(int k) const;  // Numeric
    void setComponent(int k, double x);
    void mark(bool dirty);  // with everything below that exists
    bool allDirty() const;  // this, and everything below that exists
    void reset();           // to the attribute's default
};

Kind storageOf(Kind kind);  // Time, Distance, Angle → Double; Enum → Short

}  // namespace purl::host
