// Compression: the fraction of its thickness that a fabric loses by compression, between colliders, between a collider
// and a fold of cloth, or between two folds; for knits, which have layers, from the distance of their layers. Contact
// on one side only does not compress. It is purely geometric: pressure beyond the visible deformation is not known.
#pragma once
#include <vector>

#include "solver/colliders/colliders.h"
#include "solver/search/neighbors.h"
#include "solver/wet/sheet.h"

namespace purl {

class Compression {
  public:
    explicit Compression(const Device& device);

    // Reads the scene's cloths and their cells.
    void set(const Scene& scene, const PoreSheet& sheet);
    // Measures the thickness of knits, with the points at x, which may be on another device than the cells.
    void measureLayers(const Buffer<Vec3>& x);
    // Whether measure() needs the positions of all points; else of those with cells.
    bool readsAllPoints() const { return reach_ > 0; }
    // Fraction of the thickness lost at each cell of the sheet, with the points at x, after measureLayers().
    const Buffer<float>& measure(const Buffer<Vec3>& x, const Buffer<Vec3>& rest, PoreSheet& sheet,
                                 Span<const PlacedCollider> colliders);

    // The contact distances of one cloth.
    struct Fabric {
        int first = 0, count = 0;    // of its points, all layers
        int pointsPerLayer = 0;      // points per layer; equal to count for a single layer
        float colliderDistance = 0;  // m, distance to colliders
        float foldDistance = 0;      // m, distance between folds; 0: no self-collision
        float lateralReach = 0;      // m, largest lateral offset of a fold that compresses; 0: unlimited

        PURL_HD bool thick() const { return pointsPerLayer < count; }
    };

  private:
    Device device_;
    Buffer<Fabric> fabrics_;
    Neighbors neighbors_;
    float reach_ = 0;          // m, largest distance at which a fold may compress; 0: none
    Buffer<float> thickness_;  // m, of knits, per point of their middle layers
    Buffer<float> pressed_;
};

}  // namespace purl
