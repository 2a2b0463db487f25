// Ogawa, the container format of Alembic: groups, whose children are groups or data, little-endian. Written
// sequentially: data immediately, groups when all their children are known. Children are referenced by offset.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "solver/cache/file.h"
#include "solver/cache/fileContent.h"

namespace purl {

// Offset of a child; the top bit marks data. Empty children take no space: the offset is 0, with or without the bit.
using OgawaChild = uint64_t;
constexpr OgawaChild kOgawaData = 1ull << 63;

class OgawaWriter {
  public:
    OgawaWriter() = default;                        // writes to memory; see take()
    explicit OgawaWriter(const std::string& path);  // writes to a file, which appears in finish()

    OgawaChild data(FileContent bytes);
    OgawaChild group(const std::vector<OgawaChild>& children);
    // Keeps the source of data alive.
    void keep(FileContent things) { pending_.add(std::move(things)); }
    // After this call the sources of data may be destroyed: the data are in the file, or copied.
    void settle(const Device& device);
    void finish(OgawaChild root, const Device& device);
    // The content, after finish(), if written to memory. Sources of data that was not settled must outlive it.
    FileContent take() { return std::move(pending_); }

  private:
    uint64_t end() const;  // offset of the next child

    std::unique_ptr<AtomicFile> file_;
    FileContent pending_;  // not yet written, after the header; everything if there is no file
    uint64_t written_ = 0;
};

class OgawaReader {
  public:
    // Throws Error if it is not an Ogawa file, or an unfinished one.
    explicit OgawaReader(ByteSource source);

    const std::string& path() const { return source_.path(); }
    uint64_t fileSize() const { return source_.size(); }
    OgawaChild root() const { return root_; }
    std::vector<OgawaChild> children(OgawaChild group) const;
    uint64_t sizeOf(OgawaChild data) const;
    std::string data(OgawaChild data, uint64_t skip = 0) const;

  private:
    ByteSource source_;
    OgawaChild root_ = 0;
};

}  // namespace purl
