// A cache's manifest on disk. manifest.json holds all of it and a hash of itself; manifest.journal beside it holds what
// came since, a line a frame, so that listing a frame costs the same however many there are.
#pragma once
#include <deque>
#include <functional>
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

// The writer's side. On disk a frame is listed when a call returns, whatever happens then. The frames stay on disk:
// in memory a frame takes sixteen bytes, which say where its line is. `head` is a manifest without frames.
class ManifestFile {
  public:
    explicit ManifestFile(std::string directory);
    ~ManifestFile();
    ManifestFile(ManifestFile&& other) noexcept;
    ManifestFile& operator=(ManifestFile&&) = delete;

    // Writes a manifest with its frames in the place of all that was listed, and empties the journal.
    void write(const Manifest& manifest);
    // Writes manifest.json again, with the frames that are listed, and empties the journal.
    void fold(const Manifest& head);
    // Lists a frame, in the place of one that has its number, or removes it from the list. The journal is folded into
    // manifest.json when it lists as many frames: a frame is so written about twice, whatever their number.
    void list(const Manifest& head, const FrameRecord& frame);
    void remove(const Manifest& head, int number);

    bool has(int number) const;
    FrameRecord frame(int number) const;       // one that is listed
    Manifest all(const Manifest& head) const;  // with the frames that are listed
    // Not after a write that failed: manifest.json may be the one before it or the new one. Both are whole; the next
    // thing to do is to write what readManifest finds.
    bool isCertain() const { return certain_; }
    bool hasJournal() const { return journal_ >= 0; }
    // Of manifest.json, as it was written last.
    uint64_t hash() const { return hash_; }

  private:
    static constexpr uint64_t kInJournal = uint64_t{1} << 63;
    // Where the text of a listed frame is.
    struct Line {
        int number;
        uint32_t size;
        uint64_t offset;  // in manifest.json, or from kInJournal on in the journal
    };
    class Lines;
    size_t placeOf(int number) const;  // in lines_
    // Of what lines_ lists. Each line gets its new place once its text was asked for.
    void rewrite(const Manifest& head, const std::function<std::string(const Line&)>& textOf);
    // Returns where in the journal the JSON begins.
    uint64_t append(const std::string& json);

    std::string directory_, items_;    // items_: as they were written last
    std::deque<Line> lines_;           // by number, ascending; a vector would copy itself as it grows
    uint64_t hash_ = 0, hashed_ = 0;   // of manifest.json, and of how many of its bytes
    uint64_t chain_ = 0;               // the hash of the journal's last line
    uint64_t size_ = 0;                // of the journal, bytes
    size_t entries_ = 0, frames_ = 0;  // lines of the journal, frames in manifest.json
    bool certain_ = true;
    int journal_ = -1;
};

}  // namespace purl
