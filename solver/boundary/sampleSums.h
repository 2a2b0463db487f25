// Accumulates values from particles on boundary samples. Contributions are added in the order of the particles, so that
// results do not depend on the number of threads.
#pragma once
#include "solver/boundary/boundary.h"
#include "solver/core/orderedScatter.h"

namespace purl {

// Calls give(i, b, sums[*b − first]) for every particle i and every entry b of its list that refers to one of the
// samples first … first + sums.count − 1. `give` adds to the sum, which is not cleared before.
template <class Sum, class Give>
void sumOnSamples(const Device& device, const char* name, const Boundary::View& boundary, int particles, int first,
                  Span<Sum> sums, const Give& give) {
    device.synchronize();
    constexpr int kSideBySide = 4;
    const OrderedScatter given(device, name, particles, kSideBySide, [&](int i, const auto& put) {
        for (const int *b = boundary.begin(i), *last = boundary.end(i); b != last; ++b) {
            const int k = *b - first;
            if (k >= 0 && k < sums.count) put(k, static_cast<int>(b - boundary.indices));
        }
    });
    given.forEachEntry([&](int i, int k, int entry) { give(i, boundary.indices + entry, sums[k]); });
}

}  // namespace purl
