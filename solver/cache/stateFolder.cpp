#include "solver/cache/stateFolder.h"

#include <algorithm>
#include <charconv>

#include "solver/cache/file.h"
#include "solver/cache/fileNames.h"
#include "solver/cache/stateFile.h"
#include "solver/core/hash.h"
#include "solver/core/system.h"

namespace purl {
namespace {

std::string folderOf(const std::string& cacheDirectory) { return inFolder(cacheDirectory, "state"); }

// True for a frame number followed by `ending`, as in "12.purl"; sets `frame`.
bool isStateName(const std::string& name, const std::string& ending, int& frame) {
    if (name.size() <= ending.size() || name.compare(name.size() - ending.size(), ending.size(), ending) != 0)
        return false;
    const char* const last = name.data() + (name.size() - ending.size());
    const auto [end, error] = std::from_chars(name.data(), last, frame);
    return error == std::errc() && end == last && name == std::to_string(frame) + ending;
}

void refuseLink(const std::string& folder) {
    if (os::kindOf(folder, os::Links::stay) == os::Kind::link)
        throw Error(folder +
                    ": is a symbolic link, and states are not written or removed through links; "
                    "replace it by a folder");
}

// Frame numbers of the files with this ending.
std::vector<int> framesWith(const std::string& cacheDirectory, const std::string& ending) {
    std::vector<int> frames;
    std::vector<std::string> names;
    os::namesIn(folderOf(cacheDirectory), names);
    int frame = 0;
    for (const std::string& name : names)
        if (isStateName(name, ending, frame)) frames.push_back(frame);
    std::sort(frames.begin(), frames.end());
    return frames;
}

}  // namespace

std::string stateFileOf(const std::string& cacheDirectory, int frame) {
    return inFolder(folderOf(cacheDirectory), std::to_string(frame) + ".purl");
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
    // Creates only this folder, not its parents: the cache may have been moved away in the meantime.
    if (os::makeFolder(folderOf(cacheDirectory)) == 0) syncFolder(cacheDirectory);
    const std::vector<int> before = savedStates(cacheDirectory);
    writeFile(stateFileOf(cacheDirectory, frame), encoded);
    for (const int old : before)
        if (old != frame && (every <= 0 || (int64_t{old} - start) % every != 0))
            os::remove(stateFileOf(cacheDirectory, old));
}

void dropStates(const std::string& cacheDirectory, const Manifest& manifest) {
    const std::string folder = folderOf(cacheDirectory);
    if (os::kindOf(folder, os::Links::stay) == os::Kind::none) return;
    refuseLink(folder);
    for (const std::string& path : unfinishedStates(cacheDirectory)) removeFile(path);
    for (const int frame : savedStates(cacheDirectory))
        if (!manifest.find(frame)) removeFile(stateFileOf(cacheDirectory, frame));
    os::removeFolder(folder);  // succeeds only if it is empty
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
