// What fluids do to rigid bodies, cloths and soft bodies: the opposite of what their walls and contacts did to them in
// a step, summed up.
#pragma once
#include <vector>

#include "solver/boundary/boundary.h"
#include "solver/colliders/colliders.h"
#include "solver/colliders/rigid.h"
#include "solver/coupling/boundaryBinding.h"
#include "solver/coupling/deformingColliders.h"
#include "solver/fluid/material.h"
#include "solver/particles.h"

namespace purl {

// What contact hands to a skin: its triangle's corners, and to each its share.
struct HeldBySkin {
    int skin = -1;
    PointCarrier carrier;
    Vec3 impulse;    // N s
    float mass = 0;  // kg
};

class Reaction {
  public:
    explicit Reaction(const Device& device);

    // Begins a step with nothing. members[w] is the collider that the boundary's wall w is made of. `rides` are those
    // of the skins' walls, where they stand in the step.
    void begin(const RigidBodies& rigids, const State& state, const std::vector<int>& members,
               const DeformingColliders& skins, const BoundaryBinding& rides);

    // The walls' push, by the pressures of this step and where the fluid stands now.
    void addPressure(const Particles& particles, const Boundary& walls, const Materials& materials,
                     PressureSolver solver, float dt);

    // The pull of viscosity: explicit models rub by the velocities they were given, implicit ones by those they found.
    enum class Viscous { before, solved };
    void addViscosity(const Particles& particles, const Boundary& walls, const Materials& materials, Viscous when,
                      float dt, const Buffer<float>& volume, const Buffer<Vec3>& v);

    // Takes note of velocities that friction or contact are about to change ...
    void remember(const Buffer<Vec3>& v) { before_ = v; }
    // ... and sums up what they did.
    void addFriction(const Particles& particles, const Boundary& walls, const Materials& materials,
                     const Buffer<Vec3>& v);
    // touched[i]: which of the colliders changed particle i's velocity, or -1.
    void addContact(const Particles& particles, const Buffer<int>& touched, const Colliders& colliders,
                    const Materials& materials, const Buffer<Vec3>& v);

    // Hands the step's impulses to the rigid bodies.
    void deliver(const RigidBodies& rigids, State& state) const;
    // N s, the step's impulses on each point of cloths and then of soft bodies; none without skins.
    const std::vector<Vec3>& onPoints() const { return onPoints_; }
    // kg, of the particles that contact held off each.
    const std::vector<float>& touching() const { return touching_; }

  private:
    struct Target {
        int collider = -1, wall = -1;  // wall: -1 where the fluid does not see it
        Vec3 center;                   // of mass
        Impulse impulse;
    };

    template <class Pushes>
    void addAll(const char* name, int particles, const Boundary& walls, const Pushes& pushes);
    void addAt(const PointCarrier& carrier, int first, Vec3 impulse);

    Device device_;
    std::vector<Target> targets_;
    const BoundaryBinding* rides_ = nullptr;  // none: no skin is pushed
    Buffer<int> firstOf_;   // of the points behind each collider, or -1 where it is no skin that is pushed
    Buffer<Vec3> entries_;  // N s, of each entry of the walls' lists
    Buffer<HeldBySkin> held_;
    std::vector<Vec3> onWalls_;  // N s, of the wall points that ride
    std::vector<Vec3> onPoints_;
    std::vector<float> touching_;
    Buffer<Vec3> before_;
};

}  // namespace purl
