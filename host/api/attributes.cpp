#include <maya/MFnCompoundAttribute.h>
#include <maya/MFnEnumAttribute.h>
#include <maya/MFnMatrixAttribute.h>
#include <maya/MFnMessageAttribute.h>
#include <maya/MFnNumericAttribute.h>
#include <maya/MFnTypedAttribute.h>
#include <maya/MFnUnitAttribute.h>
#include <maya/MRampAttribute.h>

#include <algorithm>
#include <cmath>

#include "host/api/access.h"

namespace Autodesk::Maya::OpenMayaHost {

using namespace purl::host;

static std::shared_ptr<Object> object(const AttrPtr& a) { return a; }

// --- flags

template <class T>
static T flag(const MObject& o, T Attr::*member, MStatus* status) {
    const AttrPtr a = Api::attr(o);
    setStatus(status, a ? MStatus::kSuccess : MStatus::kFailure);
    return a ? (*a).*member : T();
}
template <class T>
static MStatus setFlag(const MObject& o, T Attr::*member, const T& value) {
    const AttrPtr a = Api::attr(o);
    if (!a) return MStatus::kFailure;
    (*a).*member = value;
    return MStatus::kSuccess;
}

bool MFnAttribute::isReadable(MStatus* s) const { return flag(object_, &Attr::readable, s); }
bool MFnAttribute::isWritable(MStatus* s) const { return flag(object_, &Attr::writable, s); }
bool MFnAttribute::isConnectable(MStatus* s) const { return flag(object_, &Attr::connectable, s); }
bool MFnAttribute::isStorable(MStatus* s) const { return flag(object_, &Attr::storable, s); }
bool MFnAttribute::isCached(MStatus* s) const { return flag(object_, &Attr::cached, s); }
bool MFnAttribute::isArray(MStatus* s) const { return flag(object_, &Attr::array, s); }
bool MFnAttribute::isKeyable(MStatus* s) const { return flag(object_, &Attr::keyable, s); }
bool MFnAttribute::isChannelBoxFlagSet(MStatus* s) const { return flag(object_, &Attr::channelBox, s); }
bool MFnAttribute::isHidden(MStatus* s) const { return flag(object_, &Attr::hidden, s); }
bool MFnAttribute::isDynamic(MStatus* s) const { return flag(object_, &Attr::dynamic, s); }
bool MFnAttribute::isWorldSpace(MStatus* s) const { return flag(object_, &Attr::worldSpace, s); }
bool MFnAttribute::isAffectsWorldSpace(MStatus* s) const { return flag(object_, &Attr::affectsWorldSpace, s); }
bool MFnAttribute::isUsedAsColor(MStatus* s) const { return flag(object_, &Attr::usedAsColor, s); }
bool MFnAttribute::isUsedAsFilename(MStatus* s) const { return flag(object_, &Attr::usedAsFilename, s); }
bool MFnAttribute::indexMatters(MStatus* s) const { return flag(object_, &Attr::indexMatters, s); }
bool MFnAttribute::usesArrayDataBuilder(MStatus* s) const { return flag(object_, &Attr::usesArrayBuilder, s); }
bool MFnAttribute::internal(MStatus* s) const { return flag(object_, &Attr::internal, s); }
MFnAttribute::DisconnectBehavior MFnAttribute::disconnectBehavior(MStatus* s) const {
    return DisconnectBehavior(flag(object_, &Attr::disconnectBehavior, s));
}
MObject MFnAttribute::parent(MStatus* s) const {
    Attr* p = flag(object_, &Attr::parent, s);
    return p ? Api::make(p->shared_from_this()) : MObject();
}
MString MFnAttribute::name(MStatus* s) const { return flag(object_, &Attr::name, s).c_str(); }
MString MFnAttribute::shortName(MStatus* s) const { return flag(object_, &Attr::shortName, s).c_str(); }
MString MFnAttribute::niceNameOverride(MStatus* s) const { return flag(object_, &Attr::niceName, s).c_str(); }
bool MFnAttribute::hasCategory(const MString& category, MStatus* s) const {
    const std::vector<std::string> all = flag(object_, &Attr::categories, s);
    return std::find(all.begin(), all.end(), category.asChar()) != all.end();
}

MStatus MFnAttribute::setReadable(bool on) { return setFlag(object_, &Attr::readable, on); }
MStatus MFnAttribute::setWritable(bool on) { return setFlag(object_, &Attr::writable, on); }
MStatus MFnAttribute::setConnectable(bool on) { return setFlag(object_, &Attr::connectable, on); }
MStatus MFnAttribute::setStorable(bool on) { return setFlag(object_, &Attr::storable, on); }
MStatus MFnAttribute::setCached(bool on) { return setFlag(object_, &Attr::cached, on); }
MStatus MFnAttribute::setArray(bool on) { return setFlag(object_, &Attr::array, on); }
MStatus MFnAttribute::setKeyable(bool on) { return setFlag(object_, &Attr::keyable, on); }
MStatus MFnAttribute::setChannelBox(bool on) { return setFlag(object_, &Attr::channelBox, on); }
MStatus MFnAttribute::setHidden(bool on) { return setFlag(object_, &Attr::hidden, on); }
MStatus MFnAttribute::setWorldSpace(bool on) { return setFlag(object_, &Attr::worldSpace, on); }
MStatus MFnAttribute::setAffectsWorldSpace(bool on) { return setFlag(object_, &Attr::affectsWorldSpace, on); }
MStatus MFnAttribute::setUsedAsColor(bool on) { return setFlag(object_, &Attr::usedAsColor, on); }
MStatus MFnAttribute::setUsedAsFilename(bool on) { return setFlag(object_, &Attr::usedAsFilename, on); }
MStatus MFnAttribute::setIndexMatters(bool on) { return setFlag(object_, &Attr::indexMatters, on); }
MStatus MFnAttribute::setUsesArrayDataBuilder(bool on) { return setFlag(object_, &Attr::usesArrayBuilder, on); }
MStatus MFnAttribute::setInternal(bool on) { return setFlag(object_, &Attr::internal, on); }
MStatus MFnAttribute::setDisconnectBehavior(DisconnectBehavior b) {
    return setFlag(object_, &Attr::disconnectBehavior, int(b));
}
MStatus MFnAttribute::setNiceNameOverride(const MString& n) {
    return setFlag(object_, &Attr::niceName, std::string(n.asChar()));
}
MStatus MFnAttribute::addToCategory(const MString& category) {
    const AttrPtr a = Api::attr(object_);
    if (!a) return MStatus::kFailure;
    if (!hasCategory(category)) a->categories.push_back(category.asChar());
    return MStatus::kSuccess;
}

// Makes a factory's result the object of the function set.
static MObject makeAttribute(MObject& slot, const AttrPtr& a, MStatus* status) {
    setStatus(status, a ? MStatus::kSuccess : MStatus::kInvalidParameter);
    if (a) Api::set(slot, object(a));
    return a ? slot : MObject();
}

// --- numbers

static Kind kindOf(MFnNumericData::Type type, size_t& count) {
    using N = MFnNumericData;
    count = 1;
    switch (type) {
        case N::kBoolean: return Kind::Bool;
        case N::kByte: return Kind::Byte;
        case N::kChar: return Kind::Char;
        case N::kShort: return Kind::Short;
        case N::kInt: return Kind::Int;
        case N::kInt64: return Kind::Int64;
        case N::kFloat: return Kind::Float;
        case N::kDouble: return Kind::Double;
        case N::k2Short: count = 2; return Kind::Short;
        case N::k3Short: count = 3; return Kind::Short;
        case N::k2Int: count = 2; return Kind::Int;
        case N::k3Int: count = 3; return Kind::Int;
        case N::k2Float: count = 2; return Kind::Float;
        case N::k3Float: count = 3; return Kind::Float;
        case N::k2Double: count = 2; return Kind::Double;
        case N::k3Double: count = 3; return Kind::Double;
        case N::k4Double: count = 4; return Kind::Double;
        default: count = 0; return Kind::Double;
    }
}

static AttrPtr tupleOf(const MString& name, const MString& brief, Kind kind, size_t count, const char* const suffixes[],
                       const char* const shortSuffixes[], double initial) {
    std::vector<AttrPtr> children;
    for (size_t k = 0; k < count; ++k)
        children.push_back(number(std::string(name.asChar()) + suffixes[k],
                                  std::string(brief.asChar()) + shortSuffixes[k], initial, kind));
    return numeric(name.asChar(), brief.asChar(), kind, children);
}

MObject MFnNumericAttribute::create(const MString& name, const MString& brief, MFnNumericData::Type type,
                                    double initial, MStatus* status) {
    static const char* const digits[] = {"0", "1", "2", "3"};
    size_t count;
    const Kind kind = kindOf(type, count);
    if (count == 0) return makeAttribute(object_, nullptr, status);
    if (count == 1) return makeAttribute(object_, number(name.asChar(), brief.asChar(), initial, kind), status);
    return makeAttribute(object_, tupleOf(name, brief, kind, count, digits, digits, initial), status);
}

MObject MFnNumericAttribute::create(const MString& name, const MString& brief, const MObject& c1, const MObject& c2,
                                    const MObject& c3, MStatus* status) {
    std::vector<AttrPtr> children;
    for (const MObject* c : {&c1, &c2, &c3})
        if (const AttrPtr a = Api::attr(*c)) children.push_back(a);
    if (children.empty()) return makeAttribute(object_, nullptr, status);
    const Kind element = storageOf(children[0]->kind);
    for (const AttrPtr& c : children)
        if (storageOf(c->kind) != element || c->parent) return makeAttribute(object_, nullptr, status);
    if (element != Kind::Double && element != Kind::Float && element != Kind::Int && element != Kind::Short)
        return makeAttribute(object_, nullptr, status);
    return makeAttribute(object_, numeric(name.asChar(), brief.asChar(), element, children), status);
}

MObject MFnNumericAttribute::createColor(const MString& name, const MString& brief, MStatus* status) {
    static const char* const rgb[] = {"R", "G", "B"};
    static const char* const rgbShort[] = {"r", "g", "b"};
    AttrPtr a = tupleOf(name, brief, Kind::Float, 3, rgb, rgbShort, 0);
    a->usedAsColor = true;
    return makeAttribute(object_, a, status);
}
MObject MFnNumericAttribute::createPoint(const MString& name, const MString& brief, MStatus* status) {
    static const char* const xyz[] = {"X", "Y", "Z"};
    static const char* const xyzShort[] = {"x", "y", "z"};
    return makeAttribute(object_, tupleOf(name, brief, Kind::Float, 3, xyz, xyzShort, 0), status);
}

static MObject childOf(const MObject& o, unsigned int index, MStatus* status) {
    const AttrPtr a = Api::attr(o);
    const bool there = a && index < a->children.size();
    setStatus(status, there ? MStatus::kSuccess : MStatus::kInvalidParameter);
    return there ? Api::make(object(a->children[index])) : MObject();
}
MObject MFnNumericAttribute::child(unsigned int i, MStatus* status) const { return childOf(object_, i, status); }

MFnNumericData::Type MFnNumericAttribute::unitType(MStatus* status) const {
    const AttrPtr a = Api::attr(object_);
    setStatus(status, a ? MStatus::kSuccess : MStatus::kFailure);
    if (!a) return MFnNumericData::kInvalid;
    for (int t = MFnNumericData::kBoolean; t < MFnNumericData::kLast; ++t) {
        size_t count;
        const Kind kind = kindOf(MFnNumericData::Type(t), count);
        if (a->kind == Kind::Numeric ? kind == a->element && count == a->children.size()
                                     : kind == a->kind && count == 1)
            return MFnNumericData::Type(t);
    }
    return MFnNumericData::kInvalid;
}

// Sets a field of the attribute, or of each of its children.
static MStatus setEach(const MObject& o, double Attr::*member, std::initializer_list<double> values) {
    const AttrPtr a = Api::attr(o);
    if (!a) return MStatus::kFailure;
    if (a->kind != Kind::Numeric) {
        if (values.size() != 1) return MStatus::kInvalidParameter;
        (*a).*member = *values.begin();
        return MStatus::kSuccess;
    }
    if (values.size() != 1 && values.size() != a->children.size()) return MStatus::kInvalidParameter;
    const double* v = values.begin();
    for (const AttrPtr& c : a->children) {
        (*c).*member = *v;
        if (values.size() > 1) ++v;
    }
    return MStatus::kSuccess;
}
static MStatus setInitial(const MObject& o, std::initializer_list<double> values) {
    const AttrPtr a = Api::attr(o);
    if (!a) return MStatus::kFailure;
    const size_t needed = a->kind == Kind::Numeric ? a->children.size() : 1;
    if (values.size() != needed && values.size() != 1) return MStatus::kInvalidParameter;
    for (size_t k = 0; k < needed; ++k) {
        const double v = values.begin()[values.size() == 1 ? 0 : k];
        a->initial[k] = v;
        if (a->kind == Kind::Numeric) a->children[k]->initial[0] = v;
    }
    if (a->parent && a->parent->kind == Kind::Numeric) a->parent->initial[a->childIndex()] = a->initial[0];
    return MStatus::kSuccess;
}
static MStatus getOne(const MObject& o, double Attr::*member, double& v) {
    const AttrPtr a = Api::attr(o);
    if (!a) return MStatus::kFailure;
    const double x = (*a).*member;
    if (!std::isfinite(x)) return MStatus::kFailure;
    v = x;
    return MStatus::kSuccess;
}
static bool limited(const MObject& o, double Attr::*member, MStatus* s) {
    return std::isfinite(flag(o, member, s)) && !o.isNull();
}

bool MFnNumericAttribute::hasMin(MStatus* s) const { return limited(object_, &Attr::min, s); }
bool MFnNumericAttribute::hasMax(MStatus* s) const { return limited(object_, &Attr::max, s); }
bool MFnNumericAttribute::hasSoftMin(MStatus* s) const { return limited(object_, &Attr::softMin, s); }
bool MFnNumericAttribute::hasSoftMax(MStatus* s) const { return limited(object_, &Attr::softMax, s); }
MStatus MFnNumericAttribute::getMin(double& v) const { return getOne(object_, &Attr::min, v); }
MStatus MFnNumericAttribute::getMax(double& v) const { return getOne(object_, &Attr::max, v); }
MStatus MFnNumericAttribute::getSoftMin(double& v) const { return getOne(object_, &Attr::softMin, v); }
MStatus MFnNumericAttribute::getSoftMax(double& v) const { return getOne(object_, &Attr::softMax, v); }
MStatus MFnNumericAttribute::getDefault(double& v) const {
    const AttrPtr a = Api::attr(object_);
    if (!a) return MStatus::kFailure;
    v = a->initial[0];
    return MStatus::kSuccess;
}
MStatus MFnNumericAttribute::getDefault(double& x, double& y, double& z) const {
    const AttrPtr a = Api::attr(object_);
    if (!a || a->children.size() != 3) return MStatus::kFailure;
    x = a->initial[0], y = a->initial[1], z = a->initial[2];
    return MStatus::kSuccess;
}
MStatus MFnNumericAttribute::setMin(double v) { return setEach(object_, &Attr::min, {v}); }
MStatus MFnNumericAttribute::setMin(double a, double b) { return setEach(object_, &Attr::min, {a, b}); }
MStatus MFnNumericAttribute::setMin(double a, double b, double c) { return setEach(object_, &Attr::min, {a, b, c}); }
MStatus MFnNumericAttribute::setMax(double v) { return setEach(object_, &Attr::max, {v}); }
MStatus MFnNumericAttribute::setMax(double a, double b) { return setEach(object_, &Attr::max, {a, b}); }
MStatus MFnNumericAttribute::setMax(double a, double b, double c) { return setEach(object_, &Attr::max, {a, b, c}); }
MStatus MFnNumericAttribute::setSoftMin(double v) { return setEach(object_, &Attr::softMin, {v}); }
MStatus MFnNumericAttribute::setSoftMax(double v) { return setEach(object_, &Attr::softMax, {v}); }
MStatus MFnNumericAttribute::setDefault(double v) { return setInitial(object_, {v}); }
MStatus MFnNumericAttribute::setDefault(double a, double b) { return setInitial(object_, {a, b}); }
MStatus MFnNumericAttribute::setDefault(double a, double b, double c) { return setInitial(object_, {a, b, c}); }
MStatus MFnNumericAttribute::setDefault(double a, double b, double c, double d) {
    return setInitial(object_, {a, b, c, d});
}

// --- units

MObject MFnUnitAttribute::create(const MString& name, const MString& brief, Type type, double initial,
                                 MStatus* status) {
    if (type == kTime) return create(name, brief, MTime(initial, MTime::uiUnit()), status);
    const bool bad = type <= kInvalid || type >= kLast;
    const Kind kind = type == kAngle ? Kind::Angle : Kind::Distance;
    return makeAttribute(object_, bad ? nullptr : number(name.asChar(), brief.asChar(), initial, kind), status);
}
MObject MFnUnitAttribute::create(const MString& name, const MString& brief, const MTime& initial, MStatus* status) {
    return makeAttribute(object_, number(name.asChar(), brief.asChar(), ticksOf(initial), Kind::Time), status);
}
MObject MFnUnitAttribute::create(const MString& name, const MString& brief, const MDistance& initial, MStatus* status) {
    return makeAttribute(object_, number(name.asChar(), brief.asChar(), initial.asCentimeters(), Kind::Distance),
                         status);
}
MObject MFnUnitAttribute::create(const MString& name, const MString& brief, const MAngle& initial, MStatus* status) {
    return makeAttribute(object_, number(name.asChar(), brief.asChar(), initial.asRadians(), Kind::Angle), status);
}
MFnUnitAttribute::Type MFnUnitAttribute::unitType(MStatus* status) const {
    const AttrPtr a = Api::attr(object_);
    setStatus(status, a ? MStatus::kSuccess : MStatus::kFailure);
    if (!a) return kInvalid;
    return a->kind == Kind::Angle ? kAngle : a->kind == Kind::Distance ? kDistance : kTime;
}
bool MFnUnitAttribute::hasMin(MStatus* s) const { return limited(object_, &Attr::min, s); }
bool MFnUnitAttribute::hasMax(MStatus* s) const { return limited(object_, &Attr::max, s); }
// Accepts plain numbers for distances (cm) and angles (radians); times require an MTime.
static MStatus plainUnit(const MObject& o) {
    const AttrPtr a = Api::attr(o);
    return a && a->kind != Kind::Time ? MStatus::kSuccess : MStatus::kInvalidParameter;
}
MStatus MFnUnitAttribute::getMin(double& v) const {
    const MStatus s = plainUnit(object_);
    return s ? getOne(object_, &Attr::min, v) : s;
}
MStatus MFnUnitAttribute::getMax(double& v) const {
    const MStatus s = plainUnit(object_);
    return s ? getOne(object_, &Attr::max, v) : s;
}
MStatus MFnUnitAttribute::getDefault(double& v) const {
    const MStatus s = plainUnit(object_);
    if (s) v = Api::attr(object_)->initial[0];
    return s;
}
MStatus MFnUnitAttribute::setMin(double v) {
    const MStatus s = plainUnit(object_);
    return s ? setEach(object_, &Attr::min, {v}) : s;
}
MStatus MFnUnitAttribute::setMax(double v) {
    const MStatus s = plainUnit(object_);
    return s ? setEach(object_, &Attr::max, {v}) : s;
}
MStatus MFnUnitAttribute::setSoftMin(double v) {
    const MStatus s = plainUnit(object_);
    return s ? setEach(object_, &Attr::softMin, {v}) : s;
}
MStatus MFnUnitAttribute::setSoftMax(double v) {
    const MStatus s = plainUnit(object_);
    return s ? setEach(object_, &Attr::softMax, {v}) : s;
}
MStatus MFnUnitAttribute::setMin(const MTime& v) { return setEach(object_, &Attr::min, {ticksOf(v)}); }
MStatus MFnUnitAttribute::setMax(const MTime& v) { return setEach(object_, &Attr::max, {ticksOf(v)}); }
MStatus MFnUnitAttribute::setDefault(double v) {
    const MStatus s = plainUnit(object_);
    return s ? setInitial(object_, {v}) : s;
}
MStatus MFnUnitAttribute::setDefault(const MTime& v) { return setInitial(object_, {ticksOf(v)}); }

// --- enums

MObject MFnEnumAttribute::create(const MString& name, const MString& brief, short initial, MStatus* status) {
    return makeAttribute(object_, number(name.asChar(), brief.asChar(), initial, Kind::Enum), status);
}
MStatus MFnEnumAttribute::addField(const MString& name, short value) {
    const AttrPtr a = Api::attr(object_);
    if (!a) return MStatus::kFailure;
    a->fields.emplace_back(value, name.asChar());
    return MStatus::kSuccess;
}
MString MFnEnumAttribute::fieldName(short value, MStatus* status) const {
    const AttrPtr a = Api::attr(object_);
    const std::string* name = a ? a->fieldName(value) : nullptr;
    setStatus(status, name ? MStatus::kSuccess : MStatus::kInvalidParameter);
    return name ? MString(name->c_str()) : MString();
}
short MFnEnumAttribute::fieldIndex(const MString& name, MStatus* status) const {
    if (const AttrPtr a = Api::attr(object_))
        for (const auto& f : a->fields)
            if (name == f.second.c_str()) {
                setStatus(status, MStatus::kSuccess);
                return short(f.first);
            }
    setStatus(status, MStatus::kInvalidParameter);
    return 0;
}
MStatus MFnEnumAttribute::getMin(short& v) const {
    const AttrPtr a = Api::attr(object_);
    if (!a || a->fields.empty()) return MStatus::kFailure;
    v = short(std::min_element(a->fields.begin(), a->fields.end())->first);
    return MStatus::kSuccess;
}
MStatus MFnEnumAttribute::getMax(short& v) const {
    const AttrPtr a = Api::attr(object_);
    if (!a || a->fields.empty()) return MStatus::kFailure;
    v = short(std::max_element(a->fields.begin(), a->fields.end())->first);
    return MStatus::kSuccess;
}
MStatus MFnEnumAttribute::getDefault(short& v) const {
    MStatus s;
    v = defaultValue(&s);
    return s;
}
MStatus MFnEnumAttribute::setDefault(short v) { return setInitial(object_, {double(v)}); }
short MFnEnumAttribute::defaultValue(MStatus* status) const {
    const AttrPtr a = Api::attr(object_);
    setStatus(status, a ? MStatus::kSuccess : MStatus::kFailure);
    return a ? short(a->initial[0]) : short(0);
}

// --- data

static bool dataTypeOf(MFnData::Type type, DataType& out) {
    switch (type) {
        case MFnData::kString: out = DataType::String; return true;
        case MFnData::kMatrix: out = DataType::Matrix; return true;
        case MFnData::kStringArray: out = DataType::StringArray; return true;
        case MFnData::kDoubleArray: out = DataType::DoubleArray; return true;
        case MFnData::kFloatArray: out = DataType::FloatArray; return true;
        case MFnData::kIntArray: out = DataType::IntArray; return true;
        case MFnData::kPointArray: out = DataType::PointArray; return true;
        case MFnData::kVectorArray: out = DataType::VectorArray; return true;
        case MFnData::kComponentList: out = DataType::ComponentList; return true;
        case MFnData::kMesh: out = DataType::Mesh; return true;
        case MFnData::kNurbsCurve: out = DataType::Curve; return true;
        case MFnData::kNurbsSurface: out = DataType::Surface; return true;
        case MFnData::kDynArrayAttrs: out = DataType::ArrayAttrs; return true;
        case MFnData::kPlugin: out = DataType::Plugin; return true;
        case MFnData::kAny: out = DataType::Any; return true;
        default: return false;
    }
}

MObject MFnTypedAttribute::create(const MString& name, const MString& brief, MFnData::Type type, const MObject& initial,
                                  MStatus* status) {
    DataType dataType;
    if (!dataTypeOf(type, dataType)) return makeAttribute(object_, nullptr, status);
    return makeAttribute(object_, typed(name.asChar(), brief.asChar(), dataType, Api::as<Data>(initial)), status);
}
MObject MFnTypedAttribute::create(const MString& name, const MString& brief, const MTypeId& id, const MObject& initial,
                                  MStatus* status) {
    const AttrPtr a = typed(name.asChar(), brief.asChar(), DataType::Plugin, Api::as<Data>(initial));
    a->dataId = id.id();
    return makeAttribute(object_, a, status);
}
MFnData::Type MFnTypedAttribute::attrType(MStatus* status) const {
    const AttrPtr a = Api::attr(object_);
    setStatus(status, a ? MStatus::kSuccess : MStatus::kFailure);
    if (a)
        for (int t = MFnData::kNumeric; t < MFnData::kLast; ++t) {
            DataType dataType;
            if (dataTypeOf(MFnData::Type(t), dataType) && dataType == a->dataType) return MFnData::Type(t);
        }
    return MFnData::kInvalid;
}
MStatus MFnTypedAttribute::setDefault(const MObject& data) {
    return setFlag(object_, &Attr::initialData, DataPtr(Api::as<Data>(data)));
}

MObject MFnMatrixAttribute::create(const MString& name, const MString& brief, Type, MStatus* status) {
    return makeAttribute(object_, matrix(name.asChar(), brief.asChar()), status);
}
MStatus MFnMatrixAttribute::getDefault(MMatrix& m) const {
    const AttrPtr a = Api::attr(object_);
    if (!a) return MStatus::kFailure;
    auto data = std::dynamic_pointer_cast<MatrixData>(a->initialData);
    m = data ? data->matrix : MMatrix();
    return MStatus::kSuccess;
}
MStatus MFnMatrixAttribute::setDefault(const MMatrix& m) {
    return setFlag(object_, &Attr::initialData, DataPtr(std::make_shared<MatrixData>(m)));
}

// --- compounds and messages

MObject MFnCompoundAttribute::create(const MString& name, const MString& brief, MStatus* status) {
    return makeAttribute(object_, compound(name.asChar(), brief.asChar(), {}), status);
}
MStatus MFnCompoundAttribute::addChild(const MObject& child) {
    const AttrPtr a = Api::attr(object_), c = Api::attr(child);
    if (!a || !c || c->parent || a->kind != Kind::Compound) return MStatus::kInvalidParameter;
    c->parent = a.get();
    a->children.push_back(c);
    return MStatus::kSuccess;
}
unsigned int MFnCompoundAttribute::numChildren(MStatus* status) const {
    const AttrPtr a = Api::attr(object_);
    setStatus(status, a ? MStatus::kSuccess : MStatus::kFailure);
    return a ? static_cast<unsigned int>(a->children.size()) : 0u;
}
MObject MFnCompoundAttribute::child(unsigned int i, MStatus* status) const { return childOf(object_, i, status); }

static MObject ramp(const MString& name, const MString& brief, AttrPtr value, MStatus* status) {
    const std::string full = name.asChar(), shortName = brief.asChar();
    AttrPtr a =
        array(compound(full, shortName,
                       {number(full + "_Position", shortName + "p", 0, Kind::Float), std::move(value),
                        enumeration(full + "_Interp", shortName + "i", {"None", "Linear", "Smooth", "Spline"})}));
    MObject object;
    return makeAttribute(object, a, status);
}
MObject MRampAttribute::createCurveRamp(const MString& name, const MString& brief, MStatus* status) {
    return ramp(name, brief,
                number(name.asChar() + std::string("_FloatValue"), brief.asChar() + std::string("fv"), 0, Kind::Float),
                status);
}
MObject MRampAttribute::createColorRamp(const MString& name, const MString& brief, MStatus* status) {
    MFnNumericAttribute color;
    return ramp(name, brief, Api::attr(color.createColor(name + "_Color", brief + "c")), status);
}

MObject MFnMessageAttribute::create(const MString& name, const MString& brief, MStatus* status) {
    return makeAttribute(object_, message(name.asChar(), brief.asChar()), status);
}

}  // namespace Autodesk::Maya::OpenMayaHost
