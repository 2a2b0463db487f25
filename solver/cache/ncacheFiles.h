// An nCache on disk as Maya and other programs write it: a description (.xml), and one data file or one per sample.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "solver/cache/ncache.h"

namespace purl {

class NCacheFiles {
  public:
    // `path` is the description or one of the data files. Throws Error if a part is missing or damaged.
    explicit NCacheFiles(const std::string& path);

    const std::string& path() const { return path_; }  // of the description
    const NCacheDescription& description() const { return description_; }
    std::vector<int> times() const;  // of the samples, ascending, in ticks
    // The description and all data files.
    std::vector<std::string> files() const;
    // The sample at exactly this time. Its channels have the interpretation that the description gives them.
    NCacheSample read(int ticks) const;

  private:
    struct Place {
        std::string path;
        uint64_t offset = 0;  // in a file of all samples
    };

    std::string path_;
    NCacheDescription description_;
    std::map<int, Place> samples_;                        // by time
    std::map<std::string, std::string> interpretations_;  // by channel
};

// All descriptions in a folder, sorted; files that are not descriptions of nCaches are left out.
std::vector<std::string> nCacheDescriptionsIn(const std::string& folder);

}  // namespace purl
