// CellGrid: points sorted into the cubic cells of an unbounded sparse grid. Only occupied cells are stored, so that a
// splash kilometres away costs nothing. Any three cells in a row along x are one contiguous run of the sorted points.
#pragma once
#include <cmath>
#include <cstdint>

#include "solver/core/buffer.h"
#include "solver/core/vec.h"

namespace purl {

struct Cell {
    int x = 0, y = 0, z = 0;
};

// cell = ⌊x / size⌋   Kelager 5.2. In double: a float quotient is off by a whole cell some kilometres from the origin.
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

// Numbers cells so that ascending keys run along x, then y, then z. An axis longer than 2²¹ cells wraps around: distant
// cells then share a key, and the distance test separates their points.
struct CellKeys {
    double cellSize = 1;
    Cell low;  // one less than the lowest occupied cell
    int bitsX = 1, bitsY = 1, bitsZ = 1;

    PURL_HD int bits() const { return bitsX + bitsY + bitsZ; }
    // A place is a cell relative to `low`, wrapped.
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
constexpr int kRunsAround = 9;  // rows of three cells: y and z offsets −1, 0, 1

// Union of boxes, for reduce.
struct JoinBounds {
    PURL_HD Bounds operator()(const Bounds& a, const Bounds& b) const {
        return {min(a.low, b.low), max(a.high, b.high)};
    }
};

// If the points are dense enough, cells are looked up in a table of all cells of their bounding box; else by merging
// sorted cell lists; on a GPU, and where axes wrap around, by hashing. The results are identical.
class CellGrid {
  public:
    explicit CellGrid(const Device& device = Device::cpu());

    // Computes only the order, for callers that sort first and search later.
    void sort(const Buffer<Vec3>& x, double cellSize);
    // Computes the order, the cells and their runs.
    void build(const Buffer<Vec3>& x, double cellSize);
    // Call this after the points were permuted by order(): the grid is then as if built from the permuted points.
    void pointsReordered();

    // order()[k] is the point with sorted position k; points of a cell keep their input order.
    const Buffer<int>& order() const { return order_; }
    // True if the input was already sorted: order()[k] = k.
    bool wasSorted() const { return wasSorted_; }
    // True if the nine runs around a cell are in ascending order: always, unless an axis wraps around.
    bool runsAscend() const { return !wraps_; }
    // Memory that is unused between two sorts, for any caller.
    Buffer<int>& scratch() { return boxCells_; }
    // Number of occupied cells; counted on each call.
    int cellCount() const;

    // The view for kernels.
    struct View {
        const int* cellOfPlace;
        const int* boxStarts;   // of the dense table, or null
        const Run* hashedRuns;  // kRunsAround for each occupied cell
        int strideY, strideZ;   // of the dense table

        // Row 0 … kRunsAround − 1 of the 27 cells around a cell. All rows together hold every point that may be near.
        PURL_HD Run run(int cell, int row) const {
            if (!boxStarts) return hashedRuns[kRunsAround * cell + row];
            const int middle = cell + (row % 3 - 1) * strideY + (row / 3 - 1) * strideZ;
            return {boxStarts[middle - 1], boxStarts[middle + 2]};
        }
    };
    View view() const;

  private:
    bool sortDense(const Buffer<Vec3>& x, Cell low, Cell high);
    void sortByCellKey(const Buffer<Vec3>& x);
    void findCells();
    void fillTable();
    void findRuns();
    void mergeRuns();

    Device device_;
    CellKeys keys_;
    bool wasSorted_ = false, wraps_ = false;
    Buffer<int> order_, cellOfPlace_;

    bool isDense_ = false;     // true: dense table; false: sorted or hashed cells
    int boxX_ = 1, boxY_ = 1;  // cells along x and y
    Buffer<int> boxCells_;     // of each point
    Buffer<int> boxCounts_;    // histogram of each chunk of points, one row of cells per chunk
    Buffer<int> boxStarts_;

    Buffer<uint64_t> pointKeys_, cellKeys_, hashes_;
    Buffer<int> isFirst_, firstsBefore_, cellStarts_;
    Buffer<int> hashed_;        // cells in the order of their hashes
    Buffer<int> bucketStarts_;  // first index in hashed_ of each hash, or −1
    Buffer<Run> runs_;
};

}  // namespace purl
