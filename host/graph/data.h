// The values that are too large to live inside a Value: strings, matrices, arrays, meshes, curves, plugin data.
// A piece of data is shared by every block that holds it, and cloned before someone writes to a shared piece.
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
    Any,  // an attribute that takes any data
    String,
    Matrix,
    DoubleArray,
    FloatArray,
    IntArray,
    VectorArray,
    PointArray,
    StringArray,
    ComponentList,
    Numeric,  // one to four numbers as one value (MFnNumericData)
    ArrayAttrs,
    Mesh,
    Curve,
    Plugin,  // an MPxData; Attr::dataId says which
};
const char* nameOf(DataType type);  // "mesh", "doubleArray": the spelling of setAttr -type and addAttr -dt
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

// Flat arrays. The vector is shared so that an M…Array handed out by a function set can alias it.
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
using ComponentListData = ArrayData<MString, DataType::ComponentList>;  // "vtx[0:7]", "f[2]", as the file spells them

// Up to four numbers; `kind` is an MFnNumericData::Type.
struct NumericData : Data {
    int kind = 0;
    double v[4] = {0, 0, 0, 0};
    DataType type() const override { return DataType::Numeric; }
    DataPtr clone() const override { return std::make_shared<NumericData>(*this); }
};

// Named arrays of one length, as particle tools pass them around.
struct ArrayAttrsData : Data {
    std::map<std::string, DataPtr> arrays;  // of DoubleArrayData, IntArrayData, VectorArrayData, StringArrayData
    std::vector<std::string> order;         // names as they were first asked for
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
        std::vector<int> counts;  // uvs of each face: its vertex count, or 0 if unmapped; empty: no face is mapped
        std::vector<int> ids;     // into u, v
    };
    struct ColorSet {
        std::string name;
        std::vector<MColor> colors;
        std::vector<int> ids;  // per face vertex, into colors; -1: none
    };

    MMatrix matrix;                 // of worldMesh data: object → world; points stay in object space
    std::vector<float> points;      // x y z of each vertex, cm, object space
    std::vector<int> faceCounts;    // vertices of each face
    std::vector<int> faceVertices;  // vertex of each face corner, face after face
    std::vector<UvSet> uvSets;      // the first is the default one
    std::vector<ColorSet> colorSets;
    int currentUvSet = 0, currentColorSet = 0;
    std::vector<float> faceNormals;  // explicit x y z per face corner, or empty: computed from faces and hard edges
    std::vector<Edge> storedEdges;   // the order and hardness of edges as a file gave them, or empty: derived, smooth

    int vertexCount() const { return int(points.size() / 3); }
    int faceCount() const { return int(faceCounts.size()); }
    const std::vector<Edge>& edges() const;      // stored, or derived in order of first use by the faces
    const std::vector<int>& faceStarts() const;  // first corner of each face, plus the end
    std::vector<float> vertexNormals(bool angleWeighted) const;  // x y z per vertex, unit length
    void topologyChanged();                                      // forget what was derived
    DataType type() const override { return DataType::Mesh; }
    DataPtr clone() const override { return std::make_shared<MeshData>(*this); }

  private:
    mutable std::vector<Edge> edges_;
    mutable std::vector<int> faceStarts_;
};

// A NURBS curve; knots as Maya counts them: spans + 2·degree − 1.
struct CurveData : Data {
    int degree = 3;
    int form = 0;  // 0 open, 1 closed, 2 periodic
    bool rational = false;
    MMatrix matrix;  // of worldSpace data: object → world; cvs stay in object space
    std::vector<double> knots;
    std::vector<MPoint> cvs;  // periodic: the first `degree` again at the end
    int spans() const { return int(cvs.size()) - degree; }
    MPoint pointAt(double u, MVector* tangent = nullptr) const;  // u within [knots[degree-1], knots[n-degree]]
    double start() const { return knots[size_t(degree - 1)]; }
    double end() const { return knots[knots.size() - size_t(degree)]; }
    DataType type() const override { return DataType::Curve; }
    DataPtr clone() const override { return std::make_shared<CurveData>(*this); }
};

// Owns one MPxData; deletes it when the last block or MObject lets go.
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

// The data types plugins have registered.
struct PluginDataType {
    std::string name;
    unsigned id = 0;
    void* (*create)() = nullptr;
};
const PluginDataType* findPluginData(unsigned id);
const PluginDataType* findPluginData(const std::string& name);
std::shared_ptr<PluginData> createPluginData(unsigned id);  // null: no such type

// An empty piece of data of a type (a null pointer for Any and Plugin).
DataPtr createData(DataType type);

}  // namespace purl::host
