// The folder that a command writes a cache to, and checks of it: nothing is removed unless the user asked for it, and
// until it is certain that the new cache can be written.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "solver/cache/cache.h"
#include "solver/cache/frameList.h"
#include "solver/core/error.h"

namespace purl {

// What to do with a cache that is in the way.
struct Overwrite {
    bool force = false;      // replace it
    bool versionUp = false;  // write NAME_v002, NAME_v003, … instead
};

// Thrown if a cache is in the way; the command ends with kTargetExists.
class TargetExists : public Error {
  public:
    using Error::Error;
};

// Creates the folder of a new cache and locks it until the cache is finished. Throws TargetExists if it contains frames
// already, and Error if another process is writing to it. `resumes`: whether the command has --resume.
struct TargetFolder {
    std::string path;  // with --version-up, of the version
    std::shared_ptr<FolderLock> lock;
};
TargetFolder claimFolder(const std::string& out, const Overwrite& overwrite, bool resumes);
// For a single file. Throws TargetExists.
void checkFileIsNew(const std::string& path, const Overwrite& overwrite);

// All frames of a cache, including those of a branch's parents.
FrameList framesOf(const CacheReader& reader);
// Throws Error if `out` is the source cache or belongs to its branch tree.
void checkTarget(const CacheReader& source, const std::string& out);
// Throws Error if the cache lacks a frame, or one of its files is missing or has the wrong size.
void checkFrames(const CacheReader& source, const std::vector<int>& numbers);

}  // namespace purl
