// Estimates particles, memory and time of a run from the scene's bodies, before anything is allocated.
#pragma once
#include <string>
#include <vector>

#include "nodes/doctor.h"

namespace purl {

struct Estimate {
    double particles = 0;  // at the end of the range, limited by maxParticles
    double wanted = 0;     // the same without that limit
    double megabytes = 0;  // peak memory of the process
    double minutes = 0;
    // One line for each limit exceeded: the machine's memory, the solver's maxParticles.
    std::vector<std::string> warnings;

    std::string text() const;  // "about 4,300 particles, 110 MB, 2 min"
};

// For the frames from the start to `last` with `threads` threads (0: all cores) on a machine with that much memory, in
// MB. Throws Error if the filled volumes alone exceed maxParticles.
Estimate estimateRun(const Patient& patient, int last, int threads, double machineMegabytes);

}  // namespace purl
