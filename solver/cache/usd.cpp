#include "solver/cache/usd.h"

#include <algorithm>
#include <cstdint>

#include "solver/cache/attributes.h"
#include "solver/cache/text.h"
#include "solver/cache/usdWords.h"
#include "solver/core/error.h"

namespace purl {
using namespace usd;
namespace {

// ---- text -------------------------------------------------------------------------------------------------------

// Elements are scalars or tuples of two or three numbers.
template <class T>
std::string listOf(const T* values, size_t count, int components) {
    std::string out = "[";
    for (size_t i = 0; i < count; ++i) {
        if (i > 0) out += ", ";
        if (components > 1) out += '(';
        for (int k = 0; k < components; ++k) {
            if (k > 0) out += ", ";
            putNumber(out, *values++);
        }
        if (components > 1) out += ')';
    }
    return out + "]";
}
std::string listOf(const Attribute& a) {
    switch (a.type) {
        case AttributeType::int32: return listOf(static_cast<const int32_t*>(a.data), a.count, a.components);
        case AttributeType::int64: return listOf(static_cast<const int64_t*>(a.data), a.count, a.components);
        case AttributeType::float32: break;
    }
    return listOf(a.floats(), a.count, a.components);
}
std::string listOf(const std::vector<int>& values) { return listOf(values.data(), values.size(), 1); }
std::string textOf(double value) {
    std::string out;
    putNumber(out, value);
    return out;
}
std::string quoted(const std::string& text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        out += c;
    }
    return out + "\"";
}

// ---- names ------------------------------------------------------------------------------------------------------

const char* usdType(const Attribute& a) {
    if (a.components == 3) {
        switch (a.meaning) {
            case Meaning::point: return "point3f[]";
            case Meaning::normal: return "normal3f[]";
            case Meaning::color: return "color3f[]";
            default: return "vector3f[]";
        }
    }
    switch (a.type) {
        case AttributeType::int32: return "int[]";
        case AttributeType::int64: return "int64[]";
        case AttributeType::float32: break;
    }
    return "float[]";
}
// Positions, velocities, accelerations and ids have no interpolation metadata.
bool hasInterpolation(const std::string& name) {
    return name == "normals" || name == "widths" || name.compare(0, 9, "primvars:") == 0;
}
// Channels of a knit that never change are written without time samples, so that a renderer reads them once.
bool isConstant(const std::string& channel, Prim prim) {
    constexpr const char* kConstant[] = {"rgbPP", "yarnId", "twist", "course", "wale"};
    return prim == Prim::curves &&
           std::any_of(std::begin(kConstant), std::end(kConstant), [&](const char* name) { return channel == name; });
}

// ---- writing ----------------------------------------------------------------------------------------------------

struct Layer {
    std::string out, at;

