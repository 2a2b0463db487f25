// The doctor (nodes/doctor.h) and a headless scene: also what is not connected, and caches that are not there.
#pragma once
#include <vector>

#include "farm/playback.h"
#include "nodes/doctor.h"

namespace purl {

// The bodies at the start frame, in the scene's units, and what the solver says of itself. Simulates nothing. Throws
// Error with a node's own message.
Patient patientOf(Playback& playback);
// The worst first.
std::vector<Problem> examine(Playback& playback);
// Throws Error where the scene has changed so that it no longer fits.
void cure(Playback& playback, const Problem& problem);

}  // namespace purl
