#include "solver/search/neighbors.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <limits>
#include <string>
#include <vector>

#include "solver/core/bits.h"
#include "solver/core/forEach.h"
#include "solver/core/lanes.h"
#include "solver/core/sort.h"
#include "solver/core/traffic.h"

namespace purl {
namespace {

// Indices are 32 bits wide.
void throwIfTooMany(int64_t entries) {
    if (entries > std::numeric_limits<int>::max() - kLanes)
        throw Error("neighbours: " + std::to_string(entries) +
                    " pairs exceed the 32-bit lists; use fewer particles or a smaller support radius");
}

// Lists are short: insertion sort.
PURL_HD inline void sortList(int* list, int count) {
    for (int n = 1; n < count; ++n) {
        const int j = list[n];
        int at = n;
        for (; at > 0 && list[at - 1] > j; --at) list[at] = list[at - 1];
        list[at] = j;
    }
}

// ---- one point at a time, on GPUs: count, then list
// ---------------------------------------------------------------------------------

// visit(place) for every sorted position within the radius of position k, except k itself.
struct NearPlaces {
    CellGrid::View cells;
    Span<const Vec3> x;
    Span<const int> order;
    float radius2;

    template <class Visit>
    PURL_HD void forEach(int k, Visit&& visit) const {
        const Vec3 xk = x[order[k]];
        for (int row = 0; row < kRunsAround; ++row) {
            const Run run = cells.run(cells.cellOfPlace[k], row);
            for (int place = run.begin; place < run.end; ++place)
                if (place != k && lengthSquared(xk - x[order[place]]) <= radius2) visit(place);
        }
    }
};

struct CountNeighbors {
    NearPlaces near;
    Span<int> counts, padded;

    PURL_HD void operator()(int k) const {
        int count = 0;
        near.forEach(k, [&](int) { ++count; });
        const int i = near.order[k];
        counts[i] = count;
        padded[i] = (count + kLanes - 1) / kLanes * kLanes;
    }
};

struct ListNeighbors {
    NearPlaces near;
    Span<const int> starts;
    Span<int> indices;
    bool ascending;

    PURL_HD void operator()(int k) const {
        const int i = near.order[k];
        int* const list = indices.data + starts[i];
        int count = 0;
        near.forEach(k, [&](int place) { list[count++] = near.order[place]; });
        if (!ascending) sortList(list, count);
        for (; count % kLanes; ++count) list[count] = starts.count - 1;
    }
};

// Permutes the points into cell order.
struct PlacePoints {
    const int* order;
    const Vec3* x;
    Vec3* placed;
    PURL_HD void operator()(int k) const { placed[k] = x[order[k]]; }
};

// The lengths of all lists together, with and without padding.
struct ListLengths {
    int64_t padded = 0, pairs = 0;
};
struct LengthsOf {
    Span<const int> counts, padded;
    PURL_HD ListLengths operator()(int i) const { return {padded[i], counts[i]}; }
};
struct AddLengths {
    PURL_HD ListLengths operator()(const ListLengths& a, const ListLengths& b) const {
        return {a.padded + b.padded, a.pairs + b.pairs};
    }
};

// ---- in lanes: one pass, eight candidates at a time -------------------------------------------------------------

// All candidate neighbours of the points of one cell, as structure of arrays, in ascending order.
class CellCandidates {
  public:
    // Gathers from the nine runs around the cell of sorted positions begin … end − 1. `points` are in cell order;
    // `order` maps them to their indices, null for the identity.
    void gather(const CellGrid::View& cells, int begin, int end, const Vec3* points, const int* order, int pointCount,
                float radius2) {
        int total = 0;
        std::array<Run, kRunsAround> runs;
        for (int row = 0; row < kRunsAround; ++row) {
            Run& run = runs[row];
            run = cells.run(cells.cellOfPlace[begin], row);
            total += run.end - run.begin;
        }
        reserve(total + 2 * kLanes);
        count_ = 0;
        firstPlace_ = begin;
        Bounds box;
        for (int place = begin; place < end; ++place) box.include(points[place]);
        for (const Run& run : runs) copyNear(run, box, radius2, points, order, pointCount);
        for (int lane = 0; lane < kLanes; ++lane) x_[count_ + lane] = kNeverNear;
    }
    // The slot of one of the points gathered for.
    int slotOf(int place) const { return firstSlot_ + place - firstPlace_; }
    int count() const { return count_; }

