// BoundaryBinding: which points of cloths and soft bodies carry the boundary samples of their deforming colliders, so
// that what a fluid does to samples can be handed to points, and back.
#pragma once
#include <vector>

#include "solver/boundary/boundary.h"
#include "solver/colliders/stepColliders.h"
#include "solver/core/orderedScatter.h"

namespace purl {

// Points are counted through: all of ClothPoints, then all of SoftPoints.
class BoundaryBinding {
  public:
    explicit BoundaryBinding(const Device& device) : carriers_(device) {}

    // The boundary's colliders from firstDeforming on are the deforming ones, in their order. Samples of those that
    // fluids do not push have no carrier.
    void set(const StepColliders& colliders, int firstDeforming, const Boundary& boundary, const State& state);
    void clear() { carriers_.resizeDiscard(0); }

    bool empty() const { return carriers_.empty(); }
    int points() const { return points_; }

    struct View {
        int first, count;
        const PointCarrier* carriers;

        // What carries boundary sample b, or null.
        PURL_HD const PointCarrier* of(int b) const {
            const int k = b - first;
            return k >= 0 && k < count && carriers[k].vertex[0] >= 0 ? carriers + k : nullptr;
        }
        // take(point, share, sums[k]) for all points that carry a sample with a sum.
        template <class Sum, class Take>
        void forEachEntry(const Device& device, const std::vector<Sum>& sums, const Take& take) const {
            constexpr int kSideBySide = 4;
            const OrderedScatter given(device, "forEachEntry", count, kSideBySide, [&](int k, const auto& put) {
                if (sums[k] == Sum{}) return;
                for (int c = 0; c < 3 && carriers[k].vertex[c] >= 0; ++c) put(carriers[k].vertex[c], c);
            });
            given.forEachEntry([&](int k, int point, int c) { take(point, carriers[k].share[c], sums[k]); });
        }
    };
    View view() const { return {first_, carriers_.size(), carriers_.data()}; }

  private:
    int first_ = 0;  // the boundary sample of the first carrier
    int points_ = 0;
    Buffer<PointCarrier> carriers_;
};

}  // namespace purl
