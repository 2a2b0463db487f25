// Where time went: what Simulator::timings and frames report.
#pragma once
#include <string>

#include "solver/core/threadPool.h"

namespace purl {

// Time spent in a phase: one of step.cpp, or what is made of a frame after it.
struct PhaseTime {
    std::string phase;
    double seconds = 0;  // by the clock
    int calls = 0;
    LoopRecord loops;       // where these are recorded; see Simulator::recordLoops
    double callerBusy = 0;  // s of the processor, of the calling thread; likewise

    // s of the processor: of the calling thread beside loops, and of all threads together.
    double serial() const { return callerBusy - loops.callerBusy; }
    double processor() const { return serial() + loops.busy; }
    // s, with so many threads as LoopRecord::kCores[k].
    double predicted(int k) const { return serial() + loops.predicted[k]; }
};

}  // namespace purl
