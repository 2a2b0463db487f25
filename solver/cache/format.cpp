#include "solver/cache/format.h"

#include <cstdio>

#include "solver/cache/file.h"
#include "solver/cache/ncache.h"
#include "solver/cache/obj.h"
#include "solver/cache/ply.h"
#include "solver/cache/usd.h"
#include "solver/core/error.h"

namespace purl {
namespace {

int ticksOf(FileTime time) { return time.frame * ticksPerFrame(time.fps); }

template <NCacheBits bits>
std::string nCacheName(const std::string& item, FileTime time) {
    return nCacheFileName(item, ticksOf(time), ticksPerFrame(time.fps), bits);
}
template <NCacheBits bits>
std::string encodeNCache(const Frame& part, FileTime time) {
    return encodeNCacheFrame(bits, toNCacheSample(part, ticksOf(time)));
}
Frame decodeNCacheFrame(const std::string& bytes, const std::string& path) {
    const std::vector<NCacheSample> samples = decodeNCache(bytes, path);
    if (samples.size() != 1)
        throw Error(path + ": holds " + std::to_string(samples.size()) + " samples where one is expected");
    return fromNCacheSample(samples[0], path);
}

// water.0012.ply
template <const char* const& extension>
std::string numbered(const std::string& item, FileTime time) {
    char number[16];
    std::snprintf(number, sizeof number, ".%04d", time.frame);
    return item + number + extension;
}
const char* const kPly = ".ply";
const char* const kObj = ".obj";
const char* const kUsd = ".usda";

std::string encodePlyAt(const Frame& part, FileTime) { return encodePly(part); }
std::string encodeObjAt(const Frame& part, FileTime) { return encodeObj(part); }

}  // namespace

const std::vector<Format>& formats() {
    static const std::vector<Format> table = {
        {"mcx", ".mcx", "Maya's nCache, 64 bit: particles with all attributes.", true, false, false,
         nCacheName<NCacheBits::mcx>, encodeNCache<NCacheBits::mcx>, decodeNCacheFrame},
        {"mcc", ".mc", "Maya's nCache, 32 bit: particles with all attributes, up to 2 GB a file.", true, false, false,
         nCacheName<NCacheBits::mcc>, encodeNCache<NCacheBits::mcc>, decodeNCacheFrame},
        {"ply", ".ply", "Meshes with normals and velocities; particles too where no other format takes them.", true,
         true, false, numbered<kPly>, encodePlyAt, decodePly},
        {"obj", ".obj", "Meshes with normals, as text.", false, true, false, numbered<kObj>, encodeObjAt, decodeObj},
        {"usda", ".usda", "Yarns as BasisCurves, as text.", false, false, true, numbered<kUsd>, encodeUsd, decodeUsd},
    };
    return table;
}

const Format& formatNamed(const std::string& name) {
    std::string names;
    for (const Format& format : formats()) {
        if (name == format.name) return format;
        names += (names.empty() ? "" : ", ") + std::string(format.name);
    }
    throw Error("format \"" + name + "\" is not known; there are " + names);
}

const Format& formatOf(const std::string& path) {
    std::string extensions;
    for (const Format& format : formats()) {
        const std::string extension = format.extension;
        if (path.size() > extension.size() &&
            path.compare(path.size() - extension.size(), extension.size(), extension) == 0)
            return format;
        extensions += (extensions.empty() ? "" : ", ") + extension;
    }
    throw Error(path + ": its extension names no format; there are " + extensions);
}

void writeFrame(const std::string& path, const Frame& frame, FileTime time) {
    const Format& format = formatOf(path);
    if (format.curves && frame.curves.size() != 1)
        throw Error(path + ": holds the yarns of one knit, and the frame has " + std::to_string(frame.curves.size()));
    if (format.meshes && !format.points && frame.meshes.empty())
        throw Error(path + ": holds meshes only, and the frame has none");
    if (format.meshes && frame.meshes.size() + (frame.meshes.empty() ? frame.bodies.size() : 0) > 1)
        throw Error(path + ": holds one mesh or body, and the frame has more");
    writeFile(path, format.encode(frame, time));
}

Frame readFrame(const std::string& path) { return formatOf(path).decode(readFile(path), path); }

}  // namespace purl
