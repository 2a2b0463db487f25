// Settings of which another value means nothing half-way through a simulation: they count when it begins.
#pragma once
#include <cstddef>
#include <cstring>

namespace purl {

// Of a vector's parts, startVelocityX and the others, what holds of the whole.
inline bool isOfTheStart(const char* setting) {
    const size_t length = std::strlen(setting);
    const size_t whole = length > 1 && std::strchr("XYZ", setting[length - 1]) ? length - 1 : length;
    for (const char* each :
         {"particleSpacing", "jitter",          "startVelocity", "startSpin",   "startFrame",   "initialState",
          "spaceScale",      "dimensions",      "pattern",       "stitchWidth", "stitchHeight", "layout",
          "shells",          "shaping",         "turned",        "edges",       "startWetness", "startFluid",
          "wetnessMapType",  "clusterSize",     "overlap",       "spacing",     "origins",      "preset",
          "pressureSolver",  "kernelParticles", "restDensity",   "motion"})
        if (std::strlen(each) == whole && std::strncmp(setting, each, whole) == 0) return true;
    return false;
}

}  // namespace purl
