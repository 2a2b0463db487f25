// Reads a cache folder and its branches.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "solver/cache/manifest.h"
#include "solver/frame.h"

namespace purl {

class CacheReader {
  public:
    // Throws Error if there is no cache or its manifest was modified.
    explicit CacheReader(std::string directory);
    ~CacheReader();
    CacheReader(CacheReader&&) noexcept;

    const Manifest& manifest() const { return manifest_; }
    const std::string& directory() const { return directory_; }
    // True if the manifest contains its own hash. Manifests of earlier versions do not and cannot be checked.
    bool hasHash() const { return hasHash_; }
    // The cache that this one branched from; null if it is not a branch.
    const CacheReader* parent() const { return parent_.get(); }
    // Throws Error if the parent has been simulated again, as a different run, since.
    void checkParent() const;
    // Throws Error if a branch of this cache would have more parents than a reader follows.
    void checkCanBranch() const;
    // For a branch, includes the parent's frames before the branch.
    std::vector<int> frames() const;
    // Throws Error naming the file that is missing, truncated or modified. Never returns another frame.
    Frame read(int frameNumber) const;
    // Interpolates between frames (retime.h). Throws Error if one of the two neighbouring frames is missing.
    Frame at(double frame) const;

  private:
    struct Checked;
    CacheReader(std::string directory, int generation);
    void checkPacked(const PackedFile& file) const;

    std::unique_ptr<CacheReader> parent_;
    std::string directory_;
    Manifest manifest_;
    bool hasHash_ = false;
    std::unique_ptr<Checked> checked_;  // packed files with checked receipts
};

// Folder of a branch.
std::string branchFolder(const std::string& directory, const std::string& branch);
// Names of a cache's branches, sorted. A link is none: it could lead back, and a branch finds its parent by "..".
std::vector<std::string> branchesOf(const std::string& directory);

}  // namespace purl
