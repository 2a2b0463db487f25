#include "solver/cache/file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
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
        case ENOTDIR: return "; its folder is not there";
        case EISDIR: return "; a folder has its name";
        default: return "";
    }
}

std::ifstream openToRead(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    // A folder opens like a file and fails only when read.
    if (file && file.peek() == std::ifstream::traits_type::eof() && !file.eof()) file.setstate(std::ios::failbit);
    if (!file) throw Error(path + ": cannot read: " + std::strerror(errno ? errno : EIO));
    file.clear();
    return file;
}

// Pieces of one size, so that a file's hash does not depend on how it was written.
constexpr size_t kPiece = 1 << 20;

}  // namespace

WholeFile::WholeFile(std::string path) : WholeFile(path, path + ".part") {}

WholeFile::WholeFile(std::string path, std::string part) : path_(std::move(path)), part_(std::move(part)) {
    file_ = ::open(part_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file_ < 0) fail(errno);
}

WholeFile::~WholeFile() {
    if (file_ < 0) return;
    ::close(file_);
    ::unlink(part_.c_str());
}

void WholeFile::fail(int error) {
    if (file_ >= 0) {
        ::close(file_);
        ::unlink(part_.c_str());
        file_ = -1;
    }
    throw Error(path_ + ": cannot write: " + std::strerror(error) + whatHelps(error));
}

int WholeFile::writeAt(uint64_t offset, const char* bytes, size_t size) {
    while (size > 0) {
        const ssize_t written = ::pwrite(file_, bytes, size, static_cast<off_t>(offset));
        if (written < 0 && errno != EINTR) return errno;
        if (written <= 0) continue;
        bytes += written;
        offset += static_cast<uint64_t>(written);
        size -= static_cast<size_t>(written);
    }
    return 0;
}

void WholeFile::append(const void* bytes, size_t size) {
    if (const int error = writeAt(size_, static_cast<const char*>(bytes), size)) fail(error);
    size_ += size;
}

Receipt WholeFile::append(const FileContent& content, const Device& device) {
    // What a thread makes, hashes and writes before it goes on: small enough for the processor's own memory.
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
                pieces[static_cast<size_t>(piece)].add(scratch.block.get(), count);
                // Kept for later: an exception may not leave a loop that other threads are in.
                if (const int error = writeAt(size_ + at, scratch.block.get(), count)) failure = error;
            }
        });
    if (failure) fail(failure);
    size_ += size;
    Hash hash;
    for (const LaneHash& piece : pieces) piece.addTo(hash);
    return {size, hash.value()};
}

void WholeFile::overwrite(uint64_t offset, const std::string& bytes) {
    if (const int error = writeAt(offset, bytes.data(), bytes.size())) fail(error);
}

void WholeFile::finish() {
    if (::fsync(file_) != 0 && errno != EINVAL) fail(errno);
    if (::close(std::exchange(file_, -1)) != 0 || std::rename(part_.c_str(), path_.c_str()) != 0) {
        const int error = errno;
        ::unlink(part_.c_str());
        fail(error);
    }
}

void writeFile(const std::string& path, const std::string& bytes) {
    WholeFile file(path);
    file.append(bytes);
    file.finish();
}

Receipt writeFile(const std::string& path, const FileContent& content, const Device& device) {
    WholeFile file(path);
    const Receipt receipt = file.append(content, device);
    file.finish();
    return receipt;
}

std::string readFile(const std::string& path) { return readFilePart(path, 0, UINT64_MAX); }

std::string readFilePart(const std::string& path, uint64_t offset, uint64_t size) {
    std::ifstream file = openToRead(path);
    file.seekg(0, std::ios::end);
    const auto end = static_cast<uint64_t>(std::max<std::streamoff>(0, file.tellg()));
    if (offset >= end) return {};
    std::string bytes(static_cast<size_t>(std::min(size, end - offset)), '\0');
    file.seekg(static_cast<std::streamoff>(offset));
    file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    if (!file) throw Error(path + ": cannot read: " + std::strerror(errno ? errno : EIO));
    return bytes;
}

ByteSource ByteSource::ofFile(std::string path) {
    ByteSource source(std::move(path));
    source.file_ = ::open(source.path_.c_str(), O_RDONLY | O_CLOEXEC);
    const off_t end = source.file_ < 0 ? -1 : ::lseek(source.file_, 0, SEEK_END);
    if (end < 0) throw Error(source.path_ + ": cannot read: " + std::strerror(errno));
    source.size_ = static_cast<uint64_t>(end);
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
        throw Error(path_ + ": asks for " + std::to_string(size) + " bytes at byte " + std::to_string(offset) +
                    " and has " + std::to_string(size_) + ": it is cut short or damaged");
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

Receipt receiptOf(const std::string& bytes) {
    Hash hash;
    for (size_t at = 0; at < bytes.size(); at += kPiece)
        addInLanes(hash, bytes.data() + at, std::min(kPiece, bytes.size() - at));
    return {bytes.size(), hash.value()};
}

Receipt receiptOfFile(const std::string& path) {
    std::ifstream file = openToRead(path);
    Hash hash;
    uint64_t bytes = 0;
    for (std::string piece(kPiece, '\0'); file;) {
        file.read(piece.data(), static_cast<std::streamsize>(kPiece));
        const auto got = static_cast<size_t>(file.gcount());
        if (got) addInLanes(hash, piece.data(), got);
        bytes += got;
    }
    return {bytes, hash.value()};
}

}  // namespace purl
