#include "solver/cache/ogawa.h"

#include <cstring>

#include "solver/core/error.h"

namespace purl {
namespace {

// "Ogawa", whether the file is closed, two bytes of version, and where the root group stands.
constexpr size_t kHeadSize = 16;
std::string head(bool closed, OgawaChild root) {
    std::string bytes("Ogawa\0\0\1", 8);
    if (closed) bytes[5] = '\xff';
    return bytes.append(reinterpret_cast<const char*>(&root), sizeof root);
}
constexpr size_t kPiece = 1 << 20;  // pending bytes that are worth a write

}  // namespace

OgawaWriter::OgawaWriter() {
    const std::string bytes = head(false, 0);
    append(bytes.data(), bytes.size());
}

OgawaWriter::OgawaWriter(const std::string& path) : file_(std::make_unique<WholeFile>(path)) {
    const std::string bytes = head(false, 0);
    append(bytes.data(), bytes.size());
}

void OgawaWriter::append(const void* bytes, size_t size) {
    written_ += size;
    if (file_ && pending_.size() + size > kPiece) {
        file_->append(pending_);
        pending_.clear();
        if (size > kPiece) {
            file_->append(bytes, size);
            return;
        }
    }
    pending_.append(static_cast<const char*>(bytes), size);
}

OgawaChild OgawaWriter::data(std::initializer_list<std::pair<const void*, size_t>> pieces) {
    size_t size = 0;
    for (const auto& piece : pieces) size += piece.second;
    if (size == 0) return kOgawaData;
    const OgawaChild child = written_ | kOgawaData;
    appendNumber(size);
    for (const auto& piece : pieces)
        if (piece.second) append(piece.first, piece.second);
    return child;
}

OgawaChild OgawaWriter::group(const std::vector<OgawaChild>& children) {
    if (children.empty()) return 0;
    const OgawaChild group = written_;
    appendNumber(children.size());
    append(children.data(), children.size() * sizeof(OgawaChild));
    return group;
}

void OgawaWriter::finish(OgawaChild root) {
    if (!file_) {
        pending_.replace(0, kHeadSize, head(true, root));
        return;
    }
    file_->append(pending_);
    pending_.clear();
    file_->overwrite(0, head(true, root));
    file_->finish();
}

OgawaReader::OgawaReader(ByteSource source) : source_(std::move(source)) {
    if (source_.size() < kHeadSize) throw Error(path() + ": not an Alembic (Ogawa) file: it is too short");
    const std::string bytes = source_.read(0, kHeadSize);
    if (bytes.compare(0, 5, "Ogawa") != 0) throw Error(path() + ": not an Alembic (Ogawa) file");
    if (bytes[5] != '\xff') throw Error(path() + ": was never finished; whoever wrote it was cut off");
    std::memcpy(&root_, bytes.data() + 8, sizeof root_);
}

std::vector<OgawaChild> OgawaReader::children(OgawaChild group) const {
    if (group & kOgawaData) throw Error(path() + ": damaged: data stand where a group should");
    if (group == 0) return {};
    uint64_t count = 0;
    source_.read(group, &count, sizeof count);
    if (count > (source_.size() - group - sizeof count) / sizeof(OgawaChild))
        throw Error(path() + ": damaged: a group counts " + std::to_string(count) + " children");
    std::vector<OgawaChild> children(static_cast<size_t>(count));
    source_.read(group + sizeof count, children.data(), children.size() * sizeof(OgawaChild));
    return children;
}

uint64_t OgawaReader::sizeOf(OgawaChild data) const {
    if (!(data & kOgawaData)) throw Error(path() + ": damaged: a group stands where data should");
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
