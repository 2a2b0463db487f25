#include "host/graph/value.h"

#include <cmath>

#include "host/graph/node.h"

namespace purl::host {

Kind storageOf(Kind kind) {
    if (isUnit(kind)) return Kind::Double;
    if (kind == Kind::Enum) return Kind::Short;
    return kind;
}

// Addresses a cell as an array of its own type: the second component of a float3 is not aligned for a double.
template <class T>
static T& at(void* cell, int k) {
    return static_cast<T*>(cell)[k];
}

static double read(void* cell, Kind storage, int k) {
    switch (storage) {
        case Kind::Bool: return at<bool>(cell, k);
        case Kind::Char: return at<signed char>(cell, k);
        case Kind::Byte: return at<unsigned char>(cell, k);
        case Kind::Short: return at<short>(cell, k);
        case Kind::Int: return at<int>(cell, k);
        case Kind::Int64: return double(at<long long>(cell, k));
        case Kind::Float: return double(at<float>(cell, k));
        case Kind::Double: return at<double>(cell, k);
        default: return 0;
    }
}

// Saturating conversion to integers: out-of-range doubles would be undefined behaviour.
template <class T>
static T saturated(double x) {
    const double lo = double(std::numeric_limits<T>::min()), hi = double(std::numeric_limits<T>::max());
    if (!(x > lo)) return std::isnan(x) ? T(0) : std::numeric_limits<T>::min();
    if (!(x < hi)) return std::numeric_limits<T>::max();
    return T(std::llround(x));
}

static void write(void* cell, Kind storage, int k, double x) {
    switch (storage) {
        case Kind::Bool: at<bool>(cell, k) = x != 0; break;
        case Kind::Char: at<signed char>(cell, k) = saturated<signed char>(x); break;
        case Kind::Byte: at<unsigned char>(cell, k) = saturated<unsigned char>(x); break;
        case Kind::Short: at<short>(cell, k) = saturated<short>(x); break;
        case Kind::Int: at<int>(cell, k) = saturated<int>(x); break;
        case Kind::Int64: at<long long>(cell, k) = saturated<long long>(x); break;
        case Kind::Float: at<float>(cell, k) = float(x); break;
        case Kind::Double: at<double>(cell, k) = x; break;
        default: break;
    }
}

static size_t sizeOf(Kind storage) {
    switch (storage) {
        case Kind::Short: return sizeof(short);
        case Kind::Int: return sizeof(int);
        case Kind::Float: return sizeof(float);
        default: return sizeof(double);
    }
}

Value::Value(const Attr* a, bool isWhole, Value* from, const Node* owner)
    : attr(a), wholeArray(isWhole), above(from), node(owner) {
    dirty = above ? above->dirty : node->type->holdsOutput(attr);
    if (above && above->attr->kind == Kind::Numeric && !above->wholeArray && above->attr != attr)
        cell = static_cast<char*>(above->cell) + sizeOf(above->attr->element) * size_t(attr->childIndex());
    else if (!wholeArray)
        reset();
}

Value& Value::child(int k) {
    if (children.empty()) children.resize(attr->children.size());
    auto& c = children[k];
    if (!c) {
        const Attr* a = attr->children[k].get();
        c = std::make_unique<Value>(a, a->array, this, node);
    }
    return *c;
}

Value& Value::element(int index) {
    auto& e = elements[index];
    if (!e) e = std::make_unique<Value>(attr, false, this, node);
    return *e;
}

// A child of a Numeric has the storage type of its parent, whatever its own unit kind.
Kind Value::storage() const {
    if (attr->kind == Kind::Numeric) return attr->element;
    const bool packed = above && above->attr != attr && above->attr->kind == Kind::Numeric;
    return packed ? above->attr->element : storageOf(attr->kind);
}

double Value::number() const { return read(cell, storage(), 0); }
void Value::setNumber(double x) { write(cell, storage(), 0, attr->kind == Kind::Time ? std::round(x) : x); }
double Value::component(int k) const { return read(cell, attr->element, k); }
void Value::setComponent(int k, double x) { write(cell, attr->element, k, x); }

void Value::mark(bool d) {
    dirty = d;
    for (auto& c : children)
        if (c) c->mark(d);
    for (auto& e : elements) e.second->mark(d);
}

bool Value::allDirty() const {
    if (!dirty) return false;
    for (auto& c : children)
        if (c && !c->allDirty()) return false;
    for (auto& e : elements)
        if (!e.second->allDirty()) return false;
    return true;
}

void Value::reset() {
    if (wholeArray) {
        elements.clear();
    } else if (attr->kind == Kind::Numeric) {
        for (int k = 0; k < int(attr->children.size()); ++k) setComponent(k, attr->initial[k]);
    } else if (isScalar(attr->kind)) {
        setNumber(attr->initial[0]);
    } else if (holdsData(attr->kind)) {
        data = attr->initialData;
    } else {
        for (auto& c : children)
            if (c) c->reset();
    }
}

}  // namespace purl::host
