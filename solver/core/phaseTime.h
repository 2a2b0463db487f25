// Timings of simulation phases, as reported by Simulator::timings and in frames.
#pragma once
#include <string>

#include "solver/core/deviceCounts.h"
#include "solver/core/threadPool.h"

namespace purl {

// Time spent in one phase: of step.cpp, or of building the frame after it.
struct PhaseTime {
    std::string phase;
    double seconds = 0;  // wall-clock time
    int calls = 0;
    LoopRecord loops;       // only if recorded; see Simulator::recordLoops
    double callerBusy = 0;  // s, CPU time of the calling thread; only if recorded
    DeviceCounts device;    // what crossed between host and device

    // s, CPU time: of the calling thread outside loops, and of all threads together.
    double serial() const { return callerBusy - loops.callerBusy; }
    double processor() const { return serial() + loops.busy; }
    // s, predicted for LoopRecord::kCores[k] threads.
    double predicted(int k) const { return serial() + loops.predicted[k]; }
};

}  // namespace purl
