// A cache's manifest on disk: manifest.json with its own hash, and the append-only manifest.journal with one line per
// later frame, so that the cost of listing a frame does not depend on the number of frames.
#pragma once
#include <deque>
#include <functional>
#include <string>

#include "solver/cache/manifest.h"

namespace purl {

constexpr const char* kManifestName = "manifest.json";
constexpr const char* kJournalName = "manifest.journal";

struct ManifestOnDisk {
    Manifest manifest;             // including the journal
    uint64_t hash = 0;             // of manifest.json, as stored in it
    bool hasHash = false;          // false for earlier versions, which cannot be checked
    bool journalLeftOver = false;  // the journal has already been folded into manifest.json
};
// Throws Error if there is no manifest, if Purl did not write it, or if it or its journal was modified. A truncated
// last line of the journal is ignored: its frame was not listed yet.
ManifestOnDisk readManifest(const std::string& directory);
// The same for replacing a cache: accepts a modified manifest, as long as Purl wrote it.
Manifest readManifestToReplace(const std::string& directory);
bool hasManifest(const std::string& directory);

// Writes the list. When a call returns, the change is durable. Frame records stay on disk; in memory a frame takes
// sixteen bytes, the location of its line. `head` is a manifest without frames.
class ManifestFile {
  public:
    explicit ManifestFile(std::string directory);
    ~ManifestFile();
    ManifestFile(ManifestFile&& other) noexcept;
    ManifestFile& operator=(ManifestFile&&) = delete;

    // Replaces the whole list, and empties the journal.
    void write(const Manifest& manifest);
    // Rewrites manifest.json with all listed frames, and empties the journal.
    void fold(const Manifest& head);
    // Lists a frame, replacing one of the same number, or removes one. The journal is folded into manifest.json when it
    // has as many lines as manifest.json has frames, so a frame is written about twice in total.
    void list(const Manifest& head, const FrameRecord& frame);
    void remove(const Manifest& head, int number);

    bool has(int number) const;
    FrameRecord frame(int number) const;       // of a listed frame
    Manifest all(const Manifest& head) const;  // with all listed frames
    // False after a failed write: manifest.json is then either the old or the new one, both complete. Recover by
    // writing the result of readManifest.
    bool isConsistent() const { return consistent_; }
    bool hasJournal() const { return journal_ >= 0; }
    // Hash of manifest.json as last written.
    uint64_t hash() const { return hash_; }

  private:
    static constexpr uint64_t kInJournal = uint64_t{1} << 63;
    // Location of a listed frame's text.
    struct Line {
        int number;
        uint32_t size;
        uint64_t offset;  // in manifest.json, or from kInJournal on in the journal
    };
    class Lines;
    size_t placeOf(int number) const;  // in lines_
    // Text of the listed frames. Updates the location of each line after its text has been requested.
    void rewrite(const Manifest& head, const std::function<std::string(const Line&)>& textOf);
    // Returns the offset of the JSON in the journal.
    uint64_t append(const std::string& json);

    std::string directory_, items_;    // items_: as last written
    std::deque<Line> lines_;           // ascending by number; a vector would copy itself as it grows
    uint64_t hash_ = 0, hashed_ = 0;   // of manifest.json, and the number of bytes hashed
    uint64_t chain_ = 0;               // hash of the journal's last line
    uint64_t size_ = 0;                // size of the journal in bytes
    size_t entries_ = 0, frames_ = 0;  // lines of the journal, frames in manifest.json
    bool consistent_ = true;
    int journal_ = -1;
};

}  // namespace purl
