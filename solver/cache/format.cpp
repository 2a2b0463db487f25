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
#include "solver/core/describe.h"
#include "solver/core/error.h"

namespace purl {
namespace {

int ticksOf(FileTime time) {
    const int64_t ticks = int64_t(time.frame) * ticksPerFrame(time.fps);
    if (std::abs(ticks) > std::numeric_limits<int>::max())
        throw Error("frame " + std::to_string(time.frame) +
                    ": is outside the range of nCache files; use another format");
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
// Purl's own files hold particles only; those of other programs are read by ForeignCache.
Frame particlesOf(const NCacheSample& sample, const std::string& path) {
    Frame frame = fromNCacheSample(sample, path);
    if (frame.bodies.empty()) throw Error(path + ": contains no particles");
    return frame;
}
Frame decodeNCacheFrame(const std::string& bytes, const std::string& path) {
    const std::vector<NCacheSample> samples = decodeNCache(bytes, path);
    if (samples.size() != 1)
        throw Error(path + ": contains " + std::to_string(samples.size()) + " samples instead of one");
    return particlesOf(samples[0], path);
}

// One nCache file with all samples. cache.h writes its XML description.
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
    AtomicFile file_;
    double fps_;
    Device device_ = Device::cpu();
};
template <class Writer>
std::unique_ptr<Reel> beginReel(const std::string& path, double fps) {
    return std::make_unique<Writer>(path, fps);
}
Frame nCacheAt(const std::string& path, FileTime time) {
    return particlesOf(readNCacheSample(path, ticksOf(time)), path);
}
Frame alembicAt(const std::string& path, FileTime time) {
    return AlembicReader(ByteSource::ofFile(path)).read(time.frame);
}

// Adapts encoders, most of which need neither time nor device, to the signature of the table.
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
         encoded<encodeNCache<NCacheBits::mcx>>, decodeNCacheFrame, beginReel<NCacheReel<NCacheBits::mcx>>, nCacheAt,
         false, false, nCacheName<NCacheBits::mcx>},
        {"mcc", ".mc", "Maya's nCache, 32 bit: particles with all attributes, up to 2 GB a file.", TakesPoints::yes,
         false, false, encoded<encodeNCache<NCacheBits::mcc>>, decodeNCacheFrame,
         beginReel<NCacheReel<NCacheBits::mcc>>, nCacheAt, false, false, nCacheName<NCacheBits::mcc>},
        {"abc", ".abc", "Alembic (Ogawa): particles, meshes and yarns with all attributes.", TakesPoints::yes, true,
         true, encoded<encodeAlembic>, decodeAlembic, beginReel<AlembicWriter>, alembicAt, true},
        {"bgeo", ".bgeo", "Houdini's classic geometry: particles and meshes with all attributes.", TakesPoints::yes,
         true, false, encoded<encodeBgeo>, decodeBgeo},
        {"vdb", ".vdb", "OpenVDB: a closed mesh as level set, particles as fog, both with velocities.",
         TakesPoints::yes, true, false, encoded<encodeVdbFrame>, nullptr, nullptr, nullptr, false, true},
        {"ply", ".ply", "Meshes with normals and velocities; particles too where no other format takes them.",
         TakesPoints::ifNoOther, true, false, encoded<encodePly>, decodePly},
        {"obj", ".obj", "Meshes with normals, as text.", TakesPoints::no, true, false, encoded<encodeObj>, decodeObj},
        {"usda", ".usda", "USD as text: particles, meshes and yarns with all attributes.", TakesPoints::yes, true, true,
         encoded<encodeUsd>, decodeUsd},
        {"pov", ".inc", "POV-Ray: a mesh as mesh2, as text.", TakesPoints::no, true, false, encoded<encodePov>,
         nullptr},
    };
    return table;
}

std::string Format::fileName(const std::string& item, FileTime time) const {
    if (frameFileName) return frameFileName(item, time);
    char number[16];
    std::snprintf(number, sizeof number, ".%04d", time.frame);
    return item + number + extension;
}

const Format& formatNamed(const std::string& name) {
    for (const Format& format : formats())
        if (name == format.name) return format;
    throw Error("unknown format \"" + name + "\"; choose from: " + joinedNames(formats()));
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
    throw Error(path + ": unknown extension; choose from: " + extensions);
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
                throw Error("format \"" + name + "\": write points, meshes or curves after the colon, whichever " +
                            format.name + " can hold");
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
        throw Error(path + ": can contain the yarns of one knit, and the frame has " +
                    std::to_string(frame.curves.size()));
    if (format.meshes && format.points == TakesPoints::no && frame.meshes.empty())
        throw Error(path + ": can contain meshes only, and the frame has none");
    if (format.meshes && frame.meshes.size() + (frame.meshes.empty() ? frame.bodies.size() : 0) > 1)
        throw Error(path + ": can contain only one mesh or body, and the frame has more");
    writeFile(path, format.encode(frame, time, Device::cpu()), Device::cpu());
}

Frame readFrame(const std::string& path) {
    const Format& format = formatOf(path);
    if (!format.decode) throw Error(path + ": this format can only be written, not read");
    return format.decode(readFile(path), path);
}

}  // namespace purl
