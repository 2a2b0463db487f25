// PointGrid: boundary samples sorted into cells of the search radius, to be queried from arbitrary positions. A query
// far from all samples ends after one lookup, because cells next to occupied ones are stored too.
#pragma once
#include <cstdint>
#include <vector>

#include "solver/core/mirrored.h"
#include "solver/core/vec.h"
#include "solver/search/cellGrid.h"

namespace purl {

// The nine rows of three cells around a position, each a run of sorted points.
struct RunsAround {
    const Run* hashed = nullptr;  // the runs themselves (hashed cells), or
    const int* starts = nullptr;  // CSR offsets of the dense table, at the middle one of the 27 cells
    int strideY = 0, strideZ = 0;

    PURL_HD explicit operator bool() const { return hashed || starts; }
    PURL_HD Run operator[](int row) const {
        if (hashed) return hashed[row];
        const int middle = (row % 3 - 1) * strideY + (row / 3 - 1) * strideZ;
        return {starts[middle - 1], starts[middle + 2]};
    }
};

// Cells are stored in a dense table over the bounding box, or, if that would be nearly empty, in a hash table of the
// occupied cells and their neighbours.
struct PointGridView {
    Vec3 low;
    Bounds reach;            // outside this box no point is within the search radius
    double inverseCell = 1;  // 1/m
    const int* boxStarts = nullptr;
    int strideY = 0, strideZ = 0;
    uint32_t tableMask = 0;
    const uint64_t* tableKeys = nullptr;
    const int* tableCells = nullptr;
    const Run* runs = nullptr;  // kRunsAround per hashed cell

    static constexpr uint64_t kNoKey = ~uint64_t(0);

    PURL_HD static uint64_t keyOf(int x, int y, int z) {
        return static_cast<uint64_t>(z) << 42 | static_cast<uint64_t>(y) << 21 | static_cast<uint64_t>(x);
    }
    // x must be above `low` in every coordinate: conversion to int truncates, which equals floor only there.
    PURL_HD Cell cellAt(Vec3 x) const {
        return {static_cast<int>((double(x.x) - low.x) * inverseCell),
                static_cast<int>((double(x.y) - low.y) * inverseCell),
                static_cast<int>((double(x.z) - low.z) * inverseCell)};
    }
    PURL_HD uint32_t slotOf(uint64_t key) const {
        return static_cast<uint32_t>((key * 0x9e3779b97f4a7c15ull) >> 32) & tableMask;
    }
    // The runs of points around x; false if there is no point in the neighbouring cells.
    PURL_HD RunsAround around(Vec3 x) const {
        if (!(x.x > reach.low.x && x.y > reach.low.y && x.z > reach.low.z && x.x < reach.high.x && x.y < reach.high.y &&
              x.z < reach.high.z))
            return {};
        const Cell cell = cellAt(x);
        if (boxStarts) return {nullptr, boxStarts + cell.x + cell.y * strideY + cell.z * strideZ, strideY, strideZ};
        if (!tableKeys) return {};
        const uint64_t key = keyOf(cell.x, cell.y, cell.z);
        for (uint32_t slot = slotOf(key);; slot = (slot + 1) & tableMask) {
            if (tableKeys[slot] == key) return {runs + kRunsAround * tableCells[slot], nullptr, 0, 0};
            if (tableKeys[slot] == kNoKey) return {};
        }
    }
};

class PointGrid {
  public:
    explicit PointGrid(const Device& device = Device::cpu());

    // Sorts the points by cell. Returns the permutation: the new points[k] is the old points[order[k]].
    std::vector<int> build(std::vector<Vec3>& points, float radius);
    // Call next: completes the view of the device. `sorted`: the sorted points there.
    void finish(const Buffer<Vec3>& sorted);
    // For kernels on the device.
    PointGridView view() const;

  private:
    std::vector<int> sortInBox(const std::vector<Vec3>& points, Cell size);
    std::vector<int> sortByKey(const std::vector<Vec3>& points);

    Device device_;
    PointGridView view_;
    Buffer<int> counts_;                         // points per cell; all zero except within sortInBox
    Buffer<int> boxStarts_, boxStartsOnDevice_;  // onDevice: the same, unused on the CPU
    Mirrored<uint64_t> tableKeys_;
    Mirrored<int> tableCells_;
    Mirrored<Run> runs_;
};

}  // namespace purl
