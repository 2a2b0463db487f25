#include "solver/core/machine.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "solver/core/system.h"

namespace purl {
namespace {

// False for "max", which stands for no limit.
bool readNumber(const std::string& path, double& number) { return bool(std::ifstream(path) >> number); }

double smallerLimit(double a, double b) { return a <= 0 ? b : b <= 0 ? a : std::min(a, b); }

// Quota over period of CPU time: the number of processors, which need not be whole. 0: no limit.
double processorsAt(const std::string& folder) {
    double quota = 0, period = 0;
    std::ifstream both(folder + "/cpu.max");  // version 2: "200000 100000"
    if (both >> quota >> period && period > 0) return quota / period;
    if (readNumber(folder + "/cpu.cfs_quota_us", quota) && readNumber(folder + "/cpu.cfs_period_us", period) &&
        quota > 0 && period > 0)
        return quota / period;
    return 0;
}

double megabytesAt(const std::string& folder) {
    constexpr double kUnlimited = 1e15;  // version 1 writes a number near 2^63 instead of "max"
    double bytes = 0;
    for (const char* file : {"/memory.max", "/memory.limit_in_bytes"})
        if (readNumber(folder + file, bytes) && bytes > 0 && bytes < kUnlimited) return 1e-6 * bytes;
    return 0;
}

}  // namespace

std::string machineName() { return os::hostName(); }

std::string schedulerJob() {
    const char* const id = std::getenv("SLURM_JOB_ID");
    return id && *id ? std::string("slurm-") + id : "";
}

Allocation allocationAt(const std::string& root, const char* slurmProcessors) {
    double processors = slurmProcessors ? std::atof(slurmProcessors) : 0, megabytes = 0;
    // Lines of /proc/self/cgroup: "0::/a/b" (version 2) or "4:cpu,cpuacct:/a/b" (version 1).
    std::ifstream groups(root + "/proc/self/cgroup");
    for (std::string line; std::getline(groups, line);) {
        const size_t first = line.find(':'), second = line.find(':', first + 1);
        if (first == std::string::npos || second == std::string::npos) continue;
        std::istringstream controllers(line.substr(first + 1, second - first - 1));
        std::string mount;  // of version 1, by its first controller of interest
        for (std::string name; std::getline(controllers, name, ',');)
            if (name == "cpu" || name == "memory") mount = "/" + name;
        if (mount.empty() && second != first + 1) continue;
        // Limits of all groups above apply too. In a container, the path may lie outside of what is mounted.
        for (std::string path = line.substr(second + 1);; path.erase(path.rfind('/'))) {
            const std::string folder = root + "/sys/fs/cgroup" + mount + path;
            processors = smallerLimit(processors, processorsAt(folder));
            megabytes = smallerLimit(megabytes, megabytesAt(folder));
            if (path.find('/') == std::string::npos) break;
        }
    }
    // Half a processor and more counts as one.
    return {processors > 0 ? std::max(1, static_cast<int>(std::lround(std::min(processors, 1e6)))) : 0, megabytes};
}

const Allocation& ownAllocation() {
    static const Allocation allocation = allocationAt("", std::getenv("SLURM_CPUS_PER_TASK"));
    return allocation;
}

double availableMegabytes() {
    const double all = 1e-6 * os::physicalBytes();
    return smallerLimit(all, ownAllocation().megabytes);
}

}  // namespace purl
