// Ogawa, the container of Alembic files: groups, whose children are groups or data, little-endian. Written front to
// back, data as they come and groups when all their children are known; a child is named by where it stands.
#pragma once
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "solver/cache/file.h"

namespace purl {

// Where a child stands; the top bit tells data from groups. Empty ones take no room: just the bit, or nothing.
using OgawaChild = uint64_t;
constexpr OgawaChild kOgawaData = 1ull << 63;

class OgawaWriter {
  public:
    OgawaWriter();                                  // into memory; see take()
    explicit OgawaWriter(const std::string& path);  // to a file, which is there once finished

    // Pieces that lie one behind the other.
    OgawaChild data(std::initializer_list<std::pair<const void*, size_t>> pieces);
    OgawaChild data(const std::string& bytes) { return data({{bytes.data(), bytes.size()}}); }
    OgawaChild group(const std::vector<OgawaChild>& children);
    void finish(OgawaChild root);
    std::string take() { return std::move(pending_); }
    void reserve(size_t bytes) { pending_.reserve(bytes); }

  private:
    void append(const void* bytes, size_t size);
    void appendNumber(uint64_t number) { append(&number, sizeof number); }

    std::unique_ptr<WholeFile> file_;
    std::string pending_;   // still to be written; without a file, everything
    uint64_t written_ = 0;  // bytes so far, pending ones too
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
