#include "solver/cache/file.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "solver/cache/fileContent.h"
#include "solver/cache/laneHash.h"
#include "solver/core/error.h"
#include "solver/core/forEach.h"
#include "solver/core/path.h"
#include "solver/core/system.h"

namespace purl {
namespace {

const char* whatHelps(int error) {
    switch (error) {
        case ENOSPC:
#ifdef EDQUOT  // Windows has no such error
        case EDQUOT:
#endif
        case EFBIG: return "; free some space and run again with --resume";
        case EACCES:
        case EPERM:
        case EROFS: return "; choose a folder that you may write to";
        case ENOENT:
        case ENOTDIR: return "; its folder does not exist";
        case EISDIR: return "; a folder has the same name";
        case EEXIST:
        case ELOOP: return "; remove the folder or link of the same name";
        default: return "";
    }
}

// Opens a regular file only. Reading from a pipe could block, and reading from a device might never end.
int openToRead(const std::string& path, uint64_t& size) {
    const auto fail = [&](const std::string& what) { throw Error(path + ": cannot read: " + what); };
    int file = -1;
    os::FileInfo info;
    if (const int error = os::openToRead(path, file, info)) fail(std::strerror(error));
    if (!info.regular) os::close(file);
    if (info.folder) fail(std::strerror(EISDIR));
    if (!info.regular) fail("it is a pipe, a socket or a device, not a file");
    size = info.bytes;
    return file;
}

std::string folderOf(const std::string& path) {
    const std::string folder = toText(toPath(path).parent_path());
    return folder.empty() ? "." : folder;
}

constexpr size_t kPiece = FileHash::kPiece;
constexpr size_t kSmallBlock = 1 << 16;  // bytes, for sequential reading and writing
static_assert(kSmallBlock % LaneHash::kStripe == 0);

void checkLimit(const ByteSource& source, uint64_t maxBytes) {
    if (source.size() > maxBytes)
        throw Error(source.path() + ": has " + std::to_string(source.size()) + " bytes, more than the limit of " +
                    std::to_string(maxBytes));
}

std::string readWhole(const ByteSource& source, uint64_t maxBytes) {
    checkLimit(source, maxBytes);
    return source.read(0, source.size());
}

// Compared before any byte is read: a damaged file may be larger than memory.
void checkSize(const ByteSource& source, const Receipt& written) {
    if (source.size() != written.bytes)
        throw Error(source.path() + ": has " + std::to_string(source.size()) + " bytes, was written with " +
                    std::to_string(written.bytes) + "; simulate this frame again");
}

void checkContent(const std::string& path, const Receipt& found, const Receipt& written) {
    if (found.hash != written.hash)
        throw Error(path + ": was changed: its hash is " + toHex(found.hash) + ", was " + toHex(written.hash) +
                    "; simulate this frame again");
}

}  // namespace

AtomicFile::AtomicFile(std::string path) : AtomicFile(path, path + ".part") {}

AtomicFile::AtomicFile(std::string path, std::string part) : path_(std::move(path)), part_(std::move(part)) {
    // An existing file is left over from a killed run, or it is a link planted by someone else: never open it.
    os::remove(part_);
    if (const int error = os::create(part_, file_)) fail(error);
}

AtomicFile::~AtomicFile() {
    if (file_ < 0) return;
    os::close(file_);
    os::remove(part_);
}

void AtomicFile::fail(int error) {
    if (file_ >= 0) {
        os::close(file_);
        os::remove(part_);
        file_ = -1;
    }
    failToWrite(path_, error);
}

void failToWrite(const std::string& path, int error) {
    throw Error(path + ": cannot write: " + std::strerror(error) + whatHelps(error));
}

void AtomicFile::append(const void* bytes, size_t size) {
    if (const int error = os::writeAt(file_, size_, static_cast<const char*>(bytes), size)) fail(error);
    size_ += size;
}

Receipt AtomicFile::append(const FileContent& content, const Device& device) {
    // Bytes that a thread encodes, hashes and writes at a time: fits into the L2 cache.
    constexpr size_t kBlock = 1 << 18;
    static_assert(kPiece % kBlock == 0 && kBlock % LaneHash::kStripe == 0);
    struct Scratch {
        std::unique_ptr<char[]> block{new char[kBlock]};
    };
    const uint64_t size = content.size();
    std::vector<LaneHash> pieces(static_cast<size_t>((size + kPiece - 1) / kPiece));
    std::atomic<int> failure{0};
    forEachChunkWith<Scratch>(
        device, "writeFile", static_cast<int>(pieces.size()), 1, [&](int piece, int, Scratch& scratch) {
            const uint64_t begin = kPiece * static_cast<uint64_t>(piece), end = std::min(size, begin + kPiece);
            for (uint64_t at = begin; at < end && !failure; at += kBlock) {
                const auto count = static_cast<size_t>(std::min<uint64_t>(kBlock, end - at));
                content.read(at, count, scratch.block.get());
                pieces[piece].add(scratch.block.get(), count);
                // Reported after the loop, since exceptions must not leave a parallel loop.
                if (const int error = os::writeAt(file_, size_ + at, scratch.block.get(), count)) failure = error;
            }
        });
    if (failure) fail(failure);
    size_ += size;
    Hash hash;
    for (const LaneHash& piece : pieces) piece.addTo(hash);
    return {size, hash.value()};
}

void AtomicFile::overwrite(uint64_t offset, const std::string& bytes) {
    if (const int error = os::writeAt(file_, offset, bytes.data(), bytes.size())) fail(error);
}

void AtomicFile::finish(FolderSync sync) {
    if (const int error = os::sync(file_)) fail(error);
    int error = os::close(std::exchange(file_, -1));
    if (!error) error = os::rename(part_, path_);
    if (error) {
        os::remove(part_);
        fail(error);
    }
    if (sync == FolderSync::now) syncFolder(folderOf(path_));
}

void BufferedText::append(const std::string& text) {
    waiting_ += text;
    while (waiting_.size() >= kSmallBlock) flush(kSmallBlock);
}

Receipt BufferedText::finish() {
    if (!waiting_.empty()) flush(waiting_.size());
    return {size_, hash_.value()};
}

void BufferedText::flush(size_t size) {
    hash_.add(waiting_.data(), size);
    file_.append(waiting_.data(), size);
    size_ += size;
    waiting_.erase(0, size);
}

void syncFolder(const std::string& directory) {
    if (const int error = os::syncFolder(directory)) failToWrite(directory, error);
}

void makeFolders(const std::string& directory) {
    std::vector<std::string> missing;  // the lowest first
    for (std::string path = directory;
         os::kindOf(path) == os::Kind::none && (missing.empty() || path != missing.back()); path = folderOf(path))
        missing.push_back(path);
    for (auto path = missing.rbegin(); path != missing.rend(); ++path)
        if (const int error = os::makeFolder(*path); error && error != EEXIST)
            throw Error(directory + ": cannot make this folder: " + std::strerror(error));
    if (os::kindOf(directory) != os::Kind::folder)
        throw Error(directory + ": cannot make this folder: a file has its name");
    for (const std::string& made : missing) syncFolder(folderOf(made));
}

void writeFile(const std::string& path, const std::string& bytes, FolderSync sync) {
    AtomicFile file(path);
    file.append(bytes);
    file.finish(sync);
}

Receipt writeFile(const std::string& path, const FileContent& content, const Device& device, FolderSync sync) {
    AtomicFile file(path);
    const Receipt receipt = file.append(content, device);
    file.finish(sync);
    return receipt;
}

std::string readFile(const std::string& path, uint64_t maxBytes) {
    return readWhole(ByteSource::ofFile(path), maxBytes);
}

std::string readFile(const std::string& path, const Receipt& receipt) {
    const ByteSource source = ByteSource::ofFile(path);
    checkSize(source, receipt);
    std::string bytes = readWhole(source, kMaxFileBytes);
    checkContent(path, receiptOf(bytes), receipt);
    return bytes;
}

std::string readFilePart(const std::string& path, uint64_t offset, uint64_t size) {
    const ByteSource source = ByteSource::ofFile(path);
    if (offset >= source.size()) return {};
    return source.read(offset, std::min(size, source.size() - offset));
}

ByteSource ByteSource::ofFile(std::string path) {
    ByteSource source(std::move(path));
    source.file_ = openToRead(source.path_, source.size_);
    return source;
}

ByteSource ByteSource::ofBytes(const std::string& bytes, std::string path) {
    ByteSource source(std::move(path));
    source.bytes_ = bytes.data();
    source.size_ = bytes.size();
    return source;
}

ByteSource::ByteSource(ByteSource&& other) noexcept
    : path_(std::move(other.path_)),
      file_(std::exchange(other.file_, -1)),
      bytes_(std::exchange(other.bytes_, nullptr)),
      size_(std::exchange(other.size_, 0)) {}

ByteSource::~ByteSource() {
    if (file_ >= 0) os::close(file_);
}

void ByteSource::read(uint64_t offset, void* to, size_t size) const {
    if (offset > size_ || size > size_ - offset)
        throw Error(path_ + ": truncated or damaged: it refers to " + std::to_string(size) + " bytes at byte " +
                    std::to_string(offset) + ", but has only " + std::to_string(size_));
    if (size == 0) return;
    if (bytes_) {
        std::memcpy(to, bytes_ + offset, size);
        return;
    }
    if (const int error = os::readAt(file_, offset, static_cast<char*>(to), size))
        throw Error(path_ + ": cannot read: " + std::strerror(error));
}

std::string ByteSource::read(uint64_t offset, uint64_t size) const {
    std::string bytes(offset <= size_ && size <= size_ - offset ? static_cast<size_t>(size) : 0, '\0');
    read(offset, bytes.data(), static_cast<size_t>(size));
    return bytes;
}

Receipt receiptOf(const char* bytes, size_t size) {
    FileHash hash;
    hash.add(bytes, size);
    return {size, hash.value()};
}

Receipt receiptOf(const ByteSource& source, uint64_t bytes) {
    FileHash hash;
    std::string block(static_cast<size_t>(std::min<uint64_t>(kSmallBlock, bytes)), '\0');
    for (uint64_t at = 0; at < bytes; at += kSmallBlock) {
        const auto size = static_cast<size_t>(std::min<uint64_t>(kSmallBlock, bytes - at));
        source.read(at, block.data(), size);
        hash.add(block.data(), size);
    }
    return {bytes, hash.value()};
}

Receipt receiptOfFile(const std::string& path, uint64_t maxBytes) {
    const ByteSource source = ByteSource::ofFile(path);
    checkLimit(source, maxBytes);
    return receiptOf(source, source.size());
}

void checkFile(const std::string& path, const Receipt& written) {
    const ByteSource source = ByteSource::ofFile(path);
    checkSize(source, written);
    checkContent(path, receiptOf(source, source.size()), written);
}

}  // namespace purl
