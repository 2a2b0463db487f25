#include "solver/cache/stateFolder.h"

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "solver/cache/file.h"
#include "solver/cache/fileNames.h"
#include "solver/cache/stateFile.h"
#include "solver/core/hash.h"
#include "solver/core/path.h"

namespace purl {
namespace {

namespace fs = std::filesystem;

fs::path folderOf(const std::string& cacheDirectory) { return toPath(cacheDirectory) / "state"; }

// True for a frame number followed by `ending`, as in "12.purl"; sets `frame`.
bool isStateName(const std::string& name, const std::string& ending, int& frame) {
    if (name.size() <= ending.size() || name.compare(name.size() - ending.size(), ending.size(), ending) != 0)
        return false;
    const char* const last = name.data() + (name.size() - ending.size());
    const auto [end, error] = std::from_chars(name.data(), last, frame);
    return error == std::errc() && end == last && name == std::to_string(frame) + ending;
}

void refuseLink(const fs::path& folder) {
    std::error_code none;
    if (fs::is_symlink(fs::symlink_status(folder, none)))
        throw Error(toText(folder) +
                    ": is a symbolic link, and states are not written or removed through links; "
                    "replace it by a folder");
}

// Frame numbers of the files with this ending.
std::vector<int> framesWith(const std::string& cacheDirectory, const std::string& ending) {
    std::vector<int> frames;
    std::error_code error;
    for (fs::directory_iterator entry(folderOf(cacheDirectory), error), end; !error && entry != end;
         entry.increment(error)) {
        int frame = 0;
        if (isStateName(toText(entry->path().filename()), ending, frame)) frames.push_back(frame);
    }
    std::sort(frames.begin(), frames.end());
    return frames;
}

}  // namespace

std::string stateFileOf(const std::string& cacheDirectory, int frame) {
    return toText(folderOf(cacheDirectory) / (std::to_string(frame) + ".purl"));
}

std::vector<int> savedStates(const std::string& cacheDirectory) { return framesWith(cacheDirectory, ".purl"); }

std::vector<std::string> unfinishedStates(const std::string& cacheDirectory) {
    std::vector<std::string> paths;
    for (const int frame : framesWith(cacheDirectory, ".purl.part"))
        paths.push_back(stateFileOf(cacheDirectory, frame) + ".part");
    return paths;
}

void keepState(const std::string& encoded, const std::string& cacheDirectory, int frame, int every, int start) {
    refuseLink(folderOf(cacheDirectory));
    std::error_code error;
    // Creates only this folder, not its parents: the cache may have been moved away in the meantime.
    if (fs::create_directory(folderOf(cacheDirectory), error)) syncFolder(cacheDirectory);
    const std::vector<int> before = savedStates(cacheDirectory);
    writeFile(stateFileOf(cacheDirectory, frame), encoded);
    for (const int old : before)
        if (old != frame && (every <= 0 || (int64_t{old} - start) % every != 0))
            fs::remove(toPath(stateFileOf(cacheDirectory, old)), error);
}

void dropStates(const std::string& cacheDirectory, const Manifest& manifest) {
    const fs::path folder = folderOf(cacheDirectory);
    std::error_code error;
    if (!fs::exists(fs::symlink_status(folder, error))) return;
    refuseLink(folder);
    for (const std::string& path : unfinishedStates(cacheDirectory)) removeFile(path);
    for (const int frame : savedStates(cacheDirectory))
        if (!manifest.find(frame)) removeFile(stateFileOf(cacheDirectory, frame));
    fs::remove(folder, error);  // succeeds only if it is empty
}

void dropState(const std::string& cacheDirectory, int frame) {
    refuseLink(folderOf(cacheDirectory));
    removeFile(stateFileOf(cacheDirectory, frame));
}

State loadState(const std::string& cacheDirectory, const FrameRecord& frame, const Device& device) {
    const std::string path = stateFileOf(cacheDirectory, frame.number);
    State state = loadState(path, device);
    if (const uint64_t hash = hashOf(state); hash != frame.stateHash)
        throw Error(path + ": is the state " + toHex(hash) + ", but frame " + std::to_string(frame.number) +
                    " was made from " + toHex(frame.stateHash) + "; resume from an earlier frame");
    return state;
}

std::optional<SavedState> newestState(const std::string& cacheDirectory, const Manifest& manifest, int last,
                                      std::vector<std::string>& skipped, const Device& device) {
    const std::vector<int> saved = savedStates(cacheDirectory);
    for (auto frame = saved.rbegin(); frame != saved.rend(); ++frame) {
        if (*frame > last) continue;
        const FrameRecord* record = manifest.find(*frame);
        if (!record) continue;  // the run was interrupted before the frame was listed
        try {
            return SavedState{*frame, loadState(cacheDirectory, *record, device)};
        } catch (const Error& error) { skipped.push_back(error.what()); }
    }
    return std::nullopt;
}

}  // namespace purl
