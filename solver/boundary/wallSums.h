// What particles give to wall points, summed in the order of the particles, whatever the number of threads.
#pragma once
#include "solver/boundary/boundary.h"
#include "solver/core/orderedScatter.h"

namespace purl {

// give(i, b, sums[*b − first]) for every particle i and every entry b of its list that is one of the wall points
// first, first + 1 …; sums begin as they are.
template <class Sum, class Give>
void sumOnWalls(const Device& device, const char* name, const Boundary::View& walls, int particles, int first,
                Span<Sum> sums, const Give& give) {
    device.synchronize();
    constexpr int kSideBySide = 4;
    const OrderedScatter given(device, name, particles, kSideBySide, [&](int i, const auto& put) {
        for (const int *b = walls.begin(i), *last = walls.end(i); b != last; ++b) {
            const int k = *b - first;
            if (k >= 0 && k < sums.count) put(k, static_cast<int>(b - walls.indices));
        }
    });
    given.forEachEntry([&](int i, int k, int entry) { give(i, walls.indices + entry, sums[k]); });
}

}  // namespace purl
