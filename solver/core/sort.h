// Parallel prefix sum and radix sort of integers.
#pragma once
#include <cstdint>

#include "solver/core/buffer.h"

namespace purl {

// Exclusive scan: starts[i] = counts[0] + … + counts[i − 1] for i = 0 … counts.size(). The last entry is the total.
void scan(const Buffer<int>& counts, Buffer<int>& starts);

// Stable ascending sort of `keys`, permuting `order` along with them. Only the lowest keyBits bits are compared.
// `order` must be as long as `keys`.
void sortByKey(Buffer<uint64_t>& keys, Buffer<int>& order, int keyBits = 64);

// The first place in ascending keys whose key is at least this one; their number if there is none.
PURL_HD inline int firstAtLeast(Span<const uint64_t> keys, uint64_t key) {
    int begin = 0, end = keys.count;
    while (begin < end) {
        const int middle = begin + (end - begin) / 2;
        if (keys[middle] < key)
            begin = middle + 1;
        else
            end = middle;
    }
    return begin;
}

}  // namespace purl
