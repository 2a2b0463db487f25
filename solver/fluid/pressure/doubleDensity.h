// Double-density relaxation (Clavet, Beaudoin and Poulin 2005) with viscoelastic springs. The springs stiffen where
// neighbours recently moved relative to each other, so that the fluid hardens under impact like cornstarch in water
// (Özgen 2013, chapter 5). Position-based. Pairs are updated Jacobi-style, from the values before the update, so that
// the result does not depend on the order of particles.
#pragma once
#include "solver/fluid/lanes.h"
#include "solver/fluid/material.h"
#include "solver/fluid/pressure/springs.h"
#include "solver/search/neighbors.h"
#include "solver/state.h"

namespace purl {

class DoubleDensity {
  public:
    // `tuned`: on a CPU, use loops of eight lanes for the springs if the scene has one fluid.
    explicit DoubleDensity(const Device& device = Device::cpu(), bool tuned = true);

    void set(const Scene& scene, const Materials& materials);
    // Writes the particles' velocities after gravity and fields into v, m/s.
    void accelerate(const Particles& particles, const Materials& materials, float dt, Buffer<Vec3>& v);
    // Subtracts the damping of approaching pairs from v.
    void damp(const Particles& particles, const Neighbors& neighbors, float dt, Buffer<Vec3>& v);
    // Creates springs between all neighbours, deletes all others; springs strained beyond their yield flow.
    void adjustSprings(State& state, const Neighbors& neighbors, float dt);
    // These two move the particles.
    void pullSprings(State& state, const Neighbors& neighbors, float dt);
    void relax(Particles& particles, const Neighbors& neighbors, float dt);
    // Grip of colliders on each particle, 0 … 1; see ResolveContacts.
    const Buffer<float>& grip() const { return springs_.grip(); }
    // Subtracts from the displacement what contact subtracted from the tangential velocity since storeBeforeContact.
    void applyContactFriction(Particles& particles, const Buffer<Vec3>& v, float dt);
    // Stores positions and velocities before contact: xFree = x, vFree = (x − xBefore)/Δt, also written to v.
    void storeBeforeContact(const Particles& particles, const Buffer<Vec3>& xBefore, float dt, Buffer<Vec3>& v);
    // Appends the velocities to the history, every hardeningStride steps, if a fluid hardens.
    void rememberVelocity(State& state, const Scene& scene, double dt);

    const ViscoelasticSprings& springs() const { return springs_; }

  private:
    void storePositions(Particles& particles);
    // Packs positions, and velocities if given, for the sweeps.
    void pack(const Particles& particles, Span<const Vec3> v);

    Device device_;
    float radius_ = 1;  // m
    Buffer<DoubleDensityConstants> fluids_;
    ViscoelasticSprings springs_;
    Buffer<Vec3> moved_, vFree_, xFree_;
    LaneMemory lanes_;
};

}  // namespace purl
