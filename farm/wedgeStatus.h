// How far the wedges of a folder are, from their manifests and the times of their files: while a farm works and
// afterwards, without asking its scheduler.
#pragma once
#include <string>
#include <vector>

namespace purl {

// waiting: nothing is written yet. stopped: the run ended before its last frame, and can be resumed.
enum class WedgeState { waiting, running, stopped, failed, done };
const char* nameOf(WedgeState state);

struct WedgeStatus {
    std::string name, folder;
    WedgeState state = WedgeState::waiting;
    std::vector<std::string> assignments;
    int frames = 0, wanted = 0;  // counts; wanted is 0 while unknown
    int lastFrame = 0;           // if there are frames
    double secondsPerFrame = 0;  // of the last frames; 0: unknown
    double secondsLeft = 0;      // at that rate
    int meshes = 0, images = 0;  // made from the wedge
    std::string machine;         // that made the last frame
    std::string error;           // of the last run, if it failed
};

WedgeStatus statusOf(const std::string& cache);
// Of all wedges that the list in the folder names, or of all caches in the folder, or of the folder itself if it is a
// cache. Throws Error if there is none of these.
std::vector<WedgeStatus> statusOfWedges(const std::string& folder);

}  // namespace purl