    // Writes the indices of all candidates near the point in `slot`, without itself, to `list`, which has room for
    // count() + 8 entries. Returns their number.
    int listNear(int slot, float radius2, int* list) const {
        const float own = x_[slot];
        const Lanes x = own, y = y_[slot], z = z_[slot], r2Max = radius2;
        x_[slot] = kNeverNear;  // excludes the point itself; restored below
        // Local copies, because the compiler must assume that the list aliases the members.
        const float *const xs = x_, *const ys = y_, *const zs = z_;
        const int* const indices = index_;
        const int count = count_;
        int* end = list;
        for (int n = 0; n < count; n += kLanes) {
            const Lanes dx = x - load(xs + n), dy = y - load(ys + n), dz = z - load(zs + n);
            const int bits = bitsOf(dx * dx + dy * dy + dz * dz <= r2Max);
            store(compacted(load(indices + n), bits), end);
            end += countBits(bits);
        }
        x_[slot] = own;
        return static_cast<int>(end - list);
    }

  private:
    static constexpr float kNeverNear = 1e30f;  // its square overflows to infinity, so it is never near

    void reserve(int slots) {
        if (slots <= capacity_) return;
        capacity_ = (2 * slots + 15) / 16 * 16;
        memory_ = Buffer<float>(Device::cpu(1), 4 * capacity_);
        x_ = memory_.data();
        y_ = x_ + capacity_;
        z_ = y_ + capacity_;
        index_ = reinterpret_cast<int*>(z_ + capacity_);
    }

    // Skips candidates too far from the bounding box of the points gathered for: half of them, in a fluid. Rounding is
    // monotonic, so no point of the box is nearer than the box, to the last bit. The points of the cell itself are all
    // kept, contiguously.
    void copyNear(const Run& run, const Bounds& box, float radius2, const Vec3* points, const int* order,
                  int pointCount) {
        constexpr int kAscending[kLanes] = {0, 1, 2, 3, 4, 5, 6, 7};
        const LaneInts lanes = load(kAscending);
        const Lanes r2Max = radius2;
        const auto outside = [](Lanes s, float low, float high) { return max(max(low - s, s - high), 0.0f); };
        float *const xs = x_, *const ys = y_, *const zs = z_;  // see listNear
        int* const indices = index_;
        const int first = firstPlace_;
        int filled = count_, firstSlot = firstSlot_, place = run.begin;
        for (; place < run.end && place + kLanes <= pointCount; place += kLanes) {
            const VecOf<Lanes> p = loadPoints(points + place);
            const Lanes dx = outside(p.x, box.low.x, box.high.x), dy = outside(p.y, box.low.y, box.high.y),
                        dz = outside(p.z, box.low.z, box.high.z);
            int bits = bitsOf(dx * dx + dy * dy + dz * dz <= r2Max);
            if (run.end - place < kLanes) bits &= (1 << (run.end - place)) - 1;
            if (place <= first && first < place + kLanes)
                firstSlot = filled + countBits(bits & ((1 << (first - place)) - 1));
            store(compacted(p.x, bits), xs + filled);
            store(compacted(p.y, bits), ys + filled);
            store(compacted(p.z, bits), zs + filled);
            store(compacted(order ? load(order + place) : lanes + place, bits), indices + filled);
            filled += countBits(bits);
        }
        count_ = filled;
        firstSlot_ = firstSlot;
        for (; place < run.end; ++place) put(place, points[place], order ? order[place] : place);
    }
    void put(int place, Vec3 p, int index) {
        if (place == firstPlace_) firstSlot_ = count_;
        x_[count_] = p.x;
        y_[count_] = p.y;
        z_[count_] = p.z;
        index_[count_++] = index;
    }

