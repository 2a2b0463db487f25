// The sparse grid of the surface field: cubic blocks of nodes, allocated only where the surface may pass. It is
// anchored at the world origin, so that a liquid at rest gets the same triangles in every frame. All lengths are in
// cells.
#pragma once
#include <cstdint>

#include "solver/core/buffer.h"
#include "solver/core/vec.h"

namespace purl {

constexpr int kEdge = 8;  // nodes along a block's edge: a row of a block is one AVX register
constexpr int kSlab = kEdge * kEdge;
constexpr int kBlock = kEdge * kSlab;
constexpr int kAxisBits = 21;
// Largest block coordinate; larger ones do not fit into a key.
constexpr int kFarthestBlock = (1 << (kAxisBits - 1)) - 16;

struct BlockCoord {
    int x, y, z;
};

// Blocks are sorted by key: by z, then y, then x.
PURL_HD inline uint64_t blockKey(BlockCoord b) {
    const auto bits = [](int i) { return static_cast<uint64_t>(i + (1 << (kAxisBits - 1))); };
    return bits(b.z) << (2 * kAxisBits) | bits(b.y) << kAxisBits | bits(b.x);
}
PURL_HD inline BlockCoord blockCoord(uint64_t key) {
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

// Value outside the stored blocks: all air or all liquid.
constexpr int kAir = -1, kLiquid = -2;

// The view for kernels.
struct BlockView {
    Span<const uint64_t> keys;  // sorted
    Span<const int>
        ahead;  // eight per block: itself and its neighbours towards +x, +y, +z; kAir or kLiquid if not stored

    // Index of node (x, y, z) of a block. Each coordinate may be kEdge, one past the block's own nodes.
    PURL_HD int node(int block, int x, int y, int z) const {
        const int towards = (x == kEdge) | (y == kEdge) << 1 | (z == kEdge) << 2;
        const int owner = towards ? ahead[8 * block + towards] : block;
        return owner < 0 ? owner : owner * kBlock + (z & 7) * kSlab + (y & 7) * kEdge + (x & 7);
    }
};

struct BlockGrid {
    Buffer<uint64_t> keys;
    Buffer<int> ahead;

    explicit BlockGrid(const Device& device) : keys(device), ahead(device) {}
    int count() const { return keys.size(); }
    BlockView view() const { return {keys.span(), ahead.span()}; }
};

// Dilates the set of blocks by `reach` blocks along each axis.
void dilate(Buffer<uint64_t>& keys, int reach);
// Finds the neighbours of each block towards +x, +y, +z; kAir where there is none.
void findForwardNeighbors(BlockGrid& blocks);
// The blocks with keep[i] != 0. Removed neighbours become kLiquid where liquid[i] != 0, else kAir.
BlockGrid keepBlocks(const BlockGrid& blocks, const Buffer<uint8_t>& keep, const Buffer<uint8_t>& liquid);

}  // namespace purl
