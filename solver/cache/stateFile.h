// A state on disk: what a run is resumed from, to the bit. Made for the machine that wrote it, not for exchange.
#pragma once
#include <string>
#include <vector>

#include "solver/state.h"

namespace purl {

// The state's bytes, for whoever writes them while the state goes on changing.
std::string encodeState(const State& state);
// The file is whole or absent; loading checks its hash. Both throw Error.
void saveState(const State& state, const std::string& path);
State decodeState(const std::string& bytes, const std::string& path, const Device& device = Device::cpu());
State loadState(const std::string& path, const Device& device = Device::cpu());

// States kept beside the frames of a cache, to go on from.
std::string stateFileOf(const std::string& cacheDirectory, int frame);
std::vector<int> savedStates(const std::string& cacheDirectory);  // frames that have one, ascending
// Keeps one. Of those before it only every `every`-th frame's after `start` stays (0: none).
void keepState(const std::string& encoded, const std::string& cacheDirectory, int frame, int every, int start);

}  // namespace purl
