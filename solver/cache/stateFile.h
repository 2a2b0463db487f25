// A saved State, from which a run resumes bit-exactly. Native byte order; not an exchange format.
#pragma once
#include <string>

#include "solver/state.h"

namespace purl {

// Encodes the state, so that it can be written while the simulation continues.
std::string encodeState(const State& state);
// Saving is atomic; loading checks the hash. Both throw Error.
void saveState(const State& state, const std::string& path);
State decodeState(const std::string& bytes, const std::string& path, const Device& device = Device::cpu());
State loadState(const std::string& path, const Device& device = Device::cpu());

}  // namespace purl
