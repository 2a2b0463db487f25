// The sparse grid under a surface: cubic blocks of nodes, there only where the surface may pass. It is anchored at the
// world's origin, so that a body at rest gets the same triangles in every frame. All lengths here are in cells.
#pragma once
#include <cstdint>

#include "solver/core/buffer.h"
#include "solver/core/vec.h"

namespace purl {

constexpr int kEdge = 8;  // of a block, in nodes: a row of a block is one vector register
constexpr int kSlab = kEdge * kEdge;
constexpr int kBlock = kEdge * kSlab;
constexpr int kAxisBits = 21;
constexpr int kFarthestBlock = (1 << (kAxisBits - 1)) - 16;  // from the origin; farther does not fit a key

struct BlockPlace {
    int x, y, z;
};

// Blocks are sorted by key: by z, then y, then x.
PURL_HD inline uint64_t keyOf(BlockPlace b) {
    const auto bits = [](int i) { return static_cast<uint64_t>(i + (1 << (kAxisBits - 1))); };
    return bits(b.z) << (2 * kAxisBits) | bits(b.y) << kAxisBits | bits(b.x);
}
PURL_HD inline BlockPlace placeOf(uint64_t key) {
    const auto index = [&](int shift) {
        return static_cast<int>(key >> shift & ((1u << kAxisBits) - 1)) - (1 << (kAxisBits - 1));
    };
    return {index(0), index(kAxisBits), index(2 * kAxisBits)};
}
// Index of the first key that is not less.
PURL_HD inline int lowerBound(Span<const uint64_t> keys, uint64_t key) {
    int low = 0, high = keys.count;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (keys[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// Beyond the blocks that are kept all is air or all is liquid.
constexpr int kAir = -1, kLiquid = -2;

// What kernels see of the blocks.
struct BlockView {
    Span<const uint64_t> keys;  // sorted
    Span<const int> ahead;      // eight a block: itself and its neighbours towards +x, +y, +z; kAir, kLiquid: not kept

    // Index of node (x, y, z) of a block, each at most kEdge: one past the block's own.
    PURL_HD int node(int block, int x, int y, int z) const {
        const int towards = (x == kEdge) | (y == kEdge) << 1 | (z == kEdge) << 2;
        const int owner = towards ? ahead[8 * block + towards] : block;
        return owner < 0 ? owner : owner * kBlock + (z & 7) * kSlab + (y & 7) * kEdge + (x & 7);
    }
};

struct Blocks {
    Buffer<uint64_t> keys;
    Buffer<int> ahead;

    explicit Blocks(const Device& device) : keys(device), ahead(device) {}
    int count() const { return keys.size(); }
    BlockView view() const { return {keys.span(), ahead.span()}; }
};

// The keys and all those within `reach` blocks of them along each axis.
void dilate(Buffer<uint64_t>& keys, int reach);
// Who lies ahead of each, by searching; nobody: kAir.
void findAhead(Blocks& blocks);
// Those with keep[i] != 0; what is gone is air, or liquid where liquid[i] != 0.
Blocks kept(const Blocks& blocks, const Buffer<uint8_t>& keep, const Buffer<uint8_t>& liquid);

}  // namespace purl
