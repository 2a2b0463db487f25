// ClothContact of cloth that lie on each other, and on the edges and corners of solids: points and triangles, edges and
// edges are pushed apart to the cloth's thickness, and then no way of a step that would let them cross is gone to its
// end (repulsions and impact zones after Bridson et al. 2002, the test of ways after Li et al. 2021). From a start
// without crossings there never are any, but where points that are prescribed, pins or solids, leave no other place.
#pragma once
#include <vector>

#include "solver/cloth/contact/colliderContact.h"
#include "solver/cloth/contact/contactCandidates.h"
#include "solver/cloth/contact/contactGeometry.h"

namespace purl {

// A pair that has come too near: weights as in ClosestPair, and the way out of the first.
struct Repulsion {
    int v[4];
    float w[4];
    Vec3 n;
    float thickness;
};

// A pair that would touch after this time of its paths.
struct Impact {
    Candidate pair;
    float time;
};

class ClothContact {
  public:
    explicit ClothContact(const Device& device);

    // Takes up the cloths; `rest`: all their points without strain.
    void set(const std::vector<Fabric>& fabrics, Span<const Vec3> rest);
    // Takes up the solids for one small step.
    void moveColliders(Span<const PlacedCollider> placed);
    // Whether there is anything to thickness apart.
    bool any() const { return geometry_.anySelfCollision || geometry_.hasColliders(); }

    // Points moved from `before` to x with v, all cloths' in a row. Pushes layers apart that are nearer than their
    // thickness; what approaches comes to rest, and rubs. Whether there were any.
    bool applyRepulsions(const Buffer<Vec3>& before, Buffer<Vec3>& x, Buffer<Vec3>& v, float dt);
    // To be called last, after applyRepulsions: changes what would cross on its way from the same `before` to x.
    void resolveImpacts(Buffer<Vec3>& x, Buffer<Vec3>& v, float dt);

    // What cloths gave to the edges and corners of solids since the last applyRepulsions.
    const std::vector<ClothImpulse>& impulses() const { return impulses_; }

    // Of the last resolveImpacts, how many points it had to move as one with others: 0 in all but the worst jams.
    int rigidZonePoints() const { return rigidZonePoints_; }

  private:
    void listRepulsions();
    // `changed`: the points whose paths are others than when they were last checked; null: all.
    void findImpacts(const std::vector<int>* changed);
    void correctImpacts(bool bySeparatingPlane);
    void applyRigidImpactZones();
    // Four points, with weights as in ClosestPair, change the velocities of those that are cloth's by so much times
    // inverse mass and weight: what a solid among them takes.
    void recordImpulse(const int (&v)[4], const float (&w)[4], Vec3 velocityChange);

    Device device_;
    ContactGeometry geometry_;
    ContactCandidates candidates_;
    Buffer<Vec3> outward_;         // of solids' points, or zero where there is no inside
    Buffer<MassPoint> from_, to_;  // of all points, solids' behind cloths'
    Buffer<Vec3> v_;
    OrderedList<Repulsion> repulsions_;
    OrderedList<Impact> impacts_;
    std::vector<int> changed_;      // points
    std::vector<char> hasChanged_;  // of each group of features: whether any of its points is
    std::vector<ClothImpulse> impulses_;
    int rigidZonePoints_ = 0;
    float dt_ = 0;  // s, of the small step
};

}  // namespace purl
