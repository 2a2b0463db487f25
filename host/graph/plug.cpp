#include "host/graph/plug.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>

#include "host/graph/events.h"
#include "host/graph/graph.h"
#include "host/graph/text.h"

namespace purl::host {

Plug::Plug(NodePtr n, AttrPtr a, std::vector<int> i) : node(std::move(n)), attr(std::move(a)), indices(std::move(i)) {
    const size_t needed = size_t(attr->arrayDepth() - attr->array);
    while (indices.size() < needed) indices.push_back(-1);
}

bool Plug::isArray() const { return attr->array && int(indices.size()) < attr->arrayDepth(); }
bool Plug::isElement() const { return attr->array && int(indices.size()) == attr->arrayDepth(); }
bool Plug::isCompound() const { return !attr->children.empty() && !isArray(); }

std::string Plug::path(bool longNames) const {
    std::vector<const Attr*> chain;
    for (const Attr* a = attr.get(); a; a = a->parent) chain.insert(chain.begin(), a);
    std::string text;
    size_t i = 0;
    for (const Attr* a : chain) {
        if (!text.empty()) text += ".";
        text += longNames ? a->name : a->shortName;
        if (a->array && i < indices.size()) {
            const int index = indices[i++];
            text += "[" + (index < 0 ? std::string("-1") : std::to_string(index)) + "]";
        }
    }
    return text;
}

std::string Plug::name() const { return (node ? node->name : std::string("?")) + "." + path(); }

// Finds the owning pointer of an attribute: children are owned by their parent.
static AttrPtr pointerTo(const Attr* a) {
    return std::static_pointer_cast<Attr>(const_cast<Attr*>(a)->shared_from_this());
}

Plug Plug::parent() const {
    if (!attr->parent) return {};
    Plug p = *this;
    if (isElement()) p.indices.pop_back();
    p.attr = pointerTo(attr->parent);
    return p;
}

Plug Plug::array() const {
    if (!isElement()) return {};
    Plug p = *this;
    p.indices.pop_back();
    return p;
}

int Plug::childCount() const { return int(attr->children.size()); }

Plug Plug::child(int k) const {
    Plug p = *this;
    if (isArray()) p.indices.push_back(-1);
    p.attr = attr->children.at(size_t(k));
    return p;
}

Plug Plug::child(const Attr* c) const {
    if (!c || c->parent != attr.get()) throw Error(name() + " has no such child");
    return child(c->childIndex());
}

Plug Plug::child(const std::string& wanted) const {
    const Attr* c = attr->child(wanted);
    if (!c) throw Error(name() + " has no child " + wanted);
    return child(c->childIndex());
}

Plug Plug::element(int index) const {
    if (!isArray()) throw Error(name() + " is not an array");
    Plug p = *this;
    p.indices.push_back(index);
    return p;
}

std::vector<int> Plug::elements() const {
    std::vector<int> all;
    if (Value* v = peek())
        for (const auto& e : v->elements) all.push_back(e.first);
    return all;
}

bool Plug::isOrIsBelow(const Plug& o) const {
    if (node != o.node || !attr->isOrIsBelow(o.attr.get()) || indices.size() < o.indices.size()) return false;
    return std::equal(o.indices.begin(), o.indices.end(), indices.begin());
}

// --- storage

static Value* locate(const Plug& plug, bool make) {
    const Attr* chain[32];
    int depth = 0;
    for (const Attr* a = plug.attr.get(); a && depth < 32; a = a->parent) chain[depth++] = a;
    Value* v = make ? &plug.node->root(chain[depth - 1]) : plug.node->peekRoot(chain[depth - 1]);
    size_t i = 0;
    for (int d = depth - 1; v; --d) {
        if (chain[d]->array && i < plug.indices.size()) {
            const int index = plug.indices[i++];
            if (index < 0) throw Error(plug.name() + ": needs an array index");
            if (make) {
                v = &v->element(index);
            } else {
                auto it = v->elements.find(index);
                v = it == v->elements.end() ? nullptr : it->second.get();
            }
        }
        if (d == 0 || !v) break;
        const int k = chain[d - 1]->childIndex();
        if (make)
            v = &v->child(k);
        else
            v = v->children.empty() ? nullptr : v->children[k].get();
    }
    return v;
}

Value* Plug::value() const { return locate(*this, true); }
Value* Plug::peek() const { return locate(*this, false); }

// --- reading

Result Plug::evaluate() const {
    if (!node->graph) return Result::Failed;
    return node->graph->evaluate(*this);
}

double Plug::number() const {
    evaluate();
    const Value& v = *value();
    return attr->kind == Kind::Numeric ? v.component(0) : v.number();
}

std::array<double, 3> Plug::vec3() const {
    evaluate();
    Value& v = *value();
    std::array<double, 3> out{};
    for (int k = 0; k < 3 && k < childCount(); ++k)
        out[k] = attr->kind == Kind::Numeric ? v.component(k) : v.child(k).number();
    return out;
}

DataPtr Plug::data() const {
    evaluate();
    return value()->data;
}

MMatrix Plug::matrix() const {
    auto m = data<MatrixData>();
    return m ? m->matrix : MMatrix();
}

std::string Plug::text() const {
    auto s = data<StringData>();
    return s ? s->text.asChar() : "";
}

// --- results

void Plug::put(double x) const {
    Value& v = *value();
    v.setNumber(x);
    v.dirty = false;
}

void Plug::put(double x, double y, double z) const {
    Value& v = *value();
    const double xyz[3] = {x, y, z};
    for (int k = 0; k < 3 && k < childCount(); ++k)
        if (attr->kind == Kind::Numeric)
            v.setComponent(k, xyz[k]);
        else
            v.child(k).setNumber(xyz[k]);
    v.mark(false);
}

void Plug::put(const MMatrix& m) const { put(std::make_shared<MatrixData>(m)); }

void Plug::put(DataPtr data) const {
    Value& v = *value();
    v.data = std::move(data);
    v.dirty = false;
}

void Plug::setClean() const { value()->mark(false); }

// --- units

double Plug::toScene(double stored) const {
    const Units& u = node->graph->units;
    switch (attr->kind) {
        case Kind::Time: return stored / u.ticksPerFrame;
        case Kind::Distance: return stored / u.cmPerUnit;
        case Kind::Angle: return stored / u.radiansPerUnit;
        default: return stored;
    }
}

double Plug::fromScene(double shown) const {
    const Units& u = node->graph->units;
    switch (attr->kind) {
        case Kind::Time: return shown * u.ticksPerFrame;
        case Kind::Distance: return shown * u.cmPerUnit;
        case Kind::Angle: return shown * u.radiansPerUnit;
        default: return shown;
    }
}

// --- editing

static void checkFree(const Plug& p) {
    if (!p.node->graph) throw Error(p.name() + ": the node was deleted");
    if (p.locked()) throw Error(p.name() + " is locked");
    if (Plug from = p.drivingSource()) throw Error(p.name() + " is driven by " + from.name() + "; disconnect it first");
}

static void checkNumber(const Plug& p, double x) {
    const Attr& a = *p.attr;
    if (!std::isfinite(x)) throw Error(p.name() + ": value is not a finite number");
    if (x < a.min)
        throw Error(p.name() + ": value " + shortest(p.toScene(x)) + " is below the minimum " +
                    shortest(p.toScene(a.min)));
    if (x > a.max)
        throw Error(p.name() + ": value " + shortest(p.toScene(x)) + " is above the maximum " +
                    shortest(p.toScene(a.max)));
    if (a.kind == Kind::Enum && !a.fields.empty() && !a.fieldName(int(std::lround(x))))
        throw Error(p.name() + ": the enum has no value " + shortest(x));
    if ((a.kind == Kind::Int || a.kind == Kind::Short || a.kind == Kind::Byte || a.kind == Kind::Char) &&
        std::abs(x) > 2147483647.0)
        throw Error(p.name() + ": value " + shortest(x) + " is too large for an integer");
}

static void wasSet(const Plug& p) {
    p.node->graph->dirtyBelow(p);
    if (anyListens()) announce({Event::attributeSet, p.node, p, {}, "", 0});
}

static void needScalar(const Plug& p) {
    if (p.isArray() || !isScalar(p.attr->kind)) throw Error(p.name() + " is not a single number");
}

void Plug::set(double x) const {
    needScalar(*this);
    checkFree(*this);
    checkNumber(*this, x);
    put(x);
    wasSet(*this);
}

void Plug::set(double x, double y, double z) const {
    if (isArray() || childCount() != 3) throw Error(name() + " is not a vector of three numbers");
    checkFree(*this);
    const double xyz[3] = {x, y, z};
    for (int k = 0; k < 3; ++k) {
        needScalar(child(k));
        checkFree(child(k));
        checkNumber(child(k), xyz[k]);
    }
    put(x, y, z);
    wasSet(*this);
}

void Plug::set(const MMatrix& m) const { set(std::static_pointer_cast<Data>(std::make_shared<MatrixData>(m))); }

void Plug::set(const std::string& text) const {
    set(std::static_pointer_cast<Data>(std::make_shared<StringData>(text)));
}

void Plug::set(DataPtr data) const {
    if (isArray() || !holdsData(attr->kind)) throw Error(name() + " does not hold data");
    if (data && attr->dataType != DataType::Any && data->type() != attr->dataType)
        throw Error(name() + " holds " + nameOf(attr->dataType) + ", not " + nameOf(data->type()));
    checkFree(*this);
    put(std::move(data));
    wasSet(*this);
}

// The leaves under a plug, depth first, with the plug of each.
static void leafPlugs(const Plug& p, std::vector<Plug>& out) {
    if (p.attr->children.empty()) {
        out.push_back(p);
        return;
    }
    for (int k = 0; k < p.childCount(); ++k) {
        Plug c = p.child(k);
        if (c.isArray()) throw Error(c.name() + ": a list of numbers cannot fill an array inside a compound");
        leafPlugs(c, out);
    }
}

void Plug::setNumbers(const double* values, int count) const {
    if (isArray()) throw Error(name() + " is an array; set its elements one by one");
    if (attr->kind == Kind::Matrix || (attr->kind == Kind::Typed && attr->dataType == DataType::Matrix)) {
        if (count != 16) throw Error(name() + " needs 16 numbers, got " + std::to_string(count));
        MMatrix m;
        for (unsigned k = 0; k < 16; ++k) m(k / 4, k % 4) = values[k];
        return set(m);
    }
    std::vector<Plug> leaves;
    leafPlugs(*this, leaves);
    if (int(leaves.size()) != count)
        throw Error(name() + " needs " + std::to_string(leaves.size()) + " numbers, got " + std::to_string(count));
    std::vector<double> stored;
    for (size_t k = 0; k < leaves.size(); ++k) {
        needScalar(leaves[k]);
        checkFree(leaves[k]);
        stored.push_back(leaves[k].fromScene(values[k]));
        checkNumber(leaves[k], stored.back());
    }
    if (attr->kind == Kind::Numeric) {
        Value& v = *value();
        for (int k = 0; k < count; ++k) v.setComponent(k, stored[k]);
        v.mark(false);
    } else {
        for (size_t k = 0; k < leaves.size(); ++k) leaves[k].put(stored[k]);
        if (isCompound()) value()->mark(false);
    }
    wasSet(*this);
}

static bool parseWord(const Plug& p, const std::string& word, double& x) {
    const Kind kind = p.attr->kind;
    if (kind == Kind::Enum)
        for (const auto& field : p.attr->fields)
            if (field.second == word) {
                x = field.first;
                return true;
            }
    if (kind == Kind::Bool) {
        for (const char* yes : {"on", "yes", "true"})
            if (word == yes) {
                x = 1;
                return true;
            }
        for (const char* no : {"off", "no", "false"})
            if (word == no) {
                x = 0;
                return true;
            }
    }
    if (!parseNumber(word, x)) return false;
    if (kind == Kind::Bool) return x == 0 || x == 1;
    const bool whole = kind == Kind::Enum || (kind >= Kind::Char && kind <= Kind::Int64);
    return !whole || x == std::floor(x);
}

static std::string expectation(const Plug& p) {
    switch (p.attr->kind) {
        case Kind::Bool: return "on or off";
        case Kind::Enum: {
            std::string all;
            for (const auto& field : p.attr->fields) all += (all.empty() ? "one of " : ", ") + field.second;
            return all;
        }
        case Kind::Char:
        case Kind::Byte:
        case Kind::Short:
        case Kind::Int:
        case Kind::Int64: return "an integer";
        default: return "a number";
    }
}

template <class D>
static DataPtr arrayFrom(const Plug& p, const std::vector<std::string>& words) {
    auto data = std::make_shared<D>();
    for (const std::string& w : words) {
        double x;
        if (!parseNumber(w, x)) throw Error(p.name() + ": '" + w + "' is not a number");
        data->values->push_back(typename std::remove_reference_t<decltype(data->values->front())>(x));
    }
    return data;
}

void Plug::setFromText(const std::string& text) const {
    if (isArray()) throw Error(name() + " is an array; specify an element such as " + path() + "[0]");
    if (attr->kind == Kind::Message) throw Error(name() + " is a message attribute and has no value");
    std::vector<std::string> words = splitWords(text, " \t,");
    if (attr->kind == Kind::Typed) {
        switch (attr->dataType) {
            case DataType::String: return set(text);
            case DataType::DoubleArray: return set(arrayFrom<DoubleArrayData>(*this, words));
            case DataType::FloatArray: return set(arrayFrom<FloatArrayData>(*this, words));
            case DataType::IntArray: return set(arrayFrom<IntArrayData>(*this, words));
            case DataType::StringArray: {
                auto data = std::make_shared<StringArrayData>();
                for (const std::string& w : words) data->values->push_back(w.c_str());
                return set(std::static_pointer_cast<Data>(data));
            }
            case DataType::Matrix: break;
            default:
                throw Error(name() + " holds " + nameOf(attr->dataType) +
                            ", which cannot be entered as text; connect a source instead");
        }
    }
    const bool isMatrix = holdsData(attr->kind);
    std::vector<Plug> leaves;
    if (!isMatrix) leafPlugs(*this, leaves);
    if (leaves.size() == 1) words = {trimmed(text)};  // an enum field may have spaces
    const size_t needed = isMatrix ? 16 : leaves.size();
    if (words.size() != needed || (words.size() == 1 && words[0].empty()))
        throw Error(name() + " needs " + std::to_string(needed) + (needed == 1 ? " value" : " values") + ", got '" +
                    text + "'");
    std::vector<double> numbers(needed);
    for (size_t k = 0; k < needed; ++k) {
        const Plug& leaf = isMatrix ? *this : leaves[k];
        if (isMatrix ? !parseNumber(words[k], numbers[k]) : !parseWord(leaf, words[k], numbers[k]))
            throw Error(leaf.name() + ": '" + words[k] + "' is not " + expectation(leaf));
    }
    setNumbers(numbers.data(), int(needed));
}

std::string Plug::asText() const {
    evaluate();
    if (isArray() || attr->kind == Kind::Message) return "";
    if (attr->kind == Kind::Enum)
        if (const std::string* field = attr->fieldName(int(std::lround(number())))) return *field;
    if (attr->kind == Kind::Bool) return flag() ? "on" : "off";
    if (isScalar(attr->kind)) {
        if (storageOf(attr->kind) == Kind::Float) return shortest(float(number()));
        return shortest(toScene(number()));
    }
    std::string all;
    auto add = [&](const std::string& word) { all += (all.empty() ? "" : " ") + word; };
    if (isCompound()) {
        for (int k = 0; k < childCount(); ++k) add(child(k).asText());
    } else if (auto s = data<StringData>()) {
        return s->text.asChar();
    } else if (auto m = data<MatrixData>()) {
        for (unsigned k = 0; k < 16; ++k) add(shortest(m->matrix(k / 4, k % 4)));
    } else if (auto d = data<DoubleArrayData>()) {
        for (double x : *d->values) add(shortest(x));
    } else if (auto f = data<FloatArrayData>()) {
        for (float x : *f->values) add(shortest(x));
    } else if (auto i = data<IntArrayData>()) {
        for (int x : *i->values) add(std::to_string(x));
    } else if (auto sa = data<StringArrayData>()) {
        for (const MString& x : *sa->values) add(x.asChar());
    }
    return all;
}

bool Plug::locked() const {
    if (node->lockedPlugs.empty()) return false;
    for (Plug p = *this; p; p = p.isElement() ? p.array() : p.parent())
        if (node->lockedPlugs.count({p.attr->id, p.indices})) return true;
    return false;
}

void Plug::setLocked(bool on) const {
    if (on)
        node->lockedPlugs.insert({attr->id, indices});
    else
        node->lockedPlugs.erase({attr->id, indices});
}

// --- connections

Plug Plug::source() const {
    auto it = node->inputs.find({attr->id, indices});
    return it == node->inputs.end() ? Plug() : it->second.source;
}

Plug Plug::drivingSource() const {
    if (node->inputs.empty()) return {};
    if (Plug s = source()) return s;
    if (isElement()) {
        Plug s = array().drivingSource();
        return s && s.isArray() ? s.element(indices.back()) : Plug();
    }
    if (!attr->parent) return {};
    Plug s = parent().drivingSource();
    const int k = attr->childIndex();
    return s && k < s.childCount() ? s.child(k) : Plug();
}

std::vector<Plug> Plug::destinations() const {
    auto it = node->outputs.find({attr->id, indices});
    return it == node->outputs.end() ? std::vector<Plug>() : it->second.destinations;
}

}  // namespace purl::host
