// BoundaryBinding: maps the boundary samples of cloths and soft bodies to the mesh points that carry them, to transfer
// impulses and masses from samples to points and velocity changes back.
#pragma once
#include <vector>

#include "solver/boundary/boundary.h"
#include "solver/colliders/stepColliders.h"
#include "solver/core/orderedScatter.h"
#include "solver/core/sort.h"

namespace purl {

// Bits of the sort keys 0 … largest.
inline int bitsOfKeys(int largest) {
    int bits = 1;
    while (bits < 31 && (1 << bits) <= largest) ++bits;
    return bits;
}

// Point indices run through all of ClothPoints, then all of SoftPoints.
class BoundaryBinding {
  public:
    explicit BoundaryBinding(const Device& device)
        : carriers_(device, "binding.carriers"), keys_(device, "binding.keys"), order_(device, "binding.order") {}

    // The deforming colliders of the boundary start at firstDeforming, in their order. Samples of colliders that do not
    // react to fluids have no carrier.
    void set(const StepColliders& colliders, int firstDeforming, const Boundary& boundary, const State& state);
    void clear() { carriers_.resizeDiscard(0); }

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
    };
    View view() const { return {first_, carriers_.size(), carriers_.data()}; }

    // Calls take(point, share, sums[k]) for every point that carries a sample with a nonzero sum. A point gets the
    // samples in their order. `sums` and what `take` writes are on the device.
    template <class Sum, class Take>
    void takeFromSamples(const char* name, Span<const Sum> sums, const Take& take) const;

  private:
    int first_ = 0;  // boundary sample of the first carrier
    int points_ = 0;
    Buffer<PointCarrier> carriers_;
    // Unused on the CPU: the points of all carriers, ascending, and 3 · sample + place in its carrier.
    Buffer<uint64_t> keys_;
    Buffer<int> order_;
};

// The sums of the samples that a point carries.
template <class Sum, class Take>
struct TakeFromSamples {
    Span<const uint64_t> keys;
    Span<const int> order;
    const PointCarrier* carriers;
    Span<const Sum> sums;
    Take take;

    PURL_HD void operator()(int point) const {
        const auto own = static_cast<uint64_t>(point);
        for (int at = firstAtLeast(keys, own); at < keys.count && keys[at] == own; ++at) {
            const int k = order[at] / 3, c = order[at] % 3;
            if (!(sums[k] == Sum{})) take(point, carriers[k].share[c], sums[k]);
        }
    }
};

template <class Sum, class Take>
void BoundaryBinding::takeFromSamples(const char* name, Span<const Sum> sums, const Take& take) const {
    const Device& device = carriers_.device();
    const PointCarrier* const carriers = carriers_.data();
    if (!device.isCpu())
        return forEach(device, name, points_,
                       TakeFromSamples<Sum, Take>{keys_.span(), order_.span(), carriers, sums, take});
    constexpr int kSideBySide = 4;
    const OrderedScatter given(device, name, carriers_.size(), kSideBySide, [&](int k, const auto& put) {
        if (sums[k] == Sum{}) return;
        for (int c = 0; c < 3 && carriers[k].vertex[c] >= 0; ++c) put(carriers[k].vertex[c], c);
    });
    given.forEachEntry([&](int k, int point, int c) { take(point, carriers[k].share[c], sums[k]); });
}

}  // namespace purl
