// A state on disk: what a run is resumed from, to the bit. Made for the machine that wrote it, not for exchange.
#pragma once
#include <string>

#include "solver/state.h"

namespace purl {

// The state's bytes, for whoever writes them while the state goes on changing.
std::string encodeState(const State& state);
// The file is whole or absent; loading checks its hash. Both throw Error.
void saveState(const State& state, const std::string& path);
State decodeState(const std::string& bytes, const std::string& path, const Device& device = Device::cpu());
State loadState(const std::string& path, const Device& device = Device::cpu());

}  // namespace purl
