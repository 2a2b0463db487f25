#include "solver/cache/format.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <type_traits>

#include "solver/cache/alembic.h"
#include "solver/cache/bgeo.h"
#include "solver/cache/file.h"
#include "solver/cache/ncache.h"
#include "solver/cache/obj.h"
#include "solver/cache/ply.h"
#include "solver/cache/pov.h"
#include "solver/cache/usd.h"
#include "solver/cache/vdb.h"
#include "solver/core/error.h"

namespace purl {
namespace {

int ticksOf(FileTime time) {
    const int64_t ticks = int64_t(time.frame) * ticksPerFrame(time.fps);
    if (std::abs(ticks) > std::numeric_limits<int>::max())
        throw Error("frame " + std::to_string(time.frame) + ": is beyond what nCache files count; use another format");
    return static_cast<int>(ticks);
}

template <NCacheBits bits>
std::string nCacheName(const std::string& item, FileTime time) {
    return nCacheFileName(item, ticksOf(time), ticksPerFrame(time.fps), bits);
}
template <NCacheBits bits>
FileContent encodeNCache(const Frame& part, FileTime time) {
    return encodeNCacheSample(bits, NCacheLayout::oneFilePerFrame, part, ticksOf(time));
}
Frame decodeNCacheFrame(const std::string& bytes, const std::string& path) {
    const std::vector<NCacheSample> samples = decodeNCache(bytes, path);
    if (samples.size() != 1)
        throw Error(path + ": holds " + std::to_string(samples.size()) + " samples where one is expected");
    return fromNCacheSample(samples[0], path);
}

// One nCache file with all samples; the description beside it is cache.h's.
template <NCacheBits bits>
class NCacheReel : public Reel {
  public:
    NCacheReel(const std::string& path, double fps) : file_(path), fps_(fps) {
        file_.append(encodeNCacheHead(bits, NCacheLayout::oneFile, 0));
    }
    void add(const Frame& part, int frameNumber) override {
        file_.append(encodeNCacheSample(bits, NCacheLayout::oneFile, part, ticksOf({frameNumber, fps_})), device_);
    }
    void finish() override { file_.finish(); }

