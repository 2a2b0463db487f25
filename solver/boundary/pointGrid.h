// PointGrid: wall points in cells of the search radius, looked up from anywhere. It also knows the cells next to those
// that hold points, so that a fluid particle far from the wall is done with after one look.
#pragma once
#include <cstdint>
#include <vector>

#include "solver/core/buffer.h"
#include "solver/core/vec.h"
#include "solver/search/cellGrid.h"

namespace purl {

// The nine rows of three cells around a place: their runs of sorted points.
struct RunsAround {
    const Run* hashed = nullptr;  // the runs themselves, or
    const int* starts = nullptr;  // where each cell of the table begins, from the middle one of the 27 on
    int strideY = 0, strideZ = 0;

    PURL_HD explicit operator bool() const { return hashed || starts; }
    PURL_HD Run operator[](int row) const {
        if (hashed) return hashed[row];
        const int middle = (row % 3 - 1) * strideY + (row / 3 - 1) * strideZ;
        return {starts[middle - 1], starts[middle + 2]};
    }
};

// Cells are found in a table of all cells of the points' box, or, where that would be nearly empty, by hashing those at
// and beside points.
struct PointGridView {
    Vec3 low;
    Bounds reach;            // nothing is near any point outside this box
    double inverseCell = 1;  // 1/m
    const int* boxStarts = nullptr;
    int strideY = 0, strideZ = 0;
    uint32_t tableMask = 0;
    const uint64_t* tableKeys = nullptr;
    const int* tableCells = nullptr;
    const Run* runs = nullptr;  // kRunsAround a cell

    static constexpr uint64_t kNoKey = ~uint64_t(0);

    PURL_HD static uint64_t keyOf(int x, int y, int z) {
        return static_cast<uint64_t>(z) << 42 | static_cast<uint64_t>(y) << 21 | static_cast<uint64_t>(x);
    }
    // For points within the margin around `low`: none of their cells is negative.
    PURL_HD Cell cellAt(Vec3 x) const {
        return {static_cast<int>((double(x.x) - low.x) * inverseCell),
                static_cast<int>((double(x.y) - low.y) * inverseCell),
                static_cast<int>((double(x.z) - low.z) * inverseCell)};
    }
    PURL_HD uint32_t slotOf(uint64_t key) const {
        return static_cast<uint32_t>((key * 0x9e3779b97f4a7c15ull) >> 32) & tableMask;
    }
    // The runs of points around x; none where no point is near.
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

    // Sorts the points into cells; returns the order: place k holds what was points[order[k]].
    std::vector<int> build(std::vector<Vec3>& points, float radius);
    PointGridView view() const;

  private:
    std::vector<int> sortInBox(const std::vector<Vec3>& points, Cell size);
    std::vector<int> sortByKey(const std::vector<Vec3>& points);

    Device device_;
    PointGridView view_;
    Buffer<int> counts_;  // of points in each cell of the box; zero outside of sortInBox
    Buffer<int> boxStarts_;
    Buffer<uint64_t> tableKeys_;
    Buffer<int> tableCells_;
    Buffer<Run> runs_;
};

}  // namespace purl
