// Loops one after the other by one team of threads: where each is so short that waking a team for it would take longer.
#pragma once
#include <cstdint>

#include "solver/core/device.h"
#include "solver/core/error.h"

namespace purl {

// body(phase, i) for phase 0, 1 … phases − 1 in order, and in each for i from first to last − 1 of range(phase) in no
// particular order. On the CPU only.
template <class Range, class Body>
void forEachInPhases(const Device& device, const char* name, int phases, const Range& range, const Body& body) {
    device.throwIfCancelled();
    if (device.isCuda()) throw Error(std::string("loop ") + name + ": for the CPU only");
    // Shorter ones are over sooner than threads have met at their end, which takes tens of microseconds where waiting
    // threads sleep. Their mean decides: a knit has many phases, and most are short.
    [[maybe_unused]] constexpr int64_t kWorthThreads = 256;
    [[maybe_unused]] int64_t all = 0;
    for (int phase = 0; phase < phases; ++phase) {
        const auto [first, last] = range(phase);
        all += last - first;
    }
#pragma omp parallel num_threads(device.threads()) if (all >= kWorthThreads * phases)
    for (int phase = 0; phase < phases; ++phase) {
        const auto bounds = range(phase);
        const int first = bounds.first, last = bounds.second;
#pragma omp for schedule(static)
        for (int i = first; i < last; ++i) body(phase, i);
    }
}

}  // namespace purl
