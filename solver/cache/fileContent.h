// What a file is to hold, told section by section before any of it exists: bytes as they are, and rows that are made
// when they are written. Files of any size are so written from a small buffer, in parallel, and hashed on the way.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace purl {

class FileContent {
  public:
    // Makes rows begin … end − 1, one behind the other, at `to`. Called from several threads; never throws.
    using MakeRows = std::function<void(size_t begin, size_t end, char* to)>;

    FileContent() = default;
    FileContent(std::string bytes) { add(std::move(bytes)); }

    void add(std::string bytes);
    // Of someone who outlives this.
    void addView(const void* bytes, size_t size);
    void addRows(size_t count, size_t rowBytes, MakeRows make);
    // Rows of any length: `ends` says where each ends, counted from the first one's beginning.
    void addRows(std::vector<uint64_t> ends, MakeRows make);
    void add(FileContent content);
    // Keeps what the rows are made from as long as they may be asked for; returns it.
    template <class T>
    const T& keep(T thing) {
        auto kept = std::make_shared<const T>(std::move(thing));
        kept_.push_back(kept);
        return *kept;
    }

    uint64_t size() const { return size_; }
    // Bytes begin … begin + size − 1.
    void read(uint64_t begin, size_t size, char* to) const;
    std::string bytes() const;
    // For readers that take a file's bytes.
    operator std::string() const { return bytes(); }

  private:
    struct Section {
        uint64_t begin = 0, size = 0;
        std::string own;             // bytes of its own, or
        const char* view = nullptr;  // of someone else's, or
        size_t rowBytes = 0;         // rows: all as long, or
        std::vector<uint64_t> ends;  // each its own way
        MakeRows make{};

        const char* bytes() const { return view ? view : own.data(); }
        uint64_t startOf(size_t row) const { return rowBytes ? row * rowBytes : row ? ends[row - 1] : 0; }
        size_t rowAt(uint64_t offset) const;
        void read(uint64_t offset, size_t size, char* to) const;
    };
    void add(Section section, uint64_t size);

    std::vector<Section> sections_;  // none empty
    std::vector<std::shared_ptr<const void>> kept_;
    uint64_t size_ = 0;
};

}  // namespace purl
