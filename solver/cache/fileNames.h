// File names within a cache folder. Only files with these names are ever removed.
#pragma once
#include <string>
#include <vector>

#include "solver/cache/format.h"
#include "solver/cache/manifest.h"

namespace purl {

std::string inFolder(const std::string& directory, const std::string& name);
// Sorted names of a folder's entries. Throws Error.
std::vector<std::string> namesIn(const std::string& directory);
// Removes a file if it exists. Throws Error.
void removeFile(const std::string& path);

// A body's or mesh's name made valid as a file name: replaces Maya's "|" and ":".
std::string fileStem(const std::string& item);
// "water.0012.ply", "waterFrame12.mcx".
std::string frameFileName(const FileRecord& file, const Format& format, FileTime time);
// Name of the file that holds all frames: "water.abc".
std::string packedFileName(const FileRecord& file, const Format& format);
// Name of a body's nCache description: "water.xml".
std::string descriptionName(const std::string& body);
bool isNCache(const std::string& format);

// Recognises the names that a cache writer uses: frame files, packed files, descriptions, and the temporary names of
// these and of manifest.json.
class CacheFileNames {
  public:
    explicit CacheFileNames(const Manifest& manifest);
    bool has(const std::string& name) const { return isPart(name) || isFile(name); }
    // True for names of these items' files.
    bool hasAllOf(const CacheItems& items) const;
    // True for temporary names.
    bool isPart(const std::string& name) const;

  private:
    bool isFile(const std::string& name) const;
    bool isKnown(const std::string& stem) const;

    double fps_;
    std::vector<const Format*> formats_;  // formats of the cache
    std::vector<std::string> stems_;      // file stems of its items
};

}  // namespace purl
