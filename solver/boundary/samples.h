// Surface sampling: points about a particle spacing apart. Samples of a mesh are attached to triangles and so follow
// its deformation; boxes and capsules have regular lattices. Deterministic.
#pragma once
#include <vector>

#include "solver/core/vec.h"
#include "solver/scene.h"
#include "solver/search/triangleTree.h"

namespace purl {

// Barycentric position on a triangle abc: a + u (b − a) + v (c − a).
struct SurfaceSample {
    int triangle = 0;
    float u = 0, v = 0;
};

// Estimates how many samples the functions below create, to check memory use beforehand.
double expectedSamples(const std::vector<Vec3>& vertices, const std::vector<int>& triangles, float spacing,
                       int dimensions);
double expectedSamplesOfBox(Vec3 halfSize, float spacing, int dimensions);
double expectedSamplesOfCapsule(float halfLength, float radius, float spacing, int dimensions);

// Poisson-disk-like: no two samples are closer than kMinSampleDistance spacings, and no part of the surface is farther
// than about one spacing from a sample.
constexpr float kMinSampleDistance = 0.85f;
std::vector<SurfaceSample> sampleTriangles(const std::vector<Vec3>& vertices, const std::vector<int>& triangles,
                                           float spacing);

// Surfaces centred at the origin. A capsule extends along y; a sphere is a capsule of length 0. A dimension below half
// a spacing collapses, so that the result is a sheet, a line or a point.
std::vector<Vec3> sampleBox(Vec3 halfSize, float spacing);
std::vector<Vec3> sampleCapsule(float halfLength, float radius, float spacing);

// The same in 2D: samples on the intersection with the plane z = 0 of a mesh in world space, or of a primitive at
// `pose`; samples of a primitive are returned in its local frame.
std::vector<SurfaceSample> sampleSection(const std::vector<Vec3>& vertices, const std::vector<int>& triangles,
                                         float spacing);
std::vector<Vec3> sectionOfBox(Vec3 halfSize, const Pose& pose, float spacing);
std::vector<Vec3> sectionOfCapsule(float halfLength, float radius, const Pose& pose, float spacing);

// Offset surface of a mesh: moves every vertex such that its faces move by `distance` against their normals, with
// mitred edges and corners, but no farther than halfway to the opposite side of a thin part.
class OffsetSurface {
  public:
    // Open meshes are not offset, since they have no inside.
    void prepare(const TriangleTree& tree, float distance);
    // Offsets a deformed shape of the same mesh.
    void apply(const std::vector<Vec3>& vertices, std::vector<Vec3>& result) const;
    // Three vertices per triangle, with the winding that makes normals of a closed mesh point outwards.
    const std::vector<int>& triangles() const { return triangles_; }

  private:
    std::vector<Vec3> mitres(const std::vector<Vec3>& vertices) const;

    std::vector<int> triangles_;
    std::vector<int> welded_;      // per vertex: the first one at the same position
    std::vector<float> distance_;  // m, per vertex
};

}  // namespace purl
