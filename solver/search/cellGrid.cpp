#include "solver/search/cellGrid.h"

#include <algorithm>

#include "solver/core/forEach.h"
#include "solver/core/sort.h"

namespace purl {
namespace {

constexpr int kMostBits = 21;  // an axis; three of them fit a key

int bitsFor(int64_t count) {
    int bits = 1;
    while (bits < kMostBits && (int64_t(1) << bits) < count) ++bits;
    return bits;
}

struct PointBounds {
    Span<const Vec3> x;
    PURL_HD Bounds operator()(int i) const { return {x[i], x[i]}; }
};
struct JoinBounds {
    PURL_HD Bounds operator()(const Bounds& a, const Bounds& b) const {
        return {min(a.low, b.low), max(a.high, b.high)};
    }
};

// The keys, and the points in the order they came.
struct NumberPoints {
    Span<const Vec3> x;
    CellKeys keys;
    Span<uint64_t> pointKeys;
    Span<int> order;
    PURL_HD void operator()(int i) const {
        pointKeys[i] = keys.key(keys.place(cellAt(x[i], keys.cellSize)));
        order[i] = i;
    }
};

struct StandsBack {
    Span<const uint64_t> keys;
    PURL_HD int operator()(int i) const { return i > 0 && keys[i] < keys[i - 1] ? 1 : 0; }
};

struct MarkFirsts {
    Span<const uint64_t> keys;
    Span<int> isFirst;
    PURL_HD void operator()(int i) const { isFirst[i] = i == 0 || keys[i] != keys[i - 1] ? 1 : 0; }
};

struct ListCells {
    Span<const uint64_t> keys;
    Span<const int> isFirst, firstsBefore;
    Span<int> cellOfPlace, cellStarts;
    Span<uint64_t> cellKeys;
    PURL_HD void operator()(int i) const {
        const int cell = firstsBefore[i] + isFirst[i] - 1;
        cellOfPlace[i] = cell;
        if (isFirst[i]) {
            cellStarts[cell] = i;
            cellKeys[cell] = keys[i];
        }
    }
};

struct HashCells {
    CellKeys keys;
    Span<const uint64_t> cellKeys;
    Span<uint64_t> hashes;
    Span<int> hashed;
    int tableSize;
    PURL_HD void operator()(int c) const {
        hashes[c] = static_cast<uint64_t>(cellHash(keys.placeOfKey(cellKeys[c]), tableSize));
        hashed[c] = c;
    }
};

struct EmptyBuckets {
    Span<int> starts;
    PURL_HD void operator()(int b) const { starts[b] = -1; }
};

struct StartBuckets {
    Span<const uint64_t> hashes;
    Span<int> starts;
    PURL_HD void operator()(int i) const {
        if (i == 0 || hashes[i] != hashes[i - 1]) starts[static_cast<int>(hashes[i])] = i;
    }
};

struct FindRuns {
    CellKeys keys;
    Span<const uint64_t> cellKeys, hashes;
    Span<const int> cellStarts, hashed, bucketStarts;
    Span<Run> runs;

    // The cell of that place, or −1 where it is empty. Different cells may share a bucket: the keys are compared.
    PURL_HD int find(Cell place) const {
        const uint64_t key = keys.key(place);
        const int bucket = cellHash(place, bucketStarts.count);
        for (int i = bucketStarts[bucket]; i >= 0 && i < hashed.count && hashes[i] == static_cast<uint64_t>(bucket);
             ++i)
            if (cellKeys[hashed[i]] == key) return hashed[i];
        return -1;
    }

