// Neighborhoods: culls self-collision between adjacent patches of a cloth. While a neighbourhood of patches moves
// nearly rigidly, no two of its features can meet, and none of its many pairs needs a test. With deformation gradient F
// and any rotation R,
//     |φ(a) − φ(b) − R (a − b)| ≤ ∫ |F − R|   along the path from a to b on the rest surface
// If that path is straight in a projection in which no triangle is back-facing, and |F − R| ≤ ε along it, features at
// rest distance d stay at least (1 − ε/c) d apart, where c is the smallest cosine of the triangles' tilts. The same
// holds for the part of F − R along R (a − b) alone, which is much smaller where cloth bends. Linear point paths make F
// linear in time: a bound that holds at both ends of a step holds in between.
#pragma once
#include <vector>

#include "solver/cloth/contact/contactGeometry.h"
#include "solver/cloth/contact/orderedList.h"

namespace purl {

// Rest frames of a patch's triangles: two orthonormal tangents, the normal, and the coefficients that give the columns
// of the deformation gradient from the edges: F t₁ = a e₁, F t₂ = b e₁ + d e₂.
struct alignas(32) TangentFrames {
    float t1[3][8], t2[3][8], normal[3][8];
    float a[8], b[8], d[8];
};

// The largest |F − R| on a patch, split into the parts in and out of the rotated triangle planes.
struct PatchStrain {
    float inPlane, outOfPlane;
};

// Best rotation of a patch, as a unit quaternion, and the deviation from it.
struct PatchRotation {
    float q[4];
    PatchStrain strain;
};

struct Neighborhood {
    int other;           // the patch with the higher index
    float tilt, height;  // c, and the smallest rest distance, m, of features without a common point; 0: no bound
    int members[8];      // patches that straight paths between the two cross; the two come first
    int memberCount;
};

class Neighborhoods {
  public:
    explicit Neighborhoods(const Device& device);

    // Sets the patches of the cloths with self-collision.
    void set(const ContactGeometry& geometry);
    // Fits all patch rotations and tests which neighbourhoods are near-rigid on the straight paths from `from` to `to`.
    void update(const ContactGeometry& geometry, const MassPoint* from, const MassPoint* to);
    // Tests again the neighbourhoods of patches that exceed their strain bounds at `to`; at `from` none does.
    // `patches`: those to check; null: all. Returns the first patch of each neighbourhood that is no longer near-rigid.
    const std::vector<int>& recheck(const ContactGeometry& geometry, const MassPoint* from, const MassPoint* to,
                                    const std::vector<int>* patches = nullptr);

    // Neighbourhoods of patch p with itself and later patches, in ascending order, and whether each is near-rigid.
    Span<const Neighborhood> neighborhoodsOf(int p) const {
        return {neighborhoods_.data() + starts_[p], starts_[p + 1] - starts_[p]};
    }
    const int* isNearRigid(int p) const { return nearRigid_.data() + starts_[p]; }

  private:
    bool testNearRigid(const ContactGeometry& geometry, int i) const;
    // Sets how far a patch may strain before its neighbourhoods are tested again; unlimited if none relies on it.
    void setStrainBound(int p);

    Device device_;
    Buffer<TangentFrames> frames_, rotatedFrames_;  // per patch: at rest, and rotated
    Buffer<PatchRotation> rotations_;
    Buffer<int> starts_;
    Buffer<Neighborhood> neighborhoods_;
    Buffer<int> nearRigid_;
    Buffer<int> memberStarts_, memberOf_;  // CSR: neighbourhoods that contain each patch
    Buffer<PatchStrain> bounds_;           // per patch
    OrderedList<int> strained_;
    std::vector<int> affected_, lost_;
};

}  // namespace purl
