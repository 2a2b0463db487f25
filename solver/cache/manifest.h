// manifest.json: the contents of a cache folder, frame by frame, with receipts. Files that it does not list do not
// belong to the cache.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "solver/cache/file.h"
#include "solver/cache/runIdentity.h"
#include "solver/frame.h"

namespace purl {

enum class Content { points, mesh, curves };

// A data file of the cache and its contents.
struct FileRecord {
    std::string name;    // relative to the cache folder
    std::string format;  // name in the table of formats
    Content content = Content::points;
    std::string item;  // name of the body, mesh or knit
    Receipt receipt;
};

// A file that holds all frames of one item.
struct PackedFile : FileRecord {
    std::vector<int> lacks;  // frames in which the item does not exist
};

struct FrameRecord {
    int number = 0;
    double time = 0;
    int64_t particles = 0;
    uint64_t stateHash = 0;
    std::string machine, version;  // that wrote the frame: "node7", "purl 0.1.0"; empty in earlier caches
    FrameStats stats;
    std::vector<Rigid> rigids;
    std::vector<FileRecord> files;
};

// An attribute stored in the files.
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

// Items of the last frame written.
struct CacheItems {
    double metersPerUnit = 0.01;
    std::vector<AttributeRecord> attributes;
    std::vector<BodyInfo> bodies;
    std::vector<MeshInfo> meshes;
    std::vector<std::string> knits;
};

// Provenance of the frames of a cache.
struct CacheOrigin {
    std::string scenePath;      // absolute; as read, of the scene that was found (CacheReader)
    std::string sceneRelative;  // the same from the cache's folder, so that both can be moved together
    std::string frameList;      // frames that the cache was asked to hold (frameList.h); empty: a range without gaps
    double fps = 24;
    int startFrame = 1;
    RunIdentity run;
    std::vector<std::string> parameters;  // values of all parameters at the first frame written, one line each
    // For a branch: its name, the parent cache (relative path) and the first frame of the branch.
    std::string branch, parent;
    int branchFrame = 0;
};
// For a copy of the cache, which is complete by itself even if the cache is a branch.
CacheOrigin originOfCopy(CacheOrigin origin);

constexpr int kManifestVersion = 2;  // version 2 added the hash of the manifest itself

struct Manifest : CacheItems, CacheOrigin {
    int version = 1;  // as read; always written as kManifestVersion
    std::string upAxis = "y";
    uint64_t identity = 0;  // hash of `run`, for comparison by users and scripts
    std::vector<std::string> formats;
    std::vector<std::string> channels;  // of particles; empty: all
    std::vector<FrameRecord> frames;    // ascending by number
    std::vector<PackedFile> files;      // packed files

    const FrameRecord* find(int number) const;
    void insert(FrameRecord frame);  // replaces a frame of the same number
    void erase(int number);
};

// The text of manifest.json: head, frames (one per line), and end.
std::string encodeManifest(const Manifest& manifest);
std::string encodeHead(const Manifest& manifest);  // everything but the frames
std::string encodeFrame(const FrameRecord& frame);
constexpr const char* beforeFrame(bool isFirst) { return isFirst ? "\n  " : ",\n  "; }
constexpr const char* kAfterFrames = "\n ]";
// Both throw Error naming `path`.
FrameRecord decodeFrame(const std::string& json, const std::string& path);
// To read from disk use readManifest (manifestFile.h), which also checks the hash.
Manifest decodeManifest(const std::string& json, const std::string& path);

std::string encodeItems(const CacheItems& items);
// A line of the journal: a listed frame, as encoded by encodeFrame, or a removed one. `items` is the result of
// encodeItems, or empty if unchanged.
constexpr const char* kBeforeEntryFrame = "{\"frame\":";
std::string encodeEntry(const std::string& frame, const std::string& items);
std::string encodeRemoval(int number, const std::string& items);
void applyEntry(const std::string& json, const std::string& path, Manifest& manifest);

}  // namespace purl
