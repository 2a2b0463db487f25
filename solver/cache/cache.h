// A cache folder: one simulation's frames on disk, in the formats asked for, under one manifest.
// Killed at any moment it holds whole frames only, and all that the manifest lists.
#pragma once
#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "solver/cache/format.h"
#include "solver/cache/manifest.h"
#include "solver/cache/ncache.h"
#include "solver/cache/writeBehind.h"
#include "solver/frame.h"

namespace purl {

struct CacheSettings {
    std::vector<std::string> formats = defaultFormats();
    double fps = 24;
    int startFrame = 1;
    std::string scenePath, toolVersion;
    uint64_t sceneHash = 0, parametersHash = 0;
    std::vector<std::string> assignments, parameters;
    std::string branch, parent;  // of a branch: see Manifest
    int branchFrame = 0;
    Device device = Device::cpu();  // whose threads make and write the files
    bool oneFile = false;  // finish() packs the frames of each thing into one file, where its format can hold them
};

// A frame whose files are written but have no names yet, nor a place in the manifest. Dropped: nothing is left of it.
struct StagedFrame {
    FrameRecord record;
    std::vector<std::unique_ptr<WholeFile>> files;  // of record.files
    std::vector<NCacheSample> channels;             // of those in nCache's formats, by name only
    // What the manifest says of all frames.
    double metersPerUnit = 0.01;
    std::vector<BodyInfo> bodies;
    std::vector<MeshInfo> meshes;
    std::vector<AttributeRecord> attributes;
};

class CacheWriter {
  public:
    // Begins anew: a cache that was there is removed. All throw Error.
    CacheWriter(std::string directory, CacheSettings settings);
    // Goes on after `lastFrame`: later frames and leftovers of a killed run are removed. Begins anew where no cache is.
    static CacheWriter resume(std::string directory, CacheSettings settings, int lastFrame);

    // Writes the frame's files, then lists it. The numbers go out in the frame's own unit.
    void write(int frameNumber, const Frame& frame);
    // The same while the caller goes on: the files of several frames are made side by side, and the disk takes one
    // frame's while the next one's are made. The writer must outlive the jobs.
    void writeBehind(WriteBehind& behind, int frameNumber, std::shared_ptr<const Frame> frame);
    // The same for a frame that is still to be made, there too.
    void writeBehind(WriteBehind& behind, int frameNumber, std::function<std::shared_ptr<const Frame>()> makeFrame);
    // The two halves of writing. Any threads may stage frames, while one commits those that are staged.
    StagedFrame stage(int frameNumber, const Frame& frame, const Device& device) const;
    void commit(StagedFrame staged);
    void finish();

    const Manifest& manifest() const { return manifest_; }
    const std::string& directory() const { return directory_; }

  private:
    struct Begun {};
    CacheWriter(std::string directory, CacheSettings settings, Begun);
    void writeManifest() const;
    void writeDescription(const std::string& body) const;
    NCacheDescription& described(const std::string& body, const std::string& format);
    void describe(const FileRecord& file, const NCacheSample& channels);
    void drop(int afterFrame);
    void unpack();

    std::string directory_;
    CacheSettings settings_;
    Manifest manifest_;
    std::map<std::string, NCacheDescription> descriptions_;  // by body; where an nCache format is written
    // Files staged so far, on the heap so that a writer can be moved.
    std::unique_ptr<std::atomic<int>> staged_ = std::make_unique<std::atomic<int>>(0);
};

class CacheReader {
  public:
    explicit CacheReader(std::string directory);

    const Manifest& manifest() const { return manifest_; }
    // The cache that this one is a branch of; null where it is none.
    const CacheReader* parent() const { return parent_.get(); }
    // Of a branch, with those of its parent before it left.
    std::vector<int> frames() const;
    // Throws Error naming the file that is missing, cut short or changed; never another frame than the one asked for.
    Frame read(int frameNumber) const;
    // Between frames: see retime.h. Throws where one of the two around it is not there.
    Frame at(double frame) const;

  private:
    CacheReader(std::string directory, int generation);

    std::unique_ptr<CacheReader> parent_;
    std::string directory_;
    Manifest manifest_;
};

// Where a branch of a cache is kept.
std::string branchFolder(const std::string& directory, const std::string& branch);
// The names of the branches that left a cache, in order of the alphabet.
std::vector<std::string> branchesOf(const std::string& directory);

// One line a problem: what is missing, changed, left over or between frames. Empty: all is as it was written.
std::vector<std::string> verifyCache(const std::string& directory);

}  // namespace purl
