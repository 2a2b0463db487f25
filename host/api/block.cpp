// Data blocks, handles and array builders: a node's values as accessed in compute.
#include <maya/MArrayDataBuilder.h>
#include <maya/MArrayDataHandle.h>
#include <maya/MDataBlock.h>
#include <maya/MFloatVector.h>
#include <maya/MMatrix.h>
#include <maya/MVector.h>

#include "host/api/access.h"
#include "host/graph/pluginData.h"

namespace Autodesk::Maya::OpenMayaHost {

using namespace purl::host;

// --- MDataBlock

static MDataHandle input(const Plug& p, MStatus* status) {
    if (!p) {
        setStatus(status, MStatus::kInvalidParameter);
        return {};
    }
    MDataHandle h;
    const MStatus s = attempt([&] {
        setStatus(status, p.evaluate() == Result::Failed ? MStatus::kFailure : MStatus::kSuccess);
        h = Api::handle(p.node, p.value(), false);
    });
    if (!s) setStatus(status, s.statusCode());
    return h;
}

static MDataHandle output(const Plug& p, MStatus* status) {
    if (!p) {
        setStatus(status, MStatus::kInvalidParameter);
        return {};
    }
    MDataHandle h;
    const MStatus s = attempt([&] { h = Api::handle(p.node, p.value(), true); });
    setStatus(status, s.statusCode());
    return h;
}

// The plug of an attribute in this block; invalid if the node has no such attribute.
static Plug plugOf(const MObject& node, const MObject& attribute) {
    const NodePtr n = Api::node(node);
    const AttrPtr a = Api::attr(attribute);
    if (!n || !a) return {};
    if (!n->type->has(a->root()) && !a->dynamic) {
        report(Severity::Error, n->name + " has no attribute " + a->name);
        return {};
    }
    return n->plug(a);
}

MDataHandle MDataBlock::inputValue(const MPlug& plug, MStatus* status) { return input(Api::plug(plug), status); }
MDataHandle MDataBlock::inputValue(const MObject& a, MStatus* status) { return input(plugOf(node_, a), status); }
MDataHandle MDataBlock::outputValue(const MPlug& plug, MStatus* status) { return output(Api::plug(plug), status); }
MDataHandle MDataBlock::outputValue(const MObject& a, MStatus* status) { return output(plugOf(node_, a), status); }

static MArrayDataHandle arrayHandle(const Plug& p, bool evaluate, MStatus* status) {
    if (!p || !p.isArray()) {
        if (p) report(Severity::Error, p.name() + " is not an array");
        setStatus(status, MStatus::kInvalidParameter);
        return {};
    }
    MStatus s;
    const MDataHandle h = evaluate ? input(p, &s) : output(p, &s);
    setStatus(status, s.statusCode());
    return MArrayDataHandle(h);
}
MArrayDataHandle MDataBlock::inputArrayValue(const MPlug& p, MStatus* s) { return arrayHandle(Api::plug(p), true, s); }
MArrayDataHandle MDataBlock::inputArrayValue(const MObject& a, MStatus* s) {
    return arrayHandle(plugOf(node_, a), true, s);
}
MArrayDataHandle MDataBlock::outputArrayValue(const MPlug& p, MStatus* s) {
    return arrayHandle(Api::plug(p), false, s);
}
MArrayDataHandle MDataBlock::outputArrayValue(const MObject& a, MStatus* s) {
    return arrayHandle(plugOf(node_, a), false, s);
}

static MStatus clean(const Plug& p) {
    if (!p) return MStatus::kInvalidParameter;
    return attempt([&] { p.setClean(); });
}
MStatus MDataBlock::setClean(const MPlug& plug) { return clean(Api::plug(plug)); }
MStatus MDataBlock::setClean(const MObject& a) { return clean(plugOf(node_, a)); }
static bool isCleanPlug(const Plug& p, MStatus* status) {
    setStatus(status, p ? MStatus::kSuccess : MStatus::kInvalidParameter);
    return p && !p.value()->dirty;
}
bool MDataBlock::isClean(const MPlug& plug, MStatus* status) { return isCleanPlug(Api::plug(plug), status); }
bool MDataBlock::isClean(const MObject& a, MStatus* status) { return isCleanPlug(plugOf(node_, a), status); }
MDGContext MDataBlock::context(MStatus* status) const {
    setStatus(status, MStatus::kSuccess);
    return MDGContext::current();
}

// --- MDataHandle: what it holds

static MFnData::Type dataTypeOf(DataType type) {
    switch (type) {
        case DataType::String: return MFnData::kString;
        case DataType::Matrix: return MFnData::kMatrix;
        case DataType::DoubleArray: return MFnData::kDoubleArray;
        case DataType::FloatArray: return MFnData::kFloatArray;
        case DataType::IntArray: return MFnData::kIntArray;
        case DataType::VectorArray: return MFnData::kVectorArray;
        case DataType::PointArray: return MFnData::kPointArray;
        case DataType::StringArray: return MFnData::kStringArray;
        case DataType::ComponentList: return MFnData::kComponentList;
        case DataType::Numeric: return MFnData::kNumeric;
        case DataType::ArrayAttrs: return MFnData::kDynArrayAttrs;
        case DataType::Mesh: return MFnData::kMesh;
        case DataType::Curve: return MFnData::kNurbsCurve;
        case DataType::Surface: return MFnData::kNurbsSurface;
        case DataType::Plugin: return MFnData::kPlugin;
        case DataType::Any: break;
    }
    return MFnData::kInvalid;
}

MFnData::Type MDataHandle::type() const {
    if (!value_) return MFnData::kInvalid;
    if (isNumeric()) return MFnData::kNumeric;
    return value_->data ? dataTypeOf(value_->data->type()) : dataTypeOf(value_->attr->dataType);
}
bool MDataHandle::isNumeric() const {
    return value_ && (isScalar(value_->attr->kind) || value_->attr->kind == Kind::Numeric);
}
MFnNumericData::Type MDataHandle::numericType() const {
    using N = MFnNumericData;
    if (!isNumeric()) return N::kInvalid;
    const bool one = value_->attr->kind != Kind::Numeric;
    const size_t n = one ? 1 : value_->attr->children.size();
    switch (value_->storage()) {
        case Kind::Bool: return N::kBoolean;
        case Kind::Char: return N::kChar;
        case Kind::Byte: return N::kByte;
        case Kind::Int64: return N::kInt64;
        case Kind::Short: return n == 1 ? N::kShort : n == 2 ? N::k2Short : N::k3Short;
        case Kind::Int: return n == 1 ? N::kInt : n == 2 ? N::k2Int : N::k3Int;
        case Kind::Float: return n == 1 ? N::kFloat : n == 2 ? N::k2Float : N::k3Float;
        default: return n == 1 ? N::kDouble : n == 2 ? N::k2Double : n == 3 ? N::k3Double : N::k4Double;
    }
}
MTypeId MDataHandle::typeId() const {
    auto data = value_ ? std::dynamic_pointer_cast<PluginData>(value_->data) : nullptr;
    return MTypeId(data ? data->id : 0u);
}
#if MAYA_API_VERSION >= 20200000
MObject MDataHandle::attribute() const {
    if (!value_) return {};
    return Api::make(const_cast<Attr*>(value_->attr)->shared_from_this());
}
#endif

MDataHandle MDataHandle::child(const MObject& attribute) {
    const AttrPtr a = Api::attr(attribute);
    if (!value_ || !a || a->parent != value_->attr) {
        report(Severity::Error, (a ? a->name : std::string("?")) + " is not a child of this handle");
        return {};
    }
    return Api::handle(owner_, &value_->child(a->childIndex()), writable_);
}
MDataHandle MDataHandle::child(const MPlug& plug) { return child(plug.attribute()); }
void MDataHandle::setClean() {
    if (value_) value_->mark(false);
}
MStatus MDataHandle::copy(const MDataHandle& source) {
    if (!value_ || !source.value_) return MStatus::kInvalidParameter;
    copyValue(*source.value_, *value_, Units());
    return MStatus::kSuccess;
}

// --- MDataHandle: numbers

// A zero to return a reference to if the type is wrong, after the error was reported.
template <class T>
static T& wrong(const Value* v, const char* asked) {
    static thread_local T nothing;
    nothing = T();
    const std::string what = v ? v->attr->name + " holds " + nameOf(v->attr->kind) : std::string("an empty handle");
    report(Severity::Error, what + ", but " + asked + " was requested");
    return nothing;
}
template <class T, int n>
static auto wrongTuple(const Value* v, const char* asked) -> T (&)[n] {
    static thread_local T nothing[n];
    std::fill(nothing, nothing + n, T());
    wrong<double>(v, asked);
    return nothing;
}

static bool scalar(const Value* v, Kind storage) {
    return v && !v->wholeArray && isScalar(v->attr->kind) && v->attr->kind != Kind::Time && v->storage() == storage;
}
static bool tuple(const Value* v, Kind storage, size_t n) {
    return v && !v->wholeArray && v->attr->kind == Kind::Numeric && v->attr->element == storage &&
           v->attr->children.size() == n;
}
template <class T>
static T& cell(const Value* v) {
    return *static_cast<T*>(v->cell);
}

bool& MDataHandle::asBool() const {
    return scalar(value_, Kind::Bool) ? cell<bool>(value_) : wrong<bool>(value_, "asBool");
}
char& MDataHandle::asChar() const {
    return scalar(value_, Kind::Char) ? cell<char>(value_) : wrong<char>(value_, "asChar");
}
unsigned char& MDataHandle::asUChar() const {
    return scalar(value_, Kind::Byte) ? cell<unsigned char>(value_) : wrong<unsigned char>(value_, "asUChar");
}
short& MDataHandle::asShort() const {
    return scalar(value_, Kind::Short) ? cell<short>(value_) : wrong<short>(value_, "asShort");
}
int& MDataHandle::asInt() const { return scalar(value_, Kind::Int) ? cell<int>(value_) : wrong<int>(value_, "asInt"); }
MInt64& MDataHandle::asInt64() const {
    return scalar(value_, Kind::Int64) ? cell<MInt64>(value_) : wrong<MInt64>(value_, "asInt64");
}
float& MDataHandle::asFloat() const {
    return scalar(value_, Kind::Float) ? cell<float>(value_) : wrong<float>(value_, "asFloat");
}
double& MDataHandle::asDouble() const {
    return scalar(value_, Kind::Double) ? cell<double>(value_) : wrong<double>(value_, "asDouble");
}
short2& MDataHandle::asShort2() const {
    return tuple(value_, Kind::Short, 2) ? cell<short2>(value_) : wrongTuple<short, 2>(value_, "asShort2");
}
short3& MDataHandle::asShort3() const {
    return tuple(value_, Kind::Short, 3) ? cell<short3>(value_) : wrongTuple<short, 3>(value_, "asShort3");
}
int2& MDataHandle::asInt2() const {
    return tuple(value_, Kind::Int, 2) ? cell<int2>(value_) : wrongTuple<int, 2>(value_, "asInt2");
}
int3& MDataHandle::asInt3() const {
    return tuple(value_, Kind::Int, 3) ? cell<int3>(value_) : wrongTuple<int, 3>(value_, "asInt3");
}
float2& MDataHandle::asFloat2() const {
    return tuple(value_, Kind::Float, 2) ? cell<float2>(value_) : wrongTuple<float, 2>(value_, "asFloat2");
}
float3& MDataHandle::asFloat3() const {
    return tuple(value_, Kind::Float, 3) ? cell<float3>(value_) : wrongTuple<float, 3>(value_, "asFloat3");
}
double2& MDataHandle::asDouble2() const {
    return tuple(value_, Kind::Double, 2) ? cell<double2>(value_) : wrongTuple<double, 2>(value_, "asDouble2");
}
double3& MDataHandle::asDouble3() const {
    return tuple(value_, Kind::Double, 3) ? cell<double3>(value_) : wrongTuple<double, 3>(value_, "asDouble3");
}
double4& MDataHandle::asDouble4() const {
    return tuple(value_, Kind::Double, 4) ? cell<double4>(value_) : wrongTuple<double, 4>(value_, "asDouble4");
}
MVector& MDataHandle::asVector() const {
    return tuple(value_, Kind::Double, 3) ? cell<MVector>(value_) : wrong<MVector>(value_, "asVector");
}
MFloatVector& MDataHandle::asFloatVector() const {
    return tuple(value_, Kind::Float, 3) ? cell<MFloatVector>(value_) : wrong<MFloatVector>(value_, "asFloatVector");
}

static double unit(const Value* v, Kind kind, const char* asked) {
    return v && !v->wholeArray && v->attr->kind == kind ? v->number() : wrong<double>(v, asked);
}
MTime MDataHandle::asTime() const { return timeOf(unit(value_, Kind::Time, "asTime")); }
MDistance MDataHandle::asDistance() const { return MDistance(unit(value_, Kind::Distance, "asDistance")); }
MAngle MDataHandle::asAngle() const { return MAngle(unit(value_, Kind::Angle, "asAngle")); }

// --- MDataHandle: data

// The data of a handle as a T: created if missing, cloned if shared and the handle is an output.
template <class T>
static std::shared_ptr<T> dataAs(const MDataHandle& h, DataType type) {
    Value* v = Api::value(h);
    if (!v || v->wholeArray || !holdsData(v->attr->kind)) return nullptr;
    if (v->attr->dataType != DataType::Any && v->attr->dataType != type) return nullptr;
    if (v->data && v->data->type() != type) return nullptr;
    if (v->data && Api::writable(h) && v->data.use_count() > 1) v->data = v->data->clone();
    return std::static_pointer_cast<T>(v->data);
}

MMatrix& MDataHandle::asMatrix() const {
    if (value_ && !value_->wholeArray && holdsData(value_->attr->kind) && !value_->data &&
        value_->attr->dataType == DataType::Matrix)
        value_->data = std::make_shared<MatrixData>();
    auto data = dataAs<MatrixData>(*this, DataType::Matrix);
    return data ? data->matrix : wrong<MMatrix>(value_, "asMatrix");
}
MString& MDataHandle::asString() const {
    if (value_ && !value_->wholeArray && holdsData(value_->attr->kind) && !value_->data &&
        value_->attr->dataType == DataType::String)
        value_->data = std::make_shared<StringData>();
    auto data = dataAs<StringData>(*this, DataType::String);
    return data ? data->text : wrong<MString>(value_, "asString");
}

template <class T>
static MObject geometry(const MDataHandle& h, DataType type, const char* asked) {
    Value* v = Api::value(h);
    const bool fits = v && !v->wholeArray && holdsData(v->attr->kind) &&
                      (v->attr->dataType == type || v->attr->dataType == DataType::Any);
    if (!fits) {
        wrong<double>(v, asked);
        return {};
    }
    return Api::make(std::static_pointer_cast<Object>(dataAs<T>(h, type)));
}
MObject MDataHandle::asMesh() const { return geometry<MeshData>(*this, DataType::Mesh, "asMesh"); }
MObject MDataHandle::asNurbsCurve() const { return geometry<CurveData>(*this, DataType::Curve, "asNurbsCurve"); }
MObject MDataHandle::asNurbsSurface() const {
    return geometry<SurfaceData>(*this, DataType::Surface, "asNurbsSurface");
}

MObject MDataHandle::asMeshTransformed() const {
    const MObject object = asMesh();
    auto mesh = Api::as<MeshData>(object);
    if (!mesh || mesh->matrix == MMatrix()) return object;
    auto world = std::static_pointer_cast<MeshData>(mesh->clone());
    for (size_t k = 0; k + 2 < world->points.size(); k += 3) {
        const MPoint p =
            MPoint(double(world->points[k]), double(world->points[k + 1]), double(world->points[k + 2])) * mesh->matrix;
        world->points[k] = float(p.x), world->points[k + 1] = float(p.y), world->points[k + 2] = float(p.z);
    }
    world->faceNormals.clear();
    world->matrix = MMatrix();
    return Api::make(std::static_pointer_cast<Object>(world));
}

// A curve or surface with its matrix applied to its control points.
template <class T>
static MObject inWorld(const MObject& object) {
    const auto local = Api::as<T>(object);
    if (!local || local->matrix == MMatrix()) return object;
    auto world = std::static_pointer_cast<T>(local->clone());
    for (MPoint& p : world->cvs) {
        const double w = p.w;
        p = MPoint(p.x, p.y, p.z) * local->matrix;
        p.w = w;
    }
    world->matrix = MMatrix();
    return Api::make(std::static_pointer_cast<Object>(world));
}
MObject MDataHandle::asNurbsCurveTransformed() const { return inWorld<CurveData>(asNurbsCurve()); }
MObject MDataHandle::asNurbsSurfaceTransformed() const { return inWorld<SurfaceData>(asNurbsSurface()); }

const MMatrix& MDataHandle::geometryTransformMatrix() const {
    if (value_)
        if (auto mesh = std::dynamic_pointer_cast<MeshData>(value_->data)) return mesh->matrix;
    if (value_)
        if (auto curve = std::dynamic_pointer_cast<CurveData>(value_->data)) return curve->matrix;
    if (value_)
        if (auto surface = std::dynamic_pointer_cast<SurfaceData>(value_->data)) return surface->matrix;
    return MMatrix::identity;
}

MPxData* MDataHandle::asPluginData() const {
    auto data = dataAs<PluginData>(*this, DataType::Plugin);
    return data ? data->user : nullptr;
}

MObject MDataHandle::data() {
    if (!value_ || value_->wholeArray) return {};
    if (value_->attr->kind == Kind::Numeric) {
        auto numbers = std::make_shared<NumericData>();
        numbers->kind = int(numericType());
        for (int k = 0; k < int(value_->attr->children.size()); ++k) numbers->v[k] = value_->component(k);
        return Api::make(std::static_pointer_cast<Object>(numbers));
    }
    if (value_->data && writable_ && value_->data.use_count() > 1) value_->data = value_->data->clone();
    return Api::make(std::static_pointer_cast<Object>(value_->data));
}

// --- MDataHandle: setting

void MDataHandle::setBool(bool v) { asBool() = v; }
void MDataHandle::setChar(char v) { asChar() = v; }
void MDataHandle::setShort(short v) { asShort() = v; }
void MDataHandle::setInt(int v) { asInt() = v; }
void MDataHandle::setInt64(MInt64 v) { asInt64() = v; }
void MDataHandle::setFloat(float v) { asFloat() = v; }
void MDataHandle::setDouble(double v) { asDouble() = v; }
void MDataHandle::set2Short(short a, short b) {
    short2& t = asShort2();
    t[0] = a, t[1] = b;
}
void MDataHandle::set3Short(short a, short b, short c) {
    short3& t = asShort3();
    t[0] = a, t[1] = b, t[2] = c;
}
void MDataHandle::set2Int(int a, int b) {
    int2& t = asInt2();
    t[0] = a, t[1] = b;
}
void MDataHandle::set3Int(int a, int b, int c) {
    int3& t = asInt3();
    t[0] = a, t[1] = b, t[2] = c;
}
void MDataHandle::set2Float(float a, float b) {
    float2& t = asFloat2();
    t[0] = a, t[1] = b;
}
void MDataHandle::set3Float(float a, float b, float c) {
    float3& t = asFloat3();
    t[0] = a, t[1] = b, t[2] = c;
}
void MDataHandle::set2Double(double a, double b) {
    double2& t = asDouble2();
    t[0] = a, t[1] = b;
}
void MDataHandle::set3Double(double a, double b, double c) {
    double3& t = asDouble3();
    t[0] = a, t[1] = b, t[2] = c;
}
void MDataHandle::set4Double(double a, double b, double c, double d) {
    double4& t = asDouble4();
    t[0] = a, t[1] = b, t[2] = c, t[3] = d;
}
void MDataHandle::setMVector(const MVector& v) { asVector() = v; }
void MDataHandle::setMFloatVector(const MFloatVector& v) { asFloatVector() = v; }

static void setUnit(Value* v, Kind kind, double x, const char* asked) {
    if (v && !v->wholeArray && v->attr->kind == kind)
        v->setNumber(x);
    else
        wrong<double>(v, asked);
}
void MDataHandle::setMTime(const MTime& v) { setUnit(value_, Kind::Time, ticksOf(v), "setMTime"); }
void MDataHandle::setMDistance(const MDistance& v) {
    setUnit(value_, Kind::Distance, v.asCentimeters(), "setMDistance");
}
void MDataHandle::setMAngle(const MAngle& v) { setUnit(value_, Kind::Angle, v.asRadians(), "setMAngle"); }

static MStatus setData(Value* v, DataPtr data, const char* asked) {
    const bool holds = v && !v->wholeArray && holdsData(v->attr->kind);
    if (!holds || (data && v->attr->dataType != DataType::Any && v->attr->dataType != data->type())) {
        wrong<double>(v, asked);
        return MStatus::kInvalidParameter;
    }
    v->data = std::move(data);
    return MStatus::kSuccess;
}
void MDataHandle::setString(const MString& v) {
    setData(value_, std::make_shared<StringData>(v.asChar()), "setString");
}
void MDataHandle::setMMatrix(const MMatrix& v) { setData(value_, std::make_shared<MatrixData>(v), "setMMatrix"); }
MStatus MDataHandle::setMPxData(MPxData* v) { return setData(value_, v ? adoptPluginData(v) : nullptr, "setMPxData"); }
MStatus MDataHandle::setMObject(const MObject& v) {
    auto data = Api::as<Data>(v);
    if (!data && !v.isNull()) return MStatus::kInvalidParameter;
    if (auto numbers = std::dynamic_pointer_cast<NumericData>(data);
        numbers && value_ && value_->attr->kind == Kind::Numeric) {
        for (int k = 0; k < int(value_->attr->children.size()); ++k) value_->setComponent(k, numbers->v[k]);
        return MStatus::kSuccess;
    }
    return setData(value_, data, "setMObject");
}

// --- MArrayDataHandle

MArrayDataHandle::MArrayDataHandle(const MDataHandle& handle, MStatus* status) {
    const Value* v = Api::value(handle);
    if (v && v->wholeArray) {
        array_ = handle;
        setStatus(status, MStatus::kSuccess);
    } else {
        setStatus(status, MStatus::kInvalidParameter);
    }
}

static Value* elementAt(Value* array, unsigned int position) {
    if (!array || position >= array->elements.size()) return nullptr;
    return std::next(array->elements.begin(), long(position))->second.get();
}

MDataHandle MArrayDataHandle::inputValue(MStatus* status) {
    Value* e = elementAt(Api::value(array_), position_);
    setStatus(status, e ? MStatus::kSuccess : MStatus::kFailure);
    return e ? Api::handle(Api::owner(array_), e, false) : MDataHandle();
}
MDataHandle MArrayDataHandle::outputValue(MStatus* status) {
    Value* e = elementAt(Api::value(array_), position_);
    setStatus(status, e ? MStatus::kSuccess : MStatus::kFailure);
    return e ? Api::handle(Api::owner(array_), e, true) : MDataHandle();
}
MArrayDataHandle MArrayDataHandle::inputArrayValue(MStatus* status) { return MArrayDataHandle(inputValue(), status); }
MArrayDataHandle MArrayDataHandle::outputArrayValue(MStatus* status) { return MArrayDataHandle(outputValue(), status); }
MStatus MArrayDataHandle::next() {
    if (position_ + 1 >= elementCount()) return MStatus::kFailure;
    ++position_;
    return MStatus::kSuccess;
}
unsigned int MArrayDataHandle::elementCount(MStatus* status) {
    const Value* v = Api::value(array_);
    setStatus(status, v ? MStatus::kSuccess : MStatus::kFailure);
    return v ? static_cast<unsigned int>(v->elements.size()) : 0u;
}
unsigned int MArrayDataHandle::elementIndex(MStatus* status) {
    const Value* v = Api::value(array_);
    if (!v || position_ >= v->elements.size()) {
        setStatus(status, MStatus::kFailure);
        return 0;
    }
    setStatus(status, MStatus::kSuccess);
    return static_cast<unsigned int>(std::next(v->elements.begin(), long(position_))->first);
}
MStatus MArrayDataHandle::jumpToElement(unsigned int logicalIndex) {
    const Value* v = Api::value(array_);
    if (!v) return MStatus::kFailure;
    auto it = v->elements.find(int(logicalIndex));
    if (it == v->elements.end()) return MStatus::kFailure;
    position_ = static_cast<unsigned int>(std::distance(v->elements.begin(), it));
    return MStatus::kSuccess;
}
MStatus MArrayDataHandle::jumpToArrayElement(unsigned int position) {
    if (position >= elementCount()) return MStatus::kFailure;
    position_ = position;
    return MStatus::kSuccess;
}
MStatus MArrayDataHandle::setClean() {
    Value* e = elementAt(Api::value(array_), position_);
    if (!e) return MStatus::kFailure;
    e->mark(false);
    return MStatus::kSuccess;
}
MStatus MArrayDataHandle::setAllClean() {
    Value* v = Api::value(array_);
    if (!v) return MStatus::kFailure;
    v->mark(false);
    return MStatus::kSuccess;
}

MArrayDataBuilder MArrayDataHandle::builder(MStatus* status) {
    MArrayDataBuilder b;
    Value* v = Api::value(array_);
    setStatus(status, v ? MStatus::kSuccess : MStatus::kFailure);
    if (!v) return b;
    if (!v->attr->usesArrayBuilder) {
        report(Severity::Error, v->attr->name + ": builder() requires setUsesArrayDataBuilder(true)");
        setStatus(status, MStatus::kFailure);
        return b;
    }
    Api::set(b.node_, const_cast<Node*>(v->node)->ptr());
    b.array_ = std::make_shared<Value>(v->attr, true, nullptr, v->node);
    copyValue(*v, *b.array_, Units());
    return b;
}
MStatus MArrayDataHandle::set(const MArrayDataBuilder& b) {
    Value* v = Api::value(array_);
    if (!v || !b.array_ || b.array_->attr != v->attr) return MStatus::kInvalidParameter;
    copyValue(*b.array_, *v, Units());
    position_ = 0;
    return MStatus::kSuccess;
}

// --- MArrayDataBuilder

MArrayDataBuilder::MArrayDataBuilder(MDataBlock* block, const MObject& attribute, unsigned int, MStatus* status) {
    const AttrPtr a = Api::attr(attribute);
    if (!block || !a || !a->array) {
        setStatus(status, MStatus::kInvalidParameter);
        return;
    }
    MStatus s;
    const MDataHandle h = block->outputValue(attribute, &s);
    setStatus(status, s.statusCode());
    if (!s) return;
    const Value* v = Api::value(h);
    Api::set(node_, const_cast<Node*>(v->node)->ptr());
    array_ = std::make_shared<Value>(v->attr, true, nullptr, v->node);
}
MArrayDataBuilder::MArrayDataBuilder(const MArrayDataBuilder& o) { *this = o; }
MArrayDataBuilder& MArrayDataBuilder::operator=(const MArrayDataBuilder& o) {
    if (this == &o) return *this;
    node_ = o.node_;
    array_ = o.array_ ? std::make_shared<Value>(o.array_->attr, true, nullptr, o.array_->node) : nullptr;
    if (array_) copyValue(*o.array_, *array_, Units());
    return *this;
}

MDataHandle MArrayDataBuilder::addElement(unsigned int index, MStatus* status) {
    setStatus(status, array_ ? MStatus::kSuccess : MStatus::kFailure);
    return array_ ? Api::handle(array_, &array_->element(int(index)), true) : MDataHandle();
}
MDataHandle MArrayDataBuilder::addLast(MStatus* status) {
    const bool empty = !array_ || array_->elements.empty();
    return addElement(empty ? 0u : static_cast<unsigned int>(array_->elements.rbegin()->first + 1), status);
}
MArrayDataHandle MArrayDataBuilder::addElementArray(unsigned int index, MStatus* status) {
    return MArrayDataHandle(addElement(index), status);
}
MStatus MArrayDataBuilder::growArray(unsigned int count) {
    if (!array_) return MStatus::kFailure;
    for (unsigned int k = 0; k < count; ++k) addLast();
    return MStatus::kSuccess;
}
MStatus MArrayDataBuilder::removeElement(unsigned int index) {
    if (!array_ || !array_->elements.erase(int(index))) return MStatus::kFailure;
    return MStatus::kSuccess;
}
unsigned int MArrayDataBuilder::elementCount(MStatus* status) const {
    setStatus(status, array_ ? MStatus::kSuccess : MStatus::kFailure);
    return array_ ? static_cast<unsigned int>(array_->elements.size()) : 0u;
}

}  // namespace Autodesk::Maya::OpenMayaHost
