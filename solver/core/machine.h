// The machine that this process runs on: its name, and the processors and memory that the process may use.
#pragma once
#include <string>

namespace purl {

std::string machineName();  // "unknown" if it has none

// "slurm-123" in a job of Slurm, also when it was started again; otherwise empty.
std::string schedulerJob();

// What a scheduler or a container grants the process. 0: no limit.
struct Allocation {
    int processors = 0;
    double megabytes = 0;
};
// From the control groups (version 1 or 2) of the process and from SLURM_CPUS_PER_TASK (`slurmProcessors`, may be
// null), which Slurm sets even where it confines nothing. `root` precedes /proc and /sys: a folder in tests, otherwise
// empty.
Allocation allocationAt(const std::string& root, const char* slurmProcessors);

// Of this process.
const Allocation& ownAllocation();

// Memory that this process may use, in MB: that of the machine, if the allocation grants as much.
double availableMegabytes();

}  // namespace purl
