#include <maya/MArgList.h>
#include <maya/MFnArrayAttrsData.h>
#include <maya/MFnDoubleArrayData.h>
#include <maya/MFnIntArrayData.h>
#include <maya/MFnMatrixData.h>
#include <maya/MFnMeshData.h>
#include <maya/MFnNumericData.h>
#include <maya/MFnNurbsCurveData.h>
#include <maya/MFnNurbsSurfaceData.h>
#include <maya/MFnPluginData.h>
#include <maya/MFnPointArrayData.h>
#include <maya/MFnStringArrayData.h>
#include <maya/MFnStringData.h>
#include <maya/MFnVectorArrayData.h>
#include <maya/MPxData.h>

#include "host/api/access.h"
#include "host/graph/pluginData.h"

namespace Autodesk::Maya::OpenMayaHost {

using namespace purl::host;

static MObject makeData(MObject& slot, const DataPtr& data, MStatus* status) {
    setStatus(status, data ? MStatus::kSuccess : MStatus::kInvalidParameter);
    if (!data) return {};
    Api::set(slot, data);
    return slot;
}

// --- numbers

static int countOf(MFnNumericData::Type t) {
    switch (t) {
        case MFnNumericData::k2Short:
        case MFnNumericData::k2Int:
        case MFnNumericData::k2Float:
        case MFnNumericData::k2Double: return 2;
        case MFnNumericData::k3Short:
        case MFnNumericData::k3Int:
        case MFnNumericData::k3Float:
        case MFnNumericData::k3Double: return 3;
        case MFnNumericData::k4Double: return 4;
        default: return 0;
    }
}
MObject MFnNumericData::create(Type type, MStatus* status) {
    if (!countOf(type)) return makeData(object_, nullptr, status);
    auto data = std::make_shared<NumericData>();
    data->kind = type;
    return makeData(object_, data, status);
}
MFnNumericData::Type MFnNumericData::numericType() {
    auto data = Api::as<NumericData>(object_);
    return data ? Type(data->kind) : kInvalid;
}
MStatus MFnNumericData::get(Type type, int count, double v[]) const {
    auto data = Api::as<NumericData>(object_);
    if (!data || data->kind != type) return MStatus::kFailure;
    for (int k = 0; k < count; ++k) v[k] = data->v[k];
    return MStatus::kSuccess;
}
MStatus MFnNumericData::put(Type type, int count, const double v[]) {
    auto data = Api::as<NumericData>(object_);
    if (!data || data->kind != type) return MStatus::kFailure;
    for (int k = 0; k < count; ++k) data->v[k] = v[k];
    return MStatus::kSuccess;
}
MStatus MFnNumericData::getData2Float(float& a, float& b) const {
    double v[2];
    const MStatus s = get(k2Float, 2, v);
    if (s) a = float(v[0]), b = float(v[1]);
    return s;
}
MStatus MFnNumericData::getData3Float(float& a, float& b, float& c) const {
    double v[3];
    const MStatus s = get(k3Float, 3, v);
    if (s) a = float(v[0]), b = float(v[1]), c = float(v[2]);
    return s;
}
MStatus MFnNumericData::getData2Double(double& a, double& b) const {
    double v[2];
    const MStatus s = get(k2Double, 2, v);
    if (s) a = v[0], b = v[1];
    return s;
}
MStatus MFnNumericData::getData3Double(double& a, double& b, double& c) const {
    double v[3];
    const MStatus s = get(k3Double, 3, v);
    if (s) a = v[0], b = v[1], c = v[2];
    return s;
}
MStatus MFnNumericData::getData2Int(int& a, int& b) const {
    double v[2];
    const MStatus s = get(k2Int, 2, v);
    if (s) a = int(v[0]), b = int(v[1]);
    return s;
}
MStatus MFnNumericData::getData3Int(int& a, int& b, int& c) const {
    double v[3];
    const MStatus s = get(k3Int, 3, v);
    if (s) a = int(v[0]), b = int(v[1]), c = int(v[2]);
    return s;
}
MStatus MFnNumericData::setData2Float(float a, float b) {
    const double v[] = {double(a), double(b)};
    return put(k2Float, 2, v);
}
MStatus MFnNumericData::setData3Float(float a, float b, float c) {
    const double v[] = {double(a), double(b), double(c)};
    return put(k3Float, 3, v);
}
MStatus MFnNumericData::setData2Double(double a, double b) {
    const double v[] = {a, b};
    return put(k2Double, 2, v);
}
MStatus MFnNumericData::setData3Double(double a, double b, double c) {
    const double v[] = {a, b, c};
    return put(k3Double, 3, v);
}
MStatus MFnNumericData::setData2Int(int a, int b) {
    const double v[] = {double(a), double(b)};
    return put(k2Int, 2, v);
}
MStatus MFnNumericData::setData3Int(int a, int b, int c) {
    const double v[] = {double(a), double(b), double(c)};
    return put(k3Int, 3, v);
}

// --- strings and matrices

MObject MFnStringData::create(MStatus* s) { return makeData(object_, std::make_shared<StringData>(), s); }
MObject MFnStringData::create(const MString& text, MStatus* s) {
    return makeData(object_, std::make_shared<StringData>(text.asChar()), s);
}
MString MFnStringData::string(MStatus* s) const {
    auto data = Api::as<StringData>(object_);
    setStatus(s, data ? MStatus::kSuccess : MStatus::kFailure);
    return data ? data->text : MString();
}
MStatus MFnStringData::set(const MString& text) {
    auto data = Api::as<StringData>(object_);
    if (!data) return MStatus::kFailure;
    data->text = text;
    return MStatus::kSuccess;
}

MObject MFnMatrixData::create(MStatus* s) { return makeData(object_, std::make_shared<MatrixData>(), s); }
MObject MFnMatrixData::create(const MMatrix& m, MStatus* s) {
    return makeData(object_, std::make_shared<MatrixData>(m), s);
}
const MMatrix& MFnMatrixData::matrix(MStatus* s) const {
    auto data = Api::as<MatrixData>(object_);
    setStatus(s, data ? MStatus::kSuccess : MStatus::kFailure);
    return data ? data->matrix : MMatrix::identity;
}
MTransformationMatrix MFnMatrixData::transformation(MStatus* s) const { return matrix(s); }
MStatus MFnMatrixData::set(const MMatrix& m) {
    auto data = Api::as<MatrixData>(object_);
    if (!data) return MStatus::kFailure;
    data->matrix = m;
    return MStatus::kSuccess;
}

// --- arrays: five function sets with the same implementation

template <class D, class A>
static MObject createArray(MObject& slot, const A& array, MStatus* s) {
    return makeData(slot, std::make_shared<D>(Api::items(array)), s);
}
template <class D>
static unsigned int arrayLength(const MObject& o, MStatus* s) {
    auto data = Api::as<D>(o);
    setStatus(s, data ? MStatus::kSuccess : MStatus::kFailure);
    return data ? static_cast<unsigned int>(data->values->size()) : 0u;
}
template <class D, class A>
static A arrayAlias(const MObject& o, MStatus* s) {
    auto data = Api::as<D>(o);
    setStatus(s, data ? MStatus::kSuccess : MStatus::kFailure);
    return data ? Api::alias<A>(data->values) : A();
}
template <class D, class A>
static MStatus setArray(const MObject& o, const A& array) {
    auto data = Api::as<D>(o);
    if (!data) return MStatus::kFailure;
    *data->values = Api::items(array);
    return MStatus::kSuccess;
}
template <class D, class A>
static MStatus copyArray(const MObject& o, A& array) {
    auto data = Api::as<D>(o);
    if (!data) return MStatus::kFailure;
    Api::items(array) = *data->values;
    return MStatus::kSuccess;
}
template <class D>
static auto itemOf(const MObject& o, unsigned int i) {
    auto data = Api::as<D>(o);
    using T = std::decay_t<decltype((*data->values)[i])>;
    return data && i < data->values->size() ? (*data->values)[i] : T();
}

MObject MFnDoubleArrayData::create(MStatus* s) { return makeData(object_, std::make_shared<DoubleArrayData>(), s); }
MObject MFnDoubleArrayData::create(const MDoubleArray& a, MStatus* s) {
    return createArray<DoubleArrayData>(object_, a, s);
}
unsigned int MFnDoubleArrayData::length(MStatus* s) const { return arrayLength<DoubleArrayData>(object_, s); }
MDoubleArray MFnDoubleArrayData::array(MStatus* s) { return arrayAlias<DoubleArrayData, MDoubleArray>(object_, s); }
MStatus MFnDoubleArrayData::set(const MDoubleArray& a) { return setArray<DoubleArrayData>(object_, a); }
MStatus MFnDoubleArrayData::copyTo(MDoubleArray& a) const { return copyArray<DoubleArrayData>(object_, a); }
double MFnDoubleArrayData::operator[](unsigned int i) const { return itemOf<DoubleArrayData>(object_, i); }

MObject MFnIntArrayData::create(MStatus* s) { return makeData(object_, std::make_shared<IntArrayData>(), s); }
MObject MFnIntArrayData::create(const MIntArray& a, MStatus* s) { return createArray<IntArrayData>(object_, a, s); }
unsigned int MFnIntArrayData::length(MStatus* s) const { return arrayLength<IntArrayData>(object_, s); }
MIntArray MFnIntArrayData::array(MStatus* s) { return arrayAlias<IntArrayData, MIntArray>(object_, s); }
MStatus MFnIntArrayData::set(const MIntArray& a) { return setArray<IntArrayData>(object_, a); }
MStatus MFnIntArrayData::copyTo(MIntArray& a) const { return copyArray<IntArrayData>(object_, a); }
int MFnIntArrayData::operator[](unsigned int i) const { return itemOf<IntArrayData>(object_, i); }

MObject MFnVectorArrayData::create(MStatus* s) { return makeData(object_, std::make_shared<VectorArrayData>(), s); }
MObject MFnVectorArrayData::create(const MVectorArray& a, MStatus* s) {
    return createArray<VectorArrayData>(object_, a, s);
}
unsigned int MFnVectorArrayData::length(MStatus* s) const { return arrayLength<VectorArrayData>(object_, s); }
MVectorArray MFnVectorArrayData::array(MStatus* s) { return arrayAlias<VectorArrayData, MVectorArray>(object_, s); }
MStatus MFnVectorArrayData::set(const MVectorArray& a) { return setArray<VectorArrayData>(object_, a); }
MStatus MFnVectorArrayData::copyTo(MVectorArray& a) const { return copyArray<VectorArrayData>(object_, a); }
MVector MFnVectorArrayData::operator[](unsigned int i) const { return itemOf<VectorArrayData>(object_, i); }

MObject MFnPointArrayData::create(MStatus* s) { return makeData(object_, std::make_shared<PointArrayData>(), s); }
MObject MFnPointArrayData::create(const MPointArray& a, MStatus* s) {
    return createArray<PointArrayData>(object_, a, s);
}
unsigned int MFnPointArrayData::length(MStatus* s) const { return arrayLength<PointArrayData>(object_, s); }
MPointArray MFnPointArrayData::array(MStatus* s) { return arrayAlias<PointArrayData, MPointArray>(object_, s); }
MStatus MFnPointArrayData::set(const MPointArray& a) { return setArray<PointArrayData>(object_, a); }
MStatus MFnPointArrayData::copyTo(MPointArray& a) const { return copyArray<PointArrayData>(object_, a); }
MPoint MFnPointArrayData::operator[](unsigned int i) const { return itemOf<PointArrayData>(object_, i); }

MObject MFnStringArrayData::create(MStatus* s) { return makeData(object_, std::make_shared<StringArrayData>(), s); }
MObject MFnStringArrayData::create(const MStringArray& a, MStatus* s) {
    return createArray<StringArrayData>(object_, a, s);
}
unsigned int MFnStringArrayData::length(MStatus* s) const { return arrayLength<StringArrayData>(object_, s); }
MStringArray MFnStringArrayData::array(MStatus* s) { return arrayAlias<StringArrayData, MStringArray>(object_, s); }
MStatus MFnStringArrayData::set(const MStringArray& a) { return setArray<StringArrayData>(object_, a); }

// --- named arrays

MObject MFnArrayAttrsData::create(MStatus* s) { return makeData(object_, std::make_shared<ArrayAttrsData>(), s); }
MStatus MFnArrayAttrsData::clear() {
    auto data = Api::as<ArrayAttrsData>(object_);
    if (!data) return MStatus::kFailure;
    data->arrays.clear();
    data->order.clear();
    return MStatus::kSuccess;
}
unsigned int MFnArrayAttrsData::count() const {
    auto data = Api::as<ArrayAttrsData>(object_);
    return data ? static_cast<unsigned int>(data->order.size()) : 0u;
}
MStringArray MFnArrayAttrsData::list(MStatus* s) const {
    auto data = Api::as<ArrayAttrsData>(object_);
    setStatus(s, data ? MStatus::kSuccess : MStatus::kFailure);
    MStringArray names;
    if (data)
        for (const std::string& n : data->order) names.append(n.c_str());
    return names;
}
bool MFnArrayAttrsData::checkArrayExist(const MString& name, Type& type, MStatus* s) {
    auto data = Api::as<ArrayAttrsData>(object_);
    setStatus(s, data ? MStatus::kSuccess : MStatus::kFailure);
    type = kInvalid;
    if (!data) return false;
    auto it = data->arrays.find(name.asChar());
    if (it == data->arrays.end()) return false;
    switch (it->second->type()) {
        case DataType::VectorArray: type = kVectorArray; break;
        case DataType::DoubleArray: type = kDoubleArray; break;
        case DataType::IntArray: type = kIntArray; break;
        case DataType::StringArray: type = kStringArray; break;
        default: break;
    }
    return true;
}
template <class D, class A>
static A namedArray(const MObject& o, const MString& name, bool make, MStatus* s) {
    auto all = Api::as<ArrayAttrsData>(o);
    setStatus(s, MStatus::kFailure);
    if (!all) return A();
    const std::string key = name.asChar();
    if (!all->arrays.count(key)) {
        if (!make) return A();
        all->arrays[key] = std::make_shared<D>();
        all->order.push_back(key);
    }
    auto data = std::dynamic_pointer_cast<D>(all->arrays[key]);
    if (!data) return A();
    setStatus(s, MStatus::kSuccess);
    return Api::alias<A>(data->values);
}
MVectorArray MFnArrayAttrsData::vectorArray(const MString& n, MStatus* s) {
    return namedArray<VectorArrayData, MVectorArray>(object_, n, true, s);
}
MDoubleArray MFnArrayAttrsData::doubleArray(const MString& n, MStatus* s) {
    return namedArray<DoubleArrayData, MDoubleArray>(object_, n, true, s);
}
MIntArray MFnArrayAttrsData::intArray(const MString& n, MStatus* s) {
    return namedArray<IntArrayData, MIntArray>(object_, n, true, s);
}
MStringArray MFnArrayAttrsData::stringArray(const MString& n, MStatus* s) {
    return namedArray<StringArrayData, MStringArray>(object_, n, true, s);
}
MVectorArray MFnArrayAttrsData::getVectorData(const MString& n, MStatus* s) {
    return namedArray<VectorArrayData, MVectorArray>(object_, n, false, s);
}
MDoubleArray MFnArrayAttrsData::getDoubleData(const MString& n, MStatus* s) {
    return namedArray<DoubleArrayData, MDoubleArray>(object_, n, false, s);
}
MIntArray MFnArrayAttrsData::getIntData(const MString& n, MStatus* s) {
    return namedArray<IntArrayData, MIntArray>(object_, n, false, s);
}
MStringArray MFnArrayAttrsData::getStringData(const MString& n, MStatus* s) {
    return namedArray<StringArrayData, MStringArray>(object_, n, false, s);
}

// --- geometry and plugin data

MObject MFnMeshData::create(MStatus* s) { return makeData(object_, std::make_shared<MeshData>(), s); }
MObject MFnNurbsCurveData::create(MStatus* s) { return makeData(object_, std::make_shared<CurveData>(), s); }
MObject MFnNurbsSurfaceData::create(MStatus* s) { return makeData(object_, std::make_shared<SurfaceData>(), s); }

MObject MFnPluginData::create(const MTypeId& id, MStatus* s) { return makeData(object_, createPluginData(id.id()), s); }
MTypeId MFnPluginData::typeId(MStatus* s) const {
    auto data = Api::as<PluginData>(object_);
    setStatus(s, data ? MStatus::kSuccess : MStatus::kFailure);
    return MTypeId(data ? data->id : 0u);
}
MPxData* MFnPluginData::data(MStatus* s) {
    auto data = Api::as<PluginData>(object_);
    setStatus(s, data ? MStatus::kSuccess : MStatus::kFailure);
    return data ? data->user : nullptr;
}
const MPxData* MFnPluginData::constData(MStatus* s) const {
    auto data = Api::as<PluginData>(object_);
    setStatus(s, data ? MStatus::kSuccess : MStatus::kFailure);
    return data ? data->user : nullptr;
}

// Default implementations for types that are never saved: reading and writing fail.
MPxData::~MPxData() = default;
MStatus MPxData::readASCII(const MArgList&, unsigned int&) { return MStatus::kFailure; }
MStatus MPxData::readBinary(std::istream&, unsigned int) { return MStatus::kFailure; }
MStatus MPxData::writeASCII(std::ostream&) { return MStatus::kFailure; }
MStatus MPxData::writeBinary(std::ostream&) { return MStatus::kFailure; }
MPxData::Type MPxData::type() const { return kData; }

}  // namespace Autodesk::Maya::OpenMayaHost
