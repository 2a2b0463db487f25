// Lazy description of a file's content, section by section: literal bytes, and rows that are encoded when they are
// written. Files of any size are written in parallel from a small buffer, and hashed at the same time.
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
    // Encodes rows begin … end − 1 to `to`. Called from several threads; must not throw.
    using MakeRows = std::function<void(size_t begin, size_t end, char* to)>;

    FileContent() = default;
    FileContent(std::string bytes) { add(std::move(bytes)); }

    void add(std::string bytes);
    // A view; the bytes must outlive the content.
    void addView(const void* bytes, size_t size);
    void addRows(size_t count, size_t rowBytes, MakeRows make);
    // Rows of varying length: `ends` are the end offsets, relative to the first row.
    void addRows(std::vector<uint64_t> ends, MakeRows make);
    void add(FileContent content);
    // Keeps the source data of rows alive; returns it.
    template <class T>
    const T& keep(T thing) {
        auto kept = std::make_shared<const T>(std::move(thing));
        kept_.push_back(kept);
        return *kept;
    }

    uint64_t size() const { return size_; }
    // Encodes bytes begin … begin + size − 1.
    void read(uint64_t begin, size_t size, char* to) const;
    std::string bytes() const;
    // The whole content as bytes.
    operator std::string() const { return bytes(); }

  private:
    struct Section {
        uint64_t begin = 0, size = 0;
        std::string own;             // owned bytes, or
        const char* view = nullptr;  // a view, or
        size_t rowBytes = 0;         // rows of equal length, or
        std::vector<uint64_t> ends;  // of varying length
        MakeRows make{};

        const char* bytes() const { return view ? view : own.data(); }
        uint64_t startOf(size_t row) const { return rowBytes ? row * rowBytes : row ? ends[row - 1] : 0; }
        size_t rowAt(uint64_t offset) const;
        void read(uint64_t offset, size_t size, char* to) const;
    };
    void add(Section section, uint64_t size);

    std::vector<Section> sections_;  // without empty ones
    std::vector<std::shared_ptr<const void>> kept_;
    uint64_t size_ = 0;
};

}  // namespace purl
