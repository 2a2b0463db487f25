// Pressing: how much of its thickness fabric loses where it is pressed, between colliders, between a collider and a
// fold of cloth, or between two; and of knits, which have a thickness of their own, by how much nearer their layers
// are. A thing on one side alone presses nothing. Places only: what presses harder than it moves is not known.
#pragma once
#include <vector>

#include "solver/colliders/colliders.h"
#include "solver/search/neighbors.h"
#include "solver/wet/sheet.h"

namespace purl {

class Pressing {
  public:
    explicit Pressing(const Device& device);

    // The scene's cloths, and the cells of them.
    void set(const Scene& scene, const PoreSheet& sheet);
    // Share of the thickness that each of the sheet's cells has lost where the points are at x.
    const Buffer<float>& measure(const Buffer<Vec3>& x, const Buffer<Vec3>& rest, PoreSheet& sheet,
                                 Span<const PlacedCollider> colliders);

    // How one cloth is pressed.
    struct Fabric {
        int first = 0, count = 0;  // of its points, all layers
        int ofLayer = 0;           // points of a layer; count: it has but one
        float half = 0;            // m, that it keeps from colliders
        float apart = 0;           // m, that its folds keep from each other; 0: they do not
        float aside = 0;           // m, so far from being straight above a point may be that presses; 0: any

        PURL_HD bool thick() const { return ofLayer < count; }
    };

  private:
    Device device_;
    Buffer<Fabric> fabrics_;
    Neighbors neighbors_;
    float reach_ = 0;  // m, of the farthest fold that may press; 0: none may
    Buffer<float> pressed_;
};

}  // namespace purl
