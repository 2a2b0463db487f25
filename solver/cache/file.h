// Files that are whole or absent, and their receipts. All of the caches' reading and writing goes through here.
#pragma once
#include <cstdint>
#include <string>
#include <utility>

#include "solver/cache/laneHash.h"
#include "solver/core/device.h"

namespace purl {

class FileContent;

// What a manifest keeps of a file, so that a changed or cut one is noticed.
struct Receipt {
    uint64_t bytes = 0, hash = 0;

    bool operator==(const Receipt& other) const { return bytes == other.bytes && hash == other.hash; }
    bool operator!=(const Receipt& other) const { return !(*this == other); }
};
Receipt receiptOf(const char* bytes, size_t size);
inline Receipt receiptOf(const std::string& bytes) { return receiptOf(bytes.data(), bytes.size()); }
Receipt receiptOfFile(const std::string& path);
class ByteSource;
Receipt receiptOf(const ByteSource& source, uint64_t bytes);  // of the first so many
// Throws Error saying how a file differs from what was written.
void check(const std::string& path, const Receipt& found, const Receipt& written);

// When a new name must outlive a power cut: at once, or when the caller calls syncFolder for several.
enum class FolderSync { now, later };
void syncFolder(const std::string& directory);

// A file under way: it grows as PATH.part and gets its name when it is whole. A file or link that bears the name of the
// part is replaced, never written through. All throw Error.
class WholeFile {
  public:
    explicit WholeFile(std::string path);
    // Grows under another name, which should end in ".part".
    WholeFile(std::string path, std::string part);
    ~WholeFile();  // unfinished: nothing is left behind
    WholeFile(const WholeFile&) = delete;
    WholeFile& operator=(const WholeFile&) = delete;

    void append(const std::string& bytes) { append(bytes.data(), bytes.size()); }
    void append(const void* bytes, size_t size);
    // Made, hashed and written piece by piece; any number of threads gives the same file. Returns the content's
    // receipt.
    Receipt append(const FileContent& content, const Device& device);
    // Writes over what was appended before.
    void overwrite(uint64_t offset, const std::string& bytes);
    void finish(FolderSync sync = FolderSync::now);

  private:
    [[noreturn]] void fail(int error);

    std::string path_, part_;
    int file_ = -1;
    uint64_t size_ = 0;
};

// Small pieces of a file, gathered to large ones.
class GatheredText {
  public:
    explicit GatheredText(WholeFile& file) : file_(file) {}
    void append(const std::string& text);
    // Writes what is left. Returns the receipt of all that was appended.
    Receipt finish();

  private:
    void flush(size_t size);

    WholeFile& file_;
    std::string waiting_;
    FileHash hash_;
    uint64_t size_ = 0;
};

// Writes all the bytes. Returns errno, or 0 where all went well. For any number of threads.
int writeAt(int file, uint64_t offset, const char* bytes, size_t size);
[[noreturn]] void failToWrite(const std::string& path, int error);

void writeFile(const std::string& path, const std::string& bytes, FolderSync sync = FolderSync::now);
Receipt writeFile(const std::string& path, const FileContent& content, const Device& device,
                  FolderSync sync = FolderSync::now);

constexpr uint64_t kMaxFileBytes = uint64_t{1} << 36;  // that are read into memory at once: 64 GiB
constexpr uint64_t kMaxTextBytes = uint64_t{1} << 28;  // of text that people write: 256 MiB
// Regular files only: a pipe, a device or a folder is refused at once. Throws Error.
std::string readFile(const std::string& path, uint64_t maxBytes = kMaxFileBytes);
// The same where it is what was written.
std::string readFile(const std::string& path, const Receipt& receipt);
// The bytes from `offset` on: `size` of them, or fewer where the file ends.
std::string readFilePart(const std::string& path, uint64_t offset, uint64_t size);

// Bytes to be read here and there: a file's, or some in memory. Nothing is read beyond their end.
class ByteSource {
  public:
    // Throws Error where the file cannot be read.
    static ByteSource ofFile(std::string path);
    static ByteSource ofBytes(const std::string& bytes, std::string path);
    ~ByteSource();
    ByteSource(ByteSource&& other) noexcept;
    ByteSource& operator=(ByteSource&&) = delete;

    uint64_t size() const { return size_; }
    const std::string& path() const { return path_; }
    // Throws Error where fewer are there.
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
