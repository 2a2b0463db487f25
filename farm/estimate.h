// What a run will take, before anything is allocated: particles, memory and time, reckoned from the bodies as they
// stand.
#pragma once
#include <string>
#include <vector>

#include "nodes/doctor.h"

namespace purl {

struct Estimate {
    double particles = 0;  // at the end of the range, as far as maxParticles allows
    double wanted = 0;     // the same without that limit
    double megabytes = 0;  // peak of the process
    double minutes = 0;
    // What is beyond the machine or the solver's maxParticles, a line each.
    std::vector<std::string> warnings;

    std::string text() const;  // "about 4,300 particles, 110 MB, 2 min"
};

// The frames from the start to `last`, on `threads` threads (0: all) of a machine with so much memory, in MB. Throws
// Error where the fills alone exceed maxParticles.
Estimate estimateRun(const Patient& patient, int last, int threads, double machineMegabytes);

double physicalMegabytes();

}  // namespace purl
