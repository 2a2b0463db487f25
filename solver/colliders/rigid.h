// Rigid bodies: colliders that gravity, fluids and one another move. Their poses are results of a step, kept in the
// State like the places of keyed colliders; fluids act on them by impulses.
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
    Mat3 inertia;         // kg m², about the centre of mass, in the body's frame
    Mat3 inverseInertia;  // 1/(kg m²)
};
// Of the solid shape at params.density. Throws Error where there is none: a plane, a container, an open mesh.
MassProperties massOf(const Collider& collider);

// The body's frame where the scene puts it: a primitive's own; a mesh's stands unturned in its centre of mass.
Pose bodyPose(const Collider& collider);

// Makes the state agree with the scene about which colliders are rigid: one that has just become rigid starts where
// the state has it, with the velocity of its keys, or at time 0 with its start velocity.
void letGo(const Scene& scene, State& state);

// What fluids or cloths gave to a body in a step.
struct Impulse {
    Vec3 linear;   // N s
    Vec3 angular;  // N m s, about the body's centre of mass
};

class RigidBodies {
  public:
    // Takes up the scene's rigid colliders, and puts them where `state` has them.
    void set(const Scene& scene, const State& state, StepColliders& colliders);
    bool empty() const { return bodies_.empty(); }
    int count() const { return static_cast<int>(bodies_.size()); }
    // Index into the scene's colliders.
    int colliderOf(int body) const { return bodies_[static_cast<size_t>(body)].collider; }

    // Moves the bodies over a step as if there were no fluid, by an acceleration each, m/s², and against other
    // colliders. `placed` are the scene's colliders, keyed ones where the step ends and rigid ones where it begins.
    // Writes where they go into the state and into `colliders`.
    void move(State& state, Span<const PlacedCollider> placed, const std::vector<Vec3>& accelerations, float dt,
              StepColliders& colliders);

    // Changes a body's velocities; it moves by them in the next step.
    void push(State& state, int body, const Impulse& impulse) const;

  private:
    // A sphere fixed to the body, which is tested against other colliders.
    struct Sample {
        Vec3 at;  // in the body's frame
        float radius = 0;
    };
    struct Body {
        int collider = 0;
        MassProperties mass;
        std::vector<Sample> samples;
        std::vector<Vec3> rest;  // a mesh's vertices in the body's frame
        float size = 0;          // m, from the centre to the farthest sample
        float friction = 0, bounce = 0;
    };
    struct Touch;

    std::vector<Touch> touches(const State& state, Span<const PlacedCollider> placed, const std::vector<Pose>& poses,
                               float dt) const;
    void resolve(State& state, std::vector<Touch>& touches, std::vector<Pose>& poses, float dt) const;
    static ColliderPosition positionAt(const Body& body, const Pose& pose);
    Vec3 turned(const Body& body, const Pose& pose, Vec3 angularImpulse) const;

    std::vector<Body> bodies_;
    std::vector<int> bodyOf_;  // of each collider, or -1
};

}  // namespace purl
