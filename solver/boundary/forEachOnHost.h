// Loops over what lives in the host's memory, by all threads of a device that is a CPU.
#pragma once
#include "solver/core/forEach.h"

namespace purl {

// body(0) … body(count − 1) in no particular order. Each is a few additions: threads take so many at a time that it is
// worth waking them.
template <class Body>
void forEachOnHost(const Device& device, const char* name, int count, const Body& body) {
    constexpr int kAtATime = 8192;
    const auto run = [&](int begin, int end) {
        for (int i = begin; i < end; ++i) body(i);
    };
    if (device.isCuda() || count <= kAtATime)
        run(0, count);
    else
        forEachChunk(device, name, count, kAtATime, run);
}

}  // namespace purl
