#include "app/target.h"

#include <algorithm>
#include <filesystem>

#include "solver/core/error.h"

namespace fs = std::filesystem;

namespace purl {
namespace {

bool isSame(const std::string& a, const std::string& b) {
    std::error_code none;
    return fs::equivalent(a, b, none);
}

// Whether `out` is this cache or a branch below it.
bool isInTree(const std::string& folder, const std::string& out) {
    if (isSame(folder, out)) return true;
    const std::vector<std::string> branches = branchesOf(folder);
    return std::any_of(branches.begin(), branches.end(),
                       [&](const std::string& name) { return isInTree(branchFolder(folder, name), out); });
}

void checkFile(const std::string& folder, const FileRecord& file) {
    const std::string path = (fs::path(folder) / file.name).string();
    std::error_code failed;
    const uint64_t bytes = fs::file_size(path, failed);
    if (failed) throw Error(path + ": cannot be read: " + failed.message() + "; simulate this frame again");
    if (bytes != file.receipt.bytes)
        throw Error(path + ": is " + std::to_string(bytes) + " bytes, but " + std::to_string(file.receipt.bytes) +
                    " were written; simulate this frame again");
}

}  // namespace

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
