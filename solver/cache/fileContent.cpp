#include "solver/cache/fileContent.h"

#include <algorithm>
#include <cstring>

#include "solver/core/platform.h"

namespace purl {

void FileContent::add(Section section, uint64_t size) {
    if (size == 0) return;
    section.begin = size_;
    section.size = size;
    size_ += size;
    sections_.push_back(std::move(section));
}

void FileContent::add(std::string bytes) {
    Section section;
    section.own = std::move(bytes);
    const size_t size = section.own.size();
    add(std::move(section), size);
}

void FileContent::addView(const void* bytes, size_t size) {
    Section section;
    section.view = static_cast<const char*>(bytes);
    add(std::move(section), size);
}

void FileContent::addRows(size_t count, size_t rowBytes, MakeRows make) {
    Section section;
    section.rowBytes = rowBytes;
    section.make = std::move(make);
    add(std::move(section), uint64_t{count} * rowBytes);
}

void FileContent::addRows(std::vector<uint64_t> ends, MakeRows make) {
    Section section;
    const uint64_t size = ends.empty() ? 0 : ends.back();
    section.ends = std::move(ends);
    section.make = std::move(make);
    add(std::move(section), size);
}

void FileContent::add(FileContent content) {
    for (Section& section : content.sections_) {
        const uint64_t size = section.size;
        add(std::move(section), size);
    }
    kept_.insert(kept_.end(), content.kept_.begin(), content.kept_.end());
}

size_t FileContent::Section::rowAt(uint64_t offset) const {
    if (rowBytes) return static_cast<size_t>(offset / rowBytes);
    return static_cast<size_t>(std::upper_bound(ends.begin(), ends.end(), offset) - ends.begin());
}

void FileContent::Section::read(uint64_t offset, size_t count, char* to) const {
    if (!make) {
        std::memcpy(to, bytes() + offset, count);
        return;
    }
    const uint64_t end = offset + count;
    size_t row = rowAt(offset);
    std::string buffer;
    // A row that is only partly requested is encoded into a temporary buffer.
    const auto readPart = [&](uint64_t from, uint64_t until) {
        buffer.resize(static_cast<size_t>(startOf(row + 1) - startOf(row)));
        make(row, row + 1, buffer.data());
        std::memcpy(to + (from - offset), buffer.data() + (from - startOf(row)), static_cast<size_t>(until - from));
        ++row;
    };
    if (startOf(row) < offset) readPart(offset, std::min(end, startOf(row + 1)));
    if (startOf(row) >= end) return;
    const size_t last = end == size ? rowAt(end - 1) + 1 : rowAt(end);
    if (last > row) make(row, last, to + (startOf(row) - offset));
    row = std::max(row, last);
    if (startOf(row) < end) readPart(startOf(row), end);
}

void FileContent::read(uint64_t begin, size_t count, char* to) const {
    PURL_ASSERT(begin <= size_ && count <= size_ - begin);
    auto section = std::upper_bound(sections_.begin(), sections_.end(), begin,
                                    [](uint64_t at, const Section& s) { return at < s.begin + s.size; });
    for (; count > 0; ++section) {
        const uint64_t offset = begin - section->begin;
        const auto part = static_cast<size_t>(std::min<uint64_t>(count, section->size - offset));
        section->read(offset, part, to);
        begin += part;
        to += part;
        count -= part;
    }
}

std::string FileContent::bytes() const {
    std::string all(static_cast<size_t>(size_), '\0');
    read(0, all.size(), all.data());
    return all;
}

}  // namespace purl
