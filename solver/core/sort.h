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

}  // namespace purl
