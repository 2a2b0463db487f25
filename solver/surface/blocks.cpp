#include "solver/surface/blocks.h"

#include <algorithm>

#include "solver/core/forEach.h"
#include "solver/core/sort.h"

namespace purl {
namespace {

constexpr int kBlocksPerIndex = 64;  // blocks handled sequentially by one index of FindForwardNeighbors

// Neighbours of consecutive blocks are consecutive too: after one binary search they are found by a linear merge.
struct FindForwardNeighbors {
    Span<const uint64_t> keys;
    Span<int> ahead;

    PURL_HD void operator()(int group) const {
        const int begin = kBlocksPerIndex * group,
                  end = begin + kBlocksPerIndex < keys.count ? begin + kBlocksPerIndex : keys.count;
        int at[4];
        for (int block = begin; block < end; ++block) {
            const BlockCoord b = blockCoord(keys[block]);
            for (int k = 0; k < 4; ++k) {  // y in bit 0, z in bit 1
                const uint64_t wanted = blockKey({b.x, b.y + (k & 1), b.z + (k >> 1)});
                if (block == begin) at[k] = lowerBound(keys, wanted);
                while (at[k] < keys.count && keys[at[k]] < wanted) ++at[k];
                int next = at[k];
                const bool level = next < keys.count && keys[next] == wanted;
                ahead[8 * block + 2 * k] = level ? next : kAir;
                next += level;
                ahead[8 * block + 2 * k + 1] = next < keys.count && keys[next] == wanted + 1 ? next : kAir;
            }
        }
    }
};

struct Keep {
    Span<const uint64_t> keys;
    Span<const int> ahead;
    Span<const uint8_t> keep, liquid;
    Span<const int> place;
    Span<uint64_t> keptKeys;
    Span<int> keptAhead;

    PURL_HD void operator()(int i) const {
        if (!keep[i]) return;
        keptKeys[place[i]] = keys[i];
        for (int k = 0; k < 8; ++k) {
            const int there = ahead[8 * i + k];
            keptAhead[8 * place[i] + k] = there < 0       ? kAir
                                          : keep[there]   ? place[there]
                                          : liquid[there] ? kLiquid
                                                          : kAir;
        }
    }
};

}  // namespace

void dilate(Buffer<uint64_t>& keys, int reach) {
    for (int axis = 0; axis < 3; ++axis) {
        // A shifted copy of the sorted keys is still sorted: merge all shifted copies without duplicates.
        const uint64_t step = uint64_t(1) << (axis * kAxisBits);
        Buffer<uint64_t> wide = std::as_const(keys), merged(keys.device());
        for (int move = -reach; move <= reach; ++move) {
            if (move == 0) continue;
            const uint64_t by = static_cast<uint64_t>(static_cast<int64_t>(move)) * step;
            merged.resizeDiscard(wide.size() + keys.size());
            uint64_t* out = merged.begin();
            const uint64_t* a = wide.begin();
            for (const uint64_t key : std::as_const(keys)) {
                while (a != wide.end() && *a < key + by) *out++ = *a++;
                if (a == wide.end() || *a != key + by) *out++ = key + by;
            }
            out = std::copy(a, static_cast<const uint64_t*>(wide.end()), out);
            merged.resize(static_cast<int>(out - merged.begin()));
            wide.swap(merged);
        }
        keys.swap(wide);
    }
}

void findForwardNeighbors(BlockGrid& blocks) {
    const Device& device = blocks.keys.device();
    blocks.ahead.resizeDiscard(8 * blocks.count());
    const BlockGrid& constant = blocks;
    forEach(device, "findForwardNeighbors", (blocks.count() + kBlocksPerIndex - 1) / kBlocksPerIndex,
            FindForwardNeighbors{constant.keys.span(), blocks.ahead.span()}, 16);
}

BlockGrid keepBlocks(const BlockGrid& blocks, const Buffer<uint8_t>& keep, const Buffer<uint8_t>& liquid) {
    const Device& device = blocks.keys.device();
    Buffer<int> counts(device), place(device);
    counts.resizeDiscard(blocks.count());
    for (int i = 0; i < blocks.count(); ++i) counts[i] = keep[i] != 0;
    scan(counts, place);
    BlockGrid chosen(device);
    chosen.keys.resizeDiscard(place[blocks.count()]);
    chosen.ahead.resizeDiscard(8 * place[blocks.count()]);
    forEach(device, "keepBlocks", blocks.count(),
            Keep{blocks.keys.span(), blocks.ahead.span(), keep.span(), liquid.span(), std::as_const(place).span(),
                 chosen.keys.span(), chosen.ahead.span()});
    return chosen;
}

}  // namespace purl
