// Filling a closed mesh with particles on a cubic lattice.
#pragma once
#include <cstdint>
#include <vector>

#include "solver/scene.h"
#include "solver/search/triangleTree.h"

namespace purl {

// The cubic lattice of a box: as many sites along each edge as spacings fit, to the nearest whole, centred. A box of n
// spacings gets n sites, the first half a spacing from its face. In two dimensions one layer, in the plane z = 0.
struct Lattice {
    Vec3 first;
    float spacing = 0;
    int64_t countX = 0, countY = 0, countZ = 0;

    // Throws Error when there would be too many sites to look at.
    Lattice(const Bounds& box, float spacing, int dimensions = 3);

    PURL_HD int64_t sites() const { return countX * countY * countZ; }
    // x runs fastest, then y, then z.
    PURL_HD Vec3 site(int64_t index) const {
        return {first.x + spacing * static_cast<float>(index % countX),
                first.y + spacing * static_cast<float>(index / countX % countY),
                first.z + spacing * static_cast<float>(index / countX / countY)};
    }
};

// The lattice's sites inside the mesh, each moved at random by up to `jitter` spacings along each axis as long as it
// stays inside. Throws Error on a mesh that is empty or open, and when more than `most` particles would come of it.
std::vector<Vec3> fillVolume(const TriangleMesh& mesh, float spacing, float jitter, uint64_t seed,
                             int most = 2000000000, const Device& device = Device::cpu(), int dimensions = 3);

// A tree over a mesh that encloses something; throws Error on one that does not.
TriangleTree volumeTree(const TriangleMesh& mesh);

}  // namespace purl
