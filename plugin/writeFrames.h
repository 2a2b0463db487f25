// Writes a frame range to a folder, for purlCacheSim, purlExport and purlBranch. Escape stops after a complete frame.
#pragma once
#include <maya/MArgDatabase.h>
#include <maya/MObject.h>

#include <string>

#include "nodes/scenePlayer.h"
#include "plugin/commandAbout.h"

namespace purl {

// Writes the frames from target.first to `last`, with a progress bar, and finishes the cache. Throws Cancelled if
// not one was finished. Restores the current time.
void writeFrames(ScenePlayer& player, const SceneSource& scene, const CacheTarget& target, int last);

// --- from the arguments of a command
// -startFrame and -endFrame; default: the solver's start to the end of the playback range.
FrameRange rangeOf(const MArgDatabase& arguments, const MObject& solver);
std::string directoryOf(const MArgDatabase& arguments);  // -directory; throws Error if missing
// With -format and -oneFile.
CacheTarget targetOf(const MArgDatabase& arguments, const std::string& directory, int first);
// -directory -startFrame -endFrame -format -oneFile -solver, and more. The frames of a branch begin at -fromFrame, and
// its folder is in that of the cache: without -directory and -startFrame.
std::vector<CommandFlag> rangeFlags(const std::vector<CommandFlag>& more, bool ofBranch = false);

}  // namespace purl
