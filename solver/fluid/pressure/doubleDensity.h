// A fluid of particles that push each other apart by two densities (Clavet, Beaudoin and Poulin 2005) and hold on to
// each other by springs that flow; and that hardens where neighbours have moved against each other of late, like
// cornstarch in water (Özgen 2013, chapter 5). Works on positions. What is done to a pair is done to both sides by what
// was there before, so that it makes no difference who comes first.
#pragma once
#include "solver/fluid/lanes.h"
#include "solver/fluid/material.h"
#include "solver/fluid/pressure/springs.h"
#include "solver/search/neighbors.h"
#include "solver/state.h"

namespace purl {

class DoubleDensity {
  public:
    // On a CPU tuned loops sum up the past, and what neighbours of one fluid do, unless not wanted.
    explicit DoubleDensity(const Device& device = Device::cpu(), bool tuned = true);

    void set(const Scene& scene, const Materials& materials);
    // Weight and fields: v, m/s, from the particles' own.
    void accelerate(const Particles& particles, const Materials& materials, float dt, Buffer<Vec3>& v);
    // Takes from v what particles that approach each other lose.
    void damp(const Particles& particles, const Neighbors& neighbors, float dt, Buffer<Vec3>& v);
    // Springs for all that are near, none for the others; those strained beyond their yield flow.
    void adjustSprings(State& state, const Neighbors& neighbors, float dt);
    // Move positions.
    void pullSprings(State& state, const Neighbors& neighbors, float dt);
    void relax(Particles& particles, const Neighbors& neighbors, float dt);
    // How much colliders grip each particle, 0 … 1.
    const Buffer<float>& grip() const { return springs_.grip(); }
    // What contact took from the tangential velocity, it also takes from the displacement. xFree, vFree: before
    // contact.
    void holdAtWalls(Particles& particles, const Buffer<Vec3>& v, float dt);
    // vFree = (x − xBefore)/Δt, into v too; and remembers x.
    void beforeContact(const Particles& particles, const Buffer<Vec3>& xBefore, float dt, Buffer<Vec3>& v);
    void rememberVelocity(State& state, const Scene& scene, double dt);

    const ViscoelasticSprings& springs() const { return springs_; }

  private:
    void take(Particles& particles);
    bool inLanes() const { return kHasLanes && tuned_ && fluids_.size() == 1; }

    Device device_;
    [[maybe_unused]] bool tuned_;
    float radius_ = 1;  // m
    Buffer<DoubleDensityConstants> fluids_;
    ViscoelasticSprings springs_;
    Buffer<Vec3> moved_, vFree_, xFree_;
    Buffer<float> pressure_, pressureNear_;
    LaneMemory lanes_;
};

}  // namespace purl
