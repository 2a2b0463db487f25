// CellGrid: points sorted into the cubic cells of an endless grid. Only cells that hold points exist, so that a splash
// kilometres away costs nothing, and any three cells in a row along x are one run of the sorted points.
#pragma once
#include <cmath>
#include <cstdint>

#include "solver/core/buffer.h"
#include "solver/core/vec.h"

namespace purl {

struct Cell {
    int x = 0, y = 0, z = 0;
};

// cell = ⌊x / size⌋   Kelager 5.2. In double: a float quotient is off by a whole cell some kilometres out.
PURL_HD inline int cellIndex(float x, double size) {
    const double index = std::floor(x / size);
    constexpr double kFarthest = 1 << 29;
    return index > -kFarthest ? index < kFarthest ? static_cast<int>(index) : 1 << 29 : -(1 << 29);
}
PURL_HD inline Cell cellAt(Vec3 x, double size) {
    return {cellIndex(x.x, size), cellIndex(x.y, size), cellIndex(x.z, size)};
}

// hash = (x p₁ xor y p₂ xor z p₃) mod tableSize   Kelager 5.1, 5.3, in unsigned 32-bit arithmetic that wraps.
PURL_HD inline int cellHash(Cell cell, int tableSize) {
    const uint32_t bits = static_cast<uint32_t>(cell.x) * 73856093u ^ static_cast<uint32_t>(cell.y) * 19349663u ^
                          static_cast<uint32_t>(cell.z) * 83492791u;
    return static_cast<int>(bits % static_cast<uint32_t>(tableSize));
}

// The smallest prime that is at least 2 count   Kelager 5.4.
int cellTableSize(int count);

// Numbers cells so that ascending keys run along x, then y, then z. An axis that spans more than 2²¹ cells wraps round:
// far cells then share a key, and the distance test tells their points apart.
struct CellKeys {
    double cellSize = 1;
    Cell low;  // one less than any occupied cell
    int bitsX = 1, bitsY = 1, bitsZ = 1;

    PURL_HD int bits() const { return bitsX + bitsY + bitsZ; }
    // A place is a cell counted from `low`, wrapped.
    PURL_HD Cell wrapped(Cell place) const {
        return {place.x & ((1 << bitsX) - 1), place.y & ((1 << bitsY) - 1), place.z & ((1 << bitsZ) - 1)};
    }
    PURL_HD Cell place(Cell cell) const { return wrapped({cell.x - low.x, cell.y - low.y, cell.z - low.z}); }
    PURL_HD uint64_t key(Cell place) const {
        return ((static_cast<uint64_t>(place.z) << bitsY | static_cast<uint64_t>(place.y)) << bitsX) |
               static_cast<uint64_t>(place.x);
    }
    PURL_HD Cell placeOfKey(uint64_t key) const {
        return {static_cast<int>(key & ((1ull << bitsX) - 1)), static_cast<int>((key >> bitsX) & ((1ull << bitsY) - 1)),
                static_cast<int>(key >> (bitsX + bitsY))};
    }
};

// Sorted points begin … end − 1.
struct Run {
    int begin = 0, end = 0;
};
constexpr int kRunsAround = 9;  // rows of three cells, y and z each one below, level, one above

// Combines boxes, for reduce.
struct JoinBounds {
    PURL_HD Bounds operator()(const Bounds& a, const Bounds& b) const {
        return {min(a.low, b.low), max(a.high, b.high)};
    }
};

// Where the points lie close together, cells are found in a table of all cells of their bounding box; else by going
// through the sorted cells side by side; on a GPU, and where axes wrap, by hashing them. What is found is the same.
class CellGrid {
  public:
    explicit CellGrid(const Device& device = Device::cpu());

    // Only the order: for those who sort first and search later.
    void sort(const Buffer<Vec3>& x, double cellSize);
    // The order, the cells and their runs.
    void build(const Buffer<Vec3>& x, double cellSize);
    // To be called once the points have been brought into order(): the grid then is as if built of them.
    void pointsReordered();

    // order()[k] is the point in place k; equal cells keep the points' own order.
    const Buffer<int>& order() const { return order_; }
    // True where the points came already in order: then order()[k] = k.
    bool wasSorted() const { return wasSorted_; }
    // True where the nine runs around a cell follow one another: always, but for axes that wrap round.
    bool runsAscend() const { return !wraps_; }
    // Memory that lies idle from one sort to the next, for anyone.
    Buffer<int>& idle() { return boxCells_; }
    // How many cells hold points; counts them.
    int cellCount() const;

    // What a kernel sees.
    struct View {
        const int* cellOfPlace;
        const int* boxStarts;   // of the table, or null
        const Run* hashedRuns;  // kRunsAround for each cell that holds points
        int strideY, strideZ;   // of the table

        // Row 0 … kRunsAround − 1 of the 27 cells around one: with all others, every place that may be near.
        PURL_HD Run run(int cell, int row) const {
            if (!boxStarts) return hashedRuns[kRunsAround * cell + row];
            const int middle = cell + (row % 3 - 1) * strideY + (row / 3 - 1) * strideZ;
            return {boxStarts[middle - 1], boxStarts[middle + 2]};
        }
    };
    View view() const;

  private:
    bool sortInBox(const Buffer<Vec3>& x, Cell low, Cell high);
    void sortByCellKey(const Buffer<Vec3>& x);
    void findCells();
    void fillTable();
    void findRuns();
    void mergeRuns();

    Device device_;
    CellKeys keys_;
    bool wasSorted_ = false, wraps_ = false;
    Buffer<int> order_, cellOfPlace_;

    bool inBox_ = false;       // which of the two ways holds
    int boxX_ = 1, boxY_ = 1;  // cells along x and y
    Buffer<int> boxCells_;     // of each point
    Buffer<int> boxCounts_;    // of each cell, one row for each piece of the points
    Buffer<int> boxStarts_;

    Buffer<uint64_t> pointKeys_, cellKeys_, hashes_;
    Buffer<int> isFirst_, firstsBefore_, cellStarts_;
    Buffer<int> hashed_;        // cells in the order of their hashes
    Buffer<int> bucketStarts_;  // where in hashed_ a hash begins, or −1
    Buffer<Run> runs_;
};

}  // namespace purl
