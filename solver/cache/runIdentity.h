// The identity of a run: everything that determines its result. A cache stores it, and only a run with the same
// identity may continue the cache. Threads, device and cache formats do not affect results and are not part of it.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "solver/cache/file.h"

namespace purl {

// A file that a run reads, identified by its content.
struct InputFile {
    std::string use;   // "scene", "reference", or the attribute that names the file: "scarf.pattern"
    std::string path;  // for messages only; a scene may move
    Receipt receipt;   // all zero if the file was missing

    bool isMissing() const { return receipt == Receipt(); }
};
// Hashes the whole file. A missing file is recorded as such; the node that needs it reports the error. Throws Error if
// an existing file cannot be read, since the identity would then depend on the moment.
InputFile inputFileAt(std::string use, std::string path);

// "purl 0.1.0", as recorded in caches.
std::string toolVersion();

struct RunIdentity {
    std::string toolVersion;               // "purl 0.2.0"
    std::string solver;                    // name of the simulated purlSolver
    std::vector<InputFile> inputs;         // the scene first
    std::vector<std::string> assignments;  // --set assignments: "water.viscosity=0.5"
    uint64_t origin = 0;                   // for a branch; see originOf

    bool operator==(const RunIdentity& other) const;
};
uint64_t hashOf(const RunIdentity& run);
// For a branch: identifies the parent cache and the first frame.
uint64_t originOf(const RunIdentity& parent, int branchFrame);

// The first difference between two runs, as the end of a sentence: "water.viscosity=9 was not set then". Empty if
// there is none.
std::string differenceOf(const RunIdentity& then, const RunIdentity& now);

}  // namespace purl
