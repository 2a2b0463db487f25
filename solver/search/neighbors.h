// Neighbors: for each point, the ascending list of all other points within a radius. Built by gathering from the
// surrounding cells, so that every thread count gives the same lists. Fastest if the points are already sorted by cell.
#pragma once
#include "solver/search/cellGrid.h"

namespace purl {

class Neighbors {
  public:
    explicit Neighbors(const Device& device = Device::cpu());

    // Finds all pairs with |xᵢ − xⱼ| ≤ radius. The points must outlive all views of this object.
    void build(const Buffer<Vec3>& x, float radius);
    // The same with an existing grid of these points, built with cellSize(radius).
    void build(const Buffer<Vec3>& x, float radius, const CellGrid& grid);

    static constexpr int kLanes = 8;

    // The view for kernels. Lists start at multiples of kLanes and are padded with the index one past the last point:
    // vectorized loops read whole lanes from arrays with a neutral element there.
    struct View {
        const Vec3* x;
        const int* starts;
        const int* counts;
        const int* indices;

        PURL_HD int count(int i) const { return counts[i]; }
        PURL_HD int paddedCount(int i) const { return (counts[i] + kLanes - 1) / kLanes * kLanes; }
        PURL_HD const int* begin(int i) const { return indices + starts[i]; }
        PURL_HD const int* end(int i) const { return indices + starts[i] + counts[i]; }

        // visit(j, d, r2) for each neighbour j ≠ i in ascending order, with d = xᵢ − xⱼ and r2 = |d|².
        template <class Visit>
        PURL_HD void forEach(int i, Visit&& visit) const {
            const Vec3 xi = x[i];
            const int last = starts[i] + counts[i];
            for (int n = starts[i]; n < last; ++n) {
                const int j = indices[n];
                const Vec3 d = xi - x[j];
                visit(j, d, dot(d, d));
            }
        }
    };
    View view() const { return {x_, starts_.data(), counts_.data(), indices_.data()}; }

    int count() const { return counts_.size(); }
    int64_t pairCount() const { return pairCount_; }
    // Total length of all lists including padding: the size of a per-pair array.
    int listSize() const { return listSize_; }
    float radius() const { return radius_; }

    // Cells are as wide as the radius (Kelager 5.5) plus a small margin for rounding.
    static double cellSize(float radius) { return double(radius) * (1 + 1e-6); }

  private:
    void listByPoint(const CellGrid& grid);
    void listInLanes(const CellGrid& grid);

    Device device_;
    float radius_ = 0;
    const Vec3* x_ = nullptr;
    int64_t pairCount_ = 0;
    int listSize_ = 0;
    CellGrid grid_;
    Buffer<int> starts_, counts_, padded_, indices_;
    Buffer<Vec3> placed_;  // unsorted input points, permuted into cell order
};

}  // namespace purl
