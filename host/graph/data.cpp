#include "host/graph/data.h"

#include <maya/MPxData.h>

#include <algorithm>

#include "host/api/access.h"
#include "host/graph/pluginData.h"

namespace purl::host {

namespace {
struct Row {
    DataType type;
    const char* name;
    MFn::Type apiType;
};
}  // namespace

static const Row kRows[] = {
    {DataType::Any, "data", MFn::kData},
    {DataType::String, "string", MFn::kStringData},
    {DataType::Matrix, "matrix", MFn::kMatrixData},
    {DataType::DoubleArray, "doubleArray", MFn::kDoubleArrayData},
    {DataType::FloatArray, "floatArray", MFn::kFloatArrayData},
    {DataType::IntArray, "Int32Array", MFn::kIntArrayData},
    {DataType::VectorArray, "vectorArray", MFn::kVectorArrayData},
    {DataType::PointArray, "pointArray", MFn::kPointArrayData},
    {DataType::StringArray, "stringArray", MFn::kStringArrayData},
    {DataType::ComponentList, "componentList", MFn::kComponentListData},
    {DataType::Numeric, "numeric", MFn::kNumericData},
    {DataType::ArrayAttrs, "arrayAttrs", MFn::kDynArrayAttrsData},
    {DataType::Mesh, "mesh", MFn::kMeshData},
    {DataType::Curve, "nurbsCurve", MFn::kNurbsCurveData},
    {DataType::Surface, "nurbsSurface", MFn::kNurbsSurfaceData},
    {DataType::Plugin, "plugin data", MFn::kPluginData},
};

const char* nameOf(DataType type) { return kRows[int(type)].name; }

bool dataTypeFromName(const std::string& name, DataType& type) {
    for (const Row& row : kRows)
        if (row.type != DataType::Any && row.type != DataType::Plugin && name == row.name) {
            type = row.type;
            return true;
        }
    return false;
}

MFn::Type Data::apiType() const { return kRows[int(type())].apiType; }
bool Data::hasFn(MFn::Type fn) const {
    // Geometry function sets accept geometry data as well as shapes.
    if (fn == MFn::kMesh) return type() == DataType::Mesh;
    if (fn == MFn::kNurbsCurve) return type() == DataType::Curve;
    if (fn == MFn::kNurbsSurface) return type() == DataType::Surface;
    return fn == MFn::kBase || fn == MFn::kData || fn == apiType();
}

DataPtr ArrayAttrsData::clone() const {
    auto copy = std::make_shared<ArrayAttrsData>();
    copy->order = order;
    for (const auto& a : arrays) copy->arrays[a.first] = a.second->clone();
    return copy;
}

DataPtr createData(DataType type) {
    switch (type) {
        case DataType::String: return std::make_shared<StringData>();
        case DataType::Matrix: return std::make_shared<MatrixData>();
        case DataType::DoubleArray: return std::make_shared<DoubleArrayData>();
        case DataType::FloatArray: return std::make_shared<FloatArrayData>();
        case DataType::IntArray: return std::make_shared<IntArrayData>();
        case DataType::VectorArray: return std::make_shared<VectorArrayData>();
        case DataType::PointArray: return std::make_shared<PointArrayData>();
        case DataType::StringArray: return std::make_shared<StringArrayData>();
        case DataType::ComponentList: return std::make_shared<ComponentListData>();
        case DataType::Numeric: return std::make_shared<NumericData>();
        case DataType::ArrayAttrs: return std::make_shared<ArrayAttrsData>();
        case DataType::Mesh: return std::make_shared<MeshData>();
        case DataType::Curve: return std::make_shared<CurveData>();
        case DataType::Surface: return std::make_shared<SurfaceData>();
        case DataType::Any:
        case DataType::Plugin: break;
    }
    return nullptr;
}

// --- plugin data

static std::vector<PluginDataType>& pluginDataTypes() {
    static std::vector<PluginDataType> types;
    return types;
}

void addPluginData(const PluginDataType& type) { pluginDataTypes().push_back(type); }

void removePluginData(unsigned id) {
    auto& all = pluginDataTypes();
    all.erase(std::remove_if(all.begin(), all.end(), [&](const PluginDataType& t) { return t.id == id; }), all.end());
}

const PluginDataType* findPluginData(unsigned id) {
    for (const PluginDataType& t : pluginDataTypes())
        if (t.id == id) return &t;
    return nullptr;
}

const PluginDataType* findPluginData(const std::string& name) {
    for (const PluginDataType& t : pluginDataTypes())
        if (t.name == name) return &t;
    return nullptr;
}

std::shared_ptr<PluginData> adoptPluginData(MPxData* user) {
    if (auto known = std::static_pointer_cast<PluginData>(Api::owner(*user).lock())) return known;
    auto data = std::make_shared<PluginData>();
    data->user = user;
    data->id = user->typeId().id();
    data->name = user->name().asChar();
    Api::owner(*user) = data;
    return data;
}

std::shared_ptr<PluginData> createPluginData(unsigned id) {
    const PluginDataType* type = findPluginData(id);
    if (!type) return nullptr;
    auto* user = static_cast<MPxData*>(type->create());
    return user ? adoptPluginData(user) : nullptr;
}

PluginData::~PluginData() { delete user; }

DataPtr PluginData::clone() const {
    auto copy = createPluginData(id);
    if (!copy) throw Error(name + ": cannot copy the data; its plugin is not loaded");
    copy->user->copy(*user);
    return copy;
}

}  // namespace purl::host
