#include "solver/search/neighbors.h"

#ifdef __AVX2__
    #include <immintrin.h>
#endif

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

// What counting and listing have in common: the candidates of a place are nine runs of places, looked at in eights.
struct Candidates {
    const float *x, *y, *z;
    const int* cellOfPlace;
    const Run* runs;
    float radius2;

    static constexpr int kLanes = 8;

    // Bit b is set where place first + b is near place k and not k itself. Reads past the last place, into a buffer's
    // spare bytes, and drops what it finds there.
    PURL_HD unsigned near(int k, int first, int end) const {
        unsigned bits = 0;
#if defined(__AVX2__) && !defined(__CUDA_ARCH__)
        const __m256 dx = _mm256_sub_ps(_mm256_set1_ps(x[k]), _mm256_loadu_ps(x + first));
        const __m256 dy = _mm256_sub_ps(_mm256_set1_ps(y[k]), _mm256_loadu_ps(y + first));
        const __m256 dz = _mm256_sub_ps(_mm256_set1_ps(z[k]), _mm256_loadu_ps(z + first));
        const __m256 r2 =
            _mm256_add_ps(_mm256_add_ps(_mm256_mul_ps(dx, dx), _mm256_mul_ps(dy, dy)), _mm256_mul_ps(dz, dz));
        bits = static_cast<unsigned>(_mm256_movemask_ps(_mm256_cmp_ps(r2, _mm256_set1_ps(radius2), _CMP_LE_OQ)));
        if (end - first < kLanes) bits &= (1u << (end - first)) - 1;
#else
        for (int lane = 0; lane < kLanes && first + lane < end; ++lane) {
            const float dx = x[k] - x[first + lane], dy = y[k] - y[first + lane], dz = z[k] - z[first + lane];
            if (dx * dx + dy * dy + dz * dz <= radius2) bits |= 1u << lane;
        }
#endif
        const int self = k - first;
        if (self >= 0 && self < kLanes) bits &= ~(1u << self);
        return bits;
    }

    // visit(first, bits) for each eight candidates of place k.
    template <class Visit>
    PURL_HD void forEach(int k, Visit&& visit) const {
        const Run* run = runs + kRunsAround * cellOfPlace[k];
        for (int r = 0; r < kRunsAround; ++r)
            for (int first = run[r].begin; first < run[r].end; first += kLanes)
                visit(first, near(k, first, run[r].end));
    }
};

PURL_HD inline int bitCount(unsigned bits) {
#ifdef __CUDA_ARCH__
    return __popc(bits);
#else
    return __builtin_popcount(bits);
#endif
}
PURL_HD inline int lowestBit(unsigned bits) {
#ifdef __CUDA_ARCH__
    return __ffs(static_cast<int>(bits)) - 1;
#else
    return __builtin_ctz(bits);
#endif
}

struct CountNeighbors {
    Candidates candidates;
    Span<const int> order;
    Span<int> counts;

    PURL_HD void operator()(int k) const {
        int count = 0;
        candidates.forEach(k, [&](int, unsigned bits) { count += bitCount(bits); });
        counts[order[k]] = count;
    }
};

struct ListNeighbors {
    Candidates candidates;
    Span<const int> order, starts;
    Span<int> indices;
    bool ascending;

    PURL_HD void operator()(int k) const {
        int* const list = indices.data + starts[order[k]];
        int count = 0;
        candidates.forEach(k, [&](int first, unsigned bits) {
            for (; bits; bits &= bits - 1) list[count++] = order[first + lowestBit(bits)];
        });
        if (ascending) return;
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
