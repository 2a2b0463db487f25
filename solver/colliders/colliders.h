// Colliders: a step's colliders at a sub-step, as kernels read them, and contact response of particles (Kelager 2006,
// §4.4); what particles do to bodies is coupling/reaction.h's. Knows nothing of materials but their restitution.
#pragma once
#include <vector>

#include "solver/colliders/primitives.h"
#include "solver/colliders/stepColliders.h"
#include "solver/core/buffer.h"
#include "solver/scene.h"
#include "solver/search/triangleTree.h"
#include "solver/state.h"

namespace purl {

// A collider over one sub-step, as kernels read it.
struct PlacedCollider {
    ColliderShape shape = ColliderShape::mesh;
    bool container = false;
    bool kills = false;
    float radius = 0, halfLength = 0;
    Vec3 halfSize;
    float friction = 0;
    float adhesion = 0;  // N/m
    float gap = 0;       // m, distance that particles keep: the thickness, and off a mesh at least a rounding error
    Pose before, after;
    TriangleTreeView mesh;
};

// From where to where on a path.
struct Shares {
    float before = 0, after = 1;
};

// Where the scene's colliders stand.
std::vector<ColliderPlace> placesOf(const Scene& scene);

// m/s, no less than the fastest point of any keyed collider has on its even path from there to the scene's place, s
// long. A plane counts without its rotation, which has no bound.
double fastestCollider(const Scene& scene, const std::vector<ColliderPlace>& from, double duration);

class Colliders {
  public:
    explicit Colliders(const Device& device);

    // Places these members of the list for a sub-step of dt seconds. It spans the fractions [shareBefore, shareAfter]
    // of the frame, and `ofStep` of the step, within which rigid and deforming colliders move. Throws Error on an
    // invalid mesh.
    void moveTo(const StepColliders& list, const std::vector<int>& members, float shareBefore, float shareAfter,
                float dt, Shares ofStep = {});
    // The same of the scene's colliders alone.
    void moveTo(const StepColliders& list, float shareBefore, float shareAfter, float dt) {
        moveTo(list, list.ofScene, shareBefore, shareAfter, dt);
    }

    Span<const PlacedCollider> placed() const { return placed_.span(); }
    bool anyKills() const { return anyKills_; }

  private:
    struct MovingMesh {
        TriangleTree tree;
        Channel<int> triangles;
        Channel<Vec3> vertices, before;  // as the tree has them
    };

    void place(const StepCollider& collider, Shares shares, MovingMesh& mesh, PlacedCollider& placed) const;

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
