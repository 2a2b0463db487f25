// Parallel loop over data in host memory, with as many CPU threads as the device has.
#pragma once
#include "solver/core/forEach.h"

namespace purl {

// Calls body(0) … body(count − 1) in no particular order. Chunks are sized for bodies of a few operations.
template <class Body>
void forEachOnHost(const Device& device, const char* name, int count, const Body& body) {
    constexpr int kAtATime = 256;
    const auto run = [&](int begin, int end) {
        for (int i = begin; i < end; ++i) body(i);
    };
    if (count <= kAtATime)
        run(0, count);
    else
        forEachChunk(Device::cpu(device.threads()), name, count, kAtATime, run);
}

}  // namespace purl
