#include "farm/wedgeStatus.h"

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "farm/lastError.h"
#include "farm/wedges.h"
#include "solver/cache/folderLock.h"
#include "solver/cache/frameList.h"
#include "solver/cache/manifestFile.h"
#include "solver/core/error.h"
#include "solver/core/path.h"

namespace fs = std::filesystem;

namespace purl {
namespace {

// Median time between the last frames: pauses between a stop and a resumed run do not count.
double secondsPerFrame(const std::string& folder, const Manifest& manifest) {
    constexpr size_t kFrames = 20;
    std::vector<fs::file_time_type> times;
    for (auto frame = manifest.frames.rbegin(); frame != manifest.frames.rend() && times.size() <= kFrames; ++frame) {
        std::error_code failed;
        if (frame->files.empty()) break;
        const fs::file_time_type time = fs::last_write_time(toPath(folder) / frame->files[0].name, failed);
        if (failed) break;  // packed: all frames share one file
        times.push_back(time);
    }
    std::vector<double> steps;
    for (size_t i = 1; i < times.size(); ++i)
        steps.push_back(std::chrono::duration<double>(times[i - 1] - times[i]).count());
    if (steps.empty()) return 0;
    const auto middle = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2);
    std::nth_element(steps.begin(), middle, steps.end());
    return std::max(0.0, *middle);
}

int imagesIn(const fs::path& folder) {
    std::error_code none;
    int count = 0;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, none)) {
        const std::string ending = toText(entry.path().extension());
        count += ending == ".png" || ending == ".exr";
    }
    return count;
}

}  // namespace

const char* nameOf(WedgeState state) {
    switch (state) {
        case WedgeState::waiting: return "waiting";
        case WedgeState::running: return "running";
        case WedgeState::stopped: return "stopped";
        case WedgeState::failed: return "failed";
        case WedgeState::done: return "done";
    }
    return "";
}

WedgeStatus statusOf(const std::string& cache) {
    WedgeStatus status;
    status.folder = cache;
    status.name = toText(toPath(cache).filename());
    status.error = lastErrorOf(cache);
    const bool running = isBeingWritten(cache);
    if (hasManifest(cache)) {
        try {
            const Manifest manifest = readManifest(cache).manifest;
            status.assignments = manifest.run.assignments;
            status.frames = static_cast<int>(manifest.frames.size());
            status.wanted = status.frames;
            if (!manifest.frameList.empty()) {
                const FrameList wanted = FrameList::parse(manifest.frameList);
                status.wanted = static_cast<int>(wanted.size());
                status.frames = 0;
                for (const FrameRecord& frame : manifest.frames) status.frames += wanted.contains(frame.number);
            }
            if (!manifest.frames.empty()) {
                status.lastFrame = manifest.frames.back().number;
                status.machine = manifest.frames.back().machine;
            }
            status.secondsPerFrame = secondsPerFrame(cache, manifest);
            status.secondsLeft = status.secondsPerFrame * (status.wanted - status.frames);
            const std::string meshes = toText(toPath(cache) / "mesh");
            if (hasManifest(meshes)) status.meshes = static_cast<int>(readManifest(meshes).manifest.frames.size());
        } catch (const Error& error) { status.error = error.what(); }
    }
    status.images = imagesIn(toPath(cache) / "frames");
    if (running)
        status.state = WedgeState::running;
    else if (!status.error.empty())
        status.state = WedgeState::failed;
    else if (status.wanted > 0)
        status.state = status.frames < status.wanted ? WedgeState::stopped : WedgeState::done;
    return status;
}

std::vector<WedgeStatus> statusOfWedges(const std::string& folder) {
    std::vector<WedgeStatus> all;
    const std::string list = toText(toPath(folder) / kWedgeListName);
    std::error_code none;
    if (fs::exists(toPath(list), none)) {
        for (const Wedge& wedge : readWedges(list)) {
            all.push_back(statusOf(toText(toPath(folder) / wedge.name)));
            all.back().assignments = wedge.assignments;
        }
        return all;
    }
    if (hasManifest(folder)) return {statusOf(folder)};
    for (const fs::directory_entry& entry : fs::directory_iterator(toPath(folder), none))
        if (entry.is_directory(none) && hasManifest(toText(entry.path())))
            all.push_back(statusOf(toText(entry.path())));
    std::sort(all.begin(), all.end(), [](const WedgeStatus& a, const WedgeStatus& b) { return a.name < b.name; });
    if (all.empty()) throw Error(folder + ": holds no caches; name the folder of a farm job, or of several caches");
    return all;
}

}  // namespace purl
