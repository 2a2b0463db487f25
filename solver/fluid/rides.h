// Rides: which points of cloths and soft bodies the wall points of their skins ride on, so that what happens to the
// one can be handed to the other.
#pragma once
#include <vector>

#include "solver/boundary/boundary.h"
#include "solver/contact/skins.h"
#include "solver/core/orderedScatter.h"

namespace purl {

// Points are counted through: all of ClothPoints, then all of SoftPoints.
class Rides {
  public:
    explicit Rides(const Device& device) : carriers_(device) {}

    // The boundary's walls from firstSkin on are the skins, in their order. Those that fluids do not push carry none.
    void set(const Skins& skins, int firstSkin, const Boundary& walls, const State& state);
    void clear() { carriers_.renew(0); }

    bool empty() const { return carriers_.empty(); }
    int points() const { return points_; }

    struct View {
        int first, count;
        const PointCarrier* carriers;

        // What wall point b rides on, or null.
        PURL_HD const PointCarrier* of(int b) const {
            const int k = b - first;
            return k >= 0 && k < count && carriers[k].vertex[0] >= 0 ? carriers + k : nullptr;
        }
        // take(point, share, sums[k]) for all that each wall point with a sum rides on.
        template <class Sum, class Take>
        void forEachEntry(const Device& device, const std::vector<Sum>& sums, const Take& take) const {
            constexpr int kSideBySide = 4;
            const OrderedScatter given(device, "handOut", count, kSideBySide, [&](int k, const auto& put) {
                if (sums[static_cast<size_t>(k)] == Sum{}) return;
                for (int c = 0; c < 3 && carriers[k].vertex[c] >= 0; ++c) put(carriers[k].vertex[c], c);
            });
            given.forEachEntry(
                [&](int k, int point, int c) { take(point, carriers[k].share[c], sums[static_cast<size_t>(k)]); });
        }
    };
    View view() const { return {first_, carriers_.size(), carriers_.data()}; }

  private:
    int first_ = 0;  // the boundary's point that the first carrier is of
    int points_ = 0;
    Buffer<PointCarrier> carriers_;
};

}  // namespace purl
