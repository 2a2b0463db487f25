// Robust contact of cloth with itself, with other cloths and with the edges and corners of colliders. Repulsions keep
// vertex–face and edge–edge pairs at the cloth's thickness; impact resolution then stops every pair that would pass
// through another during the step (repulsions and rigid impact zones: Bridson et al. 2002; time of impact: Li et al.
// 2021). A state without intersections stays free of them, unless prescribed points (pins, colliders) leave no room.
#pragma once
#include <vector>

#include "solver/cloth/contact/colliderContact.h"
#include "solver/cloth/contact/contactCandidates.h"
#include "solver/cloth/contact/contactGeometry.h"

namespace purl {

// A pair closer than its thickness: weights as in ClosestPair, and the unit normal that pushes the first feature out.
struct Repulsion {
    int v[4];
    float w[4];
    Vec3 n;
    float thickness;
};

// A pair that would touch during the step; time is the fraction of the step, 0 … 1.
struct Impact {
    Candidate pair;
    float time;
};

// Works on the host.
class ClothContact {
  public:
    explicit ClothContact(const Device& device);

    // Sets the cloths. `rest`: rest positions of all their points.
    void set(const std::vector<Fabric>& fabrics, Span<const Vec3> rest);
    // Sets the colliders for one substep.
    void moveColliders(Span<const PlacedCollider> placed);
    // Whether there is any contact to resolve.
    bool any() const { return geometry_.anySelfCollision || geometry_.hasColliders(); }

    // All cloths' points have moved from `before` to x, with velocities v. Pushes pairs that are closer than their
    // thickness apart, removes their approach velocity and applies Coulomb friction. Returns true if there were any.
    bool applyRepulsions(Span<const Vec3> before, Span<Vec3> x, Span<Vec3> v, float dt);
    // Call last, after applyRepulsions: corrects x and v so that no pair passes through another on the straight path
    // from the same `before` to x. Returns true if there were any.
    bool resolveImpacts(Span<Vec3> x, Span<Vec3> v, float dt);

    // Impulses on the edges and corners of colliders since the last applyRepulsions.
    const std::vector<ClothImpulse>& impulses() const { return impulses_; }

    // Number of points that the last resolveImpacts moved in rigid impact zones: 0 except in severe jams.
    int rigidZonePoints() const { return rigidZonePoints_; }

  private:
    void listRepulsions();
    // `changed`: points with a different path since the last check; null: all.
    void findImpacts(const std::vector<int>* changed);
    void correctImpacts(bool bySeparatingPlane);
    void applyRigidImpactZones();
    // Records the reaction on a collider to an impulse on a pair, N s; weights as in ClosestPair.
    void recordImpulse(const int (&v)[4], const float (&w)[4], Vec3 pairImpulse);

    Device device_;
    ContactGeometry geometry_;
    ContactCandidates candidates_;
    Buffer<Vec3> outward_;         // outward normals of collider points; zero for open meshes, which have no inside
    Buffer<MassPoint> from_, to_;  // all points: cloths first, then colliders
    Buffer<Vec3> v_;
    OrderedList<Repulsion> repulsions_;
    OrderedList<Impact> impacts_;
    std::vector<int> changed_;      // point indices
    std::vector<char> hasChanged_;  // per feature group: whether any of its points changed
    std::vector<ClothImpulse> impulses_;
    int rigidZonePoints_ = 0;
    float dt_ = 0;  // s, substep
};

}  // namespace purl
