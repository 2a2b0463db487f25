#include "solver/boundary/pointGrid.h"

#include <algorithm>
#include <numeric>

#include "solver/core/error.h"
#include "solver/search/neighbors.h"

namespace purl {

PointGrid::PointGrid(const Device& device) : tableKeys_(device), tableCells_(device), runs_(device) {}

std::vector<int> PointGrid::build(std::vector<Vec3>& points, float radius) {
    view_ = {};
    tableKeys_.resize(0);
    std::vector<int> order(points.size());
    std::iota(order.begin(), order.end(), 0);
    if (points.empty()) return order;

    // Two cells of margin: keys of the cells next to a point's never leave the box.
    Bounds box;
    for (const Vec3 p : points) box.include(p);
    const double cellSize = Neighbors::cellSize(radius);
    view_.inverseCell = 1 / cellSize;
    const float margin = static_cast<float>(2 * cellSize);
    view_.low = box.low - Vec3{margin, margin, margin};
    view_.reach = {box.low - Vec3{radius, radius, radius}, box.high + Vec3{radius, radius, radius}};
    const Vec3 size = box.size();
    if (!(std::max({size.x, size.y, size.z}) / cellSize < (1 << 21) - 8))
        throw Error("boundary: a collider spans more than two million support radii; make particles larger");

    std::vector<uint64_t> keys(points.size());
    for (size_t i = 0; i < points.size(); ++i) keys[i] = view_.keyAt(points[i]);
    std::sort(order.begin(), order.end(), [&](int a, int b) { return keys[a] != keys[b] ? keys[a] < keys[b] : a < b; });
    std::vector<Vec3> sorted;
    std::vector<uint64_t> sortedKeys;
    for (const int i : order) {
        sorted.push_back(points[i]);
        sortedKeys.push_back(keys[i]);
    }
    points.swap(sorted);

    std::vector<uint64_t> near;
    for (size_t i = 0; i < sortedKeys.size(); ++i) {
        if (i > 0 && sortedKeys[i] == sortedKeys[i - 1]) continue;
        for (int k = 0; k < 27; ++k)
            near.push_back(sortedKeys[i] + PointGridView::keyOf(k % 3, k / 3 % 3, k / 9) -
                           PointGridView::keyOf(1, 1, 1));
    }
    std::sort(near.begin(), near.end());
    near.erase(std::unique(near.begin(), near.end()), near.end());

    size_t tableSize = 16;
    while (tableSize < 2 * near.size()) tableSize *= 2;
    view_.tableMask = static_cast<uint32_t>(tableSize - 1);
    tableKeys_.resize(static_cast<int>(tableSize));
    tableCells_.resize(static_cast<int>(tableSize));
    runs_.resize(static_cast<int>(kRunsAround * near.size()));
    std::fill(tableKeys_.begin(), tableKeys_.end(), PointGridView::kNoKey);
    for (size_t c = 0; c < near.size(); ++c) {
        uint32_t slot = view_.slotOf(near[c]);
        while (tableKeys_[static_cast<int>(slot)] != PointGridView::kNoKey) slot = (slot + 1) & view_.tableMask;
        tableKeys_[static_cast<int>(slot)] = near[c];
        tableCells_[static_cast<int>(slot)] = static_cast<int>(c);
        for (int row = 0; row < kRunsAround; ++row) {
            // Cells in a row along x have keys in a row.
            const uint64_t middle = near[c] + PointGridView::keyOf(0, row % 3, row / 3) - PointGridView::keyOf(0, 1, 1);
            const auto begin = std::lower_bound(sortedKeys.begin(), sortedKeys.end(), middle - 1);
            const auto end = std::upper_bound(begin, sortedKeys.end(), middle + 1);
            runs_[kRunsAround * static_cast<int>(c) + row] = {static_cast<int>(begin - sortedKeys.begin()),
                                                              static_cast<int>(end - sortedKeys.begin())};
        }
    }
    return order;
}

PointGridView PointGrid::view() const {
    PointGridView view = view_;
    view.tableKeys = tableKeys_.empty() ? nullptr : tableKeys_.data();
    view.tableCells = tableCells_.data();
    view.runs = runs_.data();
    return view;
}

}  // namespace purl
