#include "solver/cache/ogawa.h"

#include <cstring>

#include "solver/core/error.h"

namespace purl {
namespace {

// File header: "Ogawa", a flag that the file is complete, two bytes of version, and the offset of the root group.
constexpr size_t kHeadSize = 16;
std::string head(bool closed, OgawaChild root) {
    std::string bytes("Ogawa\0\0\1", 8);
    if (closed) bytes[5] = '\xff';
    return bytes.append(reinterpret_cast<const char*>(&root), sizeof root);
}
template <class T>
std::string bytesOf(const T* values, size_t count) {
    return {reinterpret_cast<const char*>(values), count * sizeof(T)};
}

}  // namespace

OgawaWriter::OgawaWriter(const std::string& path) : file_(std::make_unique<AtomicFile>(path)) {
    file_->append(head(false, 0));
}

uint64_t OgawaWriter::end() const { return kHeadSize + written_ + pending_.size(); }

OgawaChild OgawaWriter::data(FileContent bytes) {
    if (bytes.size() == 0) return kOgawaData;
    const OgawaChild child = end() | kOgawaData;
    const uint64_t size = bytes.size();
    pending_.add(bytesOf(&size, 1));
    pending_.add(std::move(bytes));
    return child;
}

OgawaChild OgawaWriter::group(const std::vector<OgawaChild>& children) {
    if (children.empty()) return 0;
    const OgawaChild group = end();
    const uint64_t count = children.size();
    pending_.add(bytesOf(&count, 1) + bytesOf(children.data(), children.size()));
    return group;
}

void OgawaWriter::settle(const Device& device) {
    if (!file_) {
        pending_ = FileContent(pending_.bytes());
        return;
    }
    file_->append(pending_, device);
    written_ += pending_.size();
    pending_ = {};
}

void OgawaWriter::finish(OgawaChild root, const Device& device) {
    if (!file_) {
        FileContent whole(head(true, root));
        whole.add(std::move(pending_));
        pending_ = std::move(whole);
        return;
    }
    settle(device);
    file_->overwrite(0, head(true, root));
    file_->finish();
}

OgawaReader::OgawaReader(ByteSource source) : source_(std::move(source)) {
    if (source_.size() < kHeadSize) throw Error(path() + ": not an Alembic (Ogawa) file: it is too short");
    const std::string bytes = source_.read(0, kHeadSize);
    if (bytes.compare(0, 5, "Ogawa") != 0) throw Error(path() + ": not an Alembic (Ogawa) file");
    if (bytes[5] != '\xff') throw Error(path() + ": is incomplete: the program that wrote it was interrupted");
    std::memcpy(&root_, bytes.data() + 8, sizeof root_);
}

std::vector<OgawaChild> OgawaReader::children(OgawaChild group) const {
    if (group & kOgawaData) throw Error(path() + ": damaged: found data instead of a group");
    if (group == 0) return {};
    uint64_t count = 0;
    source_.read(group, &count, sizeof count);
    if (count > (source_.size() - group - sizeof count) / sizeof(OgawaChild))
        throw Error(path() + ": damaged: a group has " + std::to_string(count) + " children");
    std::vector<OgawaChild> children(static_cast<size_t>(count));
    source_.read(group + sizeof count, children.data(), children.size() * sizeof(OgawaChild));
    return children;
}

uint64_t OgawaReader::sizeOf(OgawaChild data) const {
    if (!(data & kOgawaData)) throw Error(path() + ": damaged: found a group instead of data");
    const uint64_t at = data & ~kOgawaData;
    if (at == 0) return 0;
    uint64_t size = 0;
    source_.read(at, &size, sizeof size);
    if (size > source_.size() - at - sizeof size)
        throw Error(path() + ": damaged: data of " + std::to_string(size) + " bytes do not fit into the file");
    return size;
}

std::string OgawaReader::data(OgawaChild data, uint64_t skip) const {
    const uint64_t size = sizeOf(data);
    if (size <= skip) return {};
    return source_.read((data & ~kOgawaData) + sizeof size + skip, size - skip);
}

}  // namespace purl
