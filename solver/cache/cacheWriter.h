// Writes a cache folder: the frames of one simulation, in the requested formats, under one manifest. If the process is
// killed at any moment, the folder contains only complete frames, and every frame that the manifest lists.
#pragma once
#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "solver/cache/folderLock.h"
#include "solver/cache/format.h"
#include "solver/cache/manifestFile.h"
#include "solver/cache/ncache.h"
#include "solver/cache/writeBehind.h"
#include "solver/frame.h"

namespace purl {

struct CacheSettings : CacheOrigin {
    std::vector<std::string> formats = defaultFormats();
    std::vector<std::string> channels = {};  // of particles, besides position and id; empty: all
    Device device = Device::cpu();           // its threads encode and write the files
    bool oneFile = false;  // finish() packs the frames of each item into one file, if the format supports it
    std::shared_ptr<FolderLock> lock = {};  // of the folder, if the caller has it already
};

// Creates the folder if necessary, and locks it. Throws Error.
std::shared_ptr<FolderLock> lockCacheFolder(const std::string& directory);

// The channels of particles that can be chosen: "velocity, acceleration, …".
std::string channelNames();
// The names in "position,velocity". Throws Error listing the known channels.
std::vector<std::string> splitChannels(const std::string& text);

// Throws Error, naming `path` and the difference, unless frames with these settings can follow those of the manifest.
// The start frame is not compared, because it is part of the scene, which is.
void checkSameRun(const Manifest& found, const CacheSettings& settings, const std::string& path);

// A frame whose files are written under temporary names and not listed yet. Destroying it removes the files.
struct StagedFrame {
    FrameRecord record;
    std::vector<std::unique_ptr<AtomicFile>> files;  // of record.files
    std::vector<NCacheSample> channels;              // channel names for the nCache description
    CacheItems items;                                // what the manifest lists for all frames
};

// Only one writer may have a folder open; a second one gets an Error that names the first. All functions throw Error.
class CacheWriter {
  public:
    // Starts a new cache: an existing one is removed, with its states. Other files stay. A manifest.json that Purl did
    // not write is an Error.
    CacheWriter(std::string directory, CacheSettings settings);
    // Continues after `lastFrame`: later frames, their states and the remains of a killed run are removed. Starts a new
    // cache if there is no frame. If no frame is left to write, resume() followed by finish() completes an interrupted
    // packing.
    static CacheWriter resume(std::string directory, CacheSettings settings, int lastFrame);
    // Adds frames to an existing cache of the same run, or starts a new one. Nothing is removed.
    static CacheWriter join(std::string directory, CacheSettings settings);
    // Opens an existing cache as it is, to put damaged files back.
    static CacheWriter repair(std::string directory);
    // Without finish(), written frames stay listed and unpacked.
    ~CacheWriter();
    CacheWriter(CacheWriter&&) noexcept;
    CacheWriter& operator=(CacheWriter&&) = delete;

    // Writes the frame's files, then lists it. Values are in the frame's unit.
    void write(int frameNumber, const Frame& frame);
    // The same, asynchronously: the files of several frames are encoded in parallel, and one frame is written while the
    // next is encoded. The writer must outlive the jobs.
    void writeBehind(WriteBehind& behind, int frameNumber, std::shared_ptr<const Frame> frame);
    // The same for a frame that the job itself builds.
    void writeBehind(WriteBehind& behind, int frameNumber, std::function<std::shared_ptr<const Frame>()> makeFrame);
    // The two halves of writing. Any thread may stage frames; one thread commits them.
    StagedFrame stage(int frameNumber, const Frame& given, const Device& device) const;
    void commit(StagedFrame staged);
    // Writes those files of a listed frame again that are missing or damaged. Throws Error, changing nothing, unless
    // each of them gets the content that the manifest records. Returns their names.
    std::vector<std::string> restoreFiles(int frameNumber, const Frame& frame);
    // Rebuilds the nCache descriptions, and removes the remains of killed runs.
    void tidy();
    // Packs if requested, and releases the folder's lock. Writing another frame acquires it again.
    void finish();

    const std::string& directory() const { return directory_; }
    // Notice for the user: the lock of a dead process was taken over.
    const std::string& note() const { return note_; }

  private:
    struct Begun {};
    CacheWriter(std::string directory, CacheSettings settings, Begun);
    void begin();
    void lockFolder();
    // Rewrites the frame list from disk after a failed write.
    void recoverList();
    void writeAll(Manifest all);
    void takeItems(CacheItems items);
    void drop(Manifest all, int afterFrame);
    void removeUnlisted(const Manifest& all, const std::set<std::string>& dropped) const;
    void pack();
    // Unpacks, so that a finished cache can be changed. Returns the packed files, to be removed once the manifest is
    // written.
    std::vector<std::string> unpack(Manifest& all);
    void rebuildDescriptions(const Manifest& all);
    void writeDescriptions() const;
    NCacheDescription& described(const FileRecord& file);

    std::string directory_, note_;
    CacheSettings settings_;
    std::shared_ptr<FolderLock> lock_;  // null after finish()
    Manifest manifest_;                 // without frames; those are in list_
    ManifestFile list_;
    std::map<std::string, NCacheDescription> descriptions_;  // by body, for nCache formats
    // Number of files staged so far; on the heap so that a writer can be moved.
    std::unique_ptr<std::atomic<int>> staged_ = std::make_unique<std::atomic<int>>(0);
};

}  // namespace purl