  private:
    WholeFile file_;
    double fps_;
    Device device_ = Device::cpu();
};
template <class Writer>
std::unique_ptr<Reel> beginReel(const std::string& path, double fps) {
    return std::make_unique<Writer>(path, fps);
}
Frame nCacheAt(const std::string& path, FileTime time) {
    return fromNCacheSample(readNCacheSample(path, ticksOf(time)), path);
}
Frame alembicAt(const std::string& path, FileTime time) {
    return AlembicReader(ByteSource::ofFile(path)).read(time.frame);
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
const char* const kAbc = ".abc";
const char* const kBgeo = ".bgeo";
const char* const kVdb = ".vdb";
const char* const kPov = ".inc";

// What the formats' encoders are called with is what the table calls them with; most need less.
template <auto encode>
FileContent encoded(const Frame& part, FileTime time, const Device& device) {
    using Encode = decltype(encode);
    if constexpr (std::is_invocable_v<Encode, const Frame&, FileTime, const Device&>)
        return encode(part, time, device);
    else if constexpr (std::is_invocable_v<Encode, const Frame&, FileTime>)
        return encode(part, time);
    else
        return encode(part);
}

}  // namespace

const std::vector<Format>& formats() {
    static const std::vector<Format> table = {
        {"mcx", ".mcx", "Maya's nCache, 64 bit: particles with all attributes.", TakesPoints::yes, false, false,
         nCacheName<NCacheBits::mcx>, encoded<encodeNCache<NCacheBits::mcx>>, decodeNCacheFrame,
         beginReel<NCacheReel<NCacheBits::mcx>>, nCacheAt},
        {"mcc", ".mc", "Maya's nCache, 32 bit: particles with all attributes, up to 2 GB a file.", TakesPoints::yes,
         false, false, nCacheName<NCacheBits::mcc>, encoded<encodeNCache<NCacheBits::mcc>>, decodeNCacheFrame,
         beginReel<NCacheReel<NCacheBits::mcc>>, nCacheAt},
        {"abc", ".abc", "Alembic (Ogawa): particles, meshes and yarns with all attributes.", TakesPoints::yes, true,
         true, numbered<kAbc>, encoded<encodeAlembic>, decodeAlembic, beginReel<AlembicWriter>, alembicAt, true},
        {"bgeo", ".bgeo", "Houdini's classic geometry: particles and meshes with all attributes.", TakesPoints::yes,
         true, false, numbered<kBgeo>, encoded<encodeBgeo>, decodeBgeo},
        {"vdb", ".vdb", "OpenVDB: a closed mesh as level set, particles as fog, both with velocities.",
         TakesPoints::yes, true, false, numbered<kVdb>, encoded<encodeVdbFrame>, nullptr, nullptr, nullptr, false,
         true},
        {"ply", ".ply", "Meshes with normals and velocities; particles too where no other format takes them.",
         TakesPoints::ifNoOther, true, false, numbered<kPly>, encoded<encodePly>, decodePly},
        {"obj", ".obj", "Meshes with normals, as text.", TakesPoints::no, true, false, numbered<kObj>,
         encoded<encodeObj>, decodeObj},
        {"usda", ".usda", "USD as text: particles, meshes and yarns with all attributes.", TakesPoints::yes, true, true,
         numbered<kUsd>, encoded<encodeUsd>, decodeUsd},
        {"pov", ".inc", "POV-Ray: a mesh as mesh2, as text.", TakesPoints::no, true, false, numbered<kPov>,
         encoded<encodePov>, nullptr},
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

std::vector<std::string> splitFormats(const std::string& text) {
    std::vector<std::string> names(1);
    for (const char c : text) {
        if (c == ',')
            names.emplace_back();
        else if (c != ' ')
            names.back() += c;
    }
    return names;
}

std::vector<Choice> choicesOf(const std::vector<std::string>& names) {
    std::vector<Choice> choices;
    for (const std::string& name : names) {
        const size_t colon = name.find(':');
        const Format& format = formatNamed(name.substr(0, colon));
        Choice choice{&format, format.points != TakesPoints::no, format.meshes, format.curves};
        if (colon != std::string::npos) {
            const std::string only = name.substr(colon + 1);
            choice.points = choice.points && only == "points";
            choice.meshes = choice.meshes && only == "meshes";
            choice.curves = choice.curves && only == "curves";
            if (!choice.points && !choice.meshes && !choice.curves)
                throw Error("format \"" + name + "\": after the colon stands points, meshes or curves, which " +
                            format.name + " must be able to hold");
        }
        choices.push_back(choice);
    }
    for (Choice& choice : choices)
        if (choice.format->points == TakesPoints::ifNoOther)
            choice.points = choice.points && std::none_of(choices.begin(), choices.end(), [](const Choice& other) {
                                return other.points && other.format->points == TakesPoints::yes;
                            });
    return choices;
}

void writeFrame(const std::string& path, const Frame& frame, FileTime time) {
    const Format& format = formatOf(path);
    if (format.manyItems) {
        writeFile(path, format.encode(frame, time, Device::cpu()), Device::cpu());
        return;
    }
    if (format.curves && frame.curves.size() != 1)
        throw Error(path + ": holds the yarns of one knit, and the frame has " + std::to_string(frame.curves.size()));
    if (format.meshes && format.points == TakesPoints::no && frame.meshes.empty())
        throw Error(path + ": holds meshes only, and the frame has none");
    if (format.meshes && frame.meshes.size() + (frame.meshes.empty() ? frame.bodies.size() : 0) > 1)
        throw Error(path + ": holds one mesh or body, and the frame has more");
    writeFile(path, format.encode(frame, time, Device::cpu()), Device::cpu());
}

Frame readFrame(const std::string& path) {
    const Format& format = formatOf(path);
    if (!format.decode) throw Error(path + ": is of a format that nothing is read back from");
    return format.decode(readFile(path), path);
}

}  // namespace purl
