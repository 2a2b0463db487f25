// BoundaryBinding: maps the boundary samples of cloths and soft bodies to the mesh points that carry them, to transfer
// impulses and masses from samples to points and velocity changes back.
#pragma once
#include <vector>

#include "solver/boundary/boundary.h"
#include "solver/colliders/stepColliders.h"
#include "solver/core/orderedScatter.h"

namespace purl {

// Point indices run through all of ClothPoints, then all of SoftPoints.
class BoundaryBinding {
  public:
    explicit BoundaryBinding(const Device& device)
        : carriers_(device, "binding.carriers"), onHost_(device.host(), "binding.onHost") {}

    // The deforming colliders of the boundary start at firstDeforming, in their order. Samples of colliders that do not
    // react to fluids have no carrier.
    void set(const StepColliders& colliders, int firstDeforming, const Boundary& boundary, const State& state);
    void clear() {
        carriers_.resizeDiscard(0);
        onHost_.resizeDiscard(0);
    }

    bool empty() const { return carriers_.empty(); }
    int points() const { return points_; }

    struct View {
        int first, count;
        const PointCarrier* carriers;

        // Carrier of boundary sample b, or null.
        PURL_HD const PointCarrier* of(int b) const {
            const int k = b - first;
            return k >= 0 && k < count && carriers[k].vertex[0] >= 0 ? carriers + k : nullptr;
        }
        // Calls take(point, share, sums[k]) for every point that carries a sample with a nonzero sum.
        template <class Sum, class Take>
        void forEachEntry(const Device& device, Span<const Sum> sums, const Take& take) const {
            constexpr int kSideBySide = 4;
            const OrderedScatter given(device, "forEachEntry", count, kSideBySide, [&](int k, const auto& put) {
                if (sums[k] == Sum{}) return;
                for (int c = 0; c < 3 && carriers[k].vertex[c] >= 0; ++c) put(carriers[k].vertex[c], c);
            });
            given.forEachEntry([&](int k, int point, int c) { take(point, carriers[k].share[c], sums[k]); });
        }
    };
    // For kernels on the device; for the host.
    View view() const { return {first_, carriers_.size(), carriers_.data()}; }
    View viewOnHost() const {
        return {first_, carriers_.size(), (carriers_.device().isCpu() ? carriers_ : onHost_).data()};
    }

  private:
    int first_ = 0;  // boundary sample of the first carrier
    int points_ = 0;
    Buffer<PointCarrier> carriers_, onHost_;  // onHost_: the same, unused on the CPU
};

}  // namespace purl
