// A cache's manifest on disk. manifest.json holds all of it and a hash of itself; manifest.journal beside it holds what
// came since, a line a frame, so that listing a frame costs the same however many there are.
#pragma once
#include <string>

#include "solver/cache/manifest.h"

namespace purl {

constexpr const char* kManifestName = "manifest.json";
constexpr const char* kJournalName = "manifest.journal";

struct ManifestOnDisk {
    Manifest manifest;             // with what the journal adds
    uint64_t hash = 0;             // of manifest.json, as it says itself
    bool hasHash = false;          // not: an earlier version wrote it, and its own numbers cannot be checked
    bool journalLeftOver = false;  // a journal that manifest.json already holds
};
// Throws Error where there is none, where it is not Purl's, or where it or its journal was changed. A last line of the
// journal that is cut off is left out: its frame was not listed yet.
ManifestOnDisk readManifest(const std::string& directory);
// The same for whoever replaces the cache: a changed one will do, as long as it is Purl's.
Manifest readManifestToReplace(const std::string& directory);
bool hasManifest(const std::string& directory);

// The writer's side. On disk a frame is listed when a call returns, whatever happens then.
class ManifestFile {
  public:
    explicit ManifestFile(std::string directory);
    ~ManifestFile();
    ManifestFile(ManifestFile&& other) noexcept;
    ManifestFile& operator=(ManifestFile&&) = delete;

    // Writes all of it and empties the journal.
    void write(const Manifest& manifest);
    // Writes what the manifest now has of a frame. The journal is folded into manifest.json when it lists as many
    // frames: a frame is so written about twice, whatever their number.
    void update(const Manifest& manifest, int frame);
    bool hasJournal() const { return journal_ >= 0; }
    // Of manifest.json, as it was written last.
    uint64_t hash() const { return hash_; }

  private:
    void append(const std::string& json);

    std::string directory_, items_;    // items_: as they were written last
    uint64_t hash_ = 0, chain_ = 0;    // chain_: the hash of the journal's last line
    uint64_t size_ = 0;                // of the journal, bytes
    size_t entries_ = 0, frames_ = 0;  // lines of the journal, frames in manifest.json
    int journal_ = -1;
};

}  // namespace purl
