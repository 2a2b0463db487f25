// Colliders: the colliders placed for a sub-step, for kernels, and the contact response of particles (Kelager 2006,
// §4.4). The reaction of particles on bodies is in coupling/reaction.h.
#pragma once
#include <vector>

#include "solver/colliders/primitives.h"
#include "solver/colliders/stepColliders.h"
#include "solver/core/buffer.h"
#include "solver/scene.h"
#include "solver/search/triangleTree.h"
#include "solver/state.h"

namespace purl {

// A collider over one sub-step, for kernels.
struct PlacedCollider {
    ColliderShape shape = ColliderShape::mesh;
    bool container = false;
    bool kills = false;
    float radius = 0, halfLength = 0;
    Vec3 halfSize;
    float friction = 0;
    float adhesion = 0;  // N/m
    float gap = 0;       // m, distance that particles keep: the thickness; for meshes at least a rounding error
    Pose before, after;
    TriangleTreeView mesh;
};

// An interval of a frame or a step, as fractions of its duration.
struct TimeInterval {
    float before = 0, after = 1;
};

// Current poses and vertices of the scene's colliders.
std::vector<ColliderPlace> placesOf(const Scene& scene);

// Upper bound, m/s, for the speed of any point of the keyed colliders when they move from `from` to the scene's
// positions within `duration` seconds. The rotation of planes is ignored, since their points are unbounded.
double fastestCollider(const Scene& scene, const std::vector<ColliderPlace>& from, double duration);

class Colliders {
  public:
    explicit Colliders(const Device& device);

    // Places the colliders `members` of the list for a sub-step of dt seconds. It spans [shareBefore, shareAfter] of
    // the frame, which keyed colliders follow, and `ofStep` of the step, which rigid and deforming ones follow. Throws
    // Error on an invalid mesh.
    void moveTo(const StepColliders& list, const std::vector<int>& members, float shareBefore, float shareAfter,
                float dt, TimeInterval ofStep = {});
    // The same for the scene's colliders only.
    void moveTo(const StepColliders& list, float shareBefore, float shareAfter, float dt) {
        moveTo(list, list.ofScene, shareBefore, shareAfter, dt);
    }

    // For the host, and for kernels on the device.
    Span<const PlacedCollider> placed() const { return placed_.span(); }
    Span<const PlacedCollider> onDevice() const { return device_.isCpu() ? placed_.span() : onDevice_.span(); }
    const Device& device() const { return device_; }
    bool anyKills() const { return anyKills_; }

  private:
    struct MovingMesh {
        TriangleTree tree;
        TriangleTree onDevice;  // its copy there; unused on the CPU
        bool changed = false;   // since it was copied
        Channel<int> triangles;
        Channel<Vec3> vertices, before;  // for which the tree was built or refitted
    };

    void copyToDevice();
    void place(const StepCollider& collider, TimeInterval shares, MovingMesh& mesh, PlacedCollider& placed) const;

    Device device_;
    Buffer<PlacedCollider> placed_, onDevice_;
    bool anyKills_ = false;
    std::vector<MovingMesh> meshes_;  // one per collider, empty for primitives
};

// Projects particles back to the allowed side of all colliders, and changes the velocity of those in contact once, by
// their deepest contact. xBefore: positions at the start of the sub-step. `touched`, if given, receives the collider of
// that contact for each particle, or -1. `grip`: see ResolveContacts.
void resolveContacts(Particles& particles, const Buffer<Vec3>& xBefore, const Colliders& colliders, const Scene& scene,
                     Buffer<Vec3>& vNew, float dt, Buffer<int>* touched = nullptr, Span<const float> grip = {});

// Number of particles that are more than `depth` metres on the forbidden side of one of the placed colliders.
int countInside(const Particles& particles, const Colliders& colliders, int which, float depth);

// Deletes the particles that are inside a kill volume (for a container: outside) or have crossed a kill mesh since
// xBefore. Returns their number.
int killInside(Particles& particles, const Buffer<Vec3>& xBefore, const Colliders& colliders);

}  // namespace purl
