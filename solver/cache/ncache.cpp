#include "solver/cache/ncache.h"

#include <algorithm>
#include <cfloat>
#include <climits>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#include "solver/cache/bigEndian.h"
#include "solver/cache/file.h"
#include "solver/cache/fileContent.h"
#include "solver/cache/points.h"
#include "solver/core/error.h"

namespace purl {
namespace {

// ---- IFF: tagged chunks, big-endian -----------------------------------------------------------------------------

// Chunk layout. mcc: tag, 32-bit size, padded to 4 bytes. mcx: tag, 4 unused bytes, 64-bit size, padded to 8 bytes.
struct Width {
    const char* group;
    size_t sizeBytes, filler, padding;
};
Width widthOf(NCacheBits bits) { return bits == NCacheBits::mcx ? Width{"FOR8", 8, 4, 8} : Width{"FOR4", 4, 0, 4}; }
size_t padded(size_t size, size_t to) { return (size + to - 1) / to * to; }

void putHead(std::string& out, const Width& width, const char* tag, size_t size) {
    if (width.sizeBytes == 4 && size > INT32_MAX) throw Error("an mcc file holds at most 2 GB; use mcx");
    out.append(tag, 4).append(width.filler, '\0');
    putBigEndian(out, size, width.sizeBytes);
}
void putChunk(std::string& out, const Width& width, const char* tag, const std::string& data) {
    putHead(out, width, tag, data.size());
    out.append(data).append(padded(data.size(), width.padding) - data.size(), '\0');
}
void putIntegerChunk(std::string& out, const Width& width, const char* tag, int value) {
    std::string data;
    putBigEndian(data, static_cast<uint32_t>(value), 4);
    putChunk(out, width, tag, data);
}
// The size of a group includes its type and its chunks.
std::string groupOf(const Width& width, const char* type, const std::string& chunks) {
    std::string out;
    out.reserve(chunks.size() + 24);
    putHead(out, width, width.group, 4 + chunks.size());
    return out.append(type, 4).append(chunks);
}

struct Chunk {
    std::string tag;
    const char* data = nullptr;
    size_t size = 0, next = 0;  // next: offset of the next chunk
};

// Checks sizes against the end of the data.
Chunk chunkAt(const std::string& bytes, size_t at, size_t end, const Width& width, const std::string& path) {
    const size_t head = 4 + width.filler + width.sizeBytes;
    if (end - at < head) throw Error(path + ": truncated at byte " + std::to_string(at));
    Chunk chunk;
    chunk.tag = bytes.substr(at, 4);
    const uint64_t size = takeBigEndian(bytes.data() + at + 4 + width.filler, width.sizeBytes);
    if (size > end - at - head)
        throw Error(path + ": truncated or damaged: the chunk at byte " + std::to_string(at) + " should have " +
                    std::to_string(size) + " bytes, but only " + std::to_string(end - at - head) + " are left");
    chunk.data = bytes.data() + at + head;
    chunk.size = static_cast<size_t>(size);
    const bool group = chunk.tag == width.group;  // groups are not padded
    chunk.next = std::min(end, at + head + (group ? chunk.size : padded(chunk.size, width.padding)));
    return chunk;
}

Width widthFrom(const std::string& bytes, const std::string& path) {
    for (const NCacheBits bits : {NCacheBits::mcx, NCacheBits::mcc})
        if (bytes.compare(0, 4, widthOf(bits).group) == 0) return widthOf(bits);
    throw Error(path + ": not an nCache file: it does not begin with FOR4 or FOR8");
}

// ---- channels ---------------------------------------------------------------------------------------------------

struct TypeInfo {
    NCacheType type;
    const char *tag, *name;
    int components;
    size_t bytes;  // per component
};
constexpr TypeInfo kTypes[] = {
    {NCacheType::floatArray, "FBCA", "FloatArray", 1, 4},
    {NCacheType::doubleArray, "DBLA", "DoubleArray", 1, 8},
    {NCacheType::floatVectorArray, "FVCA", "FloatVectorArray", 3, 4},
    {NCacheType::doubleVectorArray, "DVCA", "DoubleVectorArray", 3, 8},
    {NCacheType::doubleArray, "DBCA", "DoubleArray", 1, 8},  // from other programs; only read
};
const TypeInfo& infoOf(NCacheType type) { return kTypes[static_cast<size_t>(type)]; }

std::vector<double> decodeValues(const Chunk& chunk, const TypeInfo& type) {
    std::vector<double> values(chunk.size / type.bytes);
    for (size_t i = 0; i < values.size(); ++i) {
        const uint64_t word = takeBigEndian(chunk.data + i * type.bytes, type.bytes);
        if (type.bytes == 4) {
            const auto half = static_cast<uint32_t>(word);
            float narrow;
            std::memcpy(&narrow, &half, 4);
            values[i] = static_cast<double>(narrow);
        } else {
            std::memcpy(&values[i], &word, 8);
        }
    }
    return values;
}

int integerOf(const Chunk& chunk, const std::string& path) {
    if (chunk.size < 4) throw Error(path + ": chunk " + chunk.tag + " is too small to hold a number");
    return static_cast<int>(static_cast<int32_t>(takeBigEndian(chunk.data, 4)));
}

// Decodes the chunks of a MYCH group. `ticks` is the time in the file's header, used if the group has none.
NCacheSample decodeSample(const std::string& bytes, size_t at, size_t end, const Width& width, int ticks,
                          const std::string& path) {
    NCacheSample sample;
    sample.ticks = ticks;
    NCacheChannel channel;
    bool named = false;
    int count = -1;
    const auto close = [&] {  // the data chunk may be missing if SIZE is 0
        if (named && count > 0) throw Error(path + ": channel " + channel.name + " has no data");
        if (named && count == 0) sample.channels.push_back(channel);
        named = false;
    };
    while (at < end) {
        const Chunk chunk = chunkAt(bytes, at, end, width, path);
        at = chunk.next;
        if (chunk.tag == "TIME") {
            sample.ticks = integerOf(chunk, path);
        } else if (chunk.tag == "CHNM") {
            close();
            channel = {};
            channel.name.assign(chunk.data, chunk.size);
            channel.name.resize(std::strlen(channel.name.c_str()));
            named = true;
            count = -1;
        } else if (chunk.tag == "SIZE") {
            count = integerOf(chunk, path);
            if (count < 0)
                throw Error(path + ": channel " + channel.name + " has " + std::to_string(count) + " elements");
        } else if (named) {
            const auto* type = std::find_if(std::begin(kTypes), std::end(kTypes),
                                            [&](const TypeInfo& info) { return chunk.tag == info.tag; });
            named = false;
            if (type == std::end(kTypes)) continue;  // unknown array type
            const uint64_t expected =
                static_cast<uint64_t>(std::max(0, count)) * static_cast<uint64_t>(type->components) * type->bytes;
            if (count < 0 || chunk.size != expected)
                throw Error(path + ": channel " + channel.name + " should have " + std::to_string(count) +
                            " elements, but has " + std::to_string(chunk.size) + " bytes");
            channel.type = type->type;
            channel.values = decodeValues(chunk, *type);
            sample.channels.push_back(std::move(channel));
            channel = {};
        }
    }
    close();
    return sample;
}

// The file header: chunk layout, time, and offset of the first sample.
struct Head {
    Width width;
    int ticks;
    size_t end;
};
Head decodeHead(const std::string& bytes, const std::string& path) {
    const Width width = widthFrom(bytes, path);
    const Chunk group = chunkAt(bytes, 0, bytes.size(), width, path);
    if (group.size < 4 || std::memcmp(group.data, "CACH", 4) != 0)
        throw Error(path + ": not an nCache file: it has no CACH group");
    Head head{width, 0, group.next};
    for (size_t at = static_cast<size_t>(group.data - bytes.data()) + 4; at < head.end;) {
        const Chunk chunk = chunkAt(bytes, at, head.end, width, path);
        if (chunk.tag == "STIM") head.ticks = integerOf(chunk, path);
        at = chunk.next;
    }
    return head;
}

// ---- particles --------------------------------------------------------------------------------------------------

NCacheType typeFor(const Channel<Vec3>&) { return NCacheType::floatVectorArray; }
template <class T>
NCacheType typeFor(const Channel<T>&) {
    return NCacheType::doubleArray;  // nParticle stores scalars as doubles
}
const float* numbersOf(const Channel<Vec3>& values) { return &values.data()->x; }
template <class T>
const T* numbersOf(const Channel<T>& values) {
    return values.data();
}

// Calls visit(name, interpretation, type, count, numberAt) for each channel; `count` is the number of scalars, three
// per vector. numberAt is valid as long as the sample.
template <class Visit>
void visitChannels(const NCacheSample& sample, Visit&& visit) {
    for (const NCacheChannel& channel : sample.channels)
        visit(channel.name, channel.interpretation, channel.type, channel.values.size(),
              [values = channel.values.data()](size_t i) { return values[i]; });
}
// The same for a frame. Channels that nParticle expects but Points does not have are derived, and not read back.
// numberAt is valid as long as the result of pointsOfBody(body).
template <class PointsOfBody, class Visit>
void visitChannels(const Frame& frame, int ticks, PointsOfBody&& pointsOfBody, Visit&& visit) {
    for (int body = 0; body < static_cast<int>(frame.bodies.size()); ++body) {
        const std::string& name = frame.bodies[body].name;
        const auto scalars = [&](const char* attribute, size_t count, auto&& numberAt) {
            visit(name + "_" + attribute, attribute, NCacheType::doubleArray, count, numberAt);
        };
        const Points& points = pointsOfBody(body);
        const size_t count = points.count();
        const float *ages = points.ages.data(), *densities = points.densities.data(), *radii = points.radii.data();
        scalars("count", 1, [count](size_t) { return static_cast<double>(count); });
        if (count == 0) continue;
        Points::channels(points, [&](const char* attribute, const auto& values, bool) {
            if (values.empty() || std::strcmp(attribute, "body") == 0) return;
            const NCacheType type = typeFor(values);
            const auto* numbers = numbersOf(values);
            visit(name + "_" + attribute, attribute, type, values.size() * static_cast<size_t>(infoOf(type).components),
                  [numbers](size_t i) { return numbers[i]; });
        });
        if (!points.ages.empty()) {
            const double now = static_cast<double>(ticks) / kTicksPerSecond;
            scalars("birthTime", count, [now, ages](size_t i) { return now - static_cast<double>(ages[i]); });
            scalars("lifespanPP", count, [](size_t) { return static_cast<double>(FLT_MAX); });  // live forever
        }
        if (!points.densities.empty() && !points.radii.empty())
            scalars("mass", count,
                    [=, unit = frame.metersPerUnit](size_t i) {  // kg, of a sphere with the particle's radius
                        const double radius = static_cast<double>(radii[i]) * unit;
                        return static_cast<double>(densities[i]) * 4.1887902047863905 * (radius * radius * radius);
                    });
    }
}

void assign(Channel<Vec3>& shared, const NCacheChannel& channel, const std::string& path) {
    if (channel.components() != 3) throw Error(path + ": channel " + channel.name + " does not hold vectors");
    std::vector<Vec3> to(channel.count());
    for (size_t i = 0; i < to.size(); ++i)
        to[i] = {static_cast<float>(channel.values[3 * i]), static_cast<float>(channel.values[3 * i + 1]),
                 static_cast<float>(channel.values[3 * i + 2])};
    shared = std::move(to);
}
template <class T>
void assign(Channel<T>& shared, const NCacheChannel& channel, const std::string& path) {
    if (channel.components() != 1) throw Error(path + ": channel " + channel.name + " holds vectors, not numbers");
    std::vector<T> to(channel.count());
    for (size_t i = 0; i < to.size(); ++i) {
        const double value = channel.values[i];
        if constexpr (std::is_integral_v<T>) {
            // 2⁵³: doubles are exact integers up to here.
            constexpr double kMaxExact = sizeof(T) < 8 ? double(std::numeric_limits<T>::max()) : 9007199254740992.0;
            if (!(std::abs(value) <= kMaxExact))
                throw Error(path + ": channel " + channel.name + " contains a number that is not an integer id");
        }
        to[i] = static_cast<T>(value);
    }
    shared = std::move(to);
}

}  // namespace

const char* nameOf(NCacheType type) { return infoOf(type).name; }
int NCacheChannel::components() const { return infoOf(type).components; }
const char* extensionOf(NCacheBits bits) { return bits == NCacheBits::mcx ? ".mcx" : ".mc"; }
int ticksPerFrame(double fps) {
    return std::max(1, static_cast<int>(std::lround(std::min(2e9, kTicksPerSecond / fps))));
}

std::string nCacheFileName(const std::string& name, int ticks, int ticksPerFrame, NCacheBits bits) {
    // Rounds down, so that the tick is never negative.
    const int tick = (ticks % ticksPerFrame + ticksPerFrame) % ticksPerFrame, frame = (ticks - tick) / ticksPerFrame;
    return name + "Frame" + std::to_string(frame) + (tick ? "Tick" + std::to_string(tick) : "") + extensionOf(bits);
}

std::string encodeNCacheHead(NCacheBits bits, NCacheLayout layout, int ticks) {
    const Width width = widthOf(bits);
    const bool many = layout == NCacheLayout::oneFile;  // Maya then writes 0 and 1 instead of the time range
    std::string chunks;
    putChunk(chunks, width, "VRSN", std::string("0.1\0", 4));
    putIntegerChunk(chunks, width, "STIM", many ? 0 : ticks);
    putIntegerChunk(chunks, width, "ETIM", many ? 1 : ticks);
    return groupOf(width, "CACH", chunks);
}

namespace {

// The group of one sample; visitAll(visit) visits its channels.
template <class VisitAll>
FileContent sampleGroup(const Width& width, int ticks, bool timed, VisitAll&& visitAll) {
    FileContent chunks;
    std::string text;  // pending chunks between the arrays
    if (timed) putIntegerChunk(text, width, "TIME", ticks);
    visitAll([&](const std::string& name, const std::string&, NCacheType type, size_t count, auto&& numberAt) {
        const TypeInfo& info = infoOf(type);
        putChunk(text, width, "CHNM", name + '\0');
        putIntegerChunk(text, width, "SIZE", static_cast<int>(count / static_cast<size_t>(info.components)));
        const size_t size = count * info.bytes;
        putHead(text, width, info.tag, size);
        chunks.add(std::exchange(text, {}));
        chunks.addRows(count, info.bytes, [numberAt, wide = info.bytes == 8](size_t begin, size_t end, char* to) {
            if (wide)
                putNumbers<double>(to, begin, end, numberAt);
            else
                putNumbers<float>(to, begin, end, numberAt);
        });
        text.append(padded(size, width.padding) - size, '\0');
    });
    chunks.add(std::move(text));
    FileContent group;
    std::string head;
    putHead(head, width, width.group, 4 + static_cast<size_t>(chunks.size()));
    group.add(head.append("MYCH", 4));
    group.add(std::move(chunks));
    return group;
}

FileContent withHead(NCacheBits bits, NCacheLayout layout, int ticks, FileContent group) {
    if (layout == NCacheLayout::oneFile) return group;
    FileContent content(encodeNCacheHead(bits, layout, ticks));
    content.add(std::move(group));
    return content;
}

}  // namespace

std::string encodeNCacheSample(NCacheBits bits, NCacheLayout layout, const NCacheSample& sample) {
    return withHead(bits, layout, sample.ticks,
                    sampleGroup(widthOf(bits), sample.ticks, layout == NCacheLayout::oneFile,
                                [&](auto&& visit) { visitChannels(sample, visit); }));
}

FileContent encodeNCacheSample(NCacheBits bits, NCacheLayout layout, const Frame& frame, int ticks) {
    FileContent copies;  // keeps copied points alive, if the frame has several bodies
    const auto pointsOfBody = [&](int body) -> const Points& {
        Points copy;
        const Points& points = bodyPoints(frame, body, copy);
        return &points == &copy ? copies.keep(std::move(copy)) : points;
    };
    FileContent group = sampleGroup(widthOf(bits), ticks, layout == NCacheLayout::oneFile,
                                    [&](auto&& visit) { visitChannels(frame, ticks, pointsOfBody, visit); });
    group.add(std::move(copies));
    return withHead(bits, layout, ticks, std::move(group));
}

std::vector<NCacheSample> decodeNCache(const std::string& bytes, const std::string& path) {
    const Head head = decodeHead(bytes, path);
    std::vector<NCacheSample> samples;
    for (size_t at = head.end; at < bytes.size();) {
        const Chunk group = chunkAt(bytes, at, bytes.size(), head.width, path);
        at = group.next;
        if (group.tag != head.width.group || group.size < 4 || std::memcmp(group.data, "MYCH", 4) != 0) continue;
        const size_t begin = static_cast<size_t>(group.data - bytes.data());
        samples.push_back(decodeSample(bytes, begin + 4, begin + group.size, head.width, head.ticks, path));
    }
    return samples;
}

std::vector<NCacheSamplePlace> nCacheSamplesOf(const std::string& path) {
    const ByteSource source = ByteSource::ofFile(path);
    const auto peek = [&](uint64_t at, uint64_t size) {
        return source.read(at, at < source.size() ? std::min(size, source.size() - at) : 0);
    };
    const Head head = decodeHead(peek(0, 256), path);
    const size_t groupHead = 4 + head.width.filler + head.width.sizeBytes;
    std::vector<NCacheSamplePlace> places;
    for (uint64_t at = head.end; at < source.size();) {
        // The header of the group, its type and its time.
        const std::string start = peek(at, 2 * groupHead + 8);
        if (start.size() < groupHead + 4) throw Error(path + ": truncated at byte " + std::to_string(at));
        const uint64_t size = takeBigEndian(start.data() + 4 + head.width.filler, head.width.sizeBytes);
        if (start.compare(groupHead, 4, "MYCH") == 0 && start.size() == 2 * groupHead + 8 &&
            start.compare(groupHead + 4, 4, "TIME") == 0)
            places.push_back(
                {static_cast<int>(static_cast<int32_t>(takeBigEndian(start.data() + 2 * groupHead + 4, 4))), at});
        if (size > UINT64_MAX - at - groupHead) break;
        at += groupHead + size;
    }
    return places;
}

NCacheSample readNCacheSample(const std::string& path, const NCacheSamplePlace& place) {
    const Head head = decodeHead(readFilePart(path, 0, 256), path);
    const size_t groupHead = 4 + head.width.filler + head.width.sizeBytes;
    const std::string start = readFilePart(path, place.offset, groupHead);
    if (start.size() < groupHead) throw Error(path + ": truncated at byte " + std::to_string(place.offset));
    const uint64_t size = takeBigEndian(start.data() + 4 + head.width.filler, head.width.sizeBytes);
    const std::string group =
        readFilePart(path, place.offset, size > UINT64_MAX - groupHead ? UINT64_MAX : groupHead + size);
    const Chunk whole = chunkAt(group, 0, group.size(), head.width, path);
    return decodeSample(group, groupHead + 4, groupHead + whole.size, head.width, head.ticks, path);
}

NCacheSample readNCacheSample(const std::string& path, int ticks) {
    for (const NCacheSamplePlace& place : nCacheSamplesOf(path))
        if (place.ticks == ticks) return readNCacheSample(path, place);
    throw Error(path + ": holds no sample at tick " + std::to_string(ticks));
}

void NCacheDescription::include(const NCacheSample& sample) {
    startTicks = channels.empty() ? sample.ticks : std::min(startTicks, sample.ticks);
    endTicks = channels.empty() ? sample.ticks : std::max(endTicks, sample.ticks);
    for (const NCacheChannel& channel : sample.channels) {
        const auto known = std::find_if(channels.begin(), channels.end(),
                                        [&](const NCacheChannelInfo& info) { return info.name == channel.name; });
        if (known != channels.end()) {
            known->startTicks = std::min(known->startTicks, sample.ticks);
            known->endTicks = std::max(known->endTicks, sample.ticks);
        } else {
            channels.push_back({channel.name, nameOf(channel.type), channel.interpretation, "Regular", ticksPerFrame,
                                sample.ticks, sample.ticks});
        }
    }
}

void NCacheDescription::extendTo(int ticks) {
    endTicks = std::max(endTicks, ticks);
    for (NCacheChannelInfo& channel : channels) channel.endTicks = std::max(channel.endTicks, ticks);
}

namespace {

NCacheSample sampleOf(const Frame& frame, int ticks, bool withValues) {
    NCacheSample sample;
    sample.ticks = ticks;
    Points copy;
    const auto pointsOfBody = [&](int body) -> const Points& { return bodyPoints(frame, body, copy); };
    visitChannels(frame, ticks, pointsOfBody,
                  [&](const std::string& name, const char* attribute, NCacheType type, size_t count, auto&& numberAt) {
                      std::vector<double> values(withValues ? count : 0);
                      for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(numberAt(i));
                      sample.channels.push_back({name, attribute, type, std::move(values)});
                  });
    return sample;
}

}  // namespace

NCacheSample toNCacheSample(const Frame& frame, int ticks) { return sampleOf(frame, ticks, true); }
NCacheSample nCacheChannels(const Frame& frame, int ticks) { return sampleOf(frame, ticks, false); }

namespace {

// Whether a channel holds the vertices of a geometry cache: the description says so; without one, its name is that of
// the shape alone, and not <shape>_<attribute>.
bool holdsVertices(const NCacheChannel& channel, const std::string& attribute) {
    if (channel.components() != 3) return false;
    if (!channel.interpretation.empty()) return channel.interpretation == "positions";
    bool known = attribute == "normals";
    const Points none;
    Points::channels(none, [&](const char* name, const auto&, bool) { known = known || attribute == name; });
    return !known;
}

}  // namespace

Frame fromNCacheSample(const NCacheSample& sample, const std::string& path) {
    struct Body {
        std::string name;
        Points points;
        double count = -1;
    };
    std::vector<Body> bodies;
    const auto bodyNamed = [&](const std::string& name) -> Body& {
        for (Body& body : bodies)
            if (body.name == name) return body;
        bodies.push_back({name, {}, -1});
        return bodies.back();
    };
    Frame frame;
    frame.metersPerUnit = 0.01;  // Maya's centimetres
    frame.time = static_cast<double>(sample.ticks) / kTicksPerSecond;
    for (const NCacheChannel& channel : sample.channels) {
        const size_t split = channel.name.rfind('_');
        const std::string attribute = split == std::string::npos ? "" : channel.name.substr(split + 1);
        if (holdsVertices(channel, attribute)) {
            Mesh mesh;
            mesh.name = channel.name;
            mesh.kind = MeshKind::solid;
            assign(mesh.positions, channel, path);
            frame.meshes.push_back(std::move(mesh));
            continue;
        }
        if (split == std::string::npos) continue;
        Body& body = bodyNamed(channel.name.substr(0, split));
        if (attribute == "count" && !channel.values.empty()) body.count = channel.values[0];
        Points::channels(body.points, [&](const char* known, auto& values, bool) {
            if (attribute == known && attribute != "body") assign(values, channel, path);
        });
    }
    for (Body& body : bodies) {
        const size_t count = body.points.count();
        if (body.count < 0 && count == 0) continue;  // not a particle shape
        if (body.count >= 0 && body.count != static_cast<double>(count))
            throw Error(path + ": " + body.name + " should have " +
                        std::to_string(static_cast<int64_t>(std::min(body.count, 9e15))) + " particles, but has " +
                        std::to_string(count));
        Points::channels(body.points, [&](const char* attribute, const auto& values, bool) {
            if (!values.empty() && values.size() != count)
                throw Error(path + ": " + body.name + " has " + std::to_string(count) + " positions and " +
                            std::to_string(values.size()) + " values of " + attribute);
        });
        Frame part;
        part.bodies.resize(1);
        part.bodies[0].name = body.name;
        part.points = std::move(body.points);
        appendPoints(frame, part);
    }
    return frame;
}

}  // namespace purl
