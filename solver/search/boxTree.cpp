#include "solver/search/boxTree.h"

#include <algorithm>
#include <cstdint>

#include "solver/core/forEach.h"

namespace purl {
namespace {

// Spreads the bits of a 21-bit number: two zero bits between neighbouring bits, for Morton codes.
uint64_t spread(uint64_t n) {
    n = (n | n << 32) & 0x1f00000000ffffull;
    n = (n | n << 16) & 0x1f0000ff0000ffull;
    n = (n | n << 8) & 0x100f00f00f00f00full;
    n = (n | n << 4) & 0x10c30c30c30c30c3ull;
    return (n | n << 2) & 0x1249249249249249ull;
}

struct FitLeaves {
    Span<const Bounds> boxes;
    int leaves;
    Bounds* nodes;

    PURL_HD void operator()(int leaf) const {
        Bounds box;
        const int begin = leaf * BoxTreeView::kLeafSize;
        for (int k = begin; k < begin + BoxTreeView::kLeafSize && k < boxes.count; ++k) {
            box.low = min(box.low, boxes[k].low);
            box.high = max(box.high, boxes[k].high);
        }
        nodes[leaves + leaf] = box;
    }
};

struct FitLevel {
    int first;
    Bounds* nodes;

    PURL_HD void operator()(int k) const {
        const Bounds &a = nodes[2 * (first + k)], &b = nodes[2 * (first + k) + 1];
        nodes[first + k] = {min(a.low, b.low), max(a.high, b.high)};
    }
};

}  // namespace

BoxTree::BoxTree(const Device& device) : boxes_(device), nodes_(device) {}

std::vector<int> BoxTree::mortonOrder(const std::vector<Vec3>& centers) {
    Bounds all;
    for (const Vec3& center : centers) all.include(center);
    const Vec3 size = all.size();
    const float widest = std::max(size.x, std::max(size.y, size.z));
    const auto cell = [&](float offset) {
        constexpr float kCells = 2097151;  // 2²¹ − 1
        return spread(widest > 0 ? static_cast<uint64_t>(clamp(offset / widest, 0, 1) * kCells) : 0);
    };
    std::vector<uint64_t> codes;
    for (const Vec3& center : centers) {
        const Vec3 at = center - all.low;
        codes.push_back(cell(at.x) | cell(at.y) << 1 | cell(at.z) << 2);
    }
    std::vector<int> order(centers.size());
    for (size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return codes[a] < codes[b]; });
    return order;
}

void BoxTree::fit() {
    const int needed = (boxes_.size() + BoxTreeView::kLeafSize - 1) / BoxTreeView::kLeafSize;
    leaves_ = 1;
    while (leaves_ < needed) leaves_ *= 2;
    nodes_.resizeDiscard(2 * leaves_);
    forEach(boxes_.device(), "fitLeaves", leaves_, FitLeaves{boxes_.span(), leaves_, nodes_.data()});
    for (int first = leaves_ / 2; first > 0; first /= 2)
        forEach(boxes_.device(), "fitLevel", first, FitLevel{first, nodes_.data()});
}

}  // namespace purl
