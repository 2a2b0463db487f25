// What fluids do to rigid bodies: the opposite of what the bodies' walls and contacts did to them in a step, summed up.
#pragma once
#include <vector>

#include "solver/boundary/boundary.h"
#include "solver/contact/rigid.h"
#include "solver/fluid/material.h"
#include "solver/particles.h"

namespace purl {

class Reaction {
  public:
    explicit Reaction(const Device& device);

    // Begins a step with nothing. members[w] is the collider that the boundary's wall w is made of.
    void begin(const RigidBodies& rigids, const State& state, const std::vector<int>& members);

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
    // touched[i]: the collider that changed particle i's velocity, or -1.
    void addContact(const Particles& particles, const Buffer<int>& touched, const Materials& materials,
                    const Buffer<Vec3>& v);

    // Hands the step's impulses to the bodies.
    void deliver(const RigidBodies& rigids, State& state) const;

  private:
    struct Target {
        int collider = -1, wall = -1;  // wall: -1 where the fluid does not see it
        Vec3 center;                   // of mass
        Impulse impulse;
    };

    template <class PushOn>
    void forEachWall(const char* name, int particles, const PushOn& pushOn);

    Device device_;
    std::vector<Target> targets_;
    Buffer<Vec3> before_;
};

}  // namespace purl
