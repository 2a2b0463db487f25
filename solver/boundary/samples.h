// Points spread over surfaces about a particle spacing apart: meshes by their triangles, so that a deforming mesh
// carries its points along; boxes and capsules by their own lattices. Always the same points for the same surface.
#pragma once
#include <vector>

#include "solver/core/vec.h"
#include "solver/scene.h"
#include "solver/search/triangleTree.h"

namespace purl {

// Where a point rides: at a + u (b − a) + v (c − a) of triangle abc.
struct SurfaceSample {
    int triangle = 0;
    float u = 0, v = 0;
};

// About how many samples the functions below make, for whoever wants to know before they do.
double expectedSamples(const std::vector<Vec3>& vertices, const std::vector<int>& triangles, float spacing,
                       int dimensions);
double expectedSamplesOfBox(Vec3 halfSize, float spacing, int dimensions);
double expectedSamplesOfCapsule(float halfLength, float radius, float spacing, int dimensions);

// No two points nearer than kClosest spacings, and none of the surface farther than about one spacing from a point.
constexpr float kClosest = 0.85f;
std::vector<SurfaceSample> sampleTriangles(const std::vector<Vec3>& vertices, const std::vector<int>& triangles,
                                           float spacing);

// Surfaces about the origin; a sphere is a capsule of no length, along y. What is thinner than half a spacing becomes a
// sheet, a line or a point.
std::vector<Vec3> sampleBox(Vec3 halfSize, float spacing);
std::vector<Vec3> sampleCapsule(float halfLength, float radius, float spacing);

// The same in two dimensions: points about a spacing apart on the lines that the world's plane z = 0 cuts out of a mesh
// in the world, or out of a primitive at this pose, whose points are in its own frame.
std::vector<SurfaceSample> sampleSection(const std::vector<Vec3>& vertices, const std::vector<int>& triangles,
                                         float spacing);
std::vector<Vec3> sectionOfBox(Vec3 halfSize, const Pose& pose, float spacing);
std::vector<Vec3> sectionOfCapsule(float halfLength, float radius, const Pose& pose, float spacing);

// The surface parallel to a mesh: every vertex moves so that its faces move by `distance` against their normals, sharp
// edges included (a mitre), but no farther than halfway to a wall across.
class SetBack {
  public:
    // An open mesh has no side to move to: it stays.
    void prepare(const TriangleTree& tree, float distance);
    // The same for these vertices, of the same mesh in another shape.
    void apply(const std::vector<Vec3>& vertices, std::vector<Vec3>& result) const;
    // Three a triangle, turned so that a closed mesh's normals point outwards.
    const std::vector<int>& triangles() const { return triangles_; }

  private:
    std::vector<Vec3> mitres(const std::vector<Vec3>& vertices) const;

    std::vector<int> triangles_;
    std::vector<int> welded_;      // for each vertex the first one at the same place
    std::vector<float> distance_;  // m, for each vertex
};

}  // namespace purl
