// Scan and sort of integers; the second half of what parallel code needs beside forEach.
#pragma once
#include <cstdint>

#include "solver/core/buffer.h"

namespace purl {

// starts[i] = counts[0] + … + counts[i − 1], for i = 0 … counts.size(): one longer than counts, its last the total.
void scan(const Buffer<int>& counts, Buffer<int>& starts);

// Sorts keys ascending and order along with them, keeping the order of equal keys. Only the lowest keyBits bits
// count. `order` must be as long as `keys`.
void sortByKey(Buffer<uint64_t>& keys, Buffer<int>& order, int keyBits = 64);

}  // namespace purl