    PURL_HD void operator()(int c) const {
        const Cell home = keys.placeOfKey(cellKeys[c]);
        for (int row = 0; row < kRunsAround; ++row) {
            Run run;
            int last = -1;
            for (int dx = -1; dx <= 1; ++dx) {
                const Cell place = keys.wrapped({home.x + dx, home.y + row % 3 - 1, home.z + row / 3 - 1});
                // Cells next to each other along x are so in memory; only the first of a row need be looked up.
                const bool follows = last >= 0 && last + 1 < cellKeys.count && cellKeys[last + 1] == keys.key(place);
                const int cell = follows ? last + 1 : find(place);
                if (cell < 0) continue;
                last = cell;
                const int begin = cellStarts[cell], end = cellStarts[cell + 1];
                if (run.begin == run.end) {
                    run = {begin, end};
                } else {  // next to it, except where x wraps round
                    run.begin = run.begin < begin ? run.begin : begin;
                    run.end = run.end > end ? run.end : end;
                }
            }
            runs[kRunsAround * c + row] = run;
        }
    }
};

}  // namespace

int cellTableSize(int count) {
    const auto isPrime = [](int64_t number) {
        if (number < 4) return number > 1;
        if (number % 2 == 0) return false;
        for (int64_t divisor = 3; divisor * divisor <= number; divisor += 2)
            if (number % divisor == 0) return false;
        return true;
    };
    int64_t size = std::max<int64_t>(2, 2 * int64_t(count));
    while (!isPrime(size)) ++size;
    return static_cast<int>(size);
}

CellGrid::CellGrid(const Device& device)
    : device_(device),
      pointKeys_(device),
      cellKeys_(device),
      hashes_(device),
      order_(device),
      isFirst_(device),
      firstsBefore_(device),
      cellOfPlace_(device),
      cellStarts_(device, 1),
      hashed_(device),
      bucketStarts_(device),
      runs_(device) {}

void CellGrid::build(const Buffer<Vec3>& x, double cellSize) {
    sort(x, cellSize);
    findCells();
    fillTable();
    findRuns();
}

void CellGrid::sort(const Buffer<Vec3>& x, double cellSize) {
    PURL_ASSERT(cellSize > 0);
    const int count = x.size();
    const Bounds bounds = reduce(device_, "pointBounds", count, Bounds{}, PointBounds{x.span()}, JoinBounds{});
    keys_ = {};
    keys_.cellSize = cellSize;
    wraps_ = false;
    if (!bounds.empty()) {
        // One empty cell all round, so that no neighbour of an occupied cell wraps unless the axis is too long.
        const Cell low = cellAt(bounds.low, cellSize), high = cellAt(bounds.high, cellSize);
        const int64_t spanX = int64_t(high.x) - low.x + 3, spanY = int64_t(high.y) - low.y + 3,
                      spanZ = int64_t(high.z) - low.z + 3;
        keys_.low = {low.x - 1, low.y - 1, low.z - 1};
        keys_.bitsX = bitsFor(spanX);
        keys_.bitsY = bitsFor(spanY);
        keys_.bitsZ = bitsFor(spanZ);
        wraps_ = std::max({spanX, spanY, spanZ}) > int64_t(1) << kMostBits;
    }
    pointKeys_.resize(count);
    order_.resize(count);
    forEach(device_, "numberPoints", count, NumberPoints{x.span(), keys_, pointKeys_.span(), order_.span()});
    wasSorted_ = reduce(device_, "isSorted", count, 0, StandsBack{std::as_const(pointKeys_).span()}, Largest{}) == 0;
    if (!wasSorted_) {
        device_.synchronize();
        sortByKey(pointKeys_, order_, keys_.bits());
    }
}

void CellGrid::findCells() {
    const int count = pointKeys_.size();
    const Span<const uint64_t> keys = std::as_const(pointKeys_).span();
    isFirst_.resize(count);
    forEach(device_, "markFirsts", count, MarkFirsts{keys, isFirst_.span()});
    device_.synchronize();
    scan(isFirst_, firstsBefore_);
    const int cells = firstsBefore_[count];
    cellOfPlace_.resize(count);
    cellStarts_.resize(cells + 1);
    cellKeys_.resize(cells);
    cellStarts_[cells] = count;
    forEach(device_, "listCells", count,
            ListCells{keys, std::as_const(isFirst_).span(), std::as_const(firstsBefore_).span(), cellOfPlace_.span(),
                      cellStarts_.span(), cellKeys_.span()});
}

void CellGrid::fillTable() {
    const int cells = cellCount();
    const int size = cellTableSize(cells);
    hashes_.resize(cells);
    hashed_.resize(cells);
    bucketStarts_.resize(size);
    forEach(device_, "hashCells", cells,
            HashCells{keys_, std::as_const(cellKeys_).span(), hashes_.span(), hashed_.span(), size});
    device_.synchronize();
    int bits = 1;
    while ((1 << bits) < size && bits < 31) ++bits;
    sortByKey(hashes_, hashed_, bits);
    forEach(device_, "emptyBuckets", size, EmptyBuckets{bucketStarts_.span()});
    forEach(device_, "startBuckets", cells, StartBuckets{std::as_const(hashes_).span(), bucketStarts_.span()});
}

void CellGrid::findRuns() {
    const int cells = cellCount();
    runs_.resize(kRunsAround * cells);
    forEach(device_, "findRuns", cells,
            FindRuns{keys_, std::as_const(cellKeys_).span(), std::as_const(hashes_).span(),
                     std::as_const(cellStarts_).span(), std::as_const(hashed_).span(),
                     std::as_const(bucketStarts_).span(), runs_.span()});
}

}  // namespace purl
