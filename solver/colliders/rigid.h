// Rigid body dynamics: colliders that are moved by gravity, contacts and fluids. Their poses are part of the State, as
// for keyed colliders. Fluids act on them by impulses.
#pragma once
#include <vector>

#include "solver/colliders/colliders.h"
#include "solver/colliders/stepColliders.h"
#include "solver/scene.h"
#include "solver/state.h"

namespace purl {

inline bool isRigid(const Collider& collider) { return collider.params.motion == ColliderMotion::dynamic; }

struct MassProperties {
    float mass = 0;       // kg
    Mat3 inertia;         // kg m², about the centre of mass, in the body frame
    Mat3 inverseInertia;  // 1/(kg m²)
};
// Mass properties of the solid shape at params.density. Throws Error for planes, containers and open meshes, which have
// none.
MassProperties massOf(const Collider& collider);

// Pose of the body frame in the scene: a primitive's own pose; for a mesh, its centre of mass without rotation.
Pose bodyPose(const Collider& collider);

// Updates the state after colliders switched between keyed and rigid. A collider that becomes rigid starts from its
// pose in the state with the velocity of its keyed motion, or at time 0 with its start velocity.
void updateRigidColliders(const Scene& scene, State& state);

// Momentum that a body receives from fluids or cloths in a step.
struct Impulse {
    Vec3 linear;   // N s
    Vec3 angular;  // N m s, about the centre of mass
};

class RigidBodies {
  public:
    // Collects the scene's rigid colliders, and places them in `colliders` at their poses in `state`.
    void set(const Scene& scene, const State& state, StepColliders& colliders);
    bool empty() const { return bodies_.empty(); }
    int count() const { return static_cast<int>(bodies_.size()); }
    // Index into the scene's colliders.
    int colliderOf(int body) const { return bodies_[body].collider; }

    // Advances the bodies by one step without fluid forces: applies one acceleration per body (m/s²) and resolves
    // contacts. `placed` are the scene's colliders, keyed ones at the end of the step, rigid ones at its start. Writes
    // the new poses to the state and to `colliders`.
    void move(State& state, Span<const PlacedCollider> placed, const std::vector<Vec3>& accelerations, float dt,
              StepColliders& colliders);

    // Changes the velocities of a body; its pose changes in the next step.
    void push(State& state, int body, const Impulse& impulse) const;

  private:
    // A sphere fixed to the body that is tested against other colliders; a point if its radius is 0.
    struct Sample {
        Vec3 at;  // in the body frame
        float radius = 0;
    };
    struct Body {
        int collider = 0;
        MassProperties mass;
        std::vector<Sample> samples;
        std::vector<Vec3> rest;  // vertices of a mesh in the body frame
        float size = 0;          // m, radius of the bounding sphere
        float friction = 0, bounce = 0;
    };
    struct ContactPoint;

    std::vector<ContactPoint> findContacts(const State& state, Span<const PlacedCollider> placed,
                                           const std::vector<Pose>& poses, float dt) const;
    void resolve(State& state, std::vector<ContactPoint>& contacts, std::vector<Pose>& poses, float dt) const;
    static ColliderPosition positionAt(const Body& body, const Pose& pose);
    Vec3 angularVelocityChange(const Body& body, const Pose& pose, Vec3 angularImpulse) const;

    std::vector<Body> bodies_;
    std::vector<int> bodyOf_;  // per collider: its body, or -1
};

}  // namespace purl
