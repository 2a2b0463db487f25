// Ogawa, the container of Alembic files: groups, whose children are groups or data, little-endian. Written front to
// back, data as they come and groups when all their children are known; a child is named by where it stands.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "solver/cache/file.h"
#include "solver/cache/fileContent.h"

namespace purl {

// Where a child stands; the top bit tells data from groups. Empty ones take no room: just the bit, or nothing.
using OgawaChild = uint64_t;
constexpr OgawaChild kOgawaData = 1ull << 63;

class OgawaWriter {
  public:
    OgawaWriter() = default;                        // into memory; see take()
    explicit OgawaWriter(const std::string& path);  // to a file, which is there once finished

    OgawaChild data(FileContent bytes);
    OgawaChild group(const std::vector<OgawaChild>& children);
    // Keeps what data are made from.
    void keep(FileContent things) { pending_.add(std::move(things)); }
    // From here on, what the data were made from may go: they are in the file, or copied.
    void settle(const Device& device);
    void finish(OgawaChild root, const Device& device);
    // Of one without a file, once finished. What was not settled must outlive it.
    FileContent take() { return std::move(pending_); }

  private:
    uint64_t end() const;  // where the next child will stand

    std::unique_ptr<WholeFile> file_;
    FileContent pending_;  // behind the head, still to be written; without a file, everything
    uint64_t written_ = 0;
};

class OgawaReader {
  public:
    // Throws Error where it is no Ogawa file, or one that was never finished.
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
