#include "solver/cache/usd.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>

#include "solver/cache/attributes.h"
#include "solver/cache/text.h"
#include "solver/core/error.h"

namespace purl {
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
// A prim's name: letters, digits and underscores.
std::string primName(const std::string& name) {
    std::string prim = name.empty() || (name[0] >= '0' && name[0] <= '9') ? "_" + name : name;
    for (char& c : prim)
        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_')) c = '_';
    return prim;
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

enum class Prim { points, mesh, curves };
constexpr const char* kPrims[] = {"Points", "Mesh", "BasisCurves"};

// USD's own attribute where it has one; otherwise a primvar of the channel's name, which shaders can access.
std::string attributeName(const std::string& channel, Prim prim) {
    if (channel == "position") return "points";
    if (channel == "velocity") return "velocities";
    if (channel == "acceleration") return "accelerations";
    if (channel == "normal" && prim == Prim::mesh) return "normals";
    if (channel == "id" && prim == Prim::points) return "ids";
    if (channel == "width") return "widths";
    if (channel == "radiusPP") return "primvars:radius";
    if (channel == "rgbPP") return "primvars:displayColor";
    if (channel == "restPosition") return "primvars:rest";
    if (channel == "source") return "primvars:sourceId";
    return "primvars:" + channel;
}
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

// ---- reading ----------------------------------------------------------------------------------------------------

class Text {
  public:
    Text(const std::string& text, const std::string& path) : text_(text), path_(path) {
        if (text.compare(0, 5, "#usda") != 0) throw Error(path + ": is not a USD text file");
    }
    bool has(const std::string& words) const { return text_.find(words) != std::string::npos; }
    // Offset of the text that follows `words`.
    size_t after(const std::string& words) const {
        const size_t at = text_.find(words);
        if (at == std::string::npos)
            throw Error(path_ + ": contains no " + words + "; only files that Purl wrote can be read");
        return at + words.size();
    }
    template <class T>
    size_t number(size_t at, T& value) const {
        at = text_.find_first_not_of("(), =\n", at);
        const char* end = text_.data() + text_.size();
        const auto [next, error] = std::from_chars(text_.data() + std::min(at, text_.size()), end, value);
        if (error != std::errc()) throw Error(path_ + ": a number is damaged or truncated");
        return static_cast<size_t>(next - text_.data());
    }
    // Values of an attribute, with or without time samples; empty if it does not exist.
    template <class T>
    std::vector<T> list(const std::string& name) const {
        std::vector<T> values;
        size_t at = text_.find("] " + name + ".timeSamples");
        if (at == std::string::npos) at = text_.find("] " + name + " = ");
        if (at == std::string::npos) return values;
        const size_t begin = text_.find('[', at), end = text_.find(']', begin);
        if (end == std::string::npos) throw Error(path_ + ": " + name + " is truncated");
        for (at = begin + 1; text_.find_first_not_of("(), \n", at) < end;) at = number(at, values.emplace_back());
        return values;
    }
    std::string string(const std::string& name) const {
        std::string value;
        for (size_t at = text_.find('"', after(name)) + 1; at > 0 && at < text_.size() && text_[at] != '"'; ++at) {
            if (text_[at] == '\\' && at + 1 < text_.size()) ++at;
            value += text_[at];
        }
        return value;
    }
    // Fills a channel from the corresponding attribute.
    template <class T>
    void channel(const char* channel, Channel<T>& shared, Prim prim) const {
        if (std::strcmp(channel, "body") == 0) return;
        const std::string name = attributeName(channel, prim);
        if constexpr (std::is_same_v<T, Vec3>) {
            const std::vector<float> flat = list<float>(name);
            if (flat.size() % 3) throw Error(path_ + ": " + name + " does not contain vectors");
            std::vector<Vec3> values(flat.size() / 3);
            if (!flat.empty()) std::memcpy(static_cast<void*>(values.data()), flat.data(), sizeof(float) * flat.size());
            shared = std::move(values);
        } else {
            shared = list<T>(name);
        }
    }

  private:
    const std::string& text_;
    const std::string& path_;
};

}  // namespace

std::string encodeUsd(const Frame& part, FileTime time) {
    if (part.curves.empty() && part.meshes.empty() && part.bodies.empty())
        throw Error("a USD file can contain yarns, a mesh or particles, and the frame has none");
    const Prim kind = !part.curves.empty() ? Prim::curves : !part.meshes.empty() ? Prim::mesh : Prim::points;
    const std::string& name = kind == Prim::curves ? part.curves[0].name
                              : kind == Prim::mesh ? part.meshes[0].name
                                                   : part.bodies[0].name;
    const std::string prim = primName(name) + (kind == Prim::points ? kPointsEnding : "");
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

Frame decodeUsd(const std::string& text, const std::string& path) {
    const Text from(text, path);
    Frame frame;
    from.number(from.after("metersPerUnit"), frame.metersPerUnit);
    from.number(from.after("purl:time"), frame.time);
    const std::string name = from.string("purl:name");
    const auto read = [&](auto& item, Prim prim) {
        std::decay_t<decltype(item)>::channels(
            item, [&](const char* channel, auto& values, bool) { from.channel(channel, values, prim); });
    };
    if (from.has("def BasisCurves")) {
        Curves curves;
        curves.name = name;
        from.number(from.after("purl:plies"), curves.plies);
        curves.counts = from.list<int>("curveVertexCounts");
        read(curves, Prim::curves);
        Curves::yarnChannels(
            curves, [&](const char* channel, auto& values, bool) { from.channel(channel, values, Prim::curves); });
        checkCounts(curves, path);
        frame.curves.push_back(std::move(curves));
    } else if (from.has("def Mesh")) {
        Mesh mesh;
        mesh.name = name;
        read(mesh, Prim::mesh);
        mesh.faces.counts = from.list<int>("faceVertexCounts");
        mesh.faces.corners = from.list<int>("faceVertexIndices");
        const std::vector<float> uvs = from.list<float>("primvars:st");
        std::vector<float> u, v;
        for (size_t i = 0; i + 1 < uvs.size(); i += 2) {
            u.push_back(uvs[i]);
            v.push_back(uvs[i + 1]);
        }
        mesh.faces.u = std::move(u);
        mesh.faces.v = std::move(v);
        mesh.faces.cornerUvs = from.list<int>("primvars:st:indices");
        checkCounts(mesh, path);
        takeFaces(mesh, Faces(mesh.faces));
        frame.meshes.push_back(std::move(mesh));
    } else if (from.has("def Points")) {
        frame.bodies.resize(1);
        frame.bodies[0].name = name;
        read(frame.points, Prim::points);
        checkCounts(frame.points, path);
        frame.points.bodies = std::vector<int>(frame.points.count());
    } else {
        throw Error(path + ": contains no BasisCurves, Mesh or Points; only files that Purl wrote can be read");
    }
    return frame;
}

}  // namespace purl
