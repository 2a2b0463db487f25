#include "host/graph/attr.h"

#include <atomic>

namespace purl::host {

static std::atomic<int> nextId{1};

Attr::Attr() : id(nextId++) {}

const char* nameOf(Kind kind) {
    static const char* const names[] = {"bool",  "char",   "byte",    "short",    "long",         "int64",
                                        "float", "double", "enum",    "time",     "doubleLinear", "doubleAngle",
                                        "data",  "matrix", "numbers", "compound", "message"};
    return names[int(kind)];
}

MFn::Type Attr::apiType() const {
    switch (kind) {
        case Kind::Enum: return MFn::kEnumAttribute;
        case Kind::Time: return MFn::kTimeAttribute;
        case Kind::Distance: return MFn::kDoubleLinearAttribute;
        case Kind::Angle: return MFn::kDoubleAngleAttribute;
        case Kind::Typed: return MFn::kTypedAttribute;
        case Kind::Matrix: return MFn::kMatrixAttribute;
        case Kind::Compound: return MFn::kCompoundAttribute;
        case Kind::Message: return MFn::kMessageAttribute;
        case Kind::Numeric: break;
        default: return MFn::kNumericAttribute;
    }
    const bool two = children.size() == 2;
    switch (element) {
        case Kind::Float: return two ? MFn::kAttribute2Float : MFn::kAttribute3Float;
        case Kind::Int: return two ? MFn::kAttribute2Int : MFn::kAttribute3Int;
        case Kind::Short: return two ? MFn::kAttribute2Short : MFn::kAttribute3Short;
        default:
            return two                    ? MFn::kAttribute2Double
                   : children.size() == 3 ? MFn::kAttribute3Double
                                          : MFn::kAttribute4Double;
    }
}

bool Attr::hasFn(MFn::Type fn) const {
    if (fn == MFn::kBase || fn == MFn::kAttribute || fn == apiType()) return true;
    if (fn == MFn::kUnitAttribute) return isUnit(kind);
    if (fn == MFn::kNumericAttribute) return kind == Kind::Numeric || kind <= Kind::Double;
    if (fn == MFn::kCompoundAttribute) return kind == Kind::Numeric;
    return false;
}

const Attr* Attr::root() const {
    const Attr* a = this;
    while (a->parent) a = a->parent;
    return a;
}

int Attr::arrayDepth() const {
    int n = 0;
    for (const Attr* a = this; a; a = a->parent) n += a->array;
    return n;
}

int Attr::childIndex() const {
    if (parent)
        for (size_t k = 0; k < parent->children.size(); ++k)
            if (parent->children[k].get() == this) return int(k);
    return -1;
}

bool Attr::isOrIsBelow(const Attr* other) const {
    for (const Attr* a = this; a; a = a->parent)
        if (a == other) return true;
    return false;
}

Attr* Attr::child(const std::string& wanted) const {
    for (const AttrPtr& c : children)
        if (c->name == wanted || c->shortName == wanted) return c.get();
    return nullptr;
}

std::vector<const Attr*> Attr::leaves() const {
    if (children.empty()) return {this};
    std::vector<const Attr*> all;
    for (const AttrPtr& c : children)
        for (const Attr* leaf : c->leaves()) all.push_back(leaf);
    return all;
}

int Attr::leafCount() const { return int(leaves().size()); }

const std::string* Attr::fieldName(int value) const {
    for (const auto& field : fields)
        if (field.first == value) return &field.second;
    return nullptr;
}

// --- factories

static AttrPtr make(const std::string& name, const std::string& shortName, Kind kind) {
    auto a = std::make_shared<Attr>();
    a->name = name;
    a->shortName = shortName.empty() ? name : shortName;
    a->kind = kind;
    return a;
}

static void setChildren(const AttrPtr& a, std::vector<AttrPtr> children) {
    a->children = std::move(children);
    for (const AttrPtr& c : a->children) c->parent = a.get();
}

AttrPtr number(const std::string& name, const std::string& shortName, double initial, Kind kind) {
    AttrPtr a = make(name, shortName, kind);
    a->initial[0] = initial;
    return a;
}

AttrPtr boolean(const std::string& name, const std::string& shortName, bool initial) {
    return number(name, shortName, initial, Kind::Bool);
}

AttrPtr enumeration(const std::string& name, const std::string& shortName, std::initializer_list<const char*> fields,
                    int initial) {
    AttrPtr a = number(name, shortName, initial, Kind::Enum);
    int value = 0;
    for (const char* f : fields) a->fields.emplace_back(value++, f);
    return a;
}

AttrPtr vector3(const std::string& name, const std::string& shortName, Kind element, double x, double y, double z) {
    return numeric(name, shortName, element,
                   {number(name + "X", shortName + "x", x, element), number(name + "Y", shortName + "y", y, element),
                    number(name + "Z", shortName + "z", z, element)});
}

AttrPtr numeric(const std::string& name, const std::string& shortName, Kind element, std::vector<AttrPtr> children) {
    AttrPtr a = make(name, shortName, Kind::Numeric);
    a->element = isUnit(element) ? Kind::Double : element;
    for (size_t k = 0; k < children.size() && k < 4; ++k) a->initial[k] = children[k]->initial[0];
    setChildren(a, std::move(children));
    return a;
}

AttrPtr typed(const std::string& name, const std::string& shortName, DataType type, DataPtr initial) {
    AttrPtr a = make(name, shortName, Kind::Typed);
    a->dataType = type;
    a->initialData = std::move(initial);
    return a;
}

AttrPtr matrix(const std::string& name, const std::string& shortName) {
    AttrPtr a = make(name, shortName, Kind::Matrix);
    a->dataType = DataType::Matrix;
    a->initialData = std::make_shared<MatrixData>();
    return a;
}

AttrPtr message(const std::string& name, const std::string& shortName) {
    AttrPtr a = make(name, shortName, Kind::Message);
    a->storable = false;
    return a;
}

AttrPtr compound(const std::string& name, const std::string& shortName, std::vector<AttrPtr> children) {
    AttrPtr a = make(name, shortName, Kind::Compound);
    setChildren(a, std::move(children));
    return a;
}

// --- modifiers

AttrPtr array(AttrPtr a) {
    a->array = true;
    return a;
}

AttrPtr output(AttrPtr a) {
    a->writable = a->storable = false;
    for (const AttrPtr& c : a->children) output(c);
    return a;
}

AttrPtr range(AttrPtr a, double min, double max) {
    a->min = min;
    a->max = max;
    for (const AttrPtr& c : a->children) range(c, min, max);
    return a;
}

AttrPtr keyable(AttrPtr a) {
    a->keyable = true;
    for (const AttrPtr& c : a->children) keyable(c);
    return a;
}

AttrPtr hidden(AttrPtr a) {
    a->hidden = true;
    return a;
}

AttrPtr worldSpace(AttrPtr a) {
    a->worldSpace = a->array = true;
    return a;
}

AttrPtr affectsWorldSpace(AttrPtr a) {
    a->affectsWorldSpace = true;
    for (const AttrPtr& c : a->children) affectsWorldSpace(c);
    return a;
}

}  // namespace purl::host
