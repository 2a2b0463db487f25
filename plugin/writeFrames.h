// Writes a frame range to a folder, for purlCacheSim, purlExport and purlBranch: steps through time, and writes each
// frame while the next one is simulated. Escape stops after a complete frame.
#pragma once
#include <maya/MArgDatabase.h>
#include <maya/MObject.h>
#include <maya/MPlug.h>

#include <memory>
#include <string>

#include "solver/cache/cache.h"

namespace purl {

struct FrameJob {
    MObject solver;
    MPlug frames;  // the frame plug to write
    std::string directory;
    CacheSettings settings;
    int first = 1, last = 1;
    int from = 1;         // first simulated frame; the solver's startFrame, or the branch point
    int checkpoints = 0;  // interval of checkpoints in frames, the last included; 0: none
};

struct FramesWritten {
    int first = 0, last = -1;  // last < first: none
    bool cancelled = false;
};
// Throws Error on failure. Restores the current time.
FramesWritten writeFrames(const FrameJob& job);

// Evaluates a frame plug at frame `number`. Throws Error, or Cancelled after Escape.
std::shared_ptr<const Frame> pullFrame(const MPlug& frames, int number);

// Frame range from -startFrame and -endFrame; default: the solver's start to the end of the playback range.
struct Range {
    int first, last;
};
Range rangeOf(const MArgDatabase& arguments, const MObject& solver);
int startFrameOf(const MObject& solver);
// Settings for the manifest: frame rate, start frame, parameter values; formats from -format and -oneFile.
CacheSettings settingsOf(const MArgDatabase& arguments, const MObject& solver);
void addRangeFlags(MSyntax& syntax);  // -directory -startFrame -endFrame -format -oneFile -solver, and objects
std::string directoryOf(const MArgDatabase& arguments);  // throws Error if missing

}  // namespace purl
