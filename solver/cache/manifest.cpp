#include "solver/cache/manifest.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "solver/core/error.h"
#include "solver/core/hash.h"

namespace purl {
namespace {

using Json = nlohmann::ordered_json;

// Field lists of the structs, for writing and reading: visit(name, field).
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
void fieldsOf(Self& file, const PackedFile*, Visit&& visit) {
    fieldsOf(file, static_cast<const FileRecord*>(nullptr), visit);
    visit("lacks", file.lacks);
}
template <class Self, class Visit>
void fieldsOf(Self& file, const InputFile*, Visit&& visit) {
    visit("use", file.use);
    visit("path", file.path);
    visit("receipt", file.receipt);
}
template <class Self, class Visit>
void fieldsOf(Self& frame, const FrameRecord*, Visit&& visit) {
    visit("number", frame.number);
    visit("time", frame.time);
    visit("particles", frame.particles);
    visit("stateHash", frame.stateHash);
    visit("machine", frame.machine);
    visit("version", frame.version);
    visit("stats", frame.stats);
    visit("rigids", frame.rigids);
    visit("files", frame.files);
}
// May change from frame to frame.
template <class Self, class Visit>
void fieldsOf(Self& items, const CacheItems*, Visit&& visit) {
    visit("metersPerUnit", items.metersPerUnit);
    visit("attributes", items.attributes);
    visit("bodies", items.bodies);
    visit("meshes", items.meshes);
    visit("knits", items.knits);
}
template <class Self, class Visit>
void fieldsOf(Self& manifest, const Manifest*, Visit&& visit) {
    visit("manifestVersion", manifest.version);
    visit("toolVersion", manifest.run.toolVersion);
    visit("scenePath", manifest.scenePath);
    visit("sceneRelative", manifest.sceneRelative);
    visit("frameList", manifest.frameList);
    visit("fps", manifest.fps);
    visit("startFrame", manifest.startFrame);
    visit("upAxis", manifest.upAxis);
    visit("identity", manifest.identity);
    visit("solver", manifest.run.solver);
    visit("inputs", manifest.run.inputs);
    visit("assignments", manifest.run.assignments);
    visit("origin", manifest.run.origin);
    visit("branch", manifest.branch);
    visit("parent", manifest.parent);
    visit("branchFrame", manifest.branchFrame);
    visit("parameters", manifest.parameters);
    visit("formats", manifest.formats);
    visit("channels", manifest.channels);
    fieldsOf(manifest, static_cast<const CacheItems*>(nullptr), visit);
    visit("files", manifest.files);
}

// Fields that caches of earlier versions do not have.
bool mayBeAbsent(const std::string& name) {
    for (const char* newer : {"dispersion", "knits", "lacks", "manifestVersion", "identity", "solver", "inputs",
                              "origin", "sceneRelative", "frameList", "channels", "machine", "version"})
        if (name == newer) return true;
    return false;
}

const char* const kContents[] = {"points", "mesh", "curves"};
const char* const kMeshKinds[] = {"liquid", "solid", "cloth", "softBody"};

// ---- JSON. Hashes are hexadecimal text, because readers may round large numbers ---------------------------------

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
    if (!fits) throw Error(json.dump() + " is not an integer, or too large");
    return json.get<T>();
}
void fromJson(const Json& json, int& value) { value = wholeFrom<int>(json); }
void fromJson(const Json& json, int64_t& value) { value = wholeFrom<int64_t>(json); }
void fromJson(const Json& json, double& value) { value = json.get<double>(); }
void fromJson(const Json& json, float& value) {
    double found = 0;
    fromJson(json, found);
    if (!(std::abs(found) <= double(std::numeric_limits<float>::max())))
        throw Error(json.dump() + " is too large for a number of this manifest");
    value = static_cast<float>(found);
}
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
        // JSON cannot represent numbers that are not finite; earlier versions wrote null for such statistics.
        if (std::is_same_v<T, FrameStats> && (!json.contains(name) || json.at(name).is_null())) return;
        if (mayBeAbsent(name) && !json.contains(name)) return;
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

std::string dumped(const Json& json, int indent) {
    return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

// Calls `read`, and converts exceptions of the JSON library to an Error of one line.
template <class Read>
void readJson(const std::string& path, const char* whatItIsNot, Read&& read) {
    try {
        read();
    } catch (const std::exception& error) {
        std::string what = error.what();
        std::replace(what.begin(), what.end(), '\n', ' ');
        throw Error(path + ": " + whatItIsNot + ": " + what);
    }
}

// File names must not refer to anything outside the folder.
void checkName(const FileRecord& file, const std::string& path) {
    if (file.name.empty() || file.name.find('/') != std::string::npos || file.name == ".." || file.name == ".")
        throw Error(path + ": \"" + file.name + "\" is not the name of a file in this folder");
}
void checkNames(const FrameRecord& frame, const std::string& path) {
    for (const FileRecord& file : frame.files) checkName(file, path);
}

bool isBefore(const FrameRecord& frame, int number) { return frame.number < number; }

}  // namespace

CacheOrigin originOfCopy(CacheOrigin origin) {
    origin.branch.clear();
    origin.parent.clear();
    origin.branchFrame = 0;
    origin.frameList.clear();
    return origin;
}

const FrameRecord* Manifest::find(int number) const {
    const auto found = std::lower_bound(frames.begin(), frames.end(), number, isBefore);
    return found == frames.end() || found->number != number ? nullptr : &*found;
}

void Manifest::insert(FrameRecord frame) {
    const auto place = std::lower_bound(frames.begin(), frames.end(), frame.number, isBefore);
    if (place != frames.end() && place->number == frame.number)
        *place = std::move(frame);
    else
        frames.insert(place, std::move(frame));
}

void Manifest::erase(int number) {
    if (const FrameRecord* found = find(number)) frames.erase(frames.begin() + (found - frames.data()));
}

std::string encodeHead(const Manifest& manifest) {
    Json fields = toJson(manifest);
    fields["manifestVersion"] = kManifestVersion;
    std::string head = dumped(fields, 1);
    head.resize(head.rfind('\n'));
    return head + ",\n \"frames\": [";
}

std::string encodeFrame(const FrameRecord& frame) { return dumped(toJson(frame), -1); }

// Frames are encoded one at a time, because JSON objects take ten times the memory of the text.
std::string encodeManifest(const Manifest& manifest) {
    std::string text = encodeHead(manifest);
    for (size_t i = 0; i < manifest.frames.size(); ++i) text += beforeFrame(i == 0) + encodeFrame(manifest.frames[i]);
    return text + kAfterFrames + "\n}\n";
}

FrameRecord decodeFrame(const std::string& json, const std::string& path) {
    FrameRecord frame;
    readJson(path, "not a cache's manifest", [&] { fromJson(Json::parse(json), frame); });
    checkNames(frame, path);
    return frame;
}

Manifest decodeManifest(const std::string& json, const std::string& path) {
    Manifest manifest;
    readJson(path, "not a cache's manifest", [&] {
        std::string field;
        bool listed = false;
        std::vector<FrameRecord> frames;
        // Frames are converted as they are parsed, and their JSON is discarded at once.
        const auto take = [&](int depth, Json::parse_event_t event, Json& parsed) {
            if (event == Json::parse_event_t::key && depth == 1) field = parsed.get<std::string>();
            listed = listed || field == "frames";
            if (event != Json::parse_event_t::object_end || depth != 2 || field != "frames") return true;
            fromJson(parsed, frames.emplace_back());
            return false;
        };
        fromJson(Json::parse(json, take), manifest);
        if (!listed) throw Error("its frames are missing");
        manifest.frames = std::move(frames);
    });
    for (const FileRecord& file : manifest.files) checkName(file, path);
    for (const FrameRecord& frame : manifest.frames) checkNames(frame, path);
    // Version 1 did not list knits.
    for (const FrameRecord& frame : manifest.frames)
        for (const FileRecord& file : frame.files)
            if (manifest.version < 2 && file.content == Content::curves &&
                std::find(manifest.knits.begin(), manifest.knits.end(), file.item) == manifest.knits.end())
                manifest.knits.push_back(file.item);
    for (size_t i = 1; i < manifest.frames.size(); ++i)
        if (manifest.frames[i].number <= manifest.frames[i - 1].number)
            throw Error(path + ": not a cache's manifest: frame " + std::to_string(manifest.frames[i].number) +
                        " does not come after " + std::to_string(manifest.frames[i - 1].number));
    if (!(manifest.fps > 0)) throw Error(path + ": frames per second must be above 0");
    if (manifest.version > kManifestVersion)
        throw Error(path + ": was written by a newer version of Purl, " + manifest.run.toolVersion +
                    "; use that version");
    return manifest;
}

std::string encodeItems(const CacheItems& items) { return dumped(toJson(items), -1); }

std::string encodeEntry(const std::string& frame, const std::string& items) {
    return kBeforeEntryFrame + frame + (items.empty() ? "" : ",\"items\":" + items) + "}";
}

std::string encodeRemoval(int number, const std::string& items) {
    return "{\"removed\":" + std::to_string(number) + (items.empty() ? "" : ",\"items\":" + items) + "}";
}

void applyEntry(const std::string& json, const std::string& path, Manifest& manifest) {
    readJson(path, "not a cache's journal", [&] {
        const Json entry = Json::parse(json);
        if (entry.contains("items")) fromJson(entry["items"], static_cast<CacheItems&>(manifest));
        if (entry.contains("removed")) {
            int number = 0;
            fromJson(entry["removed"], number);
            manifest.erase(number);
        } else {
            FrameRecord frame;
            fromJson(entry.at("frame"), frame);
            checkNames(frame, path);
            manifest.insert(std::move(frame));
        }
    });
}

}  // namespace purl
