// A run's identity: everything that decides its result. A cache keeps it, and only the same run goes on with the cache.
// Threads, device and cache formats do not change a result and are no part of it.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "solver/cache/file.h"

namespace purl {

// A file that a run reads, by its content.
struct InputFile {
    std::string use;   // "scene", "reference", or the attribute that names the file: "scarf.pattern"
    std::string path;  // for messages; a scene may move
    Receipt receipt;   // all zero: the file was not there

    bool isMissing() const { return receipt == Receipt(); }
};
// Reads the whole file, piece by piece. One that is not there counts as missing: whoever needs it reports that. Throws
// Error where it is there and cannot be read, as the run would be known by another hash than the next one.
InputFile inputFileAt(std::string use, std::string path);

struct RunIdentity {
    std::string toolVersion;               // "purl 0.1.0"
    std::string solver;                    // the purlSolver that is simulated
    std::vector<InputFile> inputs;         // the scene first
    std::vector<std::string> assignments;  // what was set beside the scene: "water.viscosity=0.5"
    uint64_t origin = 0;                   // of a branch: see originOf

    bool operator==(const RunIdentity& other) const;
};
uint64_t hashOf(const RunIdentity& run);
// Of a branch: stands for the cache that it left, and for its first frame.
uint64_t originOf(const RunIdentity& parent, int branchFrame);

// The first thing in which two runs differ, as the rest of a sentence: "water.viscosity=9 was not set then". Empty:
// none.
std::string differenceOf(const RunIdentity& then, const RunIdentity& now);

}  // namespace purl
