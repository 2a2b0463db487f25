// Reaction impulses of fluids on rigid bodies, cloths and soft bodies: the opposite of what boundaries and contacts did
// to the fluid in a step, summed up.
#pragma once
#include <vector>

#include "solver/boundary/boundary.h"
#include "solver/colliders/colliders.h"
#include "solver/colliders/rigid.h"
#include "solver/coupling/boundaryBinding.h"
#include "solver/fluid/material.h"
#include "solver/particles.h"

namespace purl {

// What contact of a particle gives to a deforming collider.
struct ContactImpulse {
    int collider = -1;     // among those that are placed; -1: none
    PointCarrier carrier;  // the triangle's corners and their shares
    Vec3 impulse;          // N s
    float mass = 0;        // kg, of the particle
};

class Reaction {
  public:
    explicit Reaction(const Device& device);

    // Begins a step with nothing. `inDensity`: the colliders of the density's boundary, see Boundary::members().
    // `binding`: of the boundary where it stands in the step.
    void begin(const RigidBodies& rigids, const State& state, const StepColliders& colliders,
               const std::vector<int>& inDensity, const BoundaryBinding& binding);

    // By the pressures of this step and where the fluid stands now.
    void addPressure(const Particles& particles, const Boundary& boundary, const Materials& materials,
                     PressureSolver solver, float dt);

    // By viscosity: explicit models act by the velocities before it, implicit ones by those they solved for.
    enum class Viscous { before, solved };
    void addViscosity(const Particles& particles, const Boundary& boundary, const Materials& materials, Viscous when,
                      float dt, const Buffer<float>& volume, const Buffer<Vec3>& v);

    // Takes note of velocities that friction or contact are about to change ...
    void remember(const Buffer<Vec3>& v) { before_ = v; }
    // ... and sums up what they did.
    void addFriction(const Particles& particles, const Boundary& boundary, const Materials& materials,
                     const Buffer<Vec3>& v);
    // touched[i]: which of the colliders changed particle i's velocity, or -1.
    void addContact(const Particles& particles, const Buffer<int>& touched, const Colliders& colliders,
                    const Materials& materials, const Buffer<Vec3>& v);

    // Hands the step's impulses to the rigid bodies.
    void deliver(const RigidBodies& rigids, State& state) const;
    // N s, the step's impulses on each point of cloths and then of soft bodies; none without deforming colliders.
    const std::vector<Vec3>& onPoints() const { return onPoints_; }
    // kg, of the particles in contact with each.
    const std::vector<float>& touching() const { return touching_; }

  private:
    struct Target {
        int collider = -1, wall = -1;  // wall: of the boundary; -1 where the density does not see it
        Vec3 center;                   // of mass
        Impulse impulse;
    };

    template <class Pushes>
    void addAll(const char* name, int particles, const Boundary& boundary, const Pushes& pushes);
    void addAt(const PointCarrier& carrier, int first, Vec3 impulse);

    Device device_;
    std::vector<Target> targets_;
    const BoundaryBinding* binding_ = nullptr;
    Buffer<int> firstPoint_;           // of each placed collider; -1 unless it deforms and reacts
    Buffer<Vec3> entries_;             // N s, of each entry of the boundary's lists
    Buffer<ContactImpulse> contacts_;  // of each particle
    std::vector<Vec3> onSamples_;      // N s, of the samples of the binding
    std::vector<Vec3> onPoints_;
    std::vector<float> touching_;
    Buffer<Vec3> before_;
};

}  // namespace purl
