// OpenVDB files (version 224, active-mask compression only): sparse grids of scalars or vectors. Implemented here
// because the OpenVDB library would bring boost and TBB into Maya's process; tests open the files with that library.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "solver/cache/format.h"
#include "solver/frame.h"

namespace purl {

// Leaf node of 8³ voxels. Voxel (x, y, z) has index 64 x + 8 y + z; word x of a mask holds the bits of y and z.
struct VdbLeaf {
    int x = 0, y = 0, z = 0;           // origin, multiples of 8
    std::array<uint64_t, 8> active{};  // mask of active voxels
    std::array<uint64_t, 8> inside{};  // mask of inactive voxels with the negative background value
    std::vector<float> values;         // of the active voxels, in order
};

struct VdbGrid {
    std::string name;
    std::string kind;      // "level set", "fog volume" or "unknown"
    int components = 1;    // 1, or 3 for vectors
    double voxel = 1;      // edge length; voxel (i, j, k) is centred at (i, j, k) times this
    float background = 0;  // value elsewhere; negated inside a level set
    std::vector<VdbLeaf> leaves;

    size_t activeCount() const;
};

// The grids must outlive the content.
FileContent encodeVdb(const std::vector<VdbGrid>& grids, double metersPerUnit);
// Reads files of encodeVdb, and uncompressed files of the OpenVDB library. Throws Error naming `path`.
std::vector<VdbGrid> decodeVdb(const std::string& bytes, const std::string& path);

// Grid "surface": signed distance to a closed mesh in a narrow band of three voxels, negative inside. Grid "v", if the
// mesh has velocities: velocity of the closest surface point in the same band.
std::vector<VdbGrid> levelSetOf(const Mesh& mesh, double voxel);
// Grid "density": volume fraction filled by particles (1 inside a liquid). Grid "v": their mean velocity.
std::vector<VdbGrid> fogOf(const Points& points, double voxel, const Device& device = Device::cpu());

// The grids of a frame's first mesh, with its mean edge length as the voxel size, or of its points, with the particle
// spacing as the voxel size.
FileContent encodeVdbFrame(const Frame& part, FileTime time, const Device& device = Device::cpu());

}  // namespace purl
