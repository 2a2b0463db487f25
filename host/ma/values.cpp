#include "host/ma/values.h"

#include <algorithm>

#include "host/builtin/declare.h"
#include "host/ma/meshWriter.h"

namespace purl::host {

std::string_view Words::word() {
    if (atEnd()) throw Error("there are too few values");
    return (at_++)->text;
}

double Words::number() {
    const std::string_view text = word();
    double x;
    bool b;
    if (readNumber(text, x)) return x;
    if (readBool(text, b)) return b;
    throw Error("'" + std::string(text) + "' is not a number");
}

int Words::whole() {
    const std::string_view text = word();
    long long x;
    if (!readNumber(text, x) || x < -2147483647 || x > 2147483647)
        throw Error("'" + std::string(text) + "' is not an integer");
    return static_cast<int>(x);
}

int Words::count() {
    const int n = whole();
    if (n < 0 || n > end_ - at_)
        throw Error("expected a list of " + std::to_string(n) + " elements; there are too few values");
    return n;
}

bool Words::yesNo() {
    const std::string_view text = word();
    bool b;
    if (!readBool(text, b)) throw Error("'" + std::string(text) + "' is not a boolean (yes or no)");
    return b;
}

namespace {

template <class D>
DataPtr numbers(Words& words) {
    auto data = std::make_shared<D>();
    const int n = words.count();
    data->values->reserve(n);
    using T = typename std::remove_reference_t<decltype(data->values->front())>;
    for (int i = 0; i < n; ++i) {
        if constexpr (std::is_integral_v<T>)
            data->values->push_back(words.whole());
        else
            data->values->push_back(static_cast<T>(words.number()));
    }
    return data;
}

template <class D>
DataPtr strings(Words& words) {
    auto data = std::make_shared<D>();
    const int n = words.count();
    for (int i = 0; i < n; ++i) data->values->push_back(MString(std::string(words.word()).c_str()));
    return data;
}

// 16 numbers in row-major order, or "xform" and the components of a joint transform: scale, rotate, rotate order,
// translate, shear, scale pivot and its translation, rotate pivot and its translation, rotate axis and joint orient as
// quaternions, inverse parent scale, segment scale compensate.
DataPtr matrixData(Words& words, const Units& units) {
    Mat4d m;
    if (!words.atEnd() && words.peek().text == "xform") {
        words.word();
        const auto three = [&](double f = 1) {
            Vec3d v;
            for (double& x : v) x = words.number() * f;
            return v;
        };
        const auto quaternion = [&] {
            std::array<double, 4> q;
            for (double& x : q) x = words.number();
            return eulerFromQuaternion(q);
        };
        const double cm = units.cmPerUnit;
        TransformParts p;
        p.scale = three();
        p.rotate = three();  // always in radians
        p.rotateOrder = static_cast<RotateOrder>(words.whole());
        p.translate = three(cm);
        p.shear = three();
        p.scalePivot = three(cm);
        p.scalePivotTranslate = three(cm);
        p.rotatePivot = three(cm);
        p.rotatePivotTranslate = three(cm);
        p.rotateAxis = quaternion();
        p.jointOrient = quaternion();
        p.inverseScale = three();
        p.segmentScaleCompensate = words.yesNo();
        m = compose(p);
    } else {
        for (double& x : m) x = words.number();
    }
    return std::make_shared<MatrixData>(toMaya(m));
}

DataPtr curveData(Words& words, const Units& units) {
    auto curve = std::make_shared<CurveData>();
    curve->degree = words.whole();
    words.whole();  // span count: redundant
    curve->form = words.whole();
    curve->rational = words.yesNo();
    const int dimensions = words.whole();
    if (curve->degree < 1 || dimensions < 2 || dimensions > 4)
        throw Error("the curve's degree or dimension is invalid");
    const int knots = words.count();
    for (int i = 0; i < knots; ++i) curve->knots.push_back(words.number());
    const int points = words.count();
    for (int i = 0; i < points; ++i) {
        MPoint p;
        p.x = words.number() * units.cmPerUnit;
        p.y = words.number() * units.cmPerUnit;
        p.z = dimensions > 2 ? words.number() * units.cmPerUnit : 0;
        p.w = curve->rational ? words.number() : 1;
        curve->cvs.push_back(p);
    }
    const std::string wrong = knotsWrong(curve->knots, curve->cvs.size(), curve->degree);
    if (!wrong.empty()) throw Error(wrong);
    return curve;
}

// degrees and forms in U and V, rational, n and knots in U, n and knots in V, n and control points. Null if there is
// more: the curves of a trimmed surface.
DataPtr surfaceData(Words& words, const Units& units) {
    auto surface = std::make_shared<SurfaceData>();
    surface->degreeU = words.whole();
    surface->degreeV = words.whole();
    surface->formU = words.whole();
    surface->formV = words.whole();
    surface->rational = words.yesNo();
    for (std::vector<double>* knots : {&surface->knotsU, &surface->knotsV})
        for (int n = words.count(); n > 0; --n) knots->push_back(words.number());
    for (int n = words.count(); n > 0; --n) {
        MPoint p;
        for (unsigned int k = 0; k < 3; ++k) p[k] = words.number() * units.cmPerUnit;
        if (surface->rational) p.w = words.number();
        surface->cvs.push_back(p);
    }
    const std::string wrong = surface->wrong();
    if (!wrong.empty()) throw Error(wrong);
    return words.atEnd() ? surface : nullptr;
}

// "v" n xyz… "vt" n uv… "e" n a b "smooth"|"hard" … "face" "l" n edges… "lt" n uvs… "face" …
DataPtr labelledMesh(Words& words, const Units& units) {
    StoredMesh mesh;
    const auto record = [&](std::vector<int> values) {  // the given values, then n and n numbers
        const int n = words.count();
        values.push_back(n);
        for (int i = 0; i < n; ++i) values.push_back(words.whole());
        return values;
    };
    while (!words.atEnd()) {
        const std::string_view label = words.word();
        std::string wrong;
        if (label == "v") {
            for (int n = words.count(); n > 0; --n) {
                std::array<float, 3> p;
                for (float& x : p) x = static_cast<float>(words.number() * units.cmPerUnit);
                mesh.points.push_back(p);
            }
        } else if (label == "vn") {
            for (int n = 3 * words.count(); n > 0; --n) words.number();
        } else if (label == "vt") {
            for (int n = words.count(); n > 0; --n) {
                const float u = static_cast<float>(words.number()), v = static_cast<float>(words.number());
                mesh.uvSets[0].uvs.push_back({u, v});
            }
        } else if (label == "e") {
            for (int n = words.count(); n > 0; --n) {
                const int a = words.whole(), b = words.whole();
                mesh.edges.push_back({a, b, words.word() == "smooth"});
            }
        } else if (label == "l") {
            wrong = addFaceRecord(mesh, "f", record({}));
        } else if (label == "lt") {
            wrong = addFaceRecord(mesh, "mu", record({0}));
        } else if (label != "face") {
            throw Error("unsupported mesh format that starts with '" + std::string(label) + "'");
        }
        if (!wrong.empty()) throw Error(wrong);
    }
    return meshDataFrom(mesh);
}

}  // namespace

DataPtr readData(const std::string& type, Words& words, const Units& units) {
    if (type == "string") return std::make_shared<StringData>(std::string(words.word()));
    if (type == "matrix") return matrixData(words, units);
    if (type == "doubleArray") return numbers<DoubleArrayData>(words);
    if (type == "floatArray") return numbers<FloatArrayData>(words);
    if (type == "Int32Array") return numbers<IntArrayData>(words);
    if (type == "stringArray") return strings<StringArrayData>(words);
    if (type == "componentList") return strings<ComponentListData>(words);
    if (type == "vectorArray") {
        auto data = std::make_shared<VectorArrayData>();
        for (int n = words.count(); n > 0; --n) {
            const double x = words.number(), y = words.number(), z = words.number();
            data->values->push_back(MVector(x, y, z));
        }
        return data;
    }
    if (type == "pointArray") {
        auto data = std::make_shared<PointArrayData>();
        for (int n = words.count(); n > 0; --n) {
            const double x = words.number(), y = words.number(), z = words.number(), w = words.number();
            data->values->push_back(MPoint(x, y, z, w));
        }
        return data;
    }
    if (type == "nurbsCurve") return curveData(words, units);
    if (type == "nurbsSurface") return surfaceData(words, units);
    if (type == "mesh") return labelledMesh(words, units);
    return nullptr;
}

namespace {

// T is the stored type, float or double, that must round-trip.
template <class T>
std::string numberIn(T stored, double size) {
    if (size == 1) return shortest(stored);
    const double shown = stored / size;
    for (int digits = sizeof(T) == sizeof(float) ? 6 : 15; digits < 17; ++digits) {
        const std::string text = withDigits(shown, digits);
        double read = 0;
        if (parseNumber(text, read) && static_cast<T>(read * size) == stored) return text;
    }
    return shortest(shown);
}

template <class Array, class Text>
std::string listText(const char* type, const Array& values, Text&& text) {
    std::string out = "-type \"" + std::string(type) + "\" " + std::to_string(values.size());
    for (const auto& value : values) out += " " + text(value);
    return out;
}

std::string knotsText(const std::vector<double>& knots) {
    std::string out = "\n\t\t" + std::to_string(knots.size());
    for (const double k : knots) out += " " + shortest(k);
    return out;
}

std::string pointsText(const std::vector<MPoint>& cvs, bool rational, const Units& units) {
    std::string out = "\n\t\t" + std::to_string(cvs.size());
    for (const MPoint& p : cvs) {
        out += "\n\t\t" + numberText(p.x, units.cmPerUnit) + " " + numberText(p.y, units.cmPerUnit) + " " +
               numberText(p.z, units.cmPerUnit);
        if (rational) out += " " + shortest(p.w);
    }
    return out;
}

std::string curveText(const CurveData& curve, const Units& units) {
    return "-type \"nurbsCurve\"\n\t\t" + std::to_string(curve.degree) + " " + std::to_string(curve.spans()) + " " +
           std::to_string(curve.form) + (curve.rational ? " yes 3" : " no 3") + knotsText(curve.knots) +
           pointsText(curve.cvs, curve.rational, units);
}

std::string surfaceText(const SurfaceData& surface, const Units& units) {
    return "-type \"nurbsSurface\"\n\t\t" + std::to_string(surface.degreeU) + " " + std::to_string(surface.degreeV) +
           " " + std::to_string(surface.formU) + " " + std::to_string(surface.formV) +
           (surface.rational ? " yes" : " no") + knotsText(surface.knotsU) + knotsText(surface.knotsV) +
           pointsText(surface.cvs, surface.rational, units);
}

}  // namespace

std::string numberText(double stored, double size) { return numberIn(stored, size); }
std::string numberText(float stored, double size) { return numberIn(stored, size); }

double sizeOfUnit(Kind kind, const Units& units) {
    switch (kind) {
        case Kind::Time: return units.ticksPerFrame;
        case Kind::Distance: return units.cmPerUnit;
        case Kind::Angle: return units.radiansPerUnit;
        default: return 1;
    }
}

std::string dataText(const Data& data, const Units& units) {
    const auto number = [](auto x) { return shortest(x); };
    const auto whole = [](int x) { return std::to_string(x); };
    const auto string = [](const MString& s) { return inQuotes(s.asChar()); };
    switch (data.type()) {
        case DataType::String:
            return "-type \"string\" " + inQuotes(static_cast<const StringData&>(data).text.asChar());
        case DataType::Matrix: {
            std::string out = "-type \"matrix\"";
            const MMatrix& m = static_cast<const MatrixData&>(data).matrix;
            for (unsigned i = 0; i < 4; ++i)
                for (unsigned k = 0; k < 4; ++k) out += " " + shortest(m(i, k));
            return out;
        }
        case DataType::DoubleArray:
            return listText("doubleArray", *static_cast<const DoubleArrayData&>(data).values, number);
        case DataType::FloatArray:
            return listText("floatArray", *static_cast<const FloatArrayData&>(data).values, number);
        case DataType::IntArray: return listText("Int32Array", *static_cast<const IntArrayData&>(data).values, whole);
        case DataType::StringArray:
            return listText("stringArray", *static_cast<const StringArrayData&>(data).values, string);
        case DataType::ComponentList:
            return listText("componentList", *static_cast<const ComponentListData&>(data).values, string);
        case DataType::VectorArray:
            return listText("vectorArray", *static_cast<const VectorArrayData&>(data).values,
                            [](const MVector& v) { return shortest(v.x) + " " + shortest(v.y) + " " + shortest(v.z); });
        case DataType::PointArray:
            return listText("pointArray", *static_cast<const PointArrayData&>(data).values, [](const MPoint& p) {
                return shortest(p.x) + " " + shortest(p.y) + " " + shortest(p.z) + " " + shortest(p.w);
            });
        case DataType::Curve: return curveText(static_cast<const CurveData&>(data), units);
        case DataType::Surface: return surfaceText(static_cast<const SurfaceData&>(data), units);
        case DataType::Mesh: return "-type \"mesh\"" + labelledMeshText(static_cast<const MeshData&>(data), units);
        case DataType::Any:
        case DataType::Numeric:
        case DataType::ArrayAttrs:
        case DataType::Plugin: return "";
    }
    return "";
}

std::string readFaces(StoredMesh& mesh, Words& words) {
    std::vector<int> record;
    while (!words.atEnd()) {
        const std::string_view key = words.word();
        record.clear();
        long long x;
        while (!words.atEnd() && readNumber(words.peek().text, x)) record.push_back(words.whole());
        const std::string wrong = addFaceRecord(mesh, key, record);
        if (!wrong.empty()) return wrong;
    }
    return "";
}

DataPtr meshDataFrom(const StoredMesh& stored) {
    PolyMesh mesh;
    std::string wrong = decode(stored, mesh);
    if (wrong.empty()) wrong = check(mesh);
    if (!wrong.empty()) throw Error(wrong);
    mesh.uvs.clear();
    mesh.uvIds.clear();
    auto data = std::static_pointer_cast<MeshData>(meshDataFrom(mesh));
    data->uvSets.clear();
    for (const auto& [index, set] : stored.uvSets) {
        MeshData::UvSet uvs;
        uvs.name = set.name.empty() ? "map" + std::to_string(index + 1) : set.name;
        if (set.name == stored.currentUvSet) data->currentUvSet = static_cast<int>(data->uvSets.size());
        for (const auto& uv : set.uvs) {
            uvs.u.push_back(uv[0]);
            uvs.v.push_back(uv[1]);
        }
        const int count = static_cast<int>(set.uvs.size());
        const bool sound =
            std::all_of(set.ids.begin(), set.ids.end(), [count](int id) { return id >= 0 && id < count; });
        if (sound && !set.ids.empty()) {
            uvs.counts = set.faceSizes;
            uvs.counts.resize(stored.faceSizes.size());
            uvs.ids = set.ids;
        }
        data->uvSets.push_back(std::move(uvs));
    }
    if (data->uvSets.empty()) data->uvSets.emplace_back();
    for (const auto& [index, set] : stored.colorSets) {
        MeshData::ColorSet colors;
        colors.name = set.name.empty() ? "colorSet" + std::to_string(index + 1) : set.name;
        if (set.name == stored.currentColorSet) data->currentColorSet = static_cast<int>(data->colorSets.size());
        for (const auto& c : set.colors) colors.colors.emplace_back(c[0], c[1], c[2], c[3]);
        colors.ids = set.ids;
        colors.ids.resize(data->faceVertices.size(), -1);
        for (int& id : colors.ids)
            if (id < 0 || id >= static_cast<int>(colors.colors.size())) id = -1;
        data->colorSets.push_back(std::move(colors));
    }
    return data;
}

}  // namespace purl::host
