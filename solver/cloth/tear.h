// Tearing: where an edge of a cloth's mesh is overstretched, one of its points splits into two, across the edge. Faces
// and their texture coordinates stay; only points are added. Cracks run along edges.
#pragma once
#include <vector>

#include "solver/core/buffer.h"
#include "solver/core/vec.h"
#include "solver/geometry/faces.h"
#include "solver/params/cloth.h"
#include "solver/state.h"

namespace purl {

// Splits a point of each edge that exceeds its rest length by the fraction `limit`, the most strained first, but no
// neighbours of a point that was just split, so that tension can redistribute. Prefers free points; points with zero
// inverse mass never split. Updates the corners of the faces. Returns the source point of each added point, numbered on
// from the last.
std::vector<int> tear(Faces& faces, Span<const Vec3> rest, Span<const Vec3> x, Span<const float> inverseMass,
                      float limit);

// Cloth `index` of the scene with the points, faces and maps of the torn state.
Cloth tornCloth(const Cloth& cloth, const ClothPoints& points, int index);
Faces tornFaces(const Cloth& cloth, const ClothPoints& points, int index);

// Not with fluids, which sample the cloths when the frame starts, nor with wet fabrics: pores do not tear.
bool mayTear(const Scene& scene);

struct TearResult {
    std::vector<int> copies;  // source of each added point; see tear
    Faces faces;
};
// Adds the new points to the state, one entry per cloth, with the position and velocity of their sources.
void addTornPoints(ClothPoints& points, const std::vector<TearResult>& torn);

}  // namespace purl
