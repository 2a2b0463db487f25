// PointGrid: wall points in cells of the search radius, looked up from anywhere. It also knows the cells next to those
// that hold points, so that a fluid particle far from the wall is done with after one look.
#pragma once
#include <cstdint>
#include <vector>

#include "solver/core/buffer.h"
#include "solver/core/vec.h"
#include "solver/search/cellGrid.h"

namespace purl {

struct PointGridView {
    Vec3 low;
    Bounds reach;            // nothing is near any point outside this box
    double inverseCell = 1;  // 1/m
    uint32_t tableMask = 0;
    const uint64_t* tableKeys = nullptr;
    const int* tableCells = nullptr;
    const Run* runs = nullptr;  // kRunsAround a cell

    static constexpr uint64_t kNoKey = ~uint64_t(0);

    PURL_HD static uint64_t keyOf(int x, int y, int z) {
        return static_cast<uint64_t>(z) << 42 | static_cast<uint64_t>(y) << 21 | static_cast<uint64_t>(x);
    }
    // For points within the margin around `low`: none of their cells is negative.
    PURL_HD uint64_t keyAt(Vec3 x) const {
        return keyOf(static_cast<int>((double(x.x) - low.x) * inverseCell),
                     static_cast<int>((double(x.y) - low.y) * inverseCell),
                     static_cast<int>((double(x.z) - low.z) * inverseCell));
    }
    PURL_HD uint32_t slotOf(uint64_t key) const {
        return static_cast<uint32_t>((key * 0x9e3779b97f4a7c15ull) >> 32) & tableMask;
    }
    // The nine runs of points around x, or null where none is near.
    PURL_HD const Run* around(Vec3 x) const {
        if (!tableKeys || !(x.x > reach.low.x && x.y > reach.low.y && x.z > reach.low.z && x.x < reach.high.x &&
                            x.y < reach.high.y && x.z < reach.high.z))
            return nullptr;
        const uint64_t key = keyAt(x);
        for (uint32_t slot = slotOf(key);; slot = (slot + 1) & tableMask) {
            if (tableKeys[slot] == key) return runs + kRunsAround * tableCells[slot];
            if (tableKeys[slot] == kNoKey) return nullptr;
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
    PointGridView view_;
    Buffer<uint64_t> tableKeys_;
    Buffer<int> tableCells_;
    Buffer<Run> runs_;
};

}  // namespace purl
