#include "solver/search/neighbors.h"

#include "solver/core/forEach.h"
#include "solver/core/sort.h"

namespace purl {
namespace {

struct LayOutPoints {
    Span<const Vec3> x;
    Span<const int> order;
    Span<float> sortedX, sortedY, sortedZ;
    PURL_HD void operator()(int k) const {
        const Vec3 p = x[order[k]];
        sortedX[k] = p.x;
        sortedY[k] = p.y;
        sortedZ[k] = p.z;
    }
};

// What counting and listing have in common: the candidates of a place are nine runs of places.
struct Candidates {
    const float *x, *y, *z;
    const int* cellOfPlace;
    const Run* runs;
    float radius2;

    PURL_HD bool near(int k, int other) const {
        const float dx = x[k] - x[other], dy = y[k] - y[other], dz = z[k] - z[other];
        return dx * dx + dy * dy + dz * dz <= radius2;
    }
    PURL_HD const Run* runsAround(int k) const { return runs + kRunsAround * cellOfPlace[k]; }
};

struct CountNeighbors {
    Candidates candidates;
    Span<const int> order;
    Span<int> counts;

    PURL_HD void operator()(int k) const {
        const Run* runs = candidates.runsAround(k);
        int count = 0;
        for (int r = 0; r < kRunsAround; ++r)
            for (int other = runs[r].begin; other < runs[r].end; ++other)
                count += static_cast<int>(candidates.near(k, other)) & static_cast<int>(other != k);
        counts[order[k]] = count;
    }
};

struct ListNeighbors {
    Candidates candidates;
    Span<const int> order, starts;
    Span<int> indices;
    bool sorted;

    PURL_HD void operator()(int k) const {
        const Run* runs = candidates.runsAround(k);
        const int i = order[k];
        int* const list = indices.data + starts[i];
        int count = 0;
        for (int r = 0; r < kRunsAround; ++r)
            for (int other = runs[r].begin; other < runs[r].end; ++other)
                if (candidates.near(k, other) && other != k) list[count++] = order[other];
        if (sorted) return;
        for (int n = 1; n < count; ++n) {  // lists are short: insertion sort
            const int j = list[n];
            int at = n;
            for (; at > 0 && list[at - 1] > j; --at) list[at] = list[at - 1];
            list[at] = j;
        }
    }
};

}  // namespace

Neighbors::Neighbors(const Device& device)
    : device_(device),
      grid_(device),
      sortedX_(device),
      sortedY_(device),
      sortedZ_(device),
      counts_(device),
      starts_(device, 1),
      indices_(device) {}

void Neighbors::build(const Buffer<Vec3>& x, float radius) {
    const int count = x.size();
    radius_ = radius;
    x_ = x.data();
    grid_.build(x, cellSize(radius));
    sortedX_.resize(count);
    sortedY_.resize(count);
    sortedZ_.resize(count);
    const Span<const int> order = grid_.order().span();
    forEach(device_, "layOutPoints", count,
            LayOutPoints{x.span(), order, sortedX_.span(), sortedY_.span(), sortedZ_.span()});

    const Candidates candidates{sortedX_.data(),     sortedY_.data(), sortedZ_.data(), grid_.cellOfPlace().data(),
                                grid_.runs().data(), radius * radius};
    counts_.resize(count);
    forEach(device_, "countNeighbors", count, CountNeighbors{candidates, order, counts_.span()});
    device_.synchronize();
    scan(counts_, starts_);
    indices_.resize(starts_[count]);
    forEach(device_, "listNeighbors", count,
            ListNeighbors{candidates, order, std::as_const(starts_).span(), indices_.span(),
                          grid_.wasSorted() && grid_.runsAscend()});
}

}  // namespace purl
