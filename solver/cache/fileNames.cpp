#include "solver/cache/fileNames.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>

#include "solver/cache/attributes.h"
#include "solver/cache/manifestFile.h"
#include "solver/core/error.h"
#include "solver/core/path.h"
#include "solver/core/system.h"

namespace purl {
namespace {

bool isStemCharacter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}
bool isDigit(char c) { return c >= '0' && c <= '9'; }

bool endsWith(const std::string& text, const std::string& end) {
    return text.size() > end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

std::string stemOf(const FileRecord& file, const Format& format) {
    return fileStem(file.item) + (file.content == Content::points && format.meshes ? kPointsEnding : "");
}

// Stem of a frame's file name: "water" for "water.0012.ply" and "waterFrame12.mcx". Empty for other names.
std::string stemOfFrameFile(const std::string& name, const Format& format, double fps) {
    if (!endsWith(name, format.extension)) return "";
    const std::string body = name.substr(0, name.size() - std::string(format.extension).size());
    size_t digits = body.size();
    while (digits > 0 && isDigit(body[digits - 1])) --digits;
    for (const size_t begin : {digits, digits - 1}) {  // without or with a minus sign
        if (begin >= body.size() || (begin < digits && body[begin] != '-')) continue;
        int number = 0;
        if (std::from_chars(body.data() + begin, body.data() + body.size(), number).ec != std::errc()) continue;
        for (const std::string& between : {std::string("."), std::string("Frame")}) {
            if (begin < between.size() + 1 || body.compare(begin - between.size(), between.size(), between) != 0)
                continue;
            const std::string stem = body.substr(0, begin - between.size());
            if (std::all_of(stem.begin(), stem.end(), isStemCharacter) && name == format.fileName(stem, {number, fps}))
                return stem;
        }
    }
    return "";
}

// Possible stems of the items' files.
std::vector<std::string> stemsOf(const CacheItems& items) {
    std::vector<std::string> stems;
    for (const BodyInfo& body : items.bodies)
        stems.insert(stems.end(), {fileStem(body.name), fileStem(body.name) + kPointsEnding});
    for (const MeshInfo& mesh : items.meshes) stems.push_back(fileStem(mesh.name));
    for (const std::string& knit : items.knits) stems.push_back(fileStem(knit));
    return stems;
}

}  // namespace

std::string inFolder(const std::string& directory, const std::string& name) {
    return toText(toPath(directory) / toPath(name));
}

std::vector<std::string> namesIn(const std::string& directory) {
    std::vector<std::string> names;
    if (const int error = os::namesIn(directory, names))
        throw Error(directory + ": cannot read: " + std::strerror(error));
    std::sort(names.begin(), names.end());
    return names;
}

void removeFile(const std::string& path) {
    if (const int error = os::remove(path); error && error != ENOENT)
        throw Error(path + ": cannot remove: " + std::strerror(error));
}

std::string fileStem(const std::string& item) {
    std::string stem = item.empty() ? "unnamed" : item;
    for (char& c : stem)
        if (!isStemCharacter(c)) c = '_';
    return stem;
}

std::string frameFileName(const FileRecord& file, const Format& format, FileTime time) {
    return format.fileName(stemOf(file, format), time);
}

std::string packedFileName(const FileRecord& file, const Format& format) {
    return stemOf(file, format) + format.extension;
}

std::string descriptionName(const std::string& body) { return fileStem(body) + ".xml"; }

bool isNCache(const std::string& format) { return format == "mcx" || format == "mcc"; }

CacheFileNames::CacheFileNames(const Manifest& manifest) : fps_(manifest.fps) {
    // "usda:curves" is the format usda.
    for (const Format& format : formats())
        if (std::any_of(manifest.formats.begin(), manifest.formats.end(),
                        [&](const std::string& name) { return name.substr(0, name.find(':')) == format.name; }))
            formats_.push_back(&format);
    stems_ = stemsOf(manifest);
}

bool CacheFileNames::hasAllOf(const CacheItems& items) const {
    const std::vector<std::string> stems = stemsOf(items);
    return std::all_of(stems.begin(), stems.end(), [&](const std::string& stem) { return isKnown(stem); });
}

bool CacheFileNames::isKnown(const std::string& stem) const {
    return std::find(stems_.begin(), stems_.end(), stem) != stems_.end();
}

bool CacheFileNames::isFile(const std::string& name) const {
    return std::any_of(formats_.begin(), formats_.end(), [&](const Format* format) {
        const auto isStemAnd = [&](const std::string& end) {
            return endsWith(name, end) && isKnown(name.substr(0, name.size() - end.size()));
        };
        return isKnown(stemOfFrameFile(name, *format, fps_)) || (format->begin && isStemAnd(format->extension)) ||
               (isNCache(format->name) && isStemAnd(".xml"));
    });
}

bool CacheFileNames::isPart(const std::string& name) const {
    if (!endsWith(name, ".part")) return false;
    std::string file = name.substr(0, name.size() - 5);
    if (file == kManifestName || isFile(file)) return true;
    // "waterFrame1.mcx.0.part": staged; the manifest may not list the item yet.
    size_t digits = file.size();
    while (digits > 0 && isDigit(file[digits - 1])) --digits;
    if (digits == file.size() || digits == 0 || file[digits - 1] != '.') return false;
    file.resize(digits - 1);
    return std::any_of(formats_.begin(), formats_.end(),
                       [&](const Format* format) { return !stemOfFrameFile(file, *format, fps_).empty(); });
}

}  // namespace purl
