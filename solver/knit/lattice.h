// KnitLattice: the mass points of courses and wales on a mesh, bound to it by barycentric coordinates. The mesh's
// texture coordinates, or its rows of quads, give the direction of the courses; its rest size gives their number.
#pragma once
#include "solver/core/buffer.h"
#include "solver/geometry/faces.h"
#include "solver/knit/path.h"
#include "solver/params/knit.h"

namespace purl {

// Barycentric position of a mass point on the mesh.
struct MeshBond {
    int vertex[3];
    float weight[3];  // sum to 1
};

struct KnitLattice {
    Courses courses;
    std::vector<MeshBond> bonds;  // one per mass point; the points after them are extrapolated from the last two rows
    std::vector<int> triangles;   // of the mesh below it, three vertices each, counter-clockwise seen from the front
};

// One lattice per knitted piece. Throws Error naming the knit if its mesh has neither texture coordinates nor rows of
// quads, or would need too many stitches.
std::vector<KnitLattice> layLattices(const Knit& knit, const std::vector<Vec3>& rest, const Pattern& pattern);

}  // namespace purl
