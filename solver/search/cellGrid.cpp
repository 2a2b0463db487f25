#include "solver/search/cellGrid.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "solver/core/copy.h"
#include "solver/core/forEach.h"
#include "solver/core/hostView.h"
#include "solver/core/sort.h"
#include "solver/core/traffic.h"

namespace purl {
namespace {

constexpr int kMaxAxisBits = 21;  // per axis; three of them fit into a key

// The dense table is used while the bounding box has few more cells than points.
constexpr int kCellsPerPoint = 4, kSmallBox = 1 << 16;
// Each chunk of points has its own histogram over all cells of the box; this bounds their total size.
constexpr int kCountersPerPoint = 16;
constexpr double kMaxCounters = 1 << 30;

int bitsFor(int64_t count) {
    int bits = 1;
    while (bits < kMaxAxisBits && (int64_t(1) << bits) < count) ++bits;
    return bits;
}

struct PointBounds {
    Span<const Vec3> x;
    PURL_HD Bounds operator()(int i) const { return {x[i], x[i]}; }
};

// Computes the keys, and initializes the order to the identity.
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

struct IsOutOfOrder {
    Span<const uint64_t> keys;
    PURL_HD int operator()(int i) const { return i > 0 && keys[i] < keys[i - 1] ? 1 : 0; }
};

struct BoxIsOutOfOrder {
    Span<const int> cells;
    PURL_HD int operator()(int i) const { return i > 0 && cells[i] < cells[i - 1] ? 1 : 0; }
};

struct BeginsCell {
    Span<const int> cells;
    PURL_HD int operator()(int i) const { return i == 0 || cells[i] != cells[i - 1] ? 1 : 0; }
};

struct KeepOrder {
    Span<int> order;
    PURL_HD void operator()(int i) const { order[i] = i; }
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

