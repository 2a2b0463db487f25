// Yarns on a mesh that moves: lattice, layers and bonding points, and the curves through them. Nothing here has motion
// of its own; whoever moves mass points by forces hands them to `curvesOf`.
#pragma once
#include "solver/core/buffer.h"
#include "solver/core/curves.h"
#include "solver/knit/lattice.h"

namespace purl {

// The outer layers of a fabric's mass points; the one between them bears no yarn.
struct KnitLayers {
    explicit KnitLayers(const Device& device) : front(device), back(device), v(device) {}

    Buffer<Vec3> front, back;  // m; layers 1 and 3
    Buffer<Vec3> v;            // m/s
};

// All that a knit's rest shape and pattern decide: made once, used every frame.
class KnitFabric {
  public:
    // Throws Error naming the knit.
    KnitFabric(const Device& device, const Knit& knit, const std::vector<Vec3>& rest);

    bool fits(const Knit& knit) const;  // whether it was made of these
    const Lattice& lattice() const { return lattice_; }
    const std::vector<std::string>& notes() const { return notes_; }

    // The layers where the mesh's points, with their velocities, bring them.
    KnitLayers follow(Span<const Vec3> x, Span<const Vec3> v) const;
    Curves curvesOf(const KnitLayers& layers) const;

  private:
    Buffer<float> cellSizes(const KnitLayers& layers) const;

    Device device_;
    Knit knit_;  // as it was at the start
    Lattice lattice_;
    std::vector<std::string> notes_;
    Curves curves_;  // what does not change
    Buffer<MeshBond> bonds_;
    Buffer<int> firstFace_, faces_;  // corners of the triangles around each vertex of the mesh, three each
    Buffer<YarnPoint> points_;
    Buffer<float> cellSizes_;  // m, at rest
};

}  // namespace purl
