// Atomic file writing, and receipts (size and hash). All reading and writing of caches goes through here.
#pragma once
#include <cstdint>
#include <string>
#include <utility>

#include "solver/cache/laneHash.h"
#include "solver/core/device.h"

namespace purl {

class FileContent;

// Size and hash of a file, kept in the manifest to detect modified or truncated files.
struct Receipt {
    uint64_t bytes = 0, hash = 0;

    bool operator==(const Receipt& other) const { return bytes == other.bytes && hash == other.hash; }
    bool operator!=(const Receipt& other) const { return !(*this == other); }
};
Receipt receiptOf(const char* bytes, size_t size);
inline Receipt receiptOf(const std::string& bytes) { return receiptOf(bytes.data(), bytes.size()); }
class ByteSource;
Receipt receiptOf(const ByteSource& source, uint64_t bytes);  // of the first `bytes` bytes
// Throws Error saying how a file differs from its receipt. A file of another size is not read.
void checkFile(const std::string& path, const Receipt& written);

// When a new directory entry is made durable: immediately, or by the caller's syncFolder for several files.
enum class FolderSync { now, later };
void syncFolder(const std::string& directory);
// Creates a folder and all above it that are missing; their entries are durable.
void makeFolders(const std::string& directory);

// A file being written: as PATH.part, renamed when complete. An existing file or link with the temporary name is
// replaced, never followed. All functions throw Error.
class AtomicFile {
  public:
    explicit AtomicFile(std::string path);
    // Uses another temporary name, which should end in ".part".
    AtomicFile(std::string path, std::string part);
    ~AtomicFile();  // removes an unfinished file
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;

    void append(const std::string& bytes) { append(bytes.data(), bytes.size()); }
    void append(const void* bytes, size_t size);
    // Encodes, hashes and writes in blocks; the result does not depend on the number of threads. Returns the receipt.
    Receipt append(const FileContent& content, const Device& device);
    // Overwrites bytes that were appended before.
    void overwrite(uint64_t offset, const std::string& bytes);
    void finish(FolderSync sync = FolderSync::now);

  private:
    [[noreturn]] void fail(int error);

    std::string path_, part_;
    int file_ = -1;
    uint64_t size_ = 0;
};

// Buffers small writes.
class BufferedText {
  public:
    explicit BufferedText(AtomicFile& file) : file_(file) {}
    void append(const std::string& text);
    // Flushes. Returns the receipt of everything appended.
    Receipt finish();

  private:
    void flush(size_t size);

    AtomicFile& file_;
    std::string waiting_;
    FileHash hash_;
    uint64_t size_ = 0;
};

[[noreturn]] void failToWrite(const std::string& path, int error);

void writeFile(const std::string& path, const std::string& bytes, FolderSync sync = FolderSync::now);
Receipt writeFile(const std::string& path, const FileContent& content, const Device& device,
                  FolderSync sync = FolderSync::now);

constexpr uint64_t kMaxFileBytes = uint64_t{1} << 36;  // largest file read into memory, 64 GiB
constexpr uint64_t kMaxTextBytes = uint64_t{1} << 28;  // largest hand-written text file, 256 MiB
// Reads a regular file; pipes, devices and folders are refused immediately. Throws Error.
std::string readFile(const std::string& path, uint64_t maxBytes = kMaxFileBytes);
// The same, checked against a receipt. Throws Error as checkFile does.
std::string readFile(const std::string& path, const Receipt& receipt);
// Reads the file in blocks. Throws Error if it is larger than `maxBytes`.
Receipt receiptOfFile(const std::string& path, uint64_t maxBytes = UINT64_MAX);
// Reads `size` bytes from `offset` on, or fewer at the end of the file.
std::string readFilePart(const std::string& path, uint64_t offset, uint64_t size);

// Random access to the bytes of a file or a memory block, bounds-checked.
class ByteSource {
  public:
    // Throws Error if the file cannot be read.
    static ByteSource ofFile(std::string path);
    static ByteSource ofBytes(const std::string& bytes, std::string path);
    ~ByteSource();
    ByteSource(ByteSource&& other) noexcept;
    ByteSource& operator=(ByteSource&&) = delete;

    uint64_t size() const { return size_; }
    const std::string& path() const { return path_; }
    // Throws Error beyond the end.
    void read(uint64_t offset, void* to, size_t size) const;
    std::string read(uint64_t offset, uint64_t size) const;

  private:
    explicit ByteSource(std::string path) : path_(std::move(path)) {}

    std::string path_;
    int file_ = -1;
    const char* bytes_ = nullptr;
    uint64_t size_ = 0;
};

}  // namespace purl
