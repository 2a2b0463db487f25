// A cache folder: one simulation's frames on disk, in the formats asked for, under one manifest.
// Killed at any moment it holds whole frames only, and all that the manifest lists.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "solver/cache/format.h"
#include "solver/cache/manifest.h"
#include "solver/cache/ncache.h"
#include "solver/frame.h"

namespace purl {

struct CacheSettings {
    std::vector<std::string> formats = defaultFormats();
    double fps = 24;
    int startFrame = 1;
    std::string scenePath, toolVersion;
    uint64_t parametersHash = 0;
    bool oneFile = false;  // finish() packs an nCache's frames into one file a body
};

class CacheWriter {
  public:
    // Begins anew: a cache that was there is removed. All throw Error.
    CacheWriter(std::string directory, CacheSettings settings);
    // Goes on after `lastFrame`: later frames and leftovers of a killed run are removed. Begins anew where no cache is.
    static CacheWriter resume(std::string directory, CacheSettings settings, int lastFrame);

    // Writes the frame's files, then lists it. The numbers go out in the frame's own unit.
    void write(int frameNumber, const Frame& frame);
    void finish();

    const Manifest& manifest() const { return manifest_; }
    const std::string& directory() const { return directory_; }

  private:
    struct Begun {};
    CacheWriter(std::string directory, CacheSettings settings, Begun);
    void writeManifest() const;
    void writeDescription(const std::string& body) const;
    NCacheDescription& described(const std::string& body, const std::string& format);
    void drop(int afterFrame);
    void unpack();

    std::string directory_;
    CacheSettings settings_;
    Manifest manifest_;
    std::map<std::string, NCacheDescription> descriptions_;  // by body; where an nCache format is written
};

class CacheReader {
  public:
    explicit CacheReader(std::string directory);

    const Manifest& manifest() const { return manifest_; }
    std::vector<int> frames() const;
    // Throws Error naming the file that is missing, cut short or changed; never another frame than the one asked for.
    Frame read(int frameNumber) const;

  private:
    std::string directory_;
    Manifest manifest_;
};

// One line a problem: what is missing, changed, left over or between frames. Empty: all is as it was written.
std::vector<std::string> verifyCache(const std::string& directory);

}  // namespace purl
