// manifest.json: what a cache folder holds, frame by frame, with receipts. What it does not list is not there.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "solver/cache/file.h"
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

struct Manifest {
    std::string toolVersion, scenePath;
    double fps = 24;
    int startFrame = 1;
    double metersPerUnit = 0.01;
    std::string upAxis = "y";
    uint64_t sceneHash = 0;                // of the scene file
    uint64_t parametersHash = 0;           // of the scene file and all that was set beside it
    std::vector<std::string> assignments;  // what was set beside it: "water.viscosity=0.5"
    std::vector<std::string> parameters;   // values of all, a line each, as of the first frame written
    // Of a branch: its name, the cache it left (a path from its own folder) and its first frame there.
    std::string branch, parent;
    int branchFrame = 0;
    std::vector<std::string> formats;
    std::vector<AttributeRecord> attributes;
    std::vector<BodyInfo> bodies;
    std::vector<MeshInfo> meshes;
    std::vector<FrameRecord> frames;  // by number, ascending
    std::vector<FileRecord> files;    // that hold all frames

    const FrameRecord* find(int number) const;
};

std::string encodeManifest(const Manifest& manifest);
// Throws Error naming `path`.
Manifest decodeManifest(const std::string& json, const std::string& path);

}  // namespace purl
