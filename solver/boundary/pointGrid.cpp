#include "solver/boundary/pointGrid.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "solver/boundary/forEachOnHost.h"
#include "solver/core/error.h"
#include "solver/core/forEach.h"
#include "solver/core/orderedScatter.h"
#include "solver/core/sort.h"
#include "solver/search/neighbors.h"

namespace purl {
namespace {

// The number of sorted points in the cells before each one.
struct CellStarts {
    PointGridView grid;
    Span<const Vec3> sorted;
    Span<int> starts;

    PURL_HD int cellOf(Vec3 x) const {
        const Cell cell = grid.cellAt(x);
        return cell.x + cell.y * grid.strideY + cell.z * grid.strideZ;
    }
    PURL_HD void operator()(int cell) const {
        int begin = 0, end = sorted.count;
        while (begin < end) {
            const int middle = begin + (end - begin) / 2;
            if (cellOf(sorted[middle]) < cell)
                begin = middle + 1;
            else
                end = middle;
        }
        starts[cell] = begin;
    }
};

}  // namespace

PointGrid::PointGrid(const Device& device)
    : device_(device),
      counts_(device.host(), "pointGrid.counts"),
      boxStarts_(device.host(), "pointGrid.boxStarts"),
      boxStartsOnDevice_(device, "pointGrid.boxStartsOnDevice"),
      tableKeys_(device, "pointGrid.tableKeys"),
      tableCells_(device, "pointGrid.tableCells"),
      runs_(device, "pointGrid.runs") {}

std::vector<int> PointGrid::build(std::vector<Vec3>& points, float radius) {
    view_ = {};
    tableKeys_.onHost().resize(0);
    boxStarts_.resize(0);
    view_.reach = {{1, 1, 1}, {-1, -1, -1}};
    if (points.empty()) return {};

    // A margin of two cells keeps the neighbours of any occupied cell inside the box.
    Bounds box;
    for (const Vec3 p : points) box.include(p);
    const double cellSize = Neighbors::cellSize(radius);
    view_.inverseCell = 1 / cellSize;
    const float margin = static_cast<float>(2 * cellSize);
    view_.low = box.low - Vec3{margin, margin, margin};
    view_.reach = {box.low - Vec3{radius, radius, radius}, box.high + Vec3{radius, radius, radius}};
    const double maxExtent = cellSize * ((1 << 21) - 8);
    const Vec3 size = box.size();
    if (!(size.x < maxExtent && size.y < maxExtent && size.z < maxExtent))
        throw Error("boundary: a collider spans more than two million support radii; make particles larger");

    const Cell last = view_.cellAt(box.high + Vec3{margin, margin, margin});
    const Cell cells{last.x + 1, last.y + 1, last.z + 1};
    // The table of a deforming collider is rebuilt in every step. It is used as long as clearing it is cheaper than
    // sorting the points by key; sorting costs about as much per point as clearing a hundred cells. A metre of cloth in
    // the wind has about thirty cells per point.
    const double maxCells = 262144 + 64.0 * static_cast<double>(points.size());
    const bool inBox = double(cells.x) * cells.y * cells.z <= maxCells;
    std::vector<int> order = inBox ? sortInBox(points, cells) : sortByKey(points);
    std::vector<Vec3> sorted(points.size());
    forEachOnHost(device_, "sortPoints", static_cast<int>(order.size()), [&](int k) { sorted[k] = points[order[k]]; });
    points.swap(sorted);
    return order;
}

// Stable counting sort by cell.
std::vector<int> PointGrid::sortInBox(const std::vector<Vec3>& points, Cell size) {
    view_.strideY = size.x;
    view_.strideZ = size.x * size.y;
    const auto count = static_cast<int>(points.size());
    constexpr int kSideBySide = 8;
    const OrderedScatter cells(device_, "cellsOfPoints", count, kSideBySide, [&](int i, const auto& put) {
        const Cell cell = view_.cellAt(points[i]);
        put(cell.x + cell.y * view_.strideY + cell.z * view_.strideZ, 0);
    });
    counts_.resize(view_.strideZ * size.z);
    cells.forEachEntry([&](int, int cell, int) { ++counts_[cell]; });
    scan(counts_, boxStarts_);
    std::vector<int> order(points.size());
    // This resets all counts to zero.
    cells.forEachEntry([&](int i, int cell, int) { order[boxStarts_[cell + 1] - counts_[cell]--] = i; });
    return order;
}

std::vector<int> PointGrid::sortByKey(const std::vector<Vec3>& points) {
    std::vector<int> order(points.size());
    std::iota(order.begin(), order.end(), 0);
    std::vector<uint64_t> keys(points.size());
    for (size_t i = 0; i < points.size(); ++i) {
        const Cell cell = view_.cellAt(points[i]);
        keys[i] = PointGridView::keyOf(cell.x, cell.y, cell.z);
    }
    std::sort(order.begin(), order.end(), [&](int a, int b) { return keys[a] != keys[b] ? keys[a] < keys[b] : a < b; });
    std::vector<uint64_t> sortedKeys;
    for (const int i : order) sortedKeys.push_back(keys[i]);

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
    Buffer<uint64_t>& tableKeys = tableKeys_.onHost();
    Buffer<int>& tableCells = tableCells_.onHost();
    Buffer<Run>& runs = runs_.onHost();
    tableKeys.resize(static_cast<int>(tableSize));
    tableCells.resize(static_cast<int>(tableSize));
    runs.resize(static_cast<int>(kRunsAround * near.size()));
    std::fill(tableKeys.begin(), tableKeys.end(), PointGridView::kNoKey);
    for (size_t c = 0; c < near.size(); ++c) {
        uint32_t slot = view_.slotOf(near[c]);
        while (tableKeys[static_cast<int>(slot)] != PointGridView::kNoKey) slot = (slot + 1) & view_.tableMask;
        tableKeys[static_cast<int>(slot)] = near[c];
        tableCells[static_cast<int>(slot)] = static_cast<int>(c);
        for (int row = 0; row < kRunsAround; ++row) {
            // Cells adjacent along x have consecutive keys.
            const uint64_t middle = near[c] + PointGridView::keyOf(0, row % 3, row / 3) - PointGridView::keyOf(0, 1, 1);
            const auto begin = std::lower_bound(sortedKeys.begin(), sortedKeys.end(), middle - 1);
            const auto end = std::upper_bound(begin, sortedKeys.end(), middle + 1);
            runs[kRunsAround * static_cast<int>(c) + row] = {static_cast<int>(begin - sortedKeys.begin()),
                                                             static_cast<int>(end - sortedKeys.begin())};
        }
    }
    tableKeys_.upload();
    tableCells_.upload();
    runs_.upload();
    return order;
}

void PointGrid::finish(const Buffer<Vec3>& sorted) {
    if (device_.isCpu() || boxStarts_.empty()) return;
    boxStartsOnDevice_.resizeDiscard(boxStarts_.size());
    forEach(device_, "cellStarts", boxStarts_.size(), CellStarts{view_, sorted.span(), boxStartsOnDevice_.span()});
}

PointGridView PointGrid::view() const {
    PointGridView view = view_;
    view.boxStarts = boxStarts_.empty() ? nullptr : device_.isCpu() ? boxStarts_.data() : boxStartsOnDevice_.data();
    view.tableKeys = tableKeys_.empty() ? nullptr : tableKeys_.data();
    view.tableCells = tableCells_.data();
    view.runs = runs_.data();
    return view;
}

}  // namespace purl
