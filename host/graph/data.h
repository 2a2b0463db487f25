// Reference-counted values that are not stored inline in a Value: strings, matrices, arrays, meshes, curves, surfaces,
// plugin data. Copy on write: shared by all data blocks that hold it, and cloned before a write.
#pragma once
#include <maya/MApiNamespace.h>
#include <maya/MColor.h>
#include <maya/MMatrix.h>
#include <maya/MPoint.h>
#include <maya/MString.h>
#include <maya/MVector.h>

#include <map>
#include <vector>

#include "host/graph/object.h"

namespace purl::host {

enum class DataType {
    Any,  // attribute accepts any data type
    String,
    Matrix,
    DoubleArray,
    FloatArray,
    IntArray,
    VectorArray,
    PointArray,
    StringArray,
    ComponentList,
    Numeric,  // one to four numbers (MFnNumericData)
    ArrayAttrs,
    Mesh,
    Curve,
    Surface,
    Plugin,  // an MPxData; its type is Attr::dataId
};
const char* nameOf(DataType type);  // as in setAttr -type and addAttr -dt: "mesh", "doubleArray"
bool dataTypeFromName(const std::string& name, DataType& type);

struct Data : Object {
    virtual DataType type() const = 0;
    virtual std::shared_ptr<Data> clone() const = 0;
    MFn::Type apiType() const override;
    bool hasFn(MFn::Type fn) const override;
};
using DataPtr = std::shared_ptr<Data>;

struct StringData : Data {
    MString text;
    StringData() = default;
    explicit StringData(const std::string& s) : text(s.c_str()) {}
    DataType type() const override { return DataType::String; }
    DataPtr clone() const override { return std::make_shared<StringData>(*this); }
};

struct MatrixData : Data {
    MMatrix matrix;
    MatrixData() = default;
    explicit MatrixData(const MMatrix& m) : matrix(m) {}
    DataType type() const override { return DataType::Matrix; }
    DataPtr clone() const override { return std::make_shared<MatrixData>(*this); }
};

// Arrays. The vector is shared so that an M…Array returned by a function set can alias it.
template <class T, DataType kType>
struct ArrayData : Data {
    std::shared_ptr<std::vector<T>> values = std::make_shared<std::vector<T>>();
    ArrayData() = default;
    explicit ArrayData(std::vector<T> v) : values(std::make_shared<std::vector<T>>(std::move(v))) {}
    DataType type() const override { return kType; }
    DataPtr clone() const override { return std::make_shared<ArrayData>(*values); }
};
using DoubleArrayData = ArrayData<double, DataType::DoubleArray>;
using FloatArrayData = ArrayData<float, DataType::FloatArray>;
using IntArrayData = ArrayData<int, DataType::IntArray>;
using VectorArrayData = ArrayData<MVector, DataType::VectorArray>;
using PointArrayData = ArrayData<MPoint, DataType::PointArray>;
using StringArrayData = ArrayData<MString, DataType::StringArray>;
using ComponentListData = ArrayData<MString, DataType::ComponentList>;  // as in files: "vtx[0:7]", "f[2]"

// Up to four numbers; `kind` is an MFnNumericData::Type.
struct NumericData : Data {
    int kind = 0;
    double v[4] = {0, 0, 0, 0};
    DataType type() const override { return DataType::Numeric; }
    DataPtr clone() const override { return std::make_shared<NumericData>(*this); }
};

// Named arrays of equal length, e.g. per-particle attributes.
struct ArrayAttrsData : Data {
    std::map<std::string, DataPtr> arrays;  // of DoubleArrayData, IntArrayData, VectorArrayData, StringArrayData
    std::vector<std::string> order;         // names in order of first access
    DataType type() const override { return DataType::ArrayAttrs; }
    DataPtr clone() const override;
};

// A polygon mesh. Points are single precision, as Maya stores them.
struct MeshData : Data {
    struct Edge {
        int a = 0, b = 0;  // vertices
        bool smooth = true;
    };
    struct UvSet {
        std::string name = "map1";
        std::vector<float> u, v;
        std::vector<int> counts;  // UVs per face: its vertex count, or 0 if unmapped; empty: no face is mapped
        std::vector<int> ids;     // into u, v
    };
    struct ColorSet {
        std::string name;
        std::vector<MColor> colors;
        std::vector<int> ids;  // per face vertex, into colors; -1: none
    };

