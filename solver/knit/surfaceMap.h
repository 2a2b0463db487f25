// SurfaceMap: a mesh as a function of two coordinates, u along courses and v across them, both from 0 to 1.
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
    // Of what is knitted of a mesh, the largest shell or net of rows first. Throws Error naming the knit.
    static std::vector<SurfaceMap> of(const Knit& knit, const std::vector<Vec3>& rest);

    bool closed() const { return closed_; }  // u = 1 is u = 0 again
    const std::vector<MappedTriangle>& triangles() const { return triangles_; }
    // The place there, or the nearest one.
    MeshBond at(double u, double v) const;
    // Where along v the mesh begins and ends; of a tube 0 and 1.
    struct Range {
        double begin = 0, end = 1;
    };
    Range outline(double v) const;

  private:
    SurfaceMap(std::vector<MappedTriangle> triangles, bool closed);

    std::vector<MappedTriangle> triangles_;
    bool closed_ = false;
    int bins_ = 1;
    std::vector<std::vector<int>> inBin_;  // triangles that reach into each square of u and v
};

}  // namespace purl
