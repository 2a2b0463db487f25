// The doctor (nodes/doctor.h) for a headless scene. It also finds unconnected nodes and missing caches.
#pragma once
#include <vector>

#include "farm/playback.h"
#include "nodes/doctor.h"

namespace purl {

// Gathers the bodies at the start frame, in scene units, and the solver's settings, without simulating. Throws Error
// with the message of a node that fails.
Patient patientOf(Playback& playback);
// All problems found, the most severe first.
std::vector<Problem> examine(Playback& playback);
// Applies a problem's fix. Throws Error if the scene has changed so that the fix no longer applies.
void cure(Playback& playback, const Problem& problem);

}  // namespace purl
