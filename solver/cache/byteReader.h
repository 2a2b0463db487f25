// Sequential, bounds-checked reading of a file's bytes.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "solver/core/error.h"

namespace purl {

// Both strings must outlive the reader. All functions throw Error naming the path.
class ByteReader {
  public:
    ByteReader(const std::string& bytes, const std::string& path) : bytes_(bytes), path_(path) {}

    uint64_t left() const { return bytes_.size() - at_; }
    const char* take(uint64_t size) {
        if (size > left()) fail("truncated at byte " + std::to_string(at_));
        at_ += static_cast<size_t>(size);
        return bytes_.data() + at_ - size;
    }
    std::string text(uint64_t size) { return {take(size), static_cast<size_t>(size)}; }
    // Copies the bytes of a value in native order.
    template <class T>
    T number() {
        T value;
        std::memcpy(&value, take(sizeof value), sizeof value);
        return value;
    }
    // Seeks forward only, so that overlapping offsets in a hostile file cannot make it read the same bytes many times.
    void seek(int64_t at) {
        if (at < 0 || static_cast<uint64_t>(at) > bytes_.size() || static_cast<size_t>(at) < at_)
            fail("damaged: offset " + std::to_string(at) + " is out of range");
        at_ = static_cast<size_t>(at);
    }
    [[noreturn]] void fail(const std::string& what) const { throw Error(path_ + ": " + what); }

  private:
    const std::string& bytes_;
    const std::string& path_;
    size_t at_ = 0;
};

}  // namespace purl
