// Frames of a range written to a folder, for purlCacheSim, purlExport and purlBranch: time goes through the range, each
// frame is pulled and written while the next one is simulated, and Escape ends it with whole frames on disk.
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
    MPlug frames;  // what is written
    std::string directory;
    CacheSettings settings;
    int first = 1, last = 1;
    int from = 1;         // played from here; the solver's startFrame, or where a branch leaves
    int checkpoints = 0;  // every so many frames a whole state is kept, and the last; 0: none
};

struct FramesWritten {
    int first = 0, last = -1;  // last < first: none
    bool cancelled = false;
};
// Throws Error with what went wrong. The current time is as it was afterwards.
FramesWritten writeFrames(const FrameJob& job);

// Frame `number` pulled from a plug. Throws Error, or Cancelled after Escape.
std::shared_ptr<const Frame> pullFrame(const MPlug& frames, int number);

// The frame range of -startFrame and -endFrame, else from the solver's start to the end of the playback range.
struct Range {
    int first, last;
};
Range rangeOf(const MArgDatabase& arguments, const MObject& solver);
int startFrameOf(const MObject& solver);
// For the manifest: frames per second, where time was 0, values of all parameters; formats of -format, -oneFile.
CacheSettings settingsOf(const MArgDatabase& arguments, const MObject& solver);
void addRangeFlags(MSyntax& syntax);  // -directory -startFrame -endFrame -format -oneFile -solver, and objects
std::string directoryOf(const MArgDatabase& arguments);  // throws Error where none is given

}  // namespace purl
