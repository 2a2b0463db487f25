// Root surface fields that weigh particles near the surface less (Bayraktar 5.8 to 5.10). All lengths are in cells.
#pragma once
#include "solver/reference/params.h"
#include "solver/search/neighbors.h"
#include "solver/surface/blobs.h"

namespace purl {

// sᵢ = max(0.1, 1 − (Rᵢ + R/2)), where Rᵢ = Σⱼ |nⱼ| / (kᵢ h) over the kᵢ particles within h, including i, and R is the
// largest Rᵢ   Bayraktar 5.8, 5.9. nⱼ points from the centroid of j's neighbours to j (5.6, 5.7); an isolated particle
// gets the length for a flat surface, 3/8 h. Returns R.
float surfaceValues(const Neighbors& neighbors, float h, Buffer<float>& values);

// Applies the surface values to the blobs, whose radius is h. root itself has none.
void applySurfaceValues(ReferenceField field, const Neighbors& neighbors, float h, Buffer<Blob>& blobs,
                        Buffer<Ball>& forms);

}  // namespace purl
