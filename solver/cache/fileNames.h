// Which file of a cache folder holds what, by its name, and which names are ours: no other file is ever removed.
#pragma once
#include <string>
#include <vector>

#include "solver/cache/format.h"
#include "solver/cache/manifest.h"

namespace purl {

std::string inFolder(const std::string& directory, const std::string& name);
// The names in a folder, in order. Throws Error.
std::vector<std::string> namesIn(const std::string& directory);
// Removes a file that may be gone already. Throws Error.
void removeFile(const std::string& path);

// A body's or mesh's name as a file may bear it: Maya's "|" and ":" are not welcome everywhere.
std::string fileStem(const std::string& item);
// "water.0012.ply", "waterFrame12.mcx".
std::string frameFileName(const FileRecord& file, const Format& format, FileTime time);
// Of the file that holds all frames: "water.abc".
std::string packedFileName(const FileRecord& file, const Format& format);
// "water.xml", of a body's nCache.
std::string descriptionName(const std::string& body);
bool isNCache(const std::string& format);

// The names that a cache's writer gives: to files of frames, to packed ones, to descriptions, and to all of these and
// manifest.json while they are written.
class OurNames {
  public:
    explicit OurNames(const Manifest& manifest);
    bool has(const std::string& name) const { return isPart(name) || isFile(name); }
    // Whether it has those of files of these items.
    bool hasAllOf(const CacheItems& items) const;
    // Of a file under way.
    bool isPart(const std::string& name) const;

  private:
    bool isFile(const std::string& name) const;
    bool isKnown(const std::string& stem) const;

    double fps_;
    std::vector<const Format*> formats_;  // that the cache is written in
    std::vector<std::string> stems_;      // of its items
};

}  // namespace purl
