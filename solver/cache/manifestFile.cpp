#include "solver/cache/manifestFile.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "solver/core/error.h"
#include "solver/core/hash.h"

namespace purl {
namespace {

// The manifest's last line. What stands before it is what its hash is of.
const std::string kHashLine = ",\n \"manifestHash\": \"";
const std::string kEnd = "\"\n}\n";
constexpr size_t kDigits = 16;

std::string pathIn(const std::string& directory, const char* name) {
    return (std::filesystem::path(directory) / name).string();
}

// What manifest.json says of itself, where it ends as one with a hash does.
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

// A line of the journal is its hash, a space and JSON. The hash is of the line before it too, and the first line is of
// manifest.json's: lines cannot change places, nor stand beside another manifest.
uint64_t hashOfEntry(uint64_t before, const char* json, size_t size) {
    Hash hash;
    hash.add(before);
    hash.addBytes(json, size);
    return hash.value();
}
std::string headOf(uint64_t manifestHash) { return "{\"journalOf\":\"" + toHex(manifestHash) + "\"}"; }

enum class Journal { applied, leftOver };

Journal applyJournal(const std::string& text, uint64_t manifestHash, const std::string& path, Manifest& manifest) {
    uint64_t chain = manifestHash;
    size_t line = 0;
    for (size_t begin = 0, end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1, ++line) {
        const size_t json = begin + kDigits + 1;
        uint64_t hash = 0;
        bool whole = end > json && text[json - 1] == ' ';
        try {
            if (whole) hash = fromHex(text.substr(begin, kDigits));
        } catch (const Error&) { whole = false; }
        if (whole && line == 0 && text.compare(json, end - json, headOf(manifestHash)) != 0) return Journal::leftOver;
        if (!whole || hash != hashOfEntry(chain, text.data() + json, end - json)) {
            if (end + 1 >= text.size()) break;  // the last one: a power cut may leave its bytes unwritten
            throw Error(path + ": line " + std::to_string(line + 1) +
                        " was changed; move the file away to go on with the frames of manifest.json");
        }
        if (line > 0) applyEntry(text.substr(json, end - json), path, manifest);
        chain = hash;
    }
    return Journal::applied;
}

// "" where there is none.
std::string readJournal(const std::string& path) {
    std::error_code none;
    // A writer may remove it at any time.
    try {
        return std::filesystem::exists(std::filesystem::symlink_status(path, none)) ? readFile(path) : "";
    } catch (const Error&) {
        if (!std::filesystem::exists(std::filesystem::symlink_status(path, none))) return "";
        throw;
    }
}

// Whether a manifest is still the one that was read: its hash is at its end.
bool endsAs(const std::string& path, const std::string& text) {
    const ByteSource source = ByteSource::ofFile(path);
    const size_t tail = std::min<size_t>(text.size(), 64);
    return source.size() == text.size() &&
           text.compare(text.size() - tail, tail, source.read(source.size() - tail, tail)) == 0;
}

}  // namespace

bool hasManifest(const std::string& directory) {
    std::error_code none;
    return std::filesystem::exists(std::filesystem::symlink_status(pathIn(directory, kManifestName), none));
}

ManifestOnDisk readManifest(const std::string& directory) {
    const std::string path = pathIn(directory, kManifestName), journalPath = pathIn(directory, kJournalName);
    ManifestOnDisk found;
    std::string text, journal;
    // A writer may fold the journal between the two: then the manifest is read again.
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
                    "\"manifestHash\" to take it as it is");
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
    } catch (const Error&) { throw Error(path + ": is not Purl's, or damaged; move it away or choose another folder"); }
    try {
        return readManifest(directory).manifest;
    } catch (const Error&) { return manifest; }
}

ManifestFile::ManifestFile(std::string directory) : directory_(std::move(directory)) {}

ManifestFile::~ManifestFile() {
    if (journal_ >= 0) ::close(journal_);
}

ManifestFile::ManifestFile(ManifestFile&& other) noexcept
    : directory_(std::move(other.directory_)),
      items_(std::move(other.items_)),
      hash_(other.hash_),
      chain_(other.chain_),
      size_(other.size_),
      entries_(other.entries_),
      frames_(other.frames_),
      journal_(std::exchange(other.journal_, -1)) {}

void ManifestFile::write(const Manifest& manifest) {
    // Should this fail half-way, a journal could belong to either manifest: the next frame writes all again.
    entries_ = frames_;
    WholeFile file(pathIn(directory_, kManifestName));
    GatheredText text(file);
    encodeManifest(manifest, [&](const std::string& piece) { text.append(piece); });
    const uint64_t hash = text.finish().hash;
    file.append(kHashLine + toHex(hash) + kEnd);
    file.finish();
    hash_ = chain_ = hash;
    items_ = encodeItems(manifest);
    frames_ = manifest.frames.size();
    entries_ = 0;
    if (journal_ >= 0) ::close(std::exchange(journal_, -1));
    // Also one that a killed run left.
    ::unlink(pathIn(directory_, kJournalName).c_str());
}

void ManifestFile::update(const Manifest& manifest, int frame) {
    if (entries_ + 1 >= frames_) return write(manifest);
    const std::string items = encodeItems(manifest);
    append(encodeEntry(manifest, frame, items != items_));
    items_ = items;
}

void ManifestFile::append(const std::string& json) {
    const std::string path = pathIn(directory_, kJournalName);
    uint64_t chain = chain_;
    std::string lines;
    const auto add = [&](const std::string& text) {
        chain = hashOfEntry(chain, text.data(), text.size());
        lines += toHex(chain) + " " + text + "\n";
    };
    const bool begins = journal_ < 0;
    if (begins) {
        ::unlink(path.c_str());
        journal_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (journal_ < 0) failToWrite(path, errno);
        size_ = 0;
        add(headOf(hash_));
    }
    add(json);
    int error = writeAt(journal_, size_, lines.data(), lines.size());
    if (!error && ::fdatasync(journal_) != 0 && errno != EINVAL) error = errno;
    if (error) {
        // Half a line may not stand before another: where it cannot be cut off, the next frame folds the journal.
        if (::ftruncate(journal_, static_cast<off_t>(size_)) != 0) entries_ = frames_;
        if (begins) {
            ::close(std::exchange(journal_, -1));
            ::unlink(path.c_str());
        }
        failToWrite(path, error);
    }
    if (begins) syncFolder(directory_);
    size_ += lines.size();
    chain_ = chain;
    ++entries_;
}

}  // namespace purl
