#include "solver/cache/usd.h"

#include <algorithm>
#include <charconv>

#include "solver/core/error.h"

namespace purl {
namespace {

template <class T>
void putNumber(std::string& out, T value) {
    char text[32];
    out.append(text, std::to_chars(text, text + sizeof text, value).ptr);
}
void put(std::string& out, float value) { putNumber(out, value); }
void put(std::string& out, int value) { putNumber(out, value); }
void put(std::string& out, Vec3 value) {
    for (int k = 0; k < 3; ++k) {
        out += k == 0 ? "(" : ", ";
        putNumber(out, value[k]);
    }
    out += ')';
}
template <class T>
std::string listOf(const std::vector<T>& values) {
    std::string out = "[";
    for (size_t i = 0; i < values.size(); ++i) {
        if (i > 0) out += ", ";
        put(out, values[i]);
    }
    return out + "]";
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
std::string textOf(double value) {
    std::string out;
    putNumber(out, value);
    return out;
}

constexpr const char* kInterpolation[] = {"constant", "uniform", "vertex"};
enum Scope { kConstant, kUniform, kVertex };

// The lists of a file, each named once: visit(type, name, list, scope, whether it changes from frame to frame).
template <class CurvesRef, class Visit>
void listsOf(CurvesRef& curves, Visit&& visit) {
    visit("int[]", "curveVertexCounts", curves.counts, kConstant, false);
    visit("point3f[]", "points", curves.positions, kConstant, true);
    visit("vector3f[]", "velocities", curves.velocities, kConstant, true);
    visit("float[]", "widths", curves.widths, kVertex, true);
    visit("color3f[]", "primvars:displayColor", curves.colors, kUniform, false);
    visit("int[]", "primvars:yarnId", curves.ids, kUniform, false);
    visit("float[]", "primvars:twist", curves.twists, kVertex, false);
    visit("int[]", "primvars:course", curves.courses, kVertex, false);
    visit("int[]", "primvars:wale", curves.wales, kVertex, false);
}

class Text {
  public:
    Text(const std::string& text, const std::string& path) : text_(text), path_(path) {
        if (text.compare(0, 5, "#usda") != 0) throw Error(path + ": is not USD as text");
    }
    // What follows these words.
    size_t after(const std::string& words) const {
        const size_t at = text_.find(words);
        if (at == std::string::npos)
            throw Error(path_ + ": holds no " + words + "; only yarns written by Purl are read");
        return at + words.size();
    }
    template <class T>
    size_t number(size_t at, T& value) const {
        at = text_.find_first_not_of("(), =\n", at);
        const char* end = text_.data() + text_.size();
        const auto [next, error] = std::from_chars(text_.data() + std::min(at, text_.size()), end, value);
        if (error != std::errc()) throw Error(path_ + ": a number is damaged or cut short");
        return static_cast<size_t>(next - text_.data());
    }
    size_t number(size_t at, Vec3& value) const {
        for (int k = 0; k < 3; ++k) at = number(at, value[k]);
        return at;
    }
    template <class T>
    void list(const std::string& name, std::vector<T>& values) const {
        const size_t begin = text_.find('[', after(" " + name)), end = text_.find(']', begin);
        if (end == std::string::npos) throw Error(path_ + ": " + name + " is cut short");
        for (size_t at = begin + 1; text_.find_first_not_of("(), \n", at) < end;)
            at = number(at, values.emplace_back());
    }
    std::string string(const std::string& name) const {
        std::string value;
        for (size_t at = text_.find('"', after(name)) + 1; at < text_.size() && text_[at] != '"'; ++at) {
            if (text_[at] == '\\') ++at;
            value += text_[at];
        }
        return value;
    }

  private:
    const std::string& text_;
    const std::string& path_;
};

}  // namespace

std::string encodeUsd(const Frame& frame, FileTime time) {
    if (frame.curves.empty()) throw Error("a USD file holds yarns only; choose ply or mcx for meshes and points");
    const Curves& curves = frame.curves[0];
    const std::string prim = primName(curves.name), at = std::to_string(time.frame);
    std::string out = "#usda 1.0\n(\n    defaultPrim = \"" + prim +
                      "\"\n    metersPerUnit = " + textOf(frame.metersPerUnit) +
                      "\n    upAxis = \"Y\"\n    timeCodesPerSecond = " + textOf(time.fps) +
                      "\n    framesPerSecond = " + textOf(time.fps) + "\n    startTimeCode = " + at +
                      "\n    endTimeCode = " + at + "\n)\n\ndef BasisCurves \"" + prim + "\"\n{\n";
    out +=
        "    uniform token type = \"cubic\"\n    uniform token basis = \"catmullRom\"\n    uniform token wrap = "
        "\"pinned\"\n";
    out += "    custom string purl:name = " + quoted(curves.name) +
           "\n    custom double purl:time = " + textOf(frame.time) +
           "\n    custom int purl:plies = " + std::to_string(curves.plies) + "\n";
    Bounds bounds;
    float widest = 0;
    for (const Vec3 p : curves.positions) bounds.include(p);
    for (const float width : curves.widths) widest = std::max(widest, width);
    const Vec3 margin{widest / 2, widest / 2, widest / 2};
    if (!bounds.empty())
        out += "    float3[] extent.timeSamples = {\n        " + at + ": " +
               listOf(std::vector<Vec3>{bounds.low - margin, bounds.high + margin}) + ",\n    }\n";
    listsOf(curves, [&](const char* type, const char* name, const auto& list, Scope scope, bool changes) {
        out += std::string("    ") + type + " " + name;
        const std::string shown =
            scope == kConstant ? ""
                               : std::string(" (\n        interpolation = \"") + kInterpolation[scope] + "\"\n    )";
        // Metadata stand with the attribute, samples in a statement of their own.
        if (changes && scope != kConstant) out += shown + "\n    " + type + " " + name;
        if (changes)
            out += ".timeSamples = {\n        " + at + ": " + listOf(list) + ",\n    }\n";
        else
            out += " = " + listOf(list) + shown + "\n";
    });
    return out + "}\n";
}

Frame decodeUsd(const std::string& text, const std::string& path) {
    const Text from(text, path);
    Frame frame;
    from.number(from.after("metersPerUnit"), frame.metersPerUnit);
    from.number(from.after("purl:time"), frame.time);
    Curves curves;
    curves.name = from.string("purl:name");
    from.number(from.after("purl:plies"), curves.plies);
    listsOf(curves, [&](const char*, const char* name, auto& list, Scope, bool changes) {
        from.list(name + std::string(changes ? ".timeSamples" : " ="), list);
    });
    size_t points = 0;
    for (const int count : curves.counts) {
        if (count < 2) throw Error(path + ": a yarn has fewer than two points");
        points += static_cast<size_t>(count);
    }
    Curves::channels(curves, [&](const char* name, const auto& channel, bool) {
        if (channel.size() != points)
            throw Error(path + ": " + name + " has " + std::to_string(channel.size()) + " values for " +
                        std::to_string(points) + " points");
    });
    if (curves.ids.size() != curves.counts.size() || curves.colors.size() != curves.counts.size())
        throw Error(path + ": ids or colours are not as many as the yarns");
    frame.curves.push_back(std::move(curves));
    return frame;
}

}  // namespace purl
