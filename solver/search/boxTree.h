// BoxTree: a tree over many small boxes that move, for finding which of them overlap. Its order is chosen once, from
// where they lie at first, and good as long as what is near stays near (a cloth's own places at rest, say); then only
// the boxes are fitted again, level by level.
#pragma once
#include <vector>

#include "solver/core/buffer.h"
#include "solver/search/triangleTree.h"

namespace purl {

// What kernels see. Boxes are called by their places in the order.
struct BoxTreeView {
    static constexpr int kLeafSize = 4;

    Span<const Bounds> nodes;  // of a full binary tree: node k has the children 2k and 2k + 1, the root is 1
    Span<const Bounds> boxes;  // in the tree's order
    int leaves = 0;            // a power of two; they are the nodes from this one on

    // visit(place) for every box from place `from` on that overlaps this one, in ascending order.
    template <class Visit>
    PURL_HD void forEachOverlap(const Bounds& box, int from, const Visit& visit) const {
        struct Entry {
            int node, first, span;  // first leaf below, and how many
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

    // A good order for boxes around these places: order[k] is which of them comes k-th. Equal ones keep their own.
    static std::vector<int> orderOf(const std::vector<Vec3>& centers);

    // To be filled in order, then fitted.
    Buffer<Bounds>& boxes() { return boxes_; }
    void fit();
    BoxTreeView view() const { return {nodes_.span(), boxes_.span(), leaves_}; }

  private:
    Buffer<Bounds> boxes_, nodes_;
    int leaves_ = 0;
};

}  // namespace purl
