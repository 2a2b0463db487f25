#include "solver/cache/manifestFile.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "solver/core/error.h"
#include "solver/core/hash.h"
#include "solver/core/path.h"
#include "solver/core/system.h"

namespace purl {
namespace {

// The last line of the manifest. Everything before it is hashed.
const std::string kHashLine = ",\n \"manifestHash\": \"";
const std::string kEnd = "\"\n}\n";
constexpr size_t kDigits = 16;

std::string pathIn(const std::string& directory, const char* name) { return toText(toPath(directory) / name); }

// Finds the hash at the end of manifest.json, and the number of bytes it covers. Returns false if there is none.
bool findHash(const std::string& text, uint64_t& hash, size_t& hashed) {
    const size_t tail = kHashLine.size() + kDigits + kEnd.size();
    if (text.size() < tail) return false;
    hashed = text.size() - tail;
    if (text.compare(hashed, kHashLine.size(), kHashLine) != 0 ||
        text.compare(text.size() - kEnd.size(), kEnd.size(), kEnd) != 0)
        return false;
    try {
        hash = fromHex(text.substr(hashed + kHashLine.size(), kDigits));
    } catch (const Error&) { return false; }
    return true;
}

// A line of the journal consists of a hash, a space and JSON. Hashes are chained: each includes the hash of the line
// before it, the first that of manifest.json. So lines cannot be reordered or combined with another manifest.
uint64_t hashOfEntry(uint64_t before, const char* json, size_t size) {
    Hash hash;
    hash.add(before);
    hash.addBytes(json, size);
    return hash.value();
}
std::string headOf(uint64_t manifestHash) { return "{\"journalOf\":\"" + toHex(manifestHash) + "\"}"; }

// True if a line of the journal is intact and follows the line with the hash `chain`. Sets `chain` to its hash.
bool follows(const char* line, size_t size, uint64_t& chain) {
    if (size <= kDigits + 1 || line[kDigits] != ' ') return false;
    const uint64_t hash = hashOfEntry(chain, line + kDigits + 1, size - kDigits - 1);
    if (toHex(hash).compare(0, kDigits, line, kDigits) != 0) return false;
    chain = hash;
    return true;
}

enum class Journal { applied, leftOver };

Journal applyJournal(const std::string& text, uint64_t manifestHash, const std::string& path, Manifest& manifest) {
    uint64_t chain = manifestHash;
    size_t line = 0;
    for (size_t begin = 0, end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1, ++line) {
        const size_t json = begin + kDigits + 1;
        const bool isWhole = follows(text.data() + begin, end - begin, chain);
        if (line == 0 && end > json && text[json - 1] == ' ' &&
            text.compare(json, end - json, headOf(manifestHash)) != 0)
            return Journal::leftOver;
        if (!isWhole) {
            if (end + 1 >= text.size()) break;  // the last line may be incomplete after a power failure
            throw Error(path + ": line " + std::to_string(line + 1) +
                        " was changed; move the file away to continue with the frames of manifest.json");
        }
        if (line > 0) applyEntry(text.substr(json, end - json), path, manifest);
    }
    return Journal::applied;
}

bool exists(const std::string& path) { return os::kindOf(path, os::Links::stay) != os::Kind::none; }

// Returns an empty string if there is no journal.
std::string readJournal(const std::string& path) {
    // A writer may remove it at any time.
    try {
        return exists(path) ? readFile(path) : "";
    } catch (const Error&) {
        if (!exists(path)) return "";
        throw;
    }
}

// True if the file still has the content that was read. Compares the end only, which contains the hash.
bool endsAs(const std::string& path, const std::string& text) {
    const ByteSource source = ByteSource::ofFile(path);
    const size_t tail = std::min<size_t>(text.size(), 64);
    return source.size() == text.size() &&
           text.compare(text.size() - tail, tail, source.read(source.size() - tail, tail)) == 0;
}

}  // namespace

bool hasManifest(const std::string& directory) { return exists(pathIn(directory, kManifestName)); }

ManifestOnDisk readManifest(const std::string& directory) {
    const std::string path = pathIn(directory, kManifestName), journalPath = pathIn(directory, kJournalName);
    ManifestOnDisk found;
    std::string text, journal;
    // A writer may fold the journal between the two reads; then read the manifest again.
    constexpr int kMaxTries = 100;
    for (int tries = 0; tries < kMaxTries; ++tries) {
        text = readFile(path);
        journal = readJournal(journalPath);
        if (endsAs(path, text)) break;
    }
    found.manifest = decodeManifest(text, path);
    size_t hashed = 0;
    found.hasHash = findHash(text, found.hash, hashed);
    if (found.hasHash ? receiptOf(text.data(), hashed).hash != found.hash : found.manifest.version >= kManifestVersion)
        throw Error(path +
                    ": was changed after it was written; restore it, or remove its lines \"manifestVersion\" and "
                    "\"manifestHash\" to accept it as it is");
    if (!journal.empty())
        found.journalLeftOver =
            !found.hasHash || applyJournal(journal, found.hash, journalPath, found.manifest) == Journal::leftOver;
    return found;
}

Manifest readManifestToReplace(const std::string& directory) {
    const std::string path = pathIn(directory, kManifestName);
    std::string text;
    Manifest manifest;
    try {
        text = readFile(path);
        manifest = decodeManifest(text, path);
    } catch (const Error&) {
        throw Error(path + ": was not written by Purl, or is damaged; move it away or choose another folder");
    }
    try {
        return readManifest(directory).manifest;
    } catch (const Error&) { return manifest; }
}

// Reads the text of listed frames from disk. Throws Error if the files were changed after they were written.
class ManifestFile::Lines {
  public:
    explicit Lines(const ManifestFile& file) : manifest_(ByteSource::ofFile(pathIn(file.directory_, kManifestName))) {
        const auto refuse = [](const ByteSource& source) {
            throw Error(source.path() + ": was changed by another program during this run; start the run again");
        };
        if (manifest_.size() < file.hashed_ || receiptOf(manifest_, file.hashed_).hash != file.hash_) refuse(manifest_);
        if (!file.hasJournal()) return;
        journal_.emplace(ByteSource::ofFile(pathIn(file.directory_, kJournalName)));
        if (!isWhole(*journal_, file)) refuse(*journal_);
    }
    std::string text(const Line& line) const {
        return line.offset < kInJournal ? manifest_.read(line.offset, uint64_t{line.size})
                                        : journal_->read(line.offset - kInJournal, uint64_t{line.size});
    }

