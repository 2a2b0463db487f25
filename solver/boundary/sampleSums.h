// Accumulates values from particles on boundary samples. Contributions are added in the order of the particles, so that
// results do not depend on the number of threads.
#pragma once
#include "solver/boundary/boundary.h"
#include "solver/core/orderedScatter.h"
#include "solver/core/sort.h"

namespace purl {

// Sort keys of the entries of all lists: their sample, counted from `first`, or `none`.
struct EntryKeys {
    Boundary::View boundary;
    int first, none;
    Span<uint64_t> keys;
    Span<int> order, particles;

    PURL_HD void operator()(int i) const {
        for (int entry = boundary.starts[i]; entry < boundary.starts[i + 1]; ++entry) {
            const int k = boundary.indices[entry] - first;
            const bool counts = entry < boundary.starts[i] + boundary.counts[i] && k >= 0 && k < none;
            keys[entry] = static_cast<uint64_t>(counts ? k : none);
            order[entry] = entry;
            particles[entry] = i;
        }
    }
};

// Adds the sorted entries of each sample.
template <class Sum, class Give>
struct SumOfSample {
    Span<const uint64_t> keys;
    Span<const int> order, particles;
    Give give;
    Span<Sum> sums;

    PURL_HD void operator()(int k) const {
        const auto own = static_cast<uint64_t>(k);
        for (int at = firstAtLeast(keys, own); at < keys.count && keys[at] == own; ++at)
            give(particles[order[at]], order[at], sums[k]);
    }
};

// Calls give(i, entry, sums[k]) for every particle i and every entry of its list that refers to sample k + first, with
// first ≤ k + first < first + sums.count. `give` adds to the sum, which is not cleared before. `entries`: the total
// length of all lists.
template <class Sum, class Give>
void sumOnSamples(const Device& device, const char* name, const Boundary::View& boundary, int entries, int particles,
                  int first, Span<Sum> sums, const Give& give) {
    if (!device.isCpu()) {
        Buffer<uint64_t> keys(device, "samples of entries");
        Buffer<int> order(device, "order of entries"), owners(device, "particles of entries");
        keys.resizeDiscard(entries);
        order.resizeDiscard(entries);
        owners.resizeDiscard(entries);
        forEach(device, "entryKeys", particles,
                EntryKeys{boundary, first, sums.count, keys.span(), order.span(), owners.span()});
        int bits = 1;
        while (bits < 31 && (1 << bits) <= sums.count) ++bits;
        sortByKey(keys, order, bits);
        return forEach(device, name, sums.count,
                       SumOfSample<Sum, Give>{std::as_const(keys).span(), std::as_const(order).span(),
                                              std::as_const(owners).span(), give, sums});
    }
    constexpr int kSideBySide = 4;
    const OrderedScatter given(device, name, particles, kSideBySide, [&](int i, const auto& put) {
        for (const int *b = boundary.begin(i), *last = boundary.end(i); b != last; ++b) {
            const int k = *b - first;
            if (k >= 0 && k < sums.count) put(k, static_cast<int>(b - boundary.indices));
        }
    });
    given.forEachEntry([&](int i, int k, int entry) { give(i, entry, sums[k]); });
}

}  // namespace purl
