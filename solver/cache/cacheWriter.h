// Writing a cache folder: one simulation's frames, in the formats asked for, under one manifest. Killed at any moment
// it holds whole frames only, and all that the manifest lists.
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

struct CacheSettings {
    std::vector<std::string> formats = defaultFormats();
    double fps = 24;
    int startFrame = 1;
    std::string scenePath;
    RunIdentity run;
    std::vector<std::string> parameters;
    std::string branch, parent;  // of a branch: see Manifest
    int branchFrame = 0;
    Device device = Device::cpu();  // whose threads make and write the files
    bool oneFile = false;  // finish() packs the frames of each thing into one file, where its format can hold them
};

// Throws Error, naming `path` and what differs, unless frames of these settings can follow those of the manifest. The
// start frame is not compared: the scene, which is, decides it.
void checkSameRun(const Manifest& found, const CacheSettings& settings, const std::string& path);

// A frame whose files are written but have no names yet, nor a place in the manifest. Dropped: nothing is left of it.
struct StagedFrame {
    FrameRecord record;
    std::vector<std::unique_ptr<WholeFile>> files;  // of record.files
    std::vector<NCacheSample> channels;             // of those in nCache's formats, by name only
    CacheItems items;                               // what the manifest says of all frames
};

// One writer at a time has a folder: another gets an Error that says who has it. All functions throw Error.
class CacheWriter {
  public:
    // Begins again: a cache that was there is removed, with its states. Other files stay; a manifest.json that is not
    // Purl's is an Error.
    CacheWriter(std::string directory, CacheSettings settings);
    // Goes on after `lastFrame`: later frames, their states and leftovers of a killed run are removed. Begins again
    // where no frame is. Where nothing is left to write, finish() ends what a killed run did not: resume(…), then
    // finish().
    static CacheWriter resume(std::string directory, CacheSettings settings, int lastFrame);
    // Without finish(): what was written stays, listed, and unpacked.
    ~CacheWriter();
    CacheWriter(CacheWriter&&) noexcept;
    CacheWriter& operator=(CacheWriter&&) = delete;

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
    // Packs, if that was asked for, and gives the folder free. A frame that is written afterwards takes it again.
    void finish();

    const std::string& directory() const { return directory_; }
    // What the user should know: a dead process's lock that was taken over.
    const std::string& note() const { return note_; }

  private:
    struct Begun {};
    CacheWriter(std::string directory, CacheSettings settings, Begun);
    void begin();
    void holdFolder();
    // Writes the list again from disk where a write of it failed before.
    void makeCertain();
    void writeAll(Manifest all);
    void takeItems(CacheItems items);
    void drop(Manifest all, int afterFrame);
    void removeUnlisted(const Manifest& all, const std::set<std::string>& dropped) const;
    void pack();
    // The reverse, so that a finished cache can be changed. Returns the packed files, which are to be removed when the
    // manifest is written.
    std::vector<std::string> unpack(Manifest& all);
    void rebuildDescriptions(const Manifest& all);
    void writeDescriptions() const;
    NCacheDescription& described(const FileRecord& file);

    std::string directory_, note_;
    CacheSettings settings_;
    std::unique_ptr<FolderLock> lock_;  // null when finished
    Manifest manifest_;                 // without its frames, which list_ has
    ManifestFile list_;
    std::map<std::string, NCacheDescription> descriptions_;  // by body; where an nCache format is written
    // Files staged so far, on the heap so that a writer can be moved.
    std::unique_ptr<std::atomic<int>> staged_ = std::make_unique<std::atomic<int>>(0);
};

}  // namespace purl
