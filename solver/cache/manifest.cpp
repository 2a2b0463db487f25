#include "solver/cache/manifest.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "solver/core/error.h"
#include "solver/core/hash.h"

namespace purl {
namespace {

using Json = nlohmann::ordered_json;

// Each struct names its fields once: visit(name, field).
template <class Self, class Visit>
void fieldsOf(Self& stats, const FrameStats*, Visit&& visit) {
    FrameStats::fields(stats, visit);
}
template <class Self, class Visit>
void fieldsOf(Self& body, const BodyInfo*, Visit&& visit) {
    visit("name", body.name);
    visit("kind", body.kind);
    visit("restDensity", body.restDensity);
    visit("spacing", body.spacing);
    visit("supportRadius", body.supportRadius);
    visit("color", body.color);
    visit("opacity", body.opacity);
    visit("dispersion", body.dispersion);
}
template <class Self, class Visit>
void fieldsOf(Self& rigid, const Rigid*, Visit&& visit) {
    visit("name", rigid.name);
    visit("position", rigid.position);
    visit("axisX", rigid.axes.x);
    visit("axisY", rigid.axes.y);
    visit("axisZ", rigid.axes.z);
}
template <class Self, class Visit>
void fieldsOf(Self& mesh, const MeshInfo*, Visit&& visit) {
    visit("name", mesh.name);
    visit("color", mesh.color);
    visit("opacity", mesh.opacity);
    visit("kind", mesh.kind);
}
template <class Self, class Visit>
void fieldsOf(Self& attribute, const AttributeRecord*, Visit&& visit) {
    visit("content", attribute.content);
    visit("name", attribute.name);
    visit("type", attribute.type);
    visit("meaning", attribute.meaning);
}
template <class Self, class Visit>
void fieldsOf(Self& receipt, const Receipt*, Visit&& visit) {
    visit("bytes", receipt.bytes);
    visit("hash", receipt.hash);
}
template <class Self, class Visit>
void fieldsOf(Self& file, const FileRecord*, Visit&& visit) {
    visit("name", file.name);
    visit("format", file.format);
    visit("content", file.content);
    visit("item", file.item);
    visit("receipt", file.receipt);
}
template <class Self, class Visit>
void fieldsOf(Self& frame, const FrameRecord*, Visit&& visit) {
    visit("number", frame.number);
    visit("time", frame.time);
    visit("particles", frame.particles);
    visit("stateHash", frame.stateHash);
    visit("stats", frame.stats);
    visit("rigids", frame.rigids);
    visit("files", frame.files);
}
template <class Self, class Visit>
void fieldsOf(Self& manifest, const Manifest*, Visit&& visit) {
    visit("toolVersion", manifest.toolVersion);
    visit("scenePath", manifest.scenePath);
    visit("fps", manifest.fps);
    visit("startFrame", manifest.startFrame);
    visit("metersPerUnit", manifest.metersPerUnit);
    visit("upAxis", manifest.upAxis);
    visit("sceneHash", manifest.sceneHash);
    visit("parametersHash", manifest.parametersHash);
    visit("assignments", manifest.assignments);
    visit("branch", manifest.branch);
    visit("parent", manifest.parent);
    visit("branchFrame", manifest.branchFrame);
    visit("parameters", manifest.parameters);
    visit("formats", manifest.formats);
    visit("attributes", manifest.attributes);
    visit("bodies", manifest.bodies);
    visit("meshes", manifest.meshes);
    visit("files", manifest.files);
    visit("frames", manifest.frames);
}

const char* const kContents[] = {"points", "mesh", "curves"};
const char* const kMeshKinds[] = {"liquid", "solid", "cloth", "softBody"};

// ---- to and from JSON: hashes as hexadecimal text, which no reader rounds ---------------------------------------

Json toJson(const std::string& value) { return value; }
Json toJson(int value) { return value; }
Json toJson(int64_t value) { return value; }
Json toJson(double value) { return value; }
Json toJson(float value) { return static_cast<double>(value); }
Json toJson(BodyKind value) { return kindName(value); }
Json toJson(MeshKind value) { return kMeshKinds[static_cast<size_t>(value)]; }
Json toJson(Content value) { return kContents[static_cast<size_t>(value)]; }
Json toJson(Vec3 value) { return {toJson(value.x), toJson(value.y), toJson(value.z)}; }
template <class T>
Json toJson(const std::vector<T>& values);
template <class T>
Json toJson(const T& value) {
    Json json = Json::object();
    fieldsOf(value, &value, [&](const std::string& name, const auto& field) {
        using Field = std::decay_t<decltype(field)>;
        if constexpr (std::is_same_v<Field, uint64_t>)
            json[name] = name == "bytes" ? Json(field) : Json(toHex(field));
        else
            json[name] = toJson(field);
    });
    return json;
}
template <class T>
Json toJson(const std::vector<T>& values) {
    Json json = Json::array();
    for (const T& value : values) json.push_back(toJson(value));
    return json;
}

void fromJson(const Json& json, std::string& value) { value = json.get<std::string>(); }
template <class T>
T wholeFrom(const Json& json) {
    const bool fits = json.is_number_unsigned()  ? json.get<uint64_t>() <= uint64_t(std::numeric_limits<T>::max())
                      : json.is_number_integer() ? json.get<int64_t>() >= int64_t(std::numeric_limits<T>::min())
                                                 : false;
    if (!fits) throw Error(json.dump() + " is no whole number, or too large a one");
    return json.get<T>();
}
void fromJson(const Json& json, int& value) { value = wholeFrom<int>(json); }
void fromJson(const Json& json, int64_t& value) { value = wholeFrom<int64_t>(json); }
// JSON has no word for a number that is not finite; it comes as null.
void fromJson(const Json& json, double& value) { value = json.is_null() ? std::nan("") : json.get<double>(); }
void fromJson(const Json& json, float& value) { value = static_cast<float>(json.get<double>()); }
void fromJson(const Json& json, BodyKind& value) {
    value = BodyKind::liquid;
    for (const BodyKind kind : {BodyKind::gas, BodyKind::foam})
        if (json == kindName(kind)) value = kind;
}
void fromJson(const Json& json, MeshKind& value) {
    for (size_t k = 0; k < std::size(kMeshKinds); ++k)
        if (json == kMeshKinds[k]) value = static_cast<MeshKind>(k);
}
void fromJson(const Json& json, Content& value) {
    for (size_t k = 0; k < std::size(kContents); ++k)
        if (json == kContents[k]) value = static_cast<Content>(k);
}
void fromJson(const Json& json, Vec3& value) {
    for (int k = 0; k < 3; ++k) fromJson(json.at(static_cast<size_t>(k)), value[k]);
}
template <class T>
void fromJson(const Json& json, std::vector<T>& values);
template <class T>
void fromJson(const Json& json, T& value) {
    fieldsOf(value, &value, [&](const std::string& name, auto& field) {
        using Field = std::decay_t<decltype(field)>;
        // Older caches say less of how a frame was made, and do not say which liquids mix.
        if ((std::is_same_v<T, FrameStats> || name == "dispersion") && !json.contains(name)) return;
        const Json& found = json.at(name);
        if constexpr (std::is_same_v<Field, uint64_t>)
            field = name == "bytes" ? wholeFrom<uint64_t>(found) : fromHex(found.template get<std::string>());
        else
            fromJson(found, field);
    });
}
template <class T>
void fromJson(const Json& json, std::vector<T>& values) {
    if (!json.is_array()) throw Error("a list is missing");
    values.clear();
    for (const Json& item : json) fromJson(item, values.emplace_back());
}

}  // namespace

const FrameRecord* Manifest::find(int number) const {
    const auto found =
        std::find_if(frames.begin(), frames.end(), [&](const FrameRecord& f) { return f.number == number; });
    return found == frames.end() ? nullptr : &*found;
}

std::string encodeManifest(const Manifest& manifest) {
    return toJson(manifest).dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Manifest decodeManifest(const std::string& json, const std::string& path) {
    Manifest manifest;
    try {
        fromJson(Json::parse(json), manifest);
    } catch (const std::exception& error) {
        std::string what = error.what();
        std::replace(what.begin(), what.end(), '\n', ' ');
        throw Error(path + ": not a cache's manifest: " + what);
    }
    // Names are used as file names: they must stay inside the folder.
    const auto check = [&](const FileRecord& file) {
        if (file.name.empty() || file.name.find('/') != std::string::npos || file.name == "..")
            throw Error(path + ": \"" + file.name + "\" is no file of this cache");
    };
    for (const FileRecord& file : manifest.files) check(file);
    for (const FrameRecord& frame : manifest.frames)
        for (const FileRecord& file : frame.files) check(file);
    if (!(manifest.fps > 0)) throw Error(path + ": frames per second must be above 0");
    return manifest;
}

}  // namespace purl
