// Filling a closed mesh with particles on a lattice.
#pragma once
#include <cstdint>
#include <vector>

#include "solver/scene.h"
#include "solver/search/triangleTree.h"

namespace purl {

// The lattice of a box, one site per spacing³. Level rows are stretched or squeezed to fit the box, as many sites as
// spacings fit to the nearest whole, the first half a pitch from its face; the layers' height makes up for it, and they
// begin at the box's lower end. So fluid that fills a box of any size touches all its walls at rest density, and the
// level of its surface is what is rounded. Edges shorter than four spacings keep the spacing, centred. In two
// dimensions one layer, in the plane z = 0.
struct Lattice {
    Vec3 first;
    Vec3 pitch;  // m, between sites along each axis
    float spacing = 0;
    int64_t countX = 0, countY = 0, countZ = 0;

    // `down`: where gravity points. Throws Error when there would be too many sites to look at.
    Lattice(const Bounds& box, float spacing, int dimensions = 3, Vec3 down = {0, -1, 0});

    PURL_HD int64_t sites() const { return countX * countY * countZ; }
    // x runs fastest, then y, then z.
    PURL_HD Vec3 site(int64_t index) const {
        return {first.x + pitch.x * static_cast<float>(index % countX),
                first.y + pitch.y * static_cast<float>(index / countX % countY),
                first.z + pitch.z * static_cast<float>(index / countX / countY)};
    }
};

// The lattice's sites inside the mesh, each moved at random by up to `jitter` spacings along each axis as long as it
// stays inside. Throws Error on a mesh that is empty or open, and when more than `most` particles would come of it.
std::vector<Vec3> fillVolume(const TriangleMesh& mesh, float spacing, float jitter, uint64_t seed,
                             int most = 2000000000, const Device& device = Device::cpu(), int dimensions = 3,
                             Vec3 down = {0, -1, 0});

// A tree over a mesh that encloses something; throws Error on one that does not.
TriangleTree volumeTree(const TriangleMesh& mesh);

}  // namespace purl
