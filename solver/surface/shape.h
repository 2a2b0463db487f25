// What a particle's surroundings say of it: how near the surface it is, whether it is alone, how its blob should be
// stretched and where it would lie on a smooth surface. All lengths are in cells.
#pragma once
#include "solver/search/neighbors.h"
#include "solver/surface/blobs.h"

namespace purl {

// sᵢ = 1 − (Rᵢ + R/2), at least 0.1, with Rᵢ = Σⱼ |nⱼ| / (kᵢ h) over the kᵢ particles within h, i included, and the
// largest Rᵢ as R   Bayraktar 5.8, 5.9. nⱼ points from the middle of j's surroundings to it (5.6, 5.7); a lone
// particle's is taken to be as long as a flat surface's, 3/8 h. Returns R.
float surfaceValues(const Neighbors& neighbors, float h, Buffer<float>& values);

// Of how many particles a blob must have in reach to count in full.
constexpr int kCompany = 4;
// Share of its blob that is left of each: 1 with that company; else 0 if `drop`, or the less the fewer.
void loneWeights(const Neighbors& neighbors, bool drop, Buffer<float>& weights);

struct Shapes {
    Buffer<Vec3> move;       // onto the smooth surface
    Buffer<Ellipsoid> form;  // within a ball of the radius
    Buffer<float> scale;     // of its peak: ball's volume over the form's

    explicit Shapes(const Device& device) : move(device), form(device), scale(device) {}
};
// After Yu and Turk 2013: flattened where the surroundings are flat, and smoothed; but what moves a surface's particles
// as a whole is left out, so that the volume is kept. None moves farther than mostMove. Those with isNear[i] == 0 stay
// balls in their places.
Shapes shapesOf(const Neighbors& neighbors, const Buffer<uint8_t>& isNear, float radius, float mostMove);

}  // namespace purl