  private:
    // Reads in pieces, because the journal may be large.
    static bool isWhole(const ByteSource& journal, const ManifestFile& file) {
        constexpr uint64_t kPiece = 1 << 16;
        uint64_t chain = file.hash_;
        std::string waiting;
        for (uint64_t at = 0; at < file.size_; at += kPiece) {
            if (journal.size() < file.size_) return false;
            waiting += journal.read(at, std::min(kPiece, file.size_ - at));
            size_t begin = 0;
            for (size_t end; (end = waiting.find('\n', begin)) != std::string::npos; begin = end + 1)
                if (!follows(waiting.data() + begin, end - begin, chain)) return false;
            waiting.erase(0, begin);
        }
        return chain == file.chain_;
    }

    ByteSource manifest_;
    std::optional<ByteSource> journal_;
};

ManifestFile::ManifestFile(std::string directory) : directory_(std::move(directory)) {}

ManifestFile::~ManifestFile() {
    if (journal_ >= 0) os::close(journal_);
}

ManifestFile::ManifestFile(ManifestFile&& other) noexcept
    : directory_(std::move(other.directory_)),
      items_(std::move(other.items_)),
      lines_(std::move(other.lines_)),
      hash_(other.hash_),
      hashed_(other.hashed_),
      chain_(other.chain_),
      size_(other.size_),
      entries_(other.entries_),
      frames_(other.frames_),
      consistent_(other.consistent_),
      journal_(std::exchange(other.journal_, -1)) {}

size_t ManifestFile::placeOf(int number) const {
    const auto place = std::lower_bound(lines_.begin(), lines_.end(), number,
                                        [](const Line& line, int wanted) { return line.number < wanted; });
    return static_cast<size_t>(place - lines_.begin());
}

bool ManifestFile::has(int number) const {
    const size_t place = placeOf(number);
    return place < lines_.size() && lines_[place].number == number;
}

FrameRecord ManifestFile::frame(int number) const {
    return decodeFrame(Lines(*this).text(lines_[placeOf(number)]), pathIn(directory_, kManifestName));
}

Manifest ManifestFile::all(const Manifest& head) const {
    Manifest all = head;
    const Lines lines(*this);
    for (const Line& line : lines_)
        all.frames.push_back(decodeFrame(lines.text(line), pathIn(directory_, kManifestName)));
    return all;
}

void ManifestFile::write(const Manifest& manifest) {
    lines_.clear();
    for (const FrameRecord& frame : manifest.frames) lines_.push_back({frame.number, 0, 0});
    auto next = manifest.frames.begin();
    rewrite(manifest, [&](const Line&) { return encodeFrame(*next++); });
}

void ManifestFile::fold(const Manifest& head) {
    const Lines lines(*this);
    rewrite(head, [&](const Line& line) { return lines.text(line); });
}

void ManifestFile::rewrite(const Manifest& head, const std::function<std::string(const Line&)>& textOf) {
    consistent_ = false;
    AtomicFile file(pathIn(directory_, kManifestName));
    BufferedText text(file);
    uint64_t size = 0;
    const auto append = [&](const std::string& piece) {
        text.append(piece);
        size += piece.size();
    };
    append(encodeHead(head));
    for (Line& line : lines_) {
        append(beforeFrame(&line == &lines_.front()));
        const std::string frame = textOf(line);
        line = {line.number, static_cast<uint32_t>(frame.size()), size};
        append(frame);
    }
    append(kAfterFrames);
    const Receipt receipt = text.finish();
    file.append(kHashLine + toHex(receipt.hash) + kEnd);
    file.finish();
    consistent_ = true;
    hash_ = chain_ = receipt.hash;
    hashed_ = receipt.bytes;
    items_ = encodeItems(head);
    frames_ = lines_.size();
    entries_ = 0;
    if (journal_ >= 0) os::close(std::exchange(journal_, -1));
    // Also removes the journal of a killed run.
    os::remove(pathIn(directory_, kJournalName));
}

void ManifestFile::list(const Manifest& head, const FrameRecord& frame) {
    const std::string text = encodeFrame(frame), items = encodeItems(head);
    const size_t place = placeOf(frame.number);
    const auto put = [&](Line line) {
        if (has(frame.number))
            lines_[place] = line;
        else
            lines_.insert(lines_.begin() + static_cast<std::ptrdiff_t>(place), line);
    };
    if (entries_ + 1 >= frames_) {
        const Lines before(*this);
        put({frame.number, 0, 0});
        rewrite(head, [&](const Line& line) { return line.number == frame.number ? text : before.text(line); });
        return;
    }
    const uint64_t offset = append(encodeEntry(text, items == items_ ? "" : items)) + std::strlen(kBeforeEntryFrame);
    put({frame.number, static_cast<uint32_t>(text.size()), kInJournal + offset});
    items_ = items;
}

void ManifestFile::remove(const Manifest& head, int number) {
    if (!has(number)) return;
    const std::string items = encodeItems(head);
    const auto line = lines_.begin() + static_cast<std::ptrdiff_t>(placeOf(number));
    if (entries_ + 1 >= frames_) {
        const Lines before(*this);
        lines_.erase(line);
        rewrite(head, [&](const Line& other) { return before.text(other); });
        return;
    }
    append(encodeRemoval(number, items == items_ ? "" : items));
    lines_.erase(line);
    items_ = items;
}

uint64_t ManifestFile::append(const std::string& json) {
    const std::string path = pathIn(directory_, kJournalName);
    uint64_t chain = chain_;
    std::string lines;
    const auto add = [&](const std::string& text) {
        chain = hashOfEntry(chain, text.data(), text.size());
        lines += toHex(chain) + " " + text + "\n";
    };
    const bool begins = journal_ < 0;
    if (begins) {
        os::remove(path);
        if (const int error = os::create(path, journal_)) failToWrite(path, error);
        size_ = 0;
        add(headOf(hash_));
    }
    add(json);
    int error = os::writeAt(journal_, size_, lines.data(), lines.size());
    if (!error) error = os::syncContent(journal_);
    const auto giveUp = [&] {
        // Remove the incomplete line. If that fails, make the next frame fold the journal, so that nothing is appended
        // to it.
        if (os::resize(journal_, size_) != 0) entries_ = frames_;
        if (!begins) return;
        os::close(std::exchange(journal_, -1));
        os::remove(path);
    };
    if (error) {
        giveUp();
        failToWrite(path, error);
    }
    try {
        if (begins) syncFolder(directory_);
    } catch (const Error&) {
        giveUp();
        throw;
    }
    size_ += lines.size();
    chain_ = chain;
    ++entries_;
    return size_ - 1 - json.size();
}

}  // namespace purl