    MMatrix matrix;                 // worldMesh data: object to world; points remain in object space
    std::vector<float> points;      // x y z of each vertex, cm, object space
    std::vector<int> faceCounts;    // vertex count of each face
    std::vector<int> faceVertices;  // vertex of each face corner, concatenated
    std::vector<UvSet> uvSets;      // the first is the default set
    std::vector<ColorSet> colorSets;
    int currentUvSet = 0, currentColorSet = 0;
    std::vector<float> faceNormals;  // explicit x y z per face corner; empty: computed from faces and hard edges
    std::vector<Edge> storedEdges;   // edge order and hardness as stored in a file; empty: derived, all smooth

    int vertexCount() const { return int(points.size() / 3); }
    int faceCount() const { return int(faceCounts.size()); }
    const std::vector<Edge>& edges() const;      // stored edges, or derived ones in order of first use by the faces
    const std::vector<int>& faceStarts() const;  // CSR offsets: first corner of each face, then the corner count
    std::vector<float> vertexNormals(bool angleWeighted) const;  // x y z per vertex, unit length
    void topologyChanged();                                      // discards derived data
    DataType type() const override { return DataType::Mesh; }
    DataPtr clone() const override { return std::make_shared<MeshData>(*this); }

  private:
    mutable std::vector<Edge> edges_;
    mutable std::vector<int> faceStarts_;
};

// The parameters between which NURBS geometry of this degree is defined.
double startOf(const std::vector<double>& knots, int degree);
double endOf(const std::vector<double>& knots, int degree);
// What is wrong with the knots of this many control vertices; empty if nothing.
std::string knotsWrong(const std::vector<double>& knots, size_t points, int degree);

// A NURBS curve with Maya's knot convention: spans + 2·degree − 1 knots.
struct CurveData : Data {
    int degree = 3;
    int form = 0;  // 0 open, 1 closed, 2 periodic
    bool rational = false;
    MMatrix matrix;  // worldSpace data: object to world; cvs remain in object space
    std::vector<double> knots;
    std::vector<MPoint> cvs;  // periodic: the first `degree` CVs repeated at the end
    int spans() const { return int(cvs.size()) - degree; }
    MPoint pointAt(double u, MVector* tangent = nullptr) const;  // u within [knots[degree-1], knots[n-degree]]
    double start() const { return startOf(knots, degree); }
    double end() const { return endOf(knots, degree); }
    DataType type() const override { return DataType::Curve; }
    DataPtr clone() const override { return std::make_shared<CurveData>(*this); }
};

// A NURBS surface, in each direction with the conventions of a curve.
struct SurfaceData : Data {
    int degreeU = 3, degreeV = 3;
    int formU = 0, formV = 0;  // as of curves
    bool rational = false;
    MMatrix matrix;  // worldSpace data: object to world; cvs remain in object space
    std::vector<double> knotsU, knotsV;
    std::vector<MPoint> cvs;  // the index in V varies fastest
    int countU() const { return int(knotsU.size()) - degreeU + 1; }
    int countV() const { return int(knotsV.size()) - degreeV + 1; }
    MPoint& cv(int u, int v) { return cvs[size_t(u * countV() + v)]; }
    const MPoint& cv(int u, int v) const { return cvs[size_t(u * countV() + v)]; }
    std::string wrong() const;  // what makes it unusable; empty if nothing
    MPoint pointAt(double u, double v, MVector* alongU = nullptr, MVector* alongV = nullptr) const;
    DataType type() const override { return DataType::Surface; }
    DataPtr clone() const override { return std::make_shared<SurfaceData>(*this); }
};

// Owns one MPxData; deletes it with the last reference from a data block or MObject.
struct PluginData : Data {
    MPxData* user = nullptr;
    unsigned id = 0;
    std::string name;
    PluginData() = default;
    PluginData(const PluginData&) = delete;
    PluginData& operator=(const PluginData&) = delete;
    ~PluginData() override;
    DataType type() const override { return DataType::Plugin; }
    DataPtr clone() const override;  // a new MPxData of the same type, filled by MPxData::copy
};

// A data type registered by a plugin.
struct PluginDataType {
    std::string name;
    unsigned id = 0;
    void* (*create)() = nullptr;
};
const PluginDataType* findPluginData(unsigned id);
const PluginDataType* findPluginData(const std::string& name);
std::shared_ptr<PluginData> createPluginData(unsigned id);  // null if the type is unknown

// Empty data of a type; null for Any and Plugin.
DataPtr createData(DataType type);

}  // namespace purl::host