    Buffer<float> memory_;
    int capacity_ = 0, count_ = 0, firstPlace_ = 0, firstSlot_ = 0;
    float *x_ = nullptr, *y_ = nullptr, *z_ = nullptr;
    int* index_ = nullptr;
};

struct ChunkScratch {
    CellCandidates candidates;
    std::vector<int> lists;
};

}  // namespace

Neighbors::Neighbors(const Device& device)
    : device_(device),
      grid_(device),
      starts_(device, 1, "neighbors.starts"),
      counts_(device, "neighbors.counts"),
      padded_(device, "neighbors.padded"),
      indices_(device, "neighbors.indices"),
      placed_(device, "neighbors.placed") {}

void Neighbors::build(const Buffer<Vec3>& x, float radius) {
    grid_.build(x, cellSize(radius));
    build(x, radius, grid_);
}

void Neighbors::build(const Buffer<Vec3>& x, float radius, const CellGrid& grid) {
    PURL_ASSERT(grid.order().size() == x.size());
    radius_ = radius;
    x_ = x.data();
    counts_.resize(x.size());
    if (device_.isCpu())
        listInLanes(grid);
    else
        listByPoint(grid);
}

void Neighbors::listByPoint(const CellGrid& grid) {
    const int count = counts_.size();
    const NearPlaces near{grid.view(), {x_, count}, grid.order().span(), radius_ * radius_};
    padded_.resize(count);
    forEach(device_, "countNeighbors", count, CountNeighbors{near, counts_.span(), padded_.span()});
    const ListLengths lengths =
        reduce(device_, "pairs", count, ListLengths{},
               LengthsOf{std::as_const(counts_).span(), std::as_const(padded_).span()}, AddLengths{});
    throwIfTooMany(lengths.padded);
    pairCount_ = lengths.pairs;
    listSize_ = static_cast<int>(lengths.padded);
    scan(padded_, starts_);
    indices_.resizeDiscard(listSize_);
    forEach(device_, "listNeighbors", count,
            ListNeighbors{near, std::as_const(starts_).span(), indices_.span(), grid.wasSorted() && grid.runsAscend()});
}

// Each chunk writes its lists to its own scratch memory, then reserves space in the shared array with an atomic
// counter. Where a list is stored depends on timing; its contents do not.
void Neighbors::listInLanes(const CellGrid& grid) {
    constexpr int kChunk = 256;
    const int count = counts_.size();
    const CellGrid::View cells = grid.view();
    const int* const order = grid.wasSorted() ? nullptr : grid.order().data();
    const Vec3* points = x_;
    if (order) {
        placed_.resizeDiscard(count);
        forEach(device_, "placePoints", count, PlacePoints{order, x_, placed_.data()}, 2048);
        points = placed_.data();
    }
    const bool ascending = grid.wasSorted() && grid.runsAscend();
    const float radius2 = radius_ * radius_;
    starts_.resize(count);
    // Enough for dense neighbourhoods; pages never written cost nothing. The margin avoids a reallocation in every step
    // while an emitter adds particles.
    const auto roomFor = [](int64_t entries) {
        return static_cast<int>(std::min<int64_t>(entries, std::numeric_limits<int>::max()));
    };
    if (indices_.size() < roomFor(int64_t(40) * count)) indices_.resizeDiscard(roomFor(int64_t(48) * count));
    for (bool done = false; !done;) {
        const int64_t room = indices_.size();
        std::atomic<int64_t> taken{0}, pairs{0};
        // Lists as long as the last ones are written; points and cells are read, starts and counts written.
        expectTraffic(8.0 * listSize_ + (12 + 4 + 16.0) * count);
        forEachChunkWith<ChunkScratch>(device_, "listNeighbors", count, kChunk, [&](int begin, int end, auto& scratch) {
            auto& [candidates, lists] = scratch;
            size_t filled = 0;
            int found = 0, cellEnd = begin;
            for (int k = begin; k < end; ++k) {
                if (k == cellEnd) {
                    const int cell = cells.cellOfPlace[k];
                    while (cellEnd < end && cells.cellOfPlace[cellEnd] == cell) ++cellEnd;
                    candidates.gather(cells, k, cellEnd, points, order, count, radius2);
                }
                const size_t needed = filled + static_cast<size_t>(candidates.count()) + 2 * kLanes;
                if (lists.size() < needed) lists.resize(2 * needed);
                int* const list = lists.data() + filled;
                const int near = candidates.listNear(candidates.slotOf(k), radius2, list);
                if (!ascending) sortList(list, near);
                store(LaneInts(count), list + near);
                const int i = order ? order[k] : k;
                starts_[i] = static_cast<int>(filled);
                counts_[i] = near;
                found += near;
                filled += static_cast<size_t>((near + kLanes - 1) / kLanes * kLanes);
            }
            pairs += found;
            const int64_t base = taken.fetch_add(static_cast<int64_t>(filled));
            if (base + static_cast<int64_t>(filled) > room) return;
            std::copy_n(lists.data(), filled, indices_.data() + base);
            for (int k = begin; k < end; ++k) starts_[order ? order[k] : k] += static_cast<int>(base);
        });
        pairCount_ = pairs;
        listSize_ = static_cast<int>(std::min(taken.load(), room));
        done = taken <= room;
        if (done) continue;
        throwIfTooMany(taken);
        indices_.resizeDiscard(roomFor(taken + taken / 8));
    }
}

}  // namespace purl
