// Per-particle shape of the surface field: isolation, anisotropy of the blob, and smoothed position. All lengths are in
// cells.
#pragma once
#include "solver/search/neighbors.h"
#include "solver/surface/blobs.h"

namespace purl {

// Neighbours needed for a blob to count fully.
constexpr int kMinNeighbors = 4;
// Weight of each blob: 1 with enough neighbours, else 0 if `drop`, or in proportion to their number.
void loneWeights(const Neighbors& neighbors, bool drop, Buffer<float>& weights);

struct Shapes {
    Buffer<Vec3> shift;      // displacement onto the smoothed surface
    Buffer<Ellipsoid> form;  // contained in the ball of the radius
    Buffer<float> scale;     // of the peak: volume of the ball over the volume of the ellipsoid

    explicit Shapes(const Device& device) : shift(device), form(device), scale(device) {}
};
// Anisotropic kernels after Yu and Turk 2013: blobs are flattened along the surface and their centres smoothed. The
// neighbourhood's common displacement is subtracted, so that the volume is kept. No particle moves farther than
// maxShift. Particles with isNear[i] == 0 stay balls at their positions.
Shapes anisotropicShapes(const Neighbors& neighbors, const Buffer<uint8_t>& isNear, float radius, float maxShift);

}  // namespace purl
