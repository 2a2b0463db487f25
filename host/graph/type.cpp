#include "host/graph/type.h"

#include <algorithm>
#include <mutex>

#include "host/graph/builtin.h"

namespace purl::host {

static void addNames(std::unordered_map<std::string, AttrPtr>& byName, const AttrPtr& attr, const Type& type) {
    for (const std::string& n : {attr->name, attr->shortName}) {
        const AttrPtr other = type.find(n);
        if (other && other != attr) throw Error(type.name + ": two attributes are named " + n);
        byName[n] = attr;
    }
    for (const AttrPtr& c : attr->children) addNames(byName, c, type);
}

AttrPtr Type::add(AttrPtr attr) {
    addNames(byName_, attr, *this);
    own_.push_back(attr);
    return attr;
}

void Type::affects(const std::vector<AttrPtr>& from, const std::vector<AttrPtr>& to) {
    for (const AttrPtr& f : from)
        for (const AttrPtr& t : to) affects(f.get(), t.get());
}

void Type::affects(const Attr* from, const Attr* to) {
    auto& list = affects_[from];
    if (std::find(list.begin(), list.end(), to) == list.end()) list.push_back(to);
    affected_[to] = true;
    for (const Attr* a = to; a; a = a->parent) holdsAffected_[a] = true;
}

AttrPtr Type::find(const std::string& wanted) const {
    for (const Type* t = this; t; t = t->base) {
        auto it = t->byName_.find(wanted);
        if (it != t->byName_.end()) return it->second;
    }
    return nullptr;
}

std::vector<AttrPtr> Type::attributes() const {
    std::vector<AttrPtr> all = base ? base->attributes() : std::vector<AttrPtr>();
    all.insert(all.end(), own_.begin(), own_.end());
    return all;
}

const std::vector<const Attr*>& Type::affectedBy(const Attr* from) const {
    static const std::vector<const Attr*> none;
    auto it = affects_.find(from);
    return it == affects_.end() ? none : it->second;
}

bool Type::isOutput(const Attr* attr) const {
    for (const Type* t = this; t; t = t->base)
        for (const Attr* a = attr; a; a = a->parent)
            if (t->affected_.count(a)) return true;
    return false;
}

bool Type::holdsOutput(const Attr* attr) const {
    for (const Type* t = this; t; t = t->base)
        if (t->holdsAffected_.count(attr)) return true;
    return isOutput(attr);
}

bool Type::isA(const std::string& typeName) const {
    for (const Type* t = this; t; t = t->base)
        if (t->name == typeName) return true;
    return false;
}

bool Type::has(const Attr* root) const {
    for (const Type* t = this; t; t = t->base)
        for (const AttrPtr& a : t->own_)
            if (a.get() == root) return true;
    return false;
}

bool Type::hasFn(MFn::Type fn) const {
    if (fn == MFn::kBase || fn == MFn::kNamedObject || fn == MFn::kDependencyNode) return true;
    if (fn == MFn::kDagNode) return dag;
    if (fn == MFn::kShape) return shape;
    for (const Type* t = this; t; t = t->base) {
        if (fn == t->apiType) return true;
        if (std::find(t->functions.begin(), t->functions.end(), fn) != t->functions.end()) return true;
    }
    return false;
}

// --- the table of types

namespace {
struct Table {
    std::mutex lock;                           // scenes that load concurrently may add placeholder types
    std::vector<std::unique_ptr<Type>> types;  // in order of registration; removed ones leave a gap
    std::unordered_map<std::string, Type*> byName;
    std::vector<std::unique_ptr<Type>> retired;  // removed types that nodes may still refer to
};
}  // namespace

static Table& table() {
    static Table t;
    return t;
}

static void ensureBuiltinTypes() {
    static std::once_flag once;
    static thread_local bool inside = false;
    if (inside) return;
    inside = true;
    std::call_once(once, registerBuiltinTypes);
    inside = false;
}

Type& addType(const std::string& name, const std::string& base) {
    ensureBuiltinTypes();
    Type* b = nullptr;
    if (!base.empty() && !(b = findType(base))) throw Error(name + ": unknown base type " + base);
    Table& t = table();
    std::lock_guard<std::mutex> guard(t.lock);
    if (t.byName.count(name)) throw Error(name + ": a node type with this name already exists");
    auto type = std::make_unique<Type>();
    type->name = name;
    type->base = b;
    if (b) {
        type->dag = b->dag;
        type->shape = b->shape;
        type->apiType = b->apiType;
    }
    t.byName[name] = type.get();
    t.types.push_back(std::move(type));
    return *t.types.back();
}

Type* findType(const std::string& name) {
    ensureBuiltinTypes();
    std::lock_guard<std::mutex> guard(table().lock);
    auto it = table().byName.find(name);
    return it == table().byName.end() ? nullptr : it->second;
}

void removeType(const std::string& name) {
    Table& t = table();
    std::lock_guard<std::mutex> guard(t.lock);
    auto it = std::find_if(t.types.begin(), t.types.end(), [&](const auto& type) { return type->name == name; });
    if (it == t.types.end()) return;
    t.byName.erase(name);
    t.retired.push_back(std::move(*it));
    t.types.erase(it);
}

std::vector<std::string> typeNames() {
    ensureBuiltinTypes();
    std::lock_guard<std::mutex> guard(table().lock);
    std::vector<std::string> names;
    for (const auto& type : table().types) names.push_back(type->name);
    return names;
}

std::string typeNameOf(unsigned id) {
    ensureBuiltinTypes();
    std::lock_guard<std::mutex> guard(table().lock);
    for (const auto& type : table().types)
        if (type->id == id && id != 0) return type->name;
    return "";
}

}  // namespace purl::host
