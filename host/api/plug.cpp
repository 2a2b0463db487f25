#include <maya/MIntArray.h>
#include <maya/MPlug.h>
#include <maya/MPlugArray.h>

#include <algorithm>
#include <cmath>

#include "host/api/access.h"

namespace Autodesk::Maya::OpenMayaHost {

using namespace purl::host;

MPlug::MPlug(const MObject& node, const MObject& attribute) {
    if (!node.hasFn(MFn::kDependencyNode) || !attribute.hasFn(MFn::kAttribute)) return;
    *this = Api::make(Plug(Api::node(node), Api::attr(attribute)));
}

// The valid plug, or an empty plug and kFailure.
static Plug openPlug(const MPlug& p, MStatus* status) {
    Plug q = Api::plug(p);
    setStatus(status, q ? MStatus::kSuccess : MStatus::kFailure);
    return q;
}

MObject MPlug::attribute(MStatus* status) const {
    openPlug(*this, status);
    return attribute_;
}
MObject MPlug::node(MStatus* status) const {
    openPlug(*this, status);
    return node_;
}
MString MPlug::name(MStatus* status) const {
    const Plug p = openPlug(*this, status);
    return p ? MString(p.name().c_str()) : MString();
}

MString MPlug::partialName(bool nodeName, bool, bool, bool alias, bool fullPath, bool longNames,
                           MStatus* status) const {
    const Plug p = openPlug(*this, status);
    if (!p) return {};
    std::string text = p.path(longNames);
    if (!fullPath) {  // partial name: from the last array index above it
        const bool belowArray = p.attr->parent && p.attr->parent->arrayDepth() > 0;
        if (!belowArray) text = text.substr(text.rfind('.') + 1);
    }
    if (alias)
        for (const auto& a : p.node->aliases)
            if (p.node->has(a.second) && p.node->plug(a.second) == p) text = a.first;
    return MString((nodeName ? p.node->name + "." + text : text).c_str());
}

bool MPlug::isNull(MStatus* status) const {
    setStatus(status, MStatus::kSuccess);
    return node_.isNull() || attribute_.isNull();
}
bool MPlug::operator==(const MPlug& o) const {
    return node_ == o.node_ && attribute_ == o.attribute_ && indices_ == o.indices_;
}
bool MPlug::operator==(const MObject& attribute) const { return attribute_ == attribute; }

bool MPlug::isArray(MStatus* status) const {
    const Plug p = openPlug(*this, status);
    return p && p.isArray();
}
bool MPlug::isElement(MStatus* status) const {
    const Plug p = openPlug(*this, status);
    return p && p.isElement();
}
bool MPlug::isCompound(MStatus* status) const {
    const Plug p = openPlug(*this, status);
    return p && !p.attr->children.empty();
}
bool MPlug::isChild(MStatus* status) const {
    const Plug p = openPlug(*this, status);
    return p && p.attr->parent;
}
bool MPlug::isDestination(MStatus* status) const {
    const Plug p = openPlug(*this, status);
    return p && p.source();
}
bool MPlug::isSource(MStatus* status) const {
    const Plug p = openPlug(*this, status);
    return p && !p.destinations().empty();
}
bool MPlug::isConnected(MStatus* status) const { return isDestination(status) || isSource(status); }
bool MPlug::isLocked(MStatus* status) const {
    const Plug p = openPlug(*this, status);
    return p && p.locked();
}
MStatus MPlug::setLocked(bool on) {
    MStatus status;
    if (const Plug p = openPlug(*this, &status)) p.setLocked(on);
    return status;
}
bool MPlug::isKeyable(MStatus* status) const {
    const Plug p = openPlug(*this, status);
    return p && p.attr->keyable;
}
bool MPlug::isDynamic(MStatus* status) const {
    const Plug p = openPlug(*this, status);
    return p && p.attr->dynamic;
}

// --- arrays and compounds

unsigned int MPlug::numElements(MStatus* status) const {
    const Plug p = openPlug(*this, status);
    return p && p.isArray() ? static_cast<unsigned int>(p.elements().size()) : 0u;
}
unsigned int MPlug::evaluateNumElements(MStatus* status) {
    const Plug p = openPlug(*this, status);
    if (!p || !p.isArray()) return 0;
    p.evaluate();
    return numElements(status);
}
MStatus MPlug::setNumElements(unsigned int count) {
    const Plug p = openPlug(*this, nullptr);
    if (!p || !p.isArray()) return MStatus::kInvalidParameter;
    for (unsigned int i = 0; i < count; ++i) p.value()->element(int(i));
    return MStatus::kSuccess;
}
static bool connectedBelow(const Plug& e) {
    for (const auto& in : e.node->inputs)
        if (in.second.plug.isOrIsBelow(e)) return true;
    for (const auto& out : e.node->outputs)
        if (out.second.plug.isOrIsBelow(e)) return true;
    return false;
}
static std::vector<int> connectedElements(const Plug& p) {
    std::vector<int> all;
    for (int i : p.elements())
        if (connectedBelow(p.element(i))) all.push_back(i);
    return all;
}
unsigned int MPlug::numConnectedElements(MStatus* status) const {
    const Plug p = openPlug(*this, status);
    return p && p.isArray() ? static_cast<unsigned int>(connectedElements(p).size()) : 0u;
}
unsigned int MPlug::numChildren(MStatus* status) const {
    const Plug p = openPlug(*this, status);
    return p ? static_cast<unsigned int>(p.childCount()) : 0u;
}
unsigned int MPlug::logicalIndex(MStatus* status) const {
    const Plug p = openPlug(*this, status);
    if (p && p.isElement()) return static_cast<unsigned int>(p.indices.back());
    setStatus(status, MStatus::kFailure);
    return 0;
}
unsigned int MPlug::getExistingArrayAttributeIndices(MIntArray& indices, MStatus* status) const {
    const Plug p = openPlug(*this, status);
    indices.clear();
    if (!p || !p.isArray()) {
        setStatus(status, MStatus::kFailure);
        return 0;
    }
    for (int i : p.elements()) indices.append(i);
    return indices.length();
}

static MPlug plugOrFail(const Plug& p, MStatus* status) {
    setStatus(status, p ? MStatus::kSuccess : MStatus::kFailure);
    return p ? Api::make(p) : MPlug();
}
MPlug MPlug::child(unsigned int index, MStatus* status) const {
    const Plug p = openPlug(*this, status);
    if (!p || int(index) >= p.childCount()) return plugOrFail({}, status);
    return plugOrFail(p.child(int(index)), status);
}
MPlug MPlug::child(const MObject& attribute, MStatus* status) const {
    const Plug p = openPlug(*this, status);
    const AttrPtr a = Api::attr(attribute);
    if (!p || !a || a->parent != p.attr.get()) return plugOrFail({}, status);
    return plugOrFail(p.child(a.get()), status);
}
MPlug MPlug::parent(MStatus* status) const {
    const Plug p = openPlug(*this, status);
    return plugOrFail(p ? p.parent() : Plug(), status);
}
MPlug MPlug::array(MStatus* status) const {
    const Plug p = openPlug(*this, status);
    return plugOrFail(p ? p.array() : Plug(), status);
}
MPlug MPlug::elementByLogicalIndex(unsigned int index, MStatus* status) const {
    const Plug p = openPlug(*this, status);
    if (!p || !p.isArray()) return plugOrFail({}, status);
    const Plug e = p.element(int(index));
    if (!std::count(e.indices.begin(), e.indices.end(), -1)) e.value();  // accessing an element creates it
    return plugOrFail(e, status);
}
MPlug MPlug::elementByPhysicalIndex(unsigned int index, MStatus* status) const {
    const Plug p = openPlug(*this, status);
    if (!p || !p.isArray()) return plugOrFail({}, status);
    const std::vector<int> all = p.elements();
    return plugOrFail(index < all.size() ? p.element(all[index]) : Plug(), status);
}
MPlug MPlug::connectionByPhysicalIndex(unsigned int index, MStatus* status) const {
    const Plug p = openPlug(*this, status);
    if (!p || !p.isArray()) return plugOrFail({}, status);
    const std::vector<int> all = connectedElements(p);
    return plugOrFail(index < all.size() ? p.element(all[index]) : Plug(), status);
}
MStatus MPlug::selectAncestorLogicalIndex(unsigned int index, const MObject& attribute) {
    const AttrPtr own = Api::attr(attribute_);
    const AttrPtr wanted = attribute.isNull() ? nullptr : Api::attr(attribute);
    if (!own) return MStatus::kFailure;
    std::vector<const Attr*> arrays;
    for (const Attr* a = own.get(); a; a = a->parent)
        if (a->array) arrays.insert(arrays.begin(), a);
    for (size_t k = 0; k < arrays.size(); ++k) {
        const bool last = k + 1 == arrays.size() || (!wanted && arrays[k] != own.get() && arrays[k + 1] == own.get());
        if (wanted ? arrays[k] != wanted.get() : !last) continue;
        if (indices_.size() <= k) indices_.resize(k + 1, -1);
        indices_[k] = int(index);
        return MStatus::kSuccess;
    }
    return MStatus::kInvalidParameter;
}

// --- connections

bool MPlug::connectedTo(MPlugArray& plugs, bool asDestination, bool asSource, MStatus* status) const {
    const Plug p = openPlug(*this, status);
    plugs.clear();
    if (!p) return false;
    if (asDestination)
        if (const Plug s = p.source()) plugs.append(Api::make(s));
    if (asSource)
        for (const Plug& d : p.destinations()) plugs.append(Api::make(d));
    return plugs.length() > 0;
}
MPlug MPlug::source(MStatus* status) const {
    const Plug p = openPlug(*this, status);
    const Plug s = p ? p.source() : Plug();
    return s ? Api::make(s) : MPlug();
}
bool MPlug::destinations(MPlugArray& plugs, MStatus* status) const { return connectedTo(plugs, false, true, status); }

// --- reading

static void reportWrongKind(const Plug& p, const char* what, MStatus* status) {
    report(Severity::Error, p.name() + " holds " + nameOf(p.attr->kind) + ", not " + what);
    setStatus(status, MStatus::kFailure);
}

static double evaluatedNumber(const Plug& p, MStatus* status) {
    double x = 0;
    if (!attempt([&] {
            if (p.evaluate() == Result::Failed) setStatus(status, MStatus::kFailure);
            x = p.value()->number();
        }))
        setStatus(status, MStatus::kFailure);
    return x;
}

// Evaluates a scalar plug; kFailure for other kinds.
static double readNumber(const MPlug& plug, const char* what, MStatus* status) {
    const Plug p = openPlug(plug, status);
    if (!p) return 0;
    if (p.isArray() || !isScalar(p.attr->kind) || p.attr->kind == Kind::Time) {
        reportWrongKind(p, what, status);
        return 0;
    }
    return evaluatedNumber(p, status);
}

bool MPlug::asBool(MStatus* status) const { return readNumber(*this, "a boolean", status) != 0; }
char MPlug::asChar(MStatus* status) const { return char(std::lround(readNumber(*this, "a char", status))); }
short MPlug::asShort(MStatus* status) const { return short(std::lround(readNumber(*this, "a short", status))); }
int MPlug::asInt(MStatus* status) const { return int(std::lround(readNumber(*this, "an int", status))); }
float MPlug::asFloat(MStatus* status) const { return float(readNumber(*this, "a float", status)); }
double MPlug::asDouble(MStatus* status) const { return readNumber(*this, "a double", status); }

static double readUnit(const MPlug& plug, Kind kind, const char* what, MStatus* status) {
    const Plug p = openPlug(plug, status);
    if (!p) return 0;
    if (p.isArray() || p.attr->kind != kind) {
        reportWrongKind(p, what, status);
        return 0;
    }
    return evaluatedNumber(p, status);
}
MTime MPlug::asMTime(MStatus* status) const { return timeOf(readUnit(*this, Kind::Time, "a time", status)); }
MDistance MPlug::asMDistance(MStatus* status) const {
    return MDistance(readUnit(*this, Kind::Distance, "a distance", status));
}
MAngle MPlug::asMAngle(MStatus* status) const { return MAngle(readUnit(*this, Kind::Angle, "an angle", status)); }

MString MPlug::asString(MStatus* status) const {
    const Plug p = openPlug(*this, status);
    if (!p) return {};
    if (p.isArray() || p.attr->kind != Kind::Typed || p.attr->dataType != DataType::String) {
        reportWrongKind(p, "a string", status);
        return {};
    }
    return MString(p.text().c_str());
}

MObject MPlug::asMObject(MStatus* status) const {
    const Plug p = openPlug(*this, status);
    if (!p || p.isArray()) return {};
    MObject out;
    const MStatus s = attempt([&] {
        if (p.evaluate() == Result::Failed) setStatus(status, MStatus::kFailure);
        if (p.attr->kind == Kind::Numeric) {
            auto data = std::make_shared<NumericData>();
            data->kind = int(Api::handle(p.node, p.value(), false).numericType());
            for (int k = 0; k < p.childCount(); ++k) data->v[k] = p.value()->component(k);
            out = Api::make(std::static_pointer_cast<Object>(data));
        } else {
            out = Api::make(std::static_pointer_cast<Object>(p.value()->data));
        }
    });
    if (!s || out.isNull()) setStatus(status, MStatus::kFailure);
    return out;
}

MDataHandle MPlug::asMDataHandle(MStatus* status) const {
    const Plug p = openPlug(*this, status);
    if (!p) return {};
    if (p.evaluate() == Result::Failed) setStatus(status, MStatus::kFailure);
    return Api::handle(p.node, p.value(), false);
}
MDataHandle MPlug::constructHandle(MDataBlock&) const {
    const Plug p = openPlug(*this, nullptr);
    if (!p) return {};
    const auto value = std::make_shared<Value>(p.attr.get(), p.isArray(), nullptr, p.node.get());
    value->mark(false);
    return Api::handle(value, value.get(), true);
}
void MPlug::destructHandle(MDataHandle& handle) const { handle = MDataHandle(); }

// --- setting

template <class Set>
static MStatus edit(const MPlug& plug, Set set) {
    const Plug p = Api::plug(plug);
    if (!p) return MStatus::kInvalidParameter;
    return attempt([&] { set(p); });
}
MStatus MPlug::setBool(bool v) {
    return edit(*this, [&](const Plug& p) { p.set(double(v)); });
}
MStatus MPlug::setChar(char v) {
    return edit(*this, [&](const Plug& p) { p.set(double(v)); });
}
MStatus MPlug::setShort(short v) {
    return edit(*this, [&](const Plug& p) { p.set(double(v)); });
}
MStatus MPlug::setInt(int v) {
    return edit(*this, [&](const Plug& p) { p.set(double(v)); });
}
MStatus MPlug::setFloat(float v) { return setDouble(double(v)); }
MStatus MPlug::setDouble(double v) {
    return edit(*this, [&](const Plug& p) {
        if (p.attr->kind == Kind::Time) throw Error(p.name() + " holds a time; use setMTime");
        p.set(v);
    });
}
MStatus MPlug::setString(const MString& v) {
    return edit(*this, [&](const Plug& p) { p.set(std::string(v.asChar())); });
}
MStatus MPlug::setValue(const char* v) { return setString(v); }
static void needKind(const Plug& p, Kind kind, const char* what) {
    if (p.attr->kind != kind) throw Error(p.name() + " does not hold " + what);
}
MStatus MPlug::setMTime(const MTime& v) {
    return edit(*this, [&](const Plug& p) {
        needKind(p, Kind::Time, "a time");
        p.set(ticksOf(v));
    });
}
MStatus MPlug::setMDistance(const MDistance& v) {
    return edit(*this, [&](const Plug& p) {
        needKind(p, Kind::Distance, "a distance");
        p.set(v.asCentimeters());
    });
}
MStatus MPlug::setMAngle(const MAngle& v) {
    return edit(*this, [&](const Plug& p) {
        needKind(p, Kind::Angle, "an angle");
        p.set(v.asRadians());
    });
}
MStatus MPlug::setMObject(const MObject& v) {
    return edit(*this, [&](const Plug& p) {
        auto data = Api::as<Data>(v);
        if (!data) throw Error(p.name() + ": the object is not data");
        if (auto numbers = std::dynamic_pointer_cast<NumericData>(data); numbers && p.attr->kind == Kind::Numeric) {
            if (p.childCount() == 3) return p.set(numbers->v[0], numbers->v[1], numbers->v[2]);
            for (int k = 0; k < p.childCount(); ++k) p.child(k).set(numbers->v[k]);
            return;
        }
        p.set(data);
    });
}
MStatus MPlug::setMDataHandle(const MDataHandle& v) {
    return edit(*this, [&](const Plug& p) {
        Value* from = Api::value(v);
        if (!from) throw Error(p.name() + ": the handle is empty");
        if (p.locked()) throw Error(p.name() + " is locked");
        copyValue(*from, *p.value(), p.node->graph->units);
        p.setClean();
        p.node->graph->dirtyBelow(p);
    });
}

std::ostream& operator<<(std::ostream& out, const MPlug& plug) { return out << plug.name(); }

template <class T>
static MStatus read(T& value, T (MPlug::*as)(MStatus*) const, const MPlug& plug) {
    MStatus status;
    T found = (plug.*as)(&status);
    if (status) value = found;
    return status;
}
MStatus MPlug::getValue(bool& value) const { return read(value, &MPlug::asBool, *this); }
MStatus MPlug::getValue(char& value) const { return read(value, &MPlug::asChar, *this); }
MStatus MPlug::getValue(short& value) const { return read(value, &MPlug::asShort, *this); }
MStatus MPlug::getValue(int& value) const { return read(value, &MPlug::asInt, *this); }
MStatus MPlug::getValue(float& value) const { return read(value, &MPlug::asFloat, *this); }
MStatus MPlug::getValue(double& value) const { return read(value, &MPlug::asDouble, *this); }
MStatus MPlug::getValue(MString& value) const { return read(value, &MPlug::asString, *this); }
MStatus MPlug::getValue(MTime& value) const { return read(value, &MPlug::asMTime, *this); }
MStatus MPlug::getValue(MDistance& value) const { return read(value, &MPlug::asMDistance, *this); }
MStatus MPlug::getValue(MAngle& value) const { return read(value, &MPlug::asMAngle, *this); }
MStatus MPlug::getValue(MObject& value) const { return read(value, &MPlug::asMObject, *this); }

MString MPlug::info(MStatus* s) const { return name(s); }

}  // namespace Autodesk::Maya::OpenMayaHost
