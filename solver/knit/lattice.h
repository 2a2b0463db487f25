// Lattice: mass points of courses and wales on a mesh, and how they follow it. The mesh's texture coordinates, or its
// rows of quads, tell where courses go; its size at rest, how many there are.
#pragma once
#include "solver/core/buffer.h"
#include "solver/geometry/faces.h"
#include "solver/knit/path.h"
#include "solver/params/knit.h"

namespace purl {

// Where a mass point sits in the mesh.
struct MeshBond {
    int vertex[3];
    float weight[3];  // they add up to 1
};

struct Lattice {
    Courses courses;
    std::vector<MeshBond> bonds;  // one a mass point; the points after them go on straight from the two rows below
    std::vector<int> triangles;   // of the mesh that it lies on, three vertices each, counter-clockwise from the front
};

// One a piece that is knitted. Throws Error naming the knit where its mesh has neither texture coordinates nor rows of
// quads, or asks for too many stitches.
std::vector<Lattice> layLattices(const Knit& knit, const std::vector<Vec3>& rest, const Pattern& pattern);

}  // namespace purl
