// manifest.json: what a cache folder holds, frame by frame, with receipts. What it does not list is not there.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "solver/cache/file.h"
#include "solver/cache/runIdentity.h"
#include "solver/frame.h"

namespace purl {

enum class Content { points, mesh, curves };

// A data file of the cache, and what it holds.
struct FileRecord {
    std::string name;    // in the cache's folder
    std::string format;  // of the table of formats
    Content content = Content::points;
    std::string item;  // name of the body, mesh or knit
    Receipt receipt;
};

// A file that holds all frames of one thing.
struct PackedFile : FileRecord {
    std::vector<int> lacks;  // frames of the cache that have nothing of it
};

struct FrameRecord {
    int number = 0;
    double time = 0;
    int64_t particles = 0;
    uint64_t stateHash = 0;
    FrameStats stats;
    std::vector<Rigid> rigids;
    std::vector<FileRecord> files;
};

// An attribute that the files carry.
struct AttributeRecord {
    Content content = Content::points;
    std::string name, type, meaning;

    bool operator==(const AttributeRecord& other) const {
        return content == other.content && name == other.name && type == other.type && meaning == other.meaning;
    }
};

struct MeshInfo {
    std::string name;
    Vec3 color{0.5f, 0.5f, 0.5f};
    float opacity = 0;
    MeshKind kind = MeshKind::liquid;
};

// What the frames hold, as the last one written had it.
struct CacheItems {
    double metersPerUnit = 0.01;
    std::vector<AttributeRecord> attributes;
    std::vector<BodyInfo> bodies;
    std::vector<MeshInfo> meshes;
    std::vector<std::string> knits;
};

constexpr int kManifestVersion = 2;  // since 2 it holds a hash of itself

struct Manifest : CacheItems {
    int version = 1;  // as found; every one that is written has kManifestVersion
    std::string scenePath;
    double fps = 24;
    int startFrame = 1;
    std::string upAxis = "y";
    RunIdentity run;
    uint64_t identity = 0;                // hash of `run`, for people and scripts to compare
    std::vector<std::string> parameters;  // values of all, a line each, as of the first frame written
    // Of a branch: its name, the cache it left (a path from its own folder) and its first frame there.
    std::string branch, parent;
    int branchFrame = 0;
    std::vector<std::string> formats;
    std::vector<FrameRecord> frames;  // by number, ascending
    std::vector<PackedFile> files;    // that hold all frames

    const FrameRecord* find(int number) const;
    void insert(FrameRecord frame);  // in the place of one that has its number
    void erase(int number);
};

// The text of manifest.json: its head, its frames, each on its own line, and what closes it.
std::string encodeManifest(const Manifest& manifest);
std::string encodeHead(const Manifest& manifest);  // all but the frames
std::string encodeFrame(const FrameRecord& frame);
constexpr const char* beforeFrame(bool isFirst) { return isFirst ? "\n  " : ",\n  "; }
constexpr const char* kAfterFrames = "\n ]";
// Both throw Error naming `path`.
FrameRecord decodeFrame(const std::string& json, const std::string& path);
// What is on disk is read by readManifest (manifestFile.h), which also checks its hash.
Manifest decodeManifest(const std::string& json, const std::string& path);

std::string encodeItems(const CacheItems& items);
// A line of the journal: a frame that is listed, as encodeFrame gives it, or one that no longer is. `items` is what
// encodeItems gives, or empty where they did not change.
constexpr const char* kBeforeEntryFrame = "{\"frame\":";
std::string encodeEntry(const std::string& frame, const std::string& items);
std::string encodeRemoval(int number, const std::string& items);
void applyEntry(const std::string& json, const std::string& path, Manifest& manifest);

}  // namespace purl
