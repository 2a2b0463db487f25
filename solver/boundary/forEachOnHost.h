// Loops over what lives in the host's memory, by all threads of a device that is a CPU.
#pragma once
#include "solver/core/forEach.h"

namespace purl {

// body(0) … body(count − 1) in no particular order. Each is a few additions.
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