    // `shown`: interpolation of the attribute, or empty.
    void put(const std::string& type, const std::string& name, const std::string& list, const std::string& shown,
             bool constant = false) {
        const std::string about = shown.empty() ? "" : " (\n        interpolation = \"" + shown + "\"\n    )";
        out += "    " + type + " " + name;
        if (constant) {
            out += " = " + list + about + "\n";
            return;
        }
        // Metadata and time samples need separate statements.
        if (!about.empty()) out += about + "\n    " + type + " " + name;
        out += ".timeSamples = {\n        " + at + ": " + list + ",\n    }\n";
    }
    template <class Item>
    void putAll(const Item& item, Prim prim) {
        for (const Attribute& attribute : attributesOf(item)) {
            const std::string name = attributeName(attribute.name, prim);
            const char* shown = attribute.scope == Scope::uniform ? "uniform" : "vertex";
            put(usdType(attribute), name, listOf(attribute), hasInterpolation(name) ? shown : "",
                isConstant(attribute.name, prim));
        }
    }
    void putExtent(const std::vector<Vec3>& positions, float margin) {
        Bounds bounds;
        for (const Vec3 p : positions) bounds.include(p);
        if (bounds.empty()) bounds = {{}, {}};
        const Vec3 around{margin, margin, margin}, corners[2] = {bounds.low - around, bounds.high + around};
        put("float3[]", "extent", listOf(&corners[0].x, 2, 3), "");
    }
};

float largest(const std::vector<float>& values) {
    return values.empty() ? 0 : *std::max_element(values.begin(), values.end());
}

void putPoints(Layer& layer, const Points& points) {
    layer.putExtent(points.positions, largest(points.radii));
    layer.putAll(points, Prim::points);
    // Blender does not read ids, but this primvar. It reads no primvars after one of 64-bit integers.
    if (!points.ids.empty() && points.ids.back() <= INT32_MAX) {
        const std::vector<int> ids(points.ids.begin(), points.ids.end());
        layer.put("int[]", "primvars:id", listOf(ids), "vertex");
    }
    std::vector<float> widths(points.radii.size());
    std::transform(points.radii.begin(), points.radii.end(), widths.begin(), [](float r) { return 2 * r; });
    layer.put("float[]", "widths", listOf(widths.data(), widths.size(), 1), "vertex");
}

void putMesh(Layer& layer, const Mesh& mesh) {
    // Otherwise it would be rendered as a subdivision surface, and its normals ignored.
    layer.out += "    uniform token subdivisionScheme = \"none\"\n";
    if (mesh.kind == MeshKind::cloth) layer.out += "    uniform bool doubleSided = 1\n";
    layer.putExtent(mesh.positions, 0);
    layer.putAll(mesh, Prim::mesh);
    const Faces faces = facesOf(mesh);
    layer.put("int[]", "faceVertexCounts", listOf(faces.counts), "");
    layer.put("int[]", "faceVertexIndices", listOf(faces.corners), "");
    if (faces.cornerUvs.empty()) return;
    std::vector<float> uvs;
    for (size_t i = 0; i < faces.u.size(); ++i) uvs.insert(uvs.end(), {faces.u[i], faces.v[i]});
    layer.put("texCoord2f[]", "primvars:st", listOf(uvs.data(), faces.u.size(), 2), "faceVarying");
    layer.put("int[]", "primvars:st:indices", listOf(faces.cornerUvs), "");
}

void putCurves(Layer& layer, const Curves& curves) {
    layer.out +=
        "    uniform token type = \"cubic\"\n    uniform token basis = \"catmullRom\"\n    uniform token wrap = "
        "\"pinned\"\n    custom int purl:plies = " +
        std::to_string(curves.plies) + "\n";
    layer.putExtent(curves.positions, largest(curves.widths) / 2);
    layer.put("int[]", "curveVertexCounts", listOf(curves.counts), "", true);
    layer.putAll(curves, Prim::curves);
}

}  // namespace

std::string encodeUsd(const Frame& part, FileTime time) {
    if (part.curves.empty() && part.meshes.empty() && part.bodies.empty())
        throw Error("a USD file can contain yarns, a mesh or particles, and the frame has none");
    const Prim kind = !part.curves.empty() ? Prim::curves : !part.meshes.empty() ? Prim::mesh : Prim::points;
    const std::string& name = kind == Prim::curves ? part.curves[0].name
                              : kind == Prim::mesh ? part.meshes[0].name
                                                   : part.bodies[0].name;
    const std::string prim = primName(name, kind);
    Layer layer;
    layer.at = std::to_string(time.frame);
    layer.out = "#usda 1.0\n(\n    defaultPrim = \"" + prim + "\"\n    metersPerUnit = " + textOf(part.metersPerUnit) +
                "\n    upAxis = \"Y\"\n    timeCodesPerSecond = " + textOf(time.fps) +
                "\n    framesPerSecond = " + textOf(time.fps) + "\n    startTimeCode = " + layer.at +
                "\n    endTimeCode = " + layer.at + "\n)\n\ndef " + kPrims[static_cast<size_t>(kind)] + " \"" + prim +
                "\"\n{\n    custom string purl:name = " + quoted(name) +
                "\n    custom double purl:time = " + textOf(part.time) + "\n";
    switch (kind) {
        case Prim::points: putPoints(layer, part.points); break;
        case Prim::mesh: putMesh(layer, part.meshes[0]); break;
        case Prim::curves: putCurves(layer, part.curves[0]); break;
    }
    return layer.out + "}\n";
}

}  // namespace purl
