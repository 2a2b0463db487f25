// Maya's nCache: an XML description and data files (mcx or mcc), either one file or one per frame. This file handles
// the encoding and channels; cache.h decides which files a cache consists of.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "solver/cache/fileContent.h"
#include "solver/frame.h"

namespace purl {

constexpr int kTicksPerSecond = 6000;  // Maya's time unit

enum class NCacheBits { mcc, mcx };  // 32 and 64 bit
enum class NCacheLayout { oneFile, oneFilePerFrame };

enum class NCacheType { floatArray, doubleArray, floatVectorArray, doubleVectorArray };
const char* nameOf(NCacheType type);

struct NCacheChannel {
    std::string name;            // "<shape>_position"
    std::string interpretation;  // "position"; only the description keeps it
    NCacheType type = NCacheType::floatVectorArray;
    std::vector<double> values;  // three per vector; floats round-trip exactly

    int components() const;
    size_t count() const { return values.size() / static_cast<size_t>(components()); }
};

struct NCacheSample {
    int ticks = 0;
    std::vector<NCacheChannel> channels;
};

// A data file is a header and one group per sample. In a file of all frames each group has its time; in a file of one
// frame the header has it.
std::string encodeNCacheHead(NCacheBits bits, NCacheLayout layout, int ticks);
// A sample's group, preceded by the header in a file of one frame. The second overload takes a frame, which must
// outlive the content.
std::string encodeNCacheSample(NCacheBits bits, NCacheLayout layout, const NCacheSample& sample);
FileContent encodeNCacheSample(NCacheBits bits, NCacheLayout layout, const Frame& frame, int ticks);
// Throws Error naming `path` if the bytes are not an nCache, are truncated or inconsistent.
std::vector<NCacheSample> decodeNCache(const std::string& bytes, const std::string& path);
// The samples of a file of all frames: where each group begins. Reads their heads only.
struct NCacheSamplePlace {
    int ticks = 0;
    uint64_t offset = 0;
};
std::vector<NCacheSamplePlace> nCacheSamplesOf(const std::string& path);
NCacheSample readNCacheSample(const std::string& path, const NCacheSamplePlace& place);
// Reads one sample at `ticks` from a file of all frames, without reading the others.
NCacheSample readNCacheSample(const std::string& path, int ticks);

struct NCacheChannelInfo {
    std::string name, type, interpretation;
    std::string samplingType = "Regular";
    int samplingRate = 250, startTicks = 0, endTicks = 0;
};

struct NCacheDescription {
    NCacheBits bits = NCacheBits::mcx;
    NCacheLayout layout = NCacheLayout::oneFilePerFrame;
    int startTicks = 0, endTicks = 0;
    int ticksPerFrame = 250;
    std::vector<std::string> extra;
    std::vector<NCacheChannelInfo> channels;

    // Extends the time range to the sample, and adds new channels.
    void include(const NCacheSample& sample);
    // The same for a sample whose channels are all known.
    void extendTo(int ticks);
};

std::string encodeNCacheDescription(const NCacheDescription& description);
// The same with a hash of the text as the last extra, and a check of that hash.
std::string encodeWithHash(NCacheDescription description);
enum class DescriptionHash { absent, right, wrong };
DescriptionHash checkHash(std::string xml);
NCacheDescription decodeNCacheDescription(const std::string& xml, const std::string& path);

int ticksPerFrame(double fps);
const char* extensionOf(NCacheBits bits);
// "waterFrame12.mcx", and "waterFrame12Tick75.mcx" between frames.
std::string nCacheFileName(const std::string& name, int ticks, int ticksPerFrame, NCacheBits bits);

// Converts between a frame's points and nParticle channels, one set per body. Without particles there is only the
// count.
NCacheSample toNCacheSample(const Frame& frame, int ticks);
// Channel names and types without values.
NCacheSample nCacheChannels(const Frame& frame, int ticks);
// Particles as points; the vertices of a geometry cache as a mesh without faces, which the file does not hold.
Frame fromNCacheSample(const NCacheSample& sample, const std::string& path);

}  // namespace purl
