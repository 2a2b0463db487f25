// OpenVDB files (version 224, uncompressed but for what is not active): sparse grids of numbers or vectors. Written
// here rather than by OpenVDB's library, which would bring boost and TBB into Maya's process; tests open them with it.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "solver/cache/format.h"
#include "solver/frame.h"

namespace purl {

// Eight voxels to a side. Voxel (x, y, z) of it has the number 64 x + 8 y + z; word x of a mask holds its y and z.
struct VdbLeaf {
    int x = 0, y = 0, z = 0;           // its first voxel, multiples of 8
    std::array<uint64_t, 8> active{};  // which have a value of their own
    std::array<uint64_t, 8> inside{};  // of the others, which have the background's negative
    std::vector<float> values;         // of the active ones, in order
};

struct VdbGrid {
    std::string name;
    std::string kind;      // "level set", "fog volume" or "unknown"
    int components = 1;    // 1, or 3 of vectors
    double voxel = 1;      // length of an edge; voxel (i, j, k) is centred at (i, j, k) times this
    float background = 0;  // of all else; a level set's inside has its negative
    std::vector<VdbLeaf> leaves;

    size_t activeCount() const;
};

// The grids must outlive the content.
FileContent encodeVdb(const std::vector<VdbGrid>& grids, double metersPerUnit);
// Reads what encodeVdb writes and what the library writes without compression. Throws Error naming `path`.
std::vector<VdbGrid> decodeVdb(const std::string& bytes, const std::string& path);

// Signed distance to a closed mesh in a band of three voxels, negative inside, as a grid "surface"; and the velocity of
// the nearest point of the mesh in the same band, as a grid "v", where the mesh has velocities.
std::vector<VdbGrid> levelSetOf(const Mesh& mesh, double voxel);
// How much of each voxel the particles fill, "density" (1 inside a liquid), and their mean velocity, "v".
std::vector<VdbGrid> fogOf(const Points& points, double voxel, const Device& device = Device::cpu());

// The grids of a frame's first mesh, with voxels as long as its edges are in the mean, or of its points, with voxels
// as long as its particles are apart.
FileContent encodeVdbFrame(const Frame& part, FileTime time, const Device& device = Device::cpu());

}  // namespace purl
