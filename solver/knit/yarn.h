// Yarns on a lattice that moves: layers and bonding points, and the curves through them. Nothing here has motion of its
// own: the lattice follows a mesh, or is moved as a cloth of three layers is.
#pragma once
#include <array>
#include <utility>

#include "solver/core/buffer.h"
#include "solver/geometry/curves.h"
#include "solver/knit/lattice.h"

namespace purl {

constexpr int kKnitLayers = 3;

// The outer layers of a fabric's mass points, and behind them those of a row beyond the last, which go on straight from
// the two before. The layer between bears no yarn.
struct KnitLayers {
    explicit KnitLayers(const Device& device) : front(device), back(device), vFront(device), vBack(device) {}

    Buffer<Vec3> front, back;    // m; layers 1 and 3
    Buffer<Vec3> vFront, vBack;  // m/s
};

// A point of yarn: where it is among four mass points, and the cell between those.
struct BoundPoint {
    int corner[4];
    BondingPoint bond;
    int cell;
};
struct KnitCell {
    int corner[4];  // m1 … m4
};
// A point beyond the last row: 2 a − b.
struct BeyondPoint {
    int a, b;
};

// A stitch, by the names that Curves has for it.
struct StitchPlace {
    int yarnId = -1, course = -1, wale = -1;
};

// All that a knit's rest shape and pattern decide: made once, used every frame.
class KnitFabric {
  public:
    // Throws Error naming the knit.
    KnitFabric(const Device& device, const Knit& knit, const std::vector<Vec3>& rest);

    bool fits(const Knit& knit) const;  // whether it was made of these
    const Knit& knit() const { return knit_; }
    // One a piece.
    const std::vector<Lattice>& lattices() const { return lattices_; }
    const std::vector<std::string>& notes() const { return notes_; }

    // Mass points of a layer: what there is one of a stitch's corner.
    int massPoints() const { return bonds_.size(); }
    // The fabric as a cloth of three layers, or of the middle one alone, led by the mesh as the scene has it: its
    // points are its mass points, and its faces its stitches.
    Cloth asCloth(const Knit& knit, int layers) const;

    // The layers where the mesh's points, with their velocities, bring them ...
    KnitLayers follow(Span<const Vec3> x, Span<const Vec3> v) const;
    // ... or where the points of a cloth of three layers are.
    KnitLayers layersOf(Span<const Vec3> x, Span<const Vec3> v) const;
    Curves curvesOf(const KnitLayers& layers) const;
    // What the mass points of a layer have, on each point of the curves. T: float, Vec3.
    template <class T>
    std::vector<T> onYarn(Span<const T> ofMassPoints) const;
    // Of each mass point of a layer, the stitch whose yarn comes nearest to it.
    std::vector<StitchPlace> stitches() const;

  private:
    void goBeyond(KnitLayers& layers) const;
    Buffer<float> cellSizes(const KnitLayers& layers) const;
    std::vector<float> atMassPoints(const std::vector<float>& map) const;

    Device device_;
    Knit knit_;  // as it was at the start
    std::vector<Lattice> lattices_;
    std::vector<std::pair<int, int>> seams_;  // mass points of two pieces
    std::vector<std::array<int, 3>> gaps_;    // mass points of triangles below stitches that were made
    std::vector<std::string> notes_;
    Curves curves_;  // what does not change
    Buffer<MeshBond> bonds_;
    Buffer<BeyondPoint> beyond_;
    Buffer<int> firstFace_, faces_;  // corners of the triangles around each vertex of the mesh, three each
    Buffer<KnitCell> cells_;
    Buffer<BoundPoint> points_;
    Buffer<float> cellSizes_;  // m, at rest
};

}  // namespace purl
