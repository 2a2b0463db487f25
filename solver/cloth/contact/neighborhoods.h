// Neighborhoods: patches of a cloth that touch each other. As long as a neighbourhood testNearRigid much as one, no two
// of its geometry can meet, and none of the many pairs in it needs a update.
//     |φ(a) − φ(b) − R (a − b)| ≤ ∫ |F − R|   along the way from a to b on the cloth at rest, any rotation R
// Where that way is straight in a view of the neighbourhood that sees no triangle from behind, and |F − R| ≤ ε on all
// of it, what is d apart at rest is at least (1 − ε/c) d apart, c the least cosine of the triangles' tilts. The same
// holds with what F − R takes from the distance along R (a − b) alone, which is much less where cloth bends. Ends that
// go straight make F linear in time: what holds as a step begins and as it ends holds in between.
#pragma once
#include <vector>

#include "solver/cloth/contact/contactGeometry.h"
#include "solver/cloth/contact/orderedList.h"

namespace purl {

// Of a patch's triangles: two orthonormal tangents and the normal at rest, and what makes the deformation's columns of
// the edges: F t₁ = a e₁, F t₂ = b e₁ + d e₂.
struct alignas(32) TangentFrames {
    float t1[3][8], t2[3][8], normal[3][8];
    float a[8], b[8], d[8];
};

// The largest |F − R| on a patch: inPlane the rotated triangles' planes, and outOfPlane them.
struct PatchStrain {
    float inPlane, outOfPlane;
};

// Of a patch: a rotation as a unit quaternion, and how far it is from moving by that.
struct PatchRotation {
    float q[4];
    PatchStrain strain;
};

struct Neighborhood {
    int other;           // the later of the two patches
    float tilt, height;  // c, and the least distance, m, of geometry that have no point in common; 0: nothing is known
    int members[8];      // patches that straight ways between the two lead over, these two first
    int memberCount;
};

class Neighborhoods {
  public:
    explicit Neighborhoods(const Device& device);

    // Takes up the patches of cloths that mind themselves.
    void set(const ContactGeometry& geometry);
    // Looks which neighbourhoods move as one on straight paths from `from` to `to`.
    void update(const ContactGeometry& geometry, const MassPoint* from, const MassPoint* to);
    // Looks again at those with patches that have strained too far since, of these patches or of all; at `from` none
    // has. Returns the first patch of each that testNearRigid as one no more.
    const std::vector<int>& recheck(const ContactGeometry& geometry, const MassPoint* from, const MassPoint* to,
                                    const std::vector<int>* patches = nullptr);

    // Of patch p: all its neighbours from itself on, in ascending order; and whether they move as one.
    Span<const Neighborhood> of(int p) const {
        return {neighborhoods_.data() + starts_[p], starts_[p + 1] - starts_[p]};
    }
    const int* isNearRigid(int p) const { return nearRigid_.data() + starts_[p]; }

  private:
    // Whether the i-th neighbourhood testNearRigid as one.
    bool testNearRigid(const ContactGeometry& geometry, int i) const;
    // Sets how far a patch may strain: any further where nothing is known by it.
    void setStrainBound(int p);

    Device device_;
    Buffer<TangentFrames> frames_, rotatedFrames_;  // of each patch: at rest, and by its rotation
    Buffer<PatchRotation> rotations_;
    Buffer<int> starts_;
    Buffer<Neighborhood> neighborhoods_;
    Buffer<int> nearRigid_;
    Buffer<int> memberStarts_, memberOf_;  // of each patch: which neighbourhoods lead over it
    Buffer<PatchStrain> bounds_;           // of each patch: how far it may strain
    OrderedList<int> strained_;
    std::vector<int> affected_, lost_;
};

}  // namespace purl
