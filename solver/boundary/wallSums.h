// What particles give to wall points, summed in the order of the particles, whatever the number of threads: each thread
// goes through all lists, and adds up what belongs to wall points of its own.
#pragma once
#include "solver/boundary/boundary.h"
#include "solver/core/forEach.h"

namespace purl {

// give(i, b, sums[*b − first]) for every particle i and every entry b of its list that is one of the wall points
// first, first + 1 …; sums begin as they are.
template <class Sum, class Give>
void sumOnWalls(const Device& device, const char* name, const Boundary::View& walls, int particles, int first,
                Span<Sum> sums, const Give& give) {
    device.synchronize();
    // Wall points side by side go to one thread, but not so many that one has all those the fluid is at.
    constexpr int kSideBySide = 4;  // 2⁴
    int parts = 1;
    while (2 * parts <= (device.isCuda() ? 1 : device.threads())) parts *= 2;
    const auto sumPart = [&](int part) {
        for (int i = 0; i < particles; ++i)
            for (const int *b = walls.begin(i), *last = walls.end(i); b != last; ++b) {
                const int k = *b - first;
                if ((k >> kSideBySide & (parts - 1)) == part && k >= 0 && k < sums.count) give(i, b, sums[k]);
            }
    };
    if (parts == 1)
        sumPart(0);
    else
        forEachChunk(device, name, parts, 1, [&](int part, int) { sumPart(part); });
}

}  // namespace purl
