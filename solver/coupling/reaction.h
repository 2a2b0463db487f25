// Reaction impulses of fluids on rigid bodies, cloths and soft bodies: opposite to the impulses of boundaries and
// contacts on the fluid, summed over a step.
#pragma once
#include <vector>

#include "solver/boundary/boundary.h"
#include "solver/colliders/colliders.h"
#include "solver/colliders/rigid.h"
#include "solver/coupling/boundaryBinding.h"
#include "solver/fluid/material.h"
#include "solver/particles.h"

namespace purl {

// Impulse of one particle on a deforming collider that it touched.
struct ContactImpulse {
    int collider = -1;     // index of the placed collider; -1: none
    PointCarrier carrier;  // vertices of the triangle and barycentric coordinates
    Vec3 impulse;          // N s
    float mass = 0;        // kg, of the particle
};

class Reaction {
  public:
    explicit Reaction(const Device& device);

    // Resets the impulses for a new step. `inDensity`: the colliders of the density's boundary, see
    // Boundary::members(). `binding`: of the boundary as positioned in this step.
    void begin(const RigidBodies& rigids, const State& state, const StepColliders& colliders,
               const std::vector<int>& inDensity, const BoundaryBinding& binding);

    // Adds pressure impulses, from this step's pressures and the current positions of particles.
    void addPressure(const Particles& particles, const Boundary& boundary, const Materials& materials,
                     PressureSolver solver, float dt);

    // Adds viscous impulses: of explicit models from the velocities before it, of implicit ones from the solved
    // velocities.
    enum class Viscous { before, solved };
    void addViscosity(const Particles& particles, const Boundary& boundary, const Materials& materials, Viscous when,
                      float dt, const Buffer<float>& volume, const Buffer<Vec3>& v);

    // Stores the velocities that friction or contact is about to change ...
    void remember(const Buffer<Vec3>& v) { before_ = v; }
    // ... and adds the impulses of that change.
    void addFriction(const Particles& particles, const Boundary& boundary, const Materials& materials,
                     const Buffer<Vec3>& v);
    // touched[i]: the collider that changed particle i's velocity, or -1.
    void addContact(const Particles& particles, const Buffer<int>& touched, const Colliders& colliders,
                    const Materials& materials, const Buffer<Vec3>& v);

    // Applies the impulses to the rigid bodies.
    void deliver(const RigidBodies& rigids, State& state) const;
    // N s, impulse on each point of cloths, then of soft bodies; empty without deforming colliders.
    const Buffer<Vec3>& onPoints() const { return onPoints_; }
    // kg, total mass of the particles in contact with each point.
    const Buffer<float>& touching() const { return touching_; }

  private:
    struct Target {
        int collider = -1, wall = -1;  // wall: its index in the boundary; -1 if not part of the density
        Vec3 center;                   // of mass
        Impulse impulse;
    };

    template <class Impulses>
    void addOnBodies(const char* name, int particles, const Boundary& boundary, const Impulses& impulses);
    void addContactsOnPoints();

    Device device_;
    std::vector<Target> targets_;
    const BoundaryBinding* binding_ = nullptr;
    Mirrored<int> firstPoint_;         // per placed collider; -1 unless it deforms and reacts
    Buffer<Vec3> entries_;             // N s, per entry of the boundary's neighbour lists
    Buffer<ContactImpulse> contacts_;  // per particle
    Buffer<Vec3> onSamples_;           // N s, per sample of the binding
    Buffer<Vec3> onPoints_;
    Buffer<float> touching_;
    Buffer<Vec3> before_;
};

}  // namespace purl
