// Checkpoints of a cache: state/N.purl is the state after frame N.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "solver/cache/manifest.h"
#include "solver/state.h"

namespace purl {

std::string stateFileOf(const std::string& cacheDirectory, int frame);
std::vector<int> savedStates(const std::string& cacheDirectory);               // frames with a state, ascending
std::vector<std::string> unfinishedStates(const std::string& cacheDirectory);  // paths of unfinished files
// Saves a state. Of the earlier ones only those of every `every`-th frame after `start` are kept (0: none).
void keepState(const std::string& encoded, const std::string& cacheDirectory, int frame, int every, int start);
// Removes the states of unlisted frames and the unfinished files of killed runs. Links are not followed.
void dropStates(const std::string& cacheDirectory, const Manifest& manifest);
// The same for one frame.
void dropState(const std::string& cacheDirectory, int frame);

struct SavedState {
    int frame = 0;
    State state;
};
// The newest valid state up to frame `last` that matches the receipt of its frame, if any. `skipped` gets one line for
// each newer state that was rejected.
std::optional<SavedState> newestState(const std::string& cacheDirectory, const Manifest& manifest, int last,
                                      std::vector<std::string>& skipped, const Device& device = Device::cpu());
// Loads a state. Throws Error if it is damaged or does not match the receipt of its frame.
State loadState(const std::string& cacheDirectory, const FrameRecord& frame, const Device& device = Device::cpu());

}  // namespace purl