    // The cell at that place, or −1 if it is empty. Different cells may share a bucket, so the keys are compared.
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
                // Cells adjacent along x are adjacent in memory; only the first of a row needs a lookup.
                const bool follows = last >= 0 && last + 1 < cellKeys.count && cellKeys[last + 1] == keys.key(place);
                const int cell = follows ? last + 1 : find(place);
                if (cell < 0) continue;
                last = cell;
                const int begin = cellStarts[cell], end = cellStarts[cell + 1];
                if (run.begin == run.end) {
                    run = {begin, end};
                } else {  // adjacent, except where x wraps around
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
      order_(device, "cellGrid.order"),
      cellOfPlace_(device, "cellGrid.cellOfPlace"),
      boxCells_(device, "cellGrid.boxCells"),
      boxCounts_(device, "cellGrid.boxCounts"),
      boxStarts_(device, "cellGrid.boxStarts"),
      pointKeys_(device, "cellGrid.pointKeys"),
      cellKeys_(device, "cellGrid.cellKeys"),
      hashes_(device, "cellGrid.hashes"),
      isFirst_(device, "cellGrid.isFirst"),
      firstsBefore_(device, "cellGrid.firstsBefore"),
      cellStarts_(device, 1, "cellGrid.cellStarts"),
      hashed_(device, "cellGrid.hashed"),
      bucketStarts_(device, "cellGrid.bucketStarts"),
      runs_(device, "cellGrid.runs") {}

void CellGrid::build(const Buffer<Vec3>& x, double cellSize) {
    sort(x, cellSize);
    if (isDense_) return;
    findCells();
    if (device_.isCpu() && !wraps_) {
        mergeRuns();
        return;
    }
    fillTable();
    findRuns();
}

void CellGrid::sort(const Buffer<Vec3>& x, double cellSize) {
    PURL_ASSERT(cellSize > 0);
    const Bounds bounds = reduce(device_, "pointBounds", x.size(), Bounds{}, PointBounds{x.span()}, JoinBounds{});
    keys_ = {};
    keys_.cellSize = cellSize;
    wraps_ = isDense_ = false;
    if (!bounds.empty()) {
        // One empty cell on each side, so that no neighbour of an occupied cell wraps unless the axis is too long.
        const Cell low = cellAt(bounds.low, cellSize), high = cellAt(bounds.high, cellSize);
        const int64_t spanX = int64_t(high.x) - low.x + 3, spanY = int64_t(high.y) - low.y + 3,
                      spanZ = int64_t(high.z) - low.z + 3;
        keys_.low = {low.x - 1, low.y - 1, low.z - 1};
        keys_.bitsX = bitsFor(spanX);
        keys_.bitsY = bitsFor(spanY);
        keys_.bitsZ = bitsFor(spanZ);
        wraps_ = std::max({spanX, spanY, spanZ}) > int64_t(1) << kMaxAxisBits;
        isDense_ = device_.isCpu() && sortDense(x, low, high);
    }
    if (!isDense_) sortByCellKey(x);
}

void CellGrid::sortByCellKey(const Buffer<Vec3>& x) {
    const int count = x.size();
    pointKeys_.resize(count);
    order_.resize(count);
    forEach(device_, "numberPoints", count, NumberPoints{x.span(), keys_, pointKeys_.span(), order_.span()});
    // Elsewhere sorting costs less than waiting for the answer.
    wasSorted_ = device_.isCpu() &&
                 reduce(device_, "isSorted", count, 0, IsOutOfOrder{std::as_const(pointKeys_).span()}, Largest{}) == 0;
    if (!wasSorted_) sortByKey(pointKeys_, order_, keys_.bits());
}

// Counting sort. Chunks of points build cell histograms in parallel. A point's sorted position is the number of points
// in lower cells, plus those of its cell in earlier chunks and earlier in its own chunk. So the result does not depend
// on the number of chunks.
bool CellGrid::sortDense(const Buffer<Vec3>& x, Cell low, Cell high) {
    const int count = x.size();
    const double cells = (double(high.x) - low.x + 3) * (double(high.y) - low.y + 3) * (double(high.z) - low.z + 3);
    if (cells > double(kCellsPerPoint) * count + kSmallBox || cells > kMaxCounters) return false;
    boxX_ = high.x - low.x + 3;
    boxY_ = high.y - low.y + 3;
    const int boxZ = high.z - low.z + 3, boxCells = boxX_ * boxY_ * boxZ;
    const double counters = std::min(double(kCountersPerPoint) * count + kSmallBox, kMaxCounters);
    const int pieces = std::clamp(
        count / 8192, 1, std::clamp(static_cast<int>(counters / boxCells), 1, threadsToCutFor(device_.threads())));
    const auto pieceBegin = [&](int piece) { return static_cast<int>(int64_t(count) * piece / pieces); };
    order_.resize(count);
    cellOfPlace_.resize(count);
    boxCells_.resize(count);
    boxCounts_.resize(pieces * boxCells);
    boxStarts_.resize(boxCells + 1);

    // place = ⌊x / size⌋ − low + 1, clamped to the box; NaN goes to the first cell
    const double perSize = 1 / keys_.cellSize;
    const auto placeOf = [&](float coordinate, int lowest, int size) {
        const double place = std::floor(coordinate * perSize) - lowest + 1, last = size - 2;
        return static_cast<int>(place > 1 ? place < last ? place : last : 1.0);
    };
    const Vec3* const points = x.data();
    int* const cellOf = boxCells_.data();
    int* const counts = boxCounts_.data();
    forEachChunk(device_, "countCells", pieces, 1, [&](int piece, int) {
        int* const own = counts + int64_t(piece) * boxCells;
        std::fill(own, own + boxCells, 0);
        for (int i = pieceBegin(piece); i < pieceBegin(piece + 1); ++i) {
            const Vec3 p = points[i];
            const int cell =
                (placeOf(p.z, low.z, boxZ) * boxY_ + placeOf(p.y, low.y, boxY_)) * boxX_ + placeOf(p.x, low.x, boxX_);
            cellOf[i] = cell;
            ++own[cell];
        }
    });

    // Exclusive scan of the histograms: sum each block of cells in parallel, scan the sums, then scan within each
    // block.
    constexpr int kBlock = 8192;
    const int blocks = (boxCells + kBlock - 1) / kBlock;
    std::vector<int> blockStarts(static_cast<size_t>(blocks) + 1, 0);
    const auto blockOf = [&](int cell) { return static_cast<size_t>(cell / kBlock); };
    forEachChunk(device_, "sumCells", boxCells, kBlock, [&](int begin, int end) {
        int sum = 0;
        for (int p = 0; p < pieces; ++p)
            for (int c = begin; c < end; ++c) sum += counts[int64_t(p) * boxCells + c];
        blockStarts[blockOf(begin) + 1] = sum;
    });
    for (size_t b = 0; b < static_cast<size_t>(blocks); ++b) blockStarts[b + 1] += blockStarts[b];
    int* const starts = boxStarts_.data();
    forEachChunk(device_, "startCells", boxCells, kBlock, [&](int begin, int end) {
        int sum = blockStarts[blockOf(begin)];
        for (int c = begin; c < end; ++c) {
            starts[c] = sum;
            for (int p = 0; p < pieces; ++p) sum += std::exchange(counts[int64_t(p) * boxCells + c], sum);
        }
    });
    starts[boxCells] = count;

    wasSorted_ =
        reduce(device_, "isSorted", count, 0, BoxIsOutOfOrder{std::as_const(boxCells_).span()}, Largest{}) == 0;
    if (wasSorted_) {
        cellOfPlace_.swap(boxCells_);
        forEach(device_, "keepOrder", count, KeepOrder{order_.span()});
        return true;
    }
    int* const order = order_.data();
    int* const cellOfPlace = cellOfPlace_.data();
    forEachChunk(device_, "placePoints", pieces, 1, [&](int piece, int) {
        int* const own = counts + int64_t(piece) * boxCells;
        for (int i = pieceBegin(piece); i < pieceBegin(piece + 1); ++i) {
            const int place = own[cellOf[i]]++;
            order[place] = i;
            cellOfPlace[place] = cellOf[i];
        }
    });
    return true;
}

void CellGrid::pointsReordered() {
    wasSorted_ = true;
    forEach(device_, "keepOrder", order_.size(), KeepOrder{order_.span()});
}

int CellGrid::cellCount() const {
    const Span<const int> cells = cellOfPlace_.span();
    return reduce(device_, "cellCount", cells.count, 0, BeginsCell{cells}, Sum{});
}

CellGrid::View CellGrid::view() const {
    return {cellOfPlace_.data(), isDense_ ? boxStarts_.data() : nullptr, runs_.data(), boxX_, boxX_ * boxY_};
}

void CellGrid::findCells() {
    const int count = pointKeys_.size();
    const Span<const uint64_t> keys = std::as_const(pointKeys_).span();
    isFirst_.resize(count);
    forEach(device_, "markFirsts", count, MarkFirsts{keys, isFirst_.span()});
    scan(isFirst_, firstsBefore_);
    const int cells = readElement(firstsBefore_, count);
    cellOfPlace_.resize(count);
    cellStarts_.resize(cells + 1);
    cellKeys_.resize(cells);
    setElements(cellStarts_, cells, 1, count);
    forEach(device_, "listCells", count,
            ListCells{keys, std::as_const(isFirst_).span(), std::as_const(firstsBefore_).span(), cellOfPlace_.span(),
                      cellStarts_.span(), cellKeys_.span()});
}

void CellGrid::fillTable() {
    const int cells = cellStarts_.size() - 1;
    const int size = cellTableSize(cells);
    hashes_.resize(cells);
    hashed_.resize(cells);
    bucketStarts_.resize(size);
    forEach(device_, "hashCells", cells,
            HashCells{keys_, std::as_const(cellKeys_).span(), hashes_.span(), hashed_.span(), size});
    int bits = 1;
    while ((1 << bits) < size && bits < 31) ++bits;
    sortByKey(hashes_, hashed_, bits);
    forEach(device_, "emptyBuckets", size, EmptyBuckets{bucketStarts_.span()});
    forEach(device_, "startBuckets", cells, StartBuckets{std::as_const(hashes_).span(), bucketStarts_.span()});
}

void CellGrid::findRuns() {
    const int cells = cellStarts_.size() - 1;
    runs_.resize(kRunsAround * cells);
    forEach(device_, "findRuns", cells,
            FindRuns{keys_, std::as_const(cellKeys_).span(), std::as_const(hashes_).span(),
                     std::as_const(cellStarts_).span(), std::as_const(hashed_).span(),
                     std::as_const(bucketStarts_).span(), runs_.span()});
}

// Cell keys are sorted, and so are the keys shifted by a constant offset: both lists are merged in one pass. The margin
// of one empty cell keeps the shifted keys from carrying into the next axis.
void CellGrid::mergeRuns() {
    const int cells = cellStarts_.size() - 1;
    runs_.resize(kRunsAround * cells);
    const uint64_t* const keys = cellKeys_.data();
    const int* const starts = cellStarts_.data();
    Run* const runs = runs_.data();
    constexpr int kChunk = 1024;
    forEachChunk(device_, "mergeRuns", cells, kChunk, [&](int begin, int end) {
        for (int row = 0; row < kRunsAround; ++row) {
            // Key offset to the first of the row's three cells, modulo 2⁶⁴.
            const uint64_t offset = keys_.key({0, row % 3, row / 3}) - keys_.key({1, 1, 1});
            auto first = static_cast<int>(std::lower_bound(keys, keys + cells, keys[begin] + offset) - keys);
            for (int c = begin; c < end; ++c) {
                const uint64_t low = keys[c] + offset;
                while (first < cells && keys[first] < low) ++first;
                int last = first;
                while (last < cells && keys[last] <= low + 2) ++last;
                runs[kRunsAround * c + row] = last > first ? Run{starts[first], starts[last]} : Run{};
            }
        }
    });
}

}  // namespace purl
