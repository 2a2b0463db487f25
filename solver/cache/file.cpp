#include "solver/cache/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

#include "solver/cache/fileContent.h"
#include "solver/cache/laneHash.h"
#include "solver/core/error.h"
#include "solver/core/forEach.h"

namespace purl {
namespace {

const char* whatHelps(int error) {
    switch (error) {
        case ENOSPC:
        case EDQUOT:
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
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) fail(std::strerror(errno));
    struct stat about {};
    const int error = ::fstat(file, &about) == 0 ? 0 : errno;
    if (error || !S_ISREG(about.st_mode)) ::close(file);
    if (error) fail(std::strerror(error));
    if (S_ISDIR(about.st_mode)) fail(std::strerror(EISDIR));
    if (!S_ISREG(about.st_mode)) fail("it is a pipe, a socket or a device, not a file");
    size = static_cast<uint64_t>(about.st_size);
    return file;
}

std::string folderOf(const std::string& path) {
    const std::string folder = std::filesystem::path(path).parent_path().string();
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
    ::unlink(part_.c_str());
    file_ = ::open(part_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (file_ < 0) fail(errno);
}

AtomicFile::~AtomicFile() {
    if (file_ < 0) return;
    ::close(file_);
    ::unlink(part_.c_str());
}

void AtomicFile::fail(int error) {
    if (file_ >= 0) {
        ::close(file_);
        ::unlink(part_.c_str());
        file_ = -1;
    }
    failToWrite(path_, error);
}

void failToWrite(const std::string& path, int error) {
    throw Error(path + ": cannot write: " + std::strerror(error) + whatHelps(error));
}

int writeAt(int file, uint64_t offset, const char* bytes, size_t size) {
    while (size > 0) {
        const ssize_t written = ::pwrite(file, bytes, size, static_cast<off_t>(offset));
        if (written < 0 && errno != EINTR) return errno;
        if (written <= 0) continue;
        bytes += written;
        offset += static_cast<uint64_t>(written);
        size -= static_cast<size_t>(written);
    }
    return 0;
}

void AtomicFile::append(const void* bytes, size_t size) {
    if (const int error = writeAt(file_, size_, static_cast<const char*>(bytes), size)) fail(error);
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
                if (const int error = writeAt(file_, size_ + at, scratch.block.get(), count)) failure = error;
            }
        });
    if (failure) fail(failure);
    size_ += size;
    Hash hash;
    for (const LaneHash& piece : pieces) piece.addTo(hash);
    return {size, hash.value()};
}

void AtomicFile::overwrite(uint64_t offset, const std::string& bytes) {
    if (const int error = writeAt(file_, offset, bytes.data(), bytes.size())) fail(error);
}

void AtomicFile::finish(FolderSync sync) {
    if (::fsync(file_) != 0 && errno != EINVAL) fail(errno);
    if (::close(std::exchange(file_, -1)) != 0 || std::rename(part_.c_str(), path_.c_str()) != 0) {
        const int error = errno;
        ::unlink(part_.c_str());
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
    const int folder = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const int error = folder >= 0 && ::fsync(folder) == 0 ? 0 : errno;
    if (folder >= 0) ::close(folder);
    // EINVAL: the file system does not support this.
    if (error && error != EINVAL) failToWrite(directory, error);
}

void makeFolders(const std::string& directory) {
    namespace fs = std::filesystem;
    std::error_code error;
    std::vector<fs::path> missing;
    for (fs::path path = fs::absolute(directory, error); !error && !fs::exists(path, error); path = path.parent_path())
        missing.push_back(path);
    if (!error) fs::create_directories(directory, error);
    if (error) throw Error(directory + ": cannot make this folder: " + error.message());
    if (!fs::is_directory(directory, error)) throw Error(directory + ": cannot make this folder: a file has its name");
    for (const fs::path& made : missing) syncFolder(made.parent_path().string());
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
    if (file_ >= 0) ::close(file_);
}

void ByteSource::read(uint64_t offset, void* to, size_t size) const {
    if (offset > size_ || size > size_ - offset)
        throw Error(path_ + ": truncated or damaged: it refers to " + std::to_string(size) + " bytes at byte " +
                    std::to_string(offset) + ", but has only " + std::to_string(size_));
    if (bytes_ && size) std::memcpy(to, bytes_ + offset, size);
    for (char* at = static_cast<char*>(to); !bytes_ && size > 0;) {
        const ssize_t got = ::pread(file_, at, size, static_cast<off_t>(offset));
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) throw Error(path_ + ": cannot read: " + std::strerror(got < 0 ? errno : EIO));
        at += got;
        offset += static_cast<uint64_t>(got);
        size -= static_cast<size_t>(got);
    }
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
