// Per-particle shape of the surface field: distance to the surface, isolation, anisotropy of the blob, and smoothed
// position. All lengths are in cells.
#pragma once
#include "solver/search/neighbors.h"
#include "solver/surface/blobs.h"

namespace purl {

// sᵢ = max(0.1, 1 − (Rᵢ + R/2)), where Rᵢ = Σⱼ |nⱼ| / (kᵢ h) over the kᵢ particles within h, including i, and R is the
// largest Rᵢ   Bayraktar 5.8, 5.9. nⱼ points from the centroid of j's neighbours to j (5.6, 5.7); an isolated particle
// gets the length for a flat surface, 3/8 h. Returns R.
float surfaceValues(const Neighbors& neighbors, float h, Buffer<float>& values);

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
