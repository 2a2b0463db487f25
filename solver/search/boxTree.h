// BoxTree: a bounding volume hierarchy over many small moving boxes, for overlap queries. The leaf order is chosen
// once, from the initial positions, and stays good as long as neighbours stay close (the rest shape of a cloth, for
// example). After that only the bounds are refitted, level by level.
#pragma once
#include <vector>

#include "solver/core/buffer.h"
#include "solver/search/triangleTree.h"

namespace purl {

// The view for kernels. Boxes are indexed by their position in the leaf order.
struct BoxTreeView {
    static constexpr int kLeafSize = 4;

    Span<const Bounds> nodes;  // complete binary tree: node k has the children 2k and 2k + 1, the root is 1
    Span<const Bounds> boxes;  // in leaf order
    int leaves = 0;            // a power of two; the leaves are nodes leaves … 2 leaves − 1

    // visit(index) for every box with index ≥ `from` that overlaps this one, in ascending order.
    template <class Visit>
    PURL_HD void forEachOverlap(const Bounds& box, int from, const Visit& visit) const {
        struct Entry {
            int node, first, span;  // first leaf below the node, and number of leaves
        };
        TreeStack<Entry> stack;
        if (boxes.count) stack.push({1, 0, leaves});
        while (stack.count) {
            const Entry entry = stack.pop();
            if ((entry.first + entry.span) * kLeafSize <= from || !overlap(nodes[entry.node], box)) continue;
            if (entry.span > 1) {
                const int half = entry.span / 2;
                stack.push({2 * entry.node + 1, entry.first + half, half});
                stack.push({2 * entry.node, entry.first, half});
                continue;
            }
            const int begin = entry.first * kLeafSize, end = begin + kLeafSize;
            for (int k = begin > from ? begin : from; k < end && k < boxes.count; ++k)
                if (overlap(boxes[k], box)) visit(k);
        }
    }
};

class BoxTree {
  public:
    explicit BoxTree(const Device& device = Device::cpu());

    // Morton order of the box centres: order[k] is the index of the k-th box. Ties keep the input order.
    static std::vector<int> mortonOrder(const std::vector<Vec3>& centers);

    // Fill in leaf order, then call fit().
    Buffer<Bounds>& boxes() { return boxes_; }
    void fit();
    BoxTreeView view() const { return {nodes_.span(), boxes_.span(), leaves_}; }

  private:
    Buffer<Bounds> boxes_, nodes_;
    int leaves_ = 0;
};

}  // namespace purl
