// Tearing: where an edge of a cloth's mesh is stretched too far, one of its points comes apart into two, across the
// pull. Faces stay, with their texture coordinates; only points are added. Cracks run along edges.
#pragma once
#include <vector>

#include "solver/core/buffer.h"
#include "solver/core/vec.h"
#include "solver/geometry/faces.h"
#include "solver/params/cloth.h"
#include "solver/state.h"

namespace purl {

// Splits points of edges that are longer than at rest by more than the share `limit`, the worst first; none next to
// another that has just been split, so that the pull may go elsewhere. Points with no inverse mass are held and stay
// whole, as far as there is another. Gives the faces their new corners; returns of each point that was added, counted
// on from the last, which one it is a copy of.
std::vector<int> tear(Faces& faces, Span<const Vec3> rest, Span<const Vec3> x, Span<const float> inverseMass,
                      float limit);

// The scene's cloth, its index, as the state has it: with the points, faces and maps that tears left it.
Cloth asTorn(const Cloth& cloth, const ClothPoints& points, int index);
Faces facesAsTorn(const Cloth& cloth, const ClothPoints& points, int index);

// Not where fluids know the cloths' skins as they were when the frame began, nor where water is in cells that would
// have to be torn too.
bool mayTear(const Scene& scene);

// What one cloth's tears add.
struct Torn {
    std::vector<int> copies;  // see tear
    Faces faces;
};
// Gives the state the new points, one entry a cloth: each is where and as fast as the one it is a copy of.
void takeTears(ClothPoints& points, const std::vector<Torn>& torn);

}  // namespace purl
