// Maya's nCache: an XML description beside data files (mcx or mcc), in one file or one a frame.
// This is the format's bytes and channels; which files a cache consists of is cache.h's.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "solver/cache/fileContent.h"
#include "solver/frame.h"

namespace purl {

constexpr int kTicksPerSecond = 6000;  // of Maya's clock

enum class NCacheBits { mcc, mcx };  // 32 and 64 bit
enum class NCacheLayout { oneFile, oneFilePerFrame };

enum class NCacheType { floatArray, doubleArray, floatVectorArray, doubleVectorArray };
const char* nameOf(NCacheType type);

struct NCacheChannel {
    std::string name;            // "<shape>_position"
    std::string interpretation;  // "position"; only the description keeps it
    NCacheType type = NCacheType::floatVectorArray;
    std::vector<double> values;  // three an element for vectors; floats come back to the bit

    int components() const;
    size_t count() const { return values.size() / static_cast<size_t>(components()); }
};

struct NCacheSample {
    int ticks = 0;
    std::vector<NCacheChannel> channels;
};

// A data file is a head, then one group a sample. Groups of a OneFile carry their time; a file of one frame has it in
// its head.
std::string encodeNCacheHead(NCacheBits bits, NCacheLayout layout, int ticks);
// A sample's group, behind the head where the file is of one frame. The second takes the frame, which must outlive the
// content, as toNCacheSample does.
std::string encodeNCacheSample(NCacheBits bits, NCacheLayout layout, const NCacheSample& sample);
FileContent encodeNCacheSample(NCacheBits bits, NCacheLayout layout, const Frame& frame, int ticks);
// Throws Error naming `path` where the bytes are no nCache, are cut short or contradict themselves.
std::vector<NCacheSample> decodeNCache(const std::string& bytes, const std::string& path);
// Reads the one sample at `ticks` from a file of many, without reading the rest.
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

    // Widens the range to hold the sample, and takes up channels seen for the first time.
    void include(const NCacheSample& sample);
    // The same for a sample whose channels are all known.
    void extendTo(int ticks);
};

std::string encodeNCacheDescription(const NCacheDescription& description);
// The same with a last extra that holds a hash of all the text, and whether a description is as it was written so.
std::string encodeWithHash(NCacheDescription description);
enum class DescriptionHash { absent, right, wrong };
DescriptionHash checkHash(std::string xml);
NCacheDescription decodeNCacheDescription(const std::string& xml, const std::string& path);

int ticksPerFrame(double fps);
const char* extensionOf(NCacheBits bits);
// "waterFrame12.mcx", and "waterFrame12Tick75.mcx" between frames.
std::string nCacheFileName(const std::string& name, int ticks, int ticksPerFrame, NCacheBits bits);

// The points of a frame as nParticle channels, one set a body, and back. Before the first particle there is only the
// count.
NCacheSample toNCacheSample(const Frame& frame, int ticks);
// Its channels without their values.
NCacheSample nCacheChannels(const Frame& frame, int ticks);
Frame fromNCacheSample(const NCacheSample& sample, const std::string& path);

}  // namespace purl
