// Fills a closed mesh with particles on a lattice.
#pragma once
#include <cstdint>
#include <vector>

#include "solver/scene.h"
#include "solver/search/triangleTree.h"

namespace purl {

// The lattice of a box, one site per spacing³. Horizontally the pitch is adjusted so that a whole number of sites fits
// the box, the first half a pitch from its face; the vertical pitch compensates for the change of density. Layers start
// at the bottom of the box. So fluid that fills a box of any size touches all its walls at rest density, and only the
// height of its surface is rounded. Edges shorter than four spacings keep the spacing, centred. In two dimensions there
// is one layer, in the plane z = 0.
struct FillLattice {
    Vec3 first;
    Vec3 pitch;  // m, between sites along each axis
    float spacing = 0;
    int64_t countX = 0, countY = 0, countZ = 0;

    // `down`: direction of gravity. Throws Error if there are too many sites to test.
    FillLattice(const Bounds& box, float spacing, int dimensions = 3, Vec3 down = {0, -1, 0});

    PURL_HD int64_t sites() const { return countX * countY * countZ; }
    // x is fastest, then y, then z.
    PURL_HD Vec3 site(int64_t index) const {
        return {first.x + pitch.x * static_cast<float>(index % countX),
                first.y + pitch.y * static_cast<float>(index / countX % countY),
                first.z + pitch.z * static_cast<float>(index / countX / countY)};
    }
};

// The lattice sites inside the mesh, each displaced at random by up to `jitter` spacings along each axis if it stays
// inside. Throws Error if the mesh is empty or open, or gives more than `maxParticles`.
std::vector<Vec3> fillVolume(const TriangleMesh& mesh, float spacing, float jitter, uint64_t seed,
                             int maxParticles = 2000000000, const Device& device = Device::cpu(), int dimensions = 3,
                             Vec3 down = {0, -1, 0});

// A tree over a closed mesh; throws Error if the mesh is not closed.
TriangleTree volumeTree(const TriangleMesh& mesh);

}  // namespace purl
