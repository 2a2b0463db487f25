// Neighbors: for each point the list of all others within a radius, ascending. Built by gathering from the cells
// around, so that any number of threads gives the same lists; fastest on points already sorted by cell.
#pragma once
#include "solver/search/cellGrid.h"

namespace purl {

class Neighbors {
  public:
    explicit Neighbors(const Device& device = Device::cpu());

    // Finds all pairs with |xᵢ − xⱼ| ≤ radius. The points must outlive the views made of this.
    void build(const Buffer<Vec3>& x, float radius);

    // What a kernel sees.
    struct View {
        const Vec3* x;
        const int* starts;
        const int* indices;

        PURL_HD int count(int i) const { return starts[i + 1] - starts[i]; }
        PURL_HD const int* begin(int i) const { return indices + starts[i]; }
        PURL_HD const int* end(int i) const { return indices + starts[i + 1]; }

        // visit(j, d, r2) for each neighbour j ≠ i in ascending order, with d = xᵢ − xⱼ and r2 = |d|².
        template <class Visit>
        PURL_HD void forEach(int i, Visit&& visit) const {
            const Vec3 xi = x[i];
            const int last = starts[i + 1];
            for (int n = starts[i]; n < last; ++n) {
                const int j = indices[n];
                const Vec3 d = xi - x[j];
                visit(j, d, dot(d, d));
            }
        }
    };
    View view() const { return {x_, starts_.data(), indices_.data()}; }

    int count() const { return counts_.size(); }
    int pairCount() const { return indices_.size(); }
    float radius() const { return radius_; }

    // Cells as wide as the radius (Kelager 5.5) and a breath more: rounding lets in pairs a little farther apart.
    static double cellSize(float radius) { return double(radius) * (1 + 1e-6); }

  private:
    Device device_;
    float radius_ = 0;
    const Vec3* x_ = nullptr;
    CellGrid grid_;
    Buffer<float> sortedX_, sortedY_, sortedZ_;  // the points place by place: whole runs are read at once
    Buffer<int> counts_, starts_, indices_;
};

}  // namespace purl
