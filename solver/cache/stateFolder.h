// States kept beside the frames of a cache, to go on from: state/N.purl is the state after frame N.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "solver/cache/manifest.h"
#include "solver/state.h"

namespace purl {

std::string stateFileOf(const std::string& cacheDirectory, int frame);
std::vector<int> savedStates(const std::string& cacheDirectory);             // frames that have one, ascending
std::vector<std::string> statesUnderWay(const std::string& cacheDirectory);  // paths of files that are not whole yet
// Keeps one. Of those before it only every `every`-th frame's after `start` stays (0: none).
void keepState(const std::string& encoded, const std::string& cacheDirectory, int frame, int every, int start);
// Removes the states of frames that are not listed, and what a killed run left of one. Nothing is removed through a
// link.
void dropStates(const std::string& cacheDirectory, const Manifest& manifest);
// The same for one frame's.
void dropState(const std::string& cacheDirectory, int frame);

struct SavedState {
    int frame = 0;
    State state;
};
// The newest state up to frame `last` that is whole and is the one its frame's receipt names; none where there is no
// such. `skipped` takes a line for each newer one that will not do.
std::optional<SavedState> newestState(const std::string& cacheDirectory, const Manifest& manifest, int last,
                                      std::vector<std::string>& skipped, const Device& device = Device::cpu());
// Loads a state; throws Error where it is damaged or its frame's receipt names another.
State loadState(const std::string& cacheDirectory, const FrameRecord& frame, const Device& device = Device::cpu());

}  // namespace purl
