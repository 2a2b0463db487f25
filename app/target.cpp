#include "app/target.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "solver/cache/manifestFile.h"
#include "solver/core/path.h"

namespace fs = std::filesystem;

namespace purl {
namespace {

bool isSame(const std::string& a, const std::string& b) {
    std::error_code none;
    return fs::equivalent(toPath(a), toPath(b), none);
}

// Whether `out` is this cache or a branch below it.
bool isInTree(const std::string& folder, const std::string& out) {
    if (isSame(folder, out)) return true;
    const std::vector<std::string> branches = branchesOf(folder);
    return std::any_of(branches.begin(), branches.end(),
                       [&](const std::string& name) { return isInTree(branchFolder(folder, name), out); });
}

void checkFile(const std::string& folder, const FileRecord& file) {
    const std::string path = toText(toPath(folder) / toPath(file.name));
    std::error_code failed;
    const uint64_t bytes = fs::file_size(toPath(path), failed);
    if (failed) throw Error(path + ": cannot be read: " + failed.message() + "; simulate this frame again");
    if (bytes != file.receipt.bytes)
        throw Error(path + ": is " + std::to_string(bytes) + " bytes, but " + std::to_string(file.receipt.bytes) +
                    " were written; simulate this frame again");
}

// "out/pool_v002" is version 2 of "out/pool", which is version 1 itself.
struct Version {
    explicit Version(std::string folder) : name(std::move(folder)) {
        while (name.size() > 1 && name.back() == '/') name.pop_back();
        const size_t mark = name.rfind("_v");
        if (mark == std::string::npos || mark + 2 >= name.size()) return;
        int found = 0;
        const char* const end = name.data() + name.size();
        const auto [stop, error] = std::from_chars(name.data() + mark + 2, end, found);
        if (error != std::errc() || stop != end || found < 1) return;
        number = found;
        name.resize(mark);
        explicitly = true;
    }
    std::string path() const { return number == 1 && !explicitly ? name : fmt::format("{}_v{:03}", name, number); }
    void increase() { ++number; }

    std::string name;
    int number = 1;
    bool explicitly = false;  // version 1 is written as "_v001"
};

// Frames of the cache in a folder; empty if there is none.
std::vector<int> framesIn(const std::string& folder) {
    std::vector<int> numbers;
    if (hasManifest(folder))
        for (const FrameRecord& frame : readManifestToReplace(folder).frames) numbers.push_back(frame.number);
    return numbers;
}

// The first version from that of `out` on that is above all versions with frames.
Version nextVersion(const std::string& out) {
    Version next(out);
    const fs::path folder = toPath(next.name).parent_path();
    std::error_code none;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder.empty() ? "." : folder, none)) {
        const Version other(toText(folder / entry.path().filename()));
        if (other.name == next.name && other.number >= next.number && hasManifest(other.path()))
            next.number = other.number + 1;
    }
    return next;
}

}  // namespace

TargetFolder claimFolder(const std::string& out, const Overwrite& overwrite, bool resumes) {
    if (overwrite.versionUp) {
        constexpr int kMaxTries = 100;  // other commands may take the same version at the same moment
        Version version = nextVersion(out);
        for (int tries = 0;; ++tries, version.increase()) {
            const std::string path = version.path();
            try {
                std::shared_ptr<FolderLock> lock = lockCacheFolder(path);
                if (framesIn(path).empty()) return {path, std::move(lock)};
            } catch (const FolderBusy&) {
                if (tries == kMaxTries) throw;
            }
        }
    }
    if (!overwrite.force) {
        const std::vector<int> numbers = framesIn(out);
        if (!numbers.empty() && !isBeingWritten(out)) {
            FrameList list;
            for (const int number : numbers) list.add(number);
            throw TargetExists(
                fmt::format("{}: already contains frame{} {}; use {}--version-up to write {}, --force to "
                            "replace it, or -o to choose another folder",
                            out, numbers.size() == 1 ? "" : "s", list.text(),
                            resumes ? "--resume to continue it, " : "", nextVersion(out).path()));
        }
    }
    return {out, lockCacheFolder(out)};
}

void checkFileIsNew(const std::string& path, const Overwrite& overwrite) {
    std::error_code none;
    if (!overwrite.force && fs::exists(fs::symlink_status(toPath(path), none)))
        throw TargetExists(path + ": exists already; use --force to replace it, or choose another name");
}

FrameList framesOf(const CacheReader& reader) {
    FrameList list;
    for (const int number : reader.frames()) list.add(number);
    return list;
}

void checkTarget(const CacheReader& source, const std::string& out) {
    if (isSame(source.directory(), out)) throw Error(out + ": is the source cache itself; choose another folder");
    const CacheReader* root = &source;
    while (root->parent()) root = root->parent();
    if (isInTree(root->directory(), out))
        throw Error(out + ": belongs to the branch tree of the source cache; choose another folder");
}

void checkFrames(const CacheReader& source, const std::vector<int>& numbers) {
    for (const int number : numbers) {
        const CacheReader* holder = &source;
        while (holder->parent() && number < holder->manifest().branchFrame) holder = holder->parent();
        const FrameRecord* record = holder->manifest().find(number);
        if (!record) throw Error(source.directory() + ": has no frame " + std::to_string(number));
        for (const FileRecord& file : record->files) checkFile(holder->directory(), file);
        for (const FileRecord& file : holder->manifest().files) checkFile(holder->directory(), file);
    }
}

}  // namespace purl
