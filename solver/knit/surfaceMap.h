// SurfaceMap: a parametrization of a mesh, u along the courses and v across them, both 0 … 1.
#pragma once
#include <array>
#include <vector>

#include "solver/geometry/faces.h"
#include "solver/knit/lattice.h"

namespace purl {

struct MappedTriangle {
    std::array<int, 3> vertex;
    std::array<float, 3> u, v;
};

class SurfaceMap {
  public:
    // One map per knitted part of a mesh, the largest UV shell or quad grid first. Throws Error naming the knit.
    static std::vector<SurfaceMap> of(const Knit& knit, const std::vector<Vec3>& rest);

    bool closed() const { return closed_; }  // tube: u = 1 coincides with u = 0
    const std::vector<MappedTriangle>& triangles() const { return triangles_; }
    // The mesh point at (u, v), or the nearest one.
    MeshBond at(double u, double v) const;
    // The range of u that the mesh covers at height v; 0 … 1 for a tube.
    struct Range {
        double begin = 0, end = 1;
    };
    Range outline(double v) const;

  private:
    SurfaceMap(std::vector<MappedTriangle> triangles, bool closed);

    std::vector<MappedTriangle> triangles_;
    bool closed_ = false;
    int bins_ = 1;
    std::vector<std::vector<int>> inBin_;  // triangles that overlap each bin of the uv square
};

}  // namespace purl
