// Yarns on a moving lattice: layers, bonding points, and the curves through them. The yarns are not simulated: the
// lattice follows a mesh, or is simulated as a cloth of three layers.
#pragma once
#include <array>
#include <utility>

#include "solver/core/buffer.h"
#include "solver/geometry/curves.h"
#include "solver/knit/lattice.h"

namespace purl {

constexpr int kKnitLayers = 3;

// The outer layers of a fabric's mass points, followed by an extra row extrapolated from the last two. The middle layer
// carries no yarn.
struct KnitLayers {
    explicit KnitLayers(const Device& device) : front(device), back(device), vFront(device), vBack(device) {}

    Buffer<Vec3> front, back;    // m; layers 1 and 3
    Buffer<Vec3> vFront, vBack;  // m/s
};

// A yarn point: its position relative to four mass points, and the cell between those.
struct BoundPoint {
    int corner[4];
    BondingPoint bond;
    int cell;
};
struct KnitCell {
    int corner[4];  // m1 … m4
};
// An extrapolated point above the last row: 2 a − b.
struct ExtrapolatedPoint {
    int a, b;
};

// Identifies a stitch, with the same numbers as Curves.
struct StitchPlace {
    int yarnId = -1, course = -1, wale = -1;
};

// Everything that follows from a knit's rest shape and pattern: computed once, used every frame.
class KnitFabric {
  public:
    // Throws Error naming the knit.
    KnitFabric(const Device& device, const Knit& knit, const std::vector<Vec3>& rest);

    bool fits(const Knit& knit) const;  // whether it was built from the same settings
    const Knit& knit() const { return knit_; }
    // One per piece.
    const std::vector<KnitLattice>& lattices() const { return lattices_; }
    const std::vector<std::string>& notes() const { return notes_; }

    // Mass points of one layer: the corners of the stitches.
    int massPoints() const { return bonds_.size(); }
    // The fabric as a cloth of three layers, or of the middle one alone, driven by the mesh of the scene: its points
    // are the mass points, its faces the stitches.
    Cloth asCloth(const Knit& knit, int layers) const;

    // The layers as placed by the mesh's points and velocities.
    KnitLayers follow(Span<const Vec3> x, Span<const Vec3> v) const;
    // The layers as given by the points of a three-layer cloth.
    KnitLayers layersFromCloth(Span<const Vec3> x, Span<const Vec3> v) const;
    Curves makeCurves(const KnitLayers& layers) const;
    // Interpolates values of one layer's mass points at each point of the curves. T: float, Vec3.
    template <class T>
    std::vector<T> onYarn(Span<const T> ofMassPoints) const;
    // For each mass point of a layer, the stitch with the nearest yarn point.
    std::vector<StitchPlace> stitches() const;

  private:
    void extrapolate(KnitLayers& layers) const;
    Buffer<float> cellSizes(const KnitLayers& layers) const;
    std::vector<float> atMassPoints(const std::vector<float>& map) const;

    Device device_;
    Knit knit_;  // as it was at the start
    std::vector<KnitLattice> lattices_;
    std::vector<std::pair<int, int>> seams_;  // pairs of mass points of two pieces
    std::vector<std::array<int, 3>> gaps_;    // mass points of the triangles below increases
    std::vector<std::string> notes_;
    Curves curves_;  // the constant channels
    Buffer<MeshBond> bonds_;
    Buffer<ExtrapolatedPoint> extrapolated_;
    Buffer<int> firstFace_, faces_;  // CSR lists per mesh vertex: corners of the incident triangles, three each
    Buffer<KnitCell> cells_;
    Buffer<BoundPoint> points_;
    Buffer<float> cellSizes_;  // m, at rest
};

}  // namespace purl
