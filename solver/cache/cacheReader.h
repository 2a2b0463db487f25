// Reading a cache folder, and the branches that left it.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "solver/cache/manifest.h"
#include "solver/frame.h"

namespace purl {

class CacheReader {
  public:
    // Throws Error where there is no cache, or its manifest was changed.
    explicit CacheReader(std::string directory);
    ~CacheReader();
    CacheReader(CacheReader&&) noexcept;

    const Manifest& manifest() const { return manifest_; }
    const std::string& directory() const { return directory_; }
    // Whether the manifest holds a hash of itself: those of earlier versions do not, and their numbers cannot be
    // checked.
    bool hasHash() const { return hasHash_; }
    // The cache that this one is a branch of; null where it is none.
    const CacheReader* parent() const { return parent_.get(); }
    // Throws Error where the parent was simulated as another run since the branch left it.
    void checkParent() const;
    // Of a branch, with those of its parent before it left.
    std::vector<int> frames() const;
    // Throws Error naming the file that is missing, cut short or changed; never another frame than the one asked for.
    Frame read(int frameNumber) const;
    // Between frames: see retime.h. Throws where one of the two around it is not there.
    Frame at(double frame) const;

  private:
    struct Checked;
    CacheReader(std::string directory, int generation);
    void checkPacked(const PackedFile& file) const;

    std::unique_ptr<CacheReader> parent_;
    std::string directory_;
    Manifest manifest_;
    bool hasHash_ = false;
    std::unique_ptr<Checked> checked_;  // packed files that are as they were written
};

// Where a branch of a cache is kept.
std::string branchFolder(const std::string& directory, const std::string& branch);
// The names of the branches that left a cache, in order of the alphabet.
std::vector<std::string> branchesOf(const std::string& directory);

}  // namespace purl
