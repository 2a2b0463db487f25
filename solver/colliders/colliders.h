// Colliders: the scene's solid things at a sub-step, and what they do to particles that run into them (Kelager 2006,
// §4.4); what particles do to rigid ones is fluid/reaction.h's. Knows nothing of materials but their restitution.
#pragma once
#include <vector>

#include "solver/colliders/primitives.h"
#include "solver/core/buffer.h"
#include "solver/scene.h"
#include "solver/search/triangleTree.h"
#include "solver/state.h"

namespace purl {

// A collider over one sub-step, as kernels see it.
struct PlacedCollider {
    ColliderShape shape = ColliderShape::mesh;
    bool container = false;
    bool kills = false;
    float radius = 0, halfLength = 0;
    Vec3 halfSize;
    float friction = 0;
    float adhesion = 0;  // N/m
    float gap = 0;       // particles keep this far away: the thickness, and off a mesh at least a hair's breadth
    Pose before, after;
    TriangleTreeView mesh;
};

// From where to where on a way.
struct Shares {
    float before = 0, after = 1;
};

// Where the scene's colliders stand.
std::vector<ColliderPlace> placesOf(const Scene& scene);

// m/s, no less than the fastest point of any collider has on its even way from there to the scene's place, s long.
// A plane counts without its turn, which has no end.
double fastestCollider(const Scene& scene, const std::vector<ColliderPlace>& from, double duration);

class Colliders {
  public:
    explicit Colliders(const Device& device);

    // Colliders move evenly from `from` (the frame's start) to the scene's places (its end). Places them for the
    // sub-step of dt seconds that spans the shares [shareBefore, shareAfter] of the way. What `from` lacks, or has with
    // another number of vertices, stands at the scene's place all the time. Rigid bodies' ways are those of a step, not
    // of the frame: `ofStep` is the part of it. Throws Error on a mesh that is none.
    void moveTo(const Scene& scene, const std::vector<ColliderPlace>& from, float shareBefore, float shareAfter,
                float dt, Shares ofStep = {});

    Span<const PlacedCollider> placed() const { return placed_.span(); }
    bool anyKills() const { return anyKills_; }

  private:
    struct MovingMesh {
        TriangleTree tree;
        std::vector<int> triangles;
        std::vector<Vec3> vertices, before;  // as the tree has them
    };

    void place(const Collider& collider, const ColliderPlace* from, Shares shares, MovingMesh& mesh,
               PlacedCollider& placed) const;

    Device device_;
    Buffer<PlacedCollider> placed_;
    bool anyKills_ = false;
    std::vector<MovingMesh> meshes_;  // one a collider, empty for primitives
};

// Brings every particle back to the allowed side of all colliders and edits the velocity of those that were not: once,
// by the deepest contact. xBefore is where the particles stood when the sub-step began. `touched`, if given, tells the
// collider that edited a particle's velocity, or -1.
void resolveContacts(Particles& particles, const Buffer<Vec3>& xBefore, const Colliders& colliders, const Scene& scene,
                     Buffer<Vec3>& vNew, float dt, Buffer<int>* touched = nullptr, Span<const float> grip = {});

// Deletes every particle that is inside a kill volume (outside a container) or has run through a kill mesh since
// xBefore; how many.
int killInside(Particles& particles, const Buffer<Vec3>& xBefore, const Colliders& colliders);

}  // namespace purl
