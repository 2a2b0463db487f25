// MovingTree: bounding volume hierarchy over boxes that move linearly over several substeps.
#pragma once
#include <vector>

#include "solver/cloth/contact/contactLanes.h"
#include "solver/core/buffer.h"
#include "solver/core/forEach.h"

namespace purl {

// A box at the first and the last substep; its faces move linearly in between.
struct MovingBox {
    Bounds first, last;
};
// Eight boxes; unused lanes are empty.
struct alignas(32) MovingBoxes {
    float low[2][3][8], high[2][3][8];
};

// Bits of the boxes that may overlap at any time: those not separated on the same side of an axis at both ends.
inline int overlaps(const MovingBoxes& all, const MovingBox& box) {
    LaneMask separated = Lanes(1) < Lanes(0);
    for (int k = 0; k < 3; ++k) {
        const Lanes low0 = load(all.low[0][k]), low1 = load(all.low[1][k]), high0 = load(all.high[0][k]),
                    high1 = load(all.high[1][k]);
        separated = separated | ((Lanes(box.first.high[k]) < low0) & (Lanes(box.last.high[k]) < low1)) |
                    ((high0 < Lanes(box.first.low[k])) & (high1 < Lanes(box.last.low[k])));
    }
    return ~bitsOf(separated) & 255;
}
inline bool overlap(const MovingBox& a, const MovingBox& b) {
    for (int k = 0; k < 3; ++k)
        if ((a.first.high[k] < b.first.low[k] && a.last.high[k] < b.last.low[k]) ||
            (b.first.high[k] < a.first.low[k] && b.last.high[k] < a.last.low[k]))
            return false;
    return true;
}
inline MovingBox boxOf(const MovingBoxes& all, int l) {
    const auto at = [&](const float(&of)[3][8]) { return Vec3{of[0][l], of[1][l], of[2][l]}; };
    return {{at(all.low[0]), at(all.high[0])}, {at(all.low[1]), at(all.high[1])}};
}
inline void setBox(MovingBoxes& all, int l, const MovingBox& box) {
    for (int k = 0; k < 3; ++k) {
        all.low[0][k][l] = box.first.low[k];
        all.high[0][k][l] = box.first.high[k];
        all.low[1][k][l] = box.last.low[k];
        all.high[1][k][l] = box.last.high[k];
    }
}
inline MovingBox unionOf(const MovingBox& a, const MovingBox& b) {
    const auto join = [](const Bounds& p, const Bounds& q) { return Bounds{min(p.low, q.low), max(p.high, q.high)}; };
    return {join(a.first, b.first), join(a.last, b.last)};
}
inline MovingBox unionOf(const MovingBoxes& all) {
    MovingBox hull;
    for (int l = 0; l < 8; ++l) hull = unionOf(hull, boxOf(all, l));
    return hull;
}

// Eight-wide BVH in input order: neighbouring indices should be close in space.
class MovingTree {
  public:
    explicit MovingTree(const Device& device) : nodes_(device) {}

    void fit(const Device& device, Span<const MovingBox> boxes);
    template <class Visit>
    void forEachOverlap(const MovingBox& box, int from, int end, const Visit& visit) const;

  private:
    template <class Visit>
    void visitBelow(int level, int block, const MovingBox& box, int from, int end, const Visit& visit) const;

    int count_ = 0;
    std::vector<int> levels_;  // first node of each level, leaves first
    Buffer<MovingBoxes> nodes_;
};

// Calls visit(i) for every box i in [from, end) that may overlap this one, in ascending order.
template <class Visit>
void MovingTree::forEachOverlap(const MovingBox& box, int from, int end, const Visit& visit) const {
    if (count_) visitBelow(static_cast<int>(levels_.size()) - 1, 0, box, from, end, visit);
}
template <class Visit>
void MovingTree::visitBelow(int level, int block, const MovingBox& box, int from, int end, const Visit& visit) const {
    forEachBit(overlaps(nodes_[levels_[level] + block], box), [&, this](int l) {
        const int child = 8 * block + l;
        if (level == 0) {
            if (child >= from && child < end) visit(child);
        } else if ((child + 1) << 3 * level > from && child << 3 * level < end) {
            visitBelow(level - 1, child, box, from, end, visit);
        }
    });
}

}  // namespace purl
